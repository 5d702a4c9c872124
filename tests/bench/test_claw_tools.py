"""The agent's tools, in our sandbox and through Inspect's interface alone."""

import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import pytest_asyncio
from inspect_ai.tool import ToolError
from inspect_ai.util import SandboxEnvironment
from inspect_ai.util._sandbox.local import LocalSandboxEnvironment

from clawgym_bench.claw import Toolset, open_site
from clawgym_bench.claw.cut import OUTPUT_MAX_CHARS
from clawgym_bench.claw.files import READ_MAX_BYTES
from clawgym_bench.claw.running import FolderCommand
from clawgym_bench.claw.shell import EXHAUSTED_CALLS
from clawgym_bench.endings import AgentFailed
from clawgym_bench.sandbox import BubblewrapEnvironment
from clawgym_data.sandbox import SandboxConfig, SandboxGone, SandboxLimits
from tests.bench.docker_engine import cleared, shared_docker_sandbox

pytestmark = pytest.mark.asyncio


class Tools:
    """Calls by name, and the sandbox to look into."""

    def __init__(self, environment: SandboxEnvironment, toolset: Toolset, root: str) -> None:
        self.environment, self.toolset, self.root = environment, toolset, root

    async def __call__(self, tool: str, **given: Any) -> str:
        return await self.toolset.call(tool, given)

    async def refused(self, tool: str, **given: Any) -> str:
        with pytest.raises(ToolError) as error:
            await self.toolset.call(tool, given)
        return error.value.message


async def open_tools(environment: SandboxEnvironment) -> Tools:
    site = await open_site(environment)
    return Tools(environment, Toolset(site), site.root)


@pytest.fixture(scope="module")
def docker_environment() -> Iterator[SandboxEnvironment]:
    with shared_docker_sandbox() as environment:
        yield environment


@pytest_asyncio.fixture(params=["bubblewrap", "general", "docker"])
async def tools(request: pytest.FixtureRequest) -> AsyncIterator[Tools]:
    if request.param == "docker":
        yield await open_tools(await cleared(request.getfixturevalue("docker_environment")))
        return
    kind = BubblewrapEnvironment if request.param == "bubblewrap" else LocalSandboxEnvironment
    environments = await kind.sample_init("task", None, {})
    yield await open_tools(environments["default"])
    await kind.sample_cleanup("task", None, environments, False)


@pytest_asyncio.fixture
async def own() -> AsyncIterator[Tools]:
    config = SandboxConfig(limits=SandboxLimits(processes=32))
    environments = await BubblewrapEnvironment.sample_init("task", config, {})
    yield await open_tools(environments["default"])
    await BubblewrapEnvironment.sample_cleanup("task", config, environments, False)


async def test_write_then_read(tools: Tools) -> None:
    assert await tools("write", path="a/b.txt", content="one\ntwo\n") == "Successfully wrote 8 bytes to a/b.txt"
    assert await tools("read", path="a/b.txt") == "one\ntwo\n"
    assert await tools("read", path=f"{tools.root}/a/../a/b.txt") == "one\ntwo\n"


async def test_read_by_lines(tools: Tools) -> None:
    await tools("write", path="n", content="".join(f"{n}\n" for n in range(1, 3001)))
    assert (
        await tools("read", path="n", offset=10, limit=2)
        == "10\n11\n\n[lines 10-11 of 3000 shown; use offset=12 to go on]"
    )
    assert (await tools("read", path="n")).endswith("2000\n\n[lines 1-2000 of 3000 shown; use offset=2001 to go on]")
    assert (await tools("read", path="n", offset=2999)) == "2999\n3000\n"
    assert "beyond the end of n, which has 3000 lines" in await tools.refused("read", path="n", offset=3001)


async def test_read_stops_at_its_size(tools: Tools) -> None:
    await tools("write", path="wide", content=("x" * 999 + "\n") * 100)
    assert len(await tools("read", path="wide")) < READ_MAX_BYTES + 100
    await tools("write", path="long", content="x" * (READ_MAX_BYTES + 1))
    assert "line 1 of long alone has more than" in await tools.refused("read", path="long")


async def test_what_cannot_be_read_is_said(tools: Tools) -> None:
    await tools.environment.write_file("binary", b"a\0b")
    await tools.environment.write_file("latin", "caf\u00e9".encode("latin-1"))
    await tools("exec", command="mkdir folder; ln -s binary link; ln -s nothing dangling")
    assert "No such file" in await tools.refused("read", path="missing.txt")
    assert "binary is a binary file of 3 bytes" in await tools.refused("read", path="binary")
    assert "link is a binary file" in await tools.refused("read", path="link")
    assert "latin is no UTF-8 text (byte 3" in await tools.refused("read", path="latin")
    assert "irectory" in await tools.refused("read", path="folder")
    assert "No such file" in await tools.refused("read", path="dangling")
    assert "the path is empty" in await tools.refused("read", path=" ")
    assert "NUL" in await tools.refused("read", path="a\0b")


async def test_what_cannot_be_written_is_said(tools: Tools) -> None:
    await tools("exec", command="mkdir folder; echo x > file")
    assert "irectory" in await tools.refused("write", path="folder", content="x")
    assert await tools.refused("write", path="file/under", content="x")
    assert "half a character" in await tools.refused("write", path="x", content="\ud800")


async def test_a_file_that_is_written_over_keeps_its_mode(tools: Tools) -> None:
    await tools("exec", command="printf '#!/bin/sh\\necho long long long' > run; chmod 755 run; ln -s run link")
    await tools("write", path="run", content="#!/bin/sh\necho a")
    assert await tools("exec", command="./run; stat -c %a run") == "a\n755"
    await tools("edit", path="link", oldText="echo a", newText="echo b")
    assert await tools("exec", command="./run; readlink link") == "b\nrun"


async def test_edit_needs_exactly_one_match(tools: Tools) -> None:
    await tools("write", path="f", content="a b a\n")
    assert await tools("edit", path="f", oldText="b", newText="c") == "Successfully replaced text in f"
    assert await tools("read", path="f") == "a c a\n"
    assert "occurs 2 times in f" in await tools.refused("edit", path="f", oldText="a", newText="x")
    assert "does not occur in f" in await tools.refused("edit", path="f", oldText="A", newText="x")
    assert "oldText is empty" in await tools.refused("edit", path="f", oldText="", newText="x")
    assert "the same" in await tools.refused("edit", path="f", oldText="c", newText="c")
    assert "No such file" in await tools.refused("edit", path="g", oldText="c", newText="d")
    assert await tools("read", path="f") == "a c a\n"


async def test_edit_keeps_carriage_returns(tools: Tools) -> None:
    await tools.environment.write_file("crlf", b"a\r\nb\r\nc\r\n")
    await tools("edit", path="crlf", oldText="a\nb", newText="x\ny\nz")
    assert await tools.environment.read_file("crlf", text=False) == b"x\r\ny\r\nz\r\nc\r\n"


async def test_apply_patch_changes_all_files_or_none(tools: Tools) -> None:
    await tools("exec", command="echo one > a; echo two > b; echo three > c")
    done = await tools(
        "apply_patch",
        input="*** Begin Patch\n*** Update File: a\n@@\n-one\n+1\n*** Add File: d/e\n+new\n*** Delete File: b\n"
        "*** Update File: c\n*** Move to: c2\n@@\n-three\n+3\n*** Update File: a\n@@\n-1\n+uno\n*** End Patch",
    )
    assert done == "Success. Updated the following files:\nM a\nA d/e\nD b\nM c2\nM a"
    assert await tools("exec", command="cat a d/e c2; ls") == "uno\nnew\n3\na\nc2\nd"
    failed = await tools.refused(
        "apply_patch",
        input="*** Begin Patch\n*** Update File: a\n@@\n-uno\n+x\n*** Update File: c2\n@@\n-z\n+y\n*** End Patch",
    )
    assert "c2: these lines were not found" in failed
    assert await tools("read", path="a") == "uno\n"
    assert "the first line" in await tools.refused("apply_patch", input="nonsense")
    assert "No such file" in await tools.refused(
        "apply_patch", input="*** Begin Patch\n*** Delete File: gone\n*** End Patch"
    )


async def test_exec_gives_output_and_exit_code(tools: Tools) -> None:
    assert await tools("exec", command="echo out; echo err >&2") == "out\nerr"
    assert await tools("exec", command="true") == "(no output)"
    assert await tools("exec", command="echo x; exit 3") == "x\n\n(Command exited with code 3)"
    assert await tools("exec", command='echo "$A $OPENCLAW_SHELL"', env={"A": "b c"}) == "b c exec"
    await tools("write", path="in/x", content="")
    assert await tools("exec", command="ls", workdir="in") == "x"


async def test_exec_refuses_what_cannot_run(tools: Tools) -> None:
    assert "the command is empty" in await tools.refused("exec", command=" ")
    assert "could not be started" in await tools.refused("exec", command="ls", workdir="/nowhere")
    assert "'A=B' cannot be the name" in await tools.refused("exec", command="ls", env={"A=B": "c"})


async def test_long_output_keeps_its_head_and_tail(tools: Tools) -> None:
    text = await tools("exec", command="echo first; seq 100000; echo last")
    assert text.startswith("first\n1\n")
    assert text.endswith("\nlast")
    assert "characters left out ...]" in text
    assert len(text) < OUTPUT_MAX_CHARS + 200


def a_sleep() -> str:
    """A command that no other test runs beside this one."""
    return f"sleep 61.{uuid4().int % 10**9}"


async def dies(tools: Tools, command: str) -> bool:
    """Whether it is gone within seconds: a process that was killed can still be listed for a moment."""
    looks = f"for i in $(seq 50); do ps axo args | grep -v grep | grep '{command}' || break; sleep 0.1; done; echo $i"
    return not (await tools("exec", command=looks)).endswith("50")


async def test_a_command_that_takes_too_long_is_killed(tools: Tools) -> None:
    sleep = a_sleep()
    began = time.monotonic()
    text = await tools("exec", command=f"echo a; {sleep}", timeout=1)
    assert text == "a\n\n(Command timed out after 1 seconds and was killed)"
    assert time.monotonic() - began < 9
    assert await dies(tools, sleep)


async def test_what_ran_in_any_other_sandbox_leaves_no_folder() -> None:
    environments = await LocalSandboxEnvironment.sample_init("task", None, {})
    command = await FolderCommand.start(environments["default"], "echo a; exit 3", "/", {}, 60)
    while not await command.wait(5):
        pass
    assert (command.exit_code, command.output()) == (3, (b"a\n", 2))
    assert not Path(command._folder).exists()
    assert await command.wait(5)
    with pytest.raises(BrokenPipeError):
        await command.feed(b"b", eof=False)
    await LocalSandboxEnvironment.sample_cleanup("task", None, environments, False)


@pytest.mark.fault("background-child-holds-the-call")
async def test_a_child_in_the_background_holds_no_call(tools: Tools) -> None:
    began = time.monotonic()
    assert "started" in await tools("exec", command="(sleep 20; echo late) & echo started")
    assert time.monotonic() - began < 8


async def test_a_slow_command_goes_on_in_the_background(tools: Tools) -> None:
    text = await tools("exec", command="echo a; sleep 1; echo b", yieldMs=300)
    assert text.startswith("a\n")
    assert "Command still running (session s1)" in text
    assert (
        await tools("process", action="poll", sessionId="s1", timeout=8000) == "a\nb\n\n\nProcess exited with code 0."
    )
    assert await tools("process", action="poll", sessionId="s1") == "(no new output)\n\nProcess exited with code 0."
    assert await tools("process", action="log", sessionId="s1") == "a\nb"


async def test_a_session_is_written_to_and_ends_with_its_input(tools: Tools) -> None:
    assert await tools("exec", command="cat; echo end", background=True)
    assert await tools("process", action="write", sessionId="s1", data="hello\n") == "Wrote 6 bytes to session s1."
    polled = await tools("process", action="poll", sessionId="s1", timeout=700)
    assert polled == "hello\n\n\nProcess still running."
    assert "closed its input" in await tools("process", action="write", sessionId="s1", data="more\n", eof=True)
    assert (
        await tools("process", action="poll", sessionId="s1", timeout=8000)
        == "more\nend\n\n\nProcess exited with code 0."
    )
    assert "reads no input" in await tools.refused("process", action="write", sessionId="s1", data="x")


async def test_a_session_is_killed_with_its_children(tools: Tools) -> None:
    sleep = a_sleep()
    await tools("exec", command=f"{sleep} & {sleep}", background=True)
    assert "s1 running" in await tools("process", action="list")
    assert await tools("process", action="kill", sessionId="s1") == "Killed session s1."
    assert "had exited with code 137 already" in await tools("process", action="kill", sessionId="s1")
    assert await dies(tools, sleep)


async def test_log_by_lines(tools: Tools) -> None:
    await tools("exec", command="seq 300; sleep 30", yieldMs=1500)
    assert await tools("process", action="log", sessionId="s1", offset=9, limit=2) == "10\n11"
    assert (await tools("process", action="log", sessionId="s1")).startswith("101\n")
    await tools("process", action="kill", sessionId="s1")


async def test_process_refuses_what_it_does_not_know(tools: Tools) -> None:
    assert await tools("process", action="list") == "No sessions."
    assert "no action 'stop'; expected one of list" in await tools.refused("process", action="stop")
    assert "no session 's9'; there are: none" in await tools.refused("process", action="poll", sessionId="s9")
    assert "sessionId is required" in await tools.refused("process", action="poll")


async def test_a_link_or_fifo_of_the_agent_leads_to_nothing_of_the_host(own: Tools) -> None:
    await own("exec", command="ln -s /etc/shadow leak; ln -s /etc dir; mkfifo pipe; ln -s /etc/hostname out")
    assert await own.refused("read", path="leak")
    assert await own.refused("read", path="dir/shadow")
    assert await own.refused("write", path="out", content="x")
    began = time.monotonic()
    assert await own.refused("read", path="dir/nothing")
    assert time.monotonic() - began < 5


async def test_killing_everything_ends_the_call_and_not_the_trial(own: Tools) -> None:
    await own("exec", command="touch up; sleep 63", background=True)
    await own("exec", command="until [ -e up ]; do sleep 0.05; done")
    await own("exec", command="kill -9 -1")
    ended = "(no new output)\n\nProcess exited with code 137."
    deadline = time.monotonic() + 20
    while await own("process", action="poll", sessionId="s1") != ended:
        assert time.monotonic() < deadline
    await own("exec", command="rm up")
    assert await own("exec", command="echo alive") == "alive"


async def test_an_agent_that_uses_up_all_processes_has_failed(own: Tools) -> None:
    await own("exec", command="for i in $(seq 60); do sleep 64 & done; wait", yieldMs=3000)
    for _ in range(EXHAUSTED_CALLS - 1):
        assert "Resource temporarily unavailable" in await own.refused("exec", command="true")
    with pytest.raises(AgentFailed, match=f"exhausted its sandbox: {EXHAUSTED_CALLS} commands in a row"):
        await own("exec", command="true")


async def test_a_sandbox_that_is_gone_is_no_error_of_the_tool(own: Tools) -> None:
    own.environment.as_type(BubblewrapEnvironment).runner.close()
    with pytest.raises(SandboxGone):
        await own("exec", command="true")
    with pytest.raises(SandboxGone):
        await own("read", path="x")
