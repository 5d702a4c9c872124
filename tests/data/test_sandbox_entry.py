"""A sandbox that many calls are expected of keeps a process ready for the next one."""

import os
from pathlib import Path

import pytest

from clawgym_data.sandbox import Bubblewrap, SandboxConfig
from clawgym_data.sandbox.process import descendants


def test_a_process_that_waits_for_its_command_becomes_any_command() -> None:
    others = set(descendants(os.getpid()))  # a grader that tests of this process share has workers of its own
    with Bubblewrap.start(SandboxConfig()) as runner:
        runner.expect_calls()
        words = ["it's", 'a "b"', "two\nlines\n", "$HOME `id`", "", "ü\udcff", "-n", "x" * 20_000]
        for word in (*words, *words):
            assert runner.call(["printf", "%s", word]).stdout == os.fsencode(word)
        assert runner.call(["cat"]).stdout == b""
        assert runner.call(["cat"], input=b"one\ntwo").stdout == b"one\ntwo"
        with pytest.raises(ValueError, match="null"):
            runner.call(["echo", "a\0b"])
        with pytest.raises(OSError, match="too long"):
            runner.call(["echo", "x" * 200_000])
        runner.end_processes()
        call = runner.begin_interactive(["cat"])
        call.feed(b"fed")
        call.close_input()
        assert call.wait().stdout == b"fed"
        mine = set(descendants(os.getpid())) - others
        assert mine
    assert not [pid for pid in mine if Path(f"/proc/{pid}").exists()]
