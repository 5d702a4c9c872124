"""`inspect` and `clawgym` many times without their imports: a process that has them made forks for each command line.

Each fork is the real command with its own folder, environment and output, and ends as an interpreter does.
"""

import atexit
import gc
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from tests.conftest import REPOSITORY

FIRST_EVALUATION_IMPORTS = (
    "clawgym_bench._registry",
    "clawgym_bench.attempt",
    "clawgym_bench.scorer",
    "fastapi",
    "inspect_ai.agent._acp.server",
    "inspect_ai.model._openai_responses",
    "numpy",
    "pydantic.v1",
    "rich.markdown",
    "uvicorn",
)
"""What `inspect eval` imports late, made once for all forks."""


def run_command(
    *words: str, cwd: Path, env: Mapping[str, str] | None = None, limit_sec: float = 300
) -> "subprocess.CompletedProcess[str]":
    """Run `inspect WORDS` or `clawgym WORDS`; the environment is this process's with what `env` adds."""
    server = _server()
    assert server.stdin is not None
    assert server.stdout is not None
    with tempfile.TemporaryDirectory() as folder:
        outputs = [Path(folder, name) for name in ("stdout", "stderr")]
        request = {
            "words": words,
            "cwd": str(cwd),
            "env": dict(os.environ | dict(env or {})),
            "outputs": [str(path) for path in outputs],
            "limit_sec": limit_sec,
        }
        server.stdin.write(json.dumps(request) + "\n")
        server.stdin.flush()
        code = json.loads(server.stdout.readline())
        texts = [path.read_text("utf-8") for path in outputs]
    if code is None:
        raise subprocess.TimeoutExpired(words, limit_sec, *texts)
    return subprocess.CompletedProcess(words, code, *texts)


@cache
def _server() -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.bench.commands"]
    process = subprocess.Popen(command, cwd=REPOSITORY, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    atexit.register(process.communicate)
    return process


def _become(cwd: str, env: Mapping[str, str], outputs: tuple[str, str]) -> None:
    """Take on the folder, the environment and the files of one command."""
    os.setsid()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    for descriptor, path in enumerate(outputs, 1):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), descriptor)


def _exit_status(child: int, limit_sec: float) -> int | None:
    """How a command ended; None where it was killed after its time."""
    end = os.pidfd_open(child)
    late = not select.select([end], [], [], limit_sec)[0]
    if late:
        os.killpg(child, signal.SIGKILL)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(end)
    return None if late else code


def main() -> None:
    """Serve commands until the input ends."""
    from inspect_ai._cli.main import main as inspect

    from clawgym_data.cli import main as clawgym

    for name in FIRST_EVALUATION_IMPORTS:
        import_module(name)
    gc.freeze()  # no fork looks through what it shares
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if not child:
            _become(request["cwd"], request["env"], request["outputs"])
            sys.argv = request["words"]
            sys.exit({"inspect": inspect, "clawgym": clawgym}[sys.argv[0]]())
        print(json.dumps(_exit_status(child, request["limit_sec"])), flush=True)  # noqa: T201 - the answer


if __name__ == "__main__":
    main()
