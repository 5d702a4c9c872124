"""Whether the result of a call is an error, from what the agent was told.

How harnesses word it: Inspect has a field for errors, which `claw_agent` and Claude Code's results fill. OpenClaw tells a tool's
failure as the JSON object `{"status": "error", "tool": ..., "error": ...}`, and both it and `claw_agent` end the output of a
command with `(Command exited with code N)`. Claude Code begins it with `Exit code N`, Codex with `Process exited with code N`.
opencode and Gemini CLI do not tell exit codes in words that are known here, so that only their tools' errors are seen.
"""

import json
import re
from collections.abc import Sequence
from enum import StrEnum

from clawgym_bench.efficiency.commands import Command
from clawgym_bench.efficiency.looks import answers_no
from clawgym_bench.efficiency.told import Told, told_by
from clawgym_bench.efficiency.tools import Act, act_of
from clawgym_bench.trajectory import ToolCall, ToolEvent

CODE_OF_FAILURE = re.compile(r"\A\W*(?:type\W+text\W+text\W+)?Exit code ([0-9]{1,10})\b")
LATE_OF_FAILURE = re.compile(r"Command timed out")
DIED_OF_FAILURE = re.compile(r"Command (?:not found|not executable|aborted)")
MALFORMED = re.compile(r'\AValidation failed for tool "([^"]*)"|\ATool (.+) not found\s*\Z')
TOLD_AS_JSON = re.compile(
    r'\s*\{\s*"status":\s*"error",\s*"tool":\s*"[^"]*",\s*"error":\s*("(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[^"\\])*")\s*\}\s*',
    re.DOTALL,
)
NO_SESSION = re.compile(r"\ANo (?:active |finished )?session found for \S+\s*\Z")
MISSING = re.compile(r"No such file|ENOENT|not found|does not exist", re.IGNORECASE)


class Fault(StrEnum):
    """What went wrong in a call."""

    MALFORMED = "malformed"
    """No such tool, or arguments that cannot be read or do not fit."""
    MISSING = "missing"
    """A file tool did not find its file."""
    REFUSED = "refused"
    """Any other error of a tool: a text to replace that is not there, say."""
    EXIT_CODE = "exit_code"
    """A command ended with another code than 0, by a signal, or could not be started."""
    TIMEOUT = "timeout"
    """A command was ended for its time."""


def fault_of(call: ToolCall, result: ToolEvent, commands: Sequence[Command]) -> Fault | None:
    """What went wrong in a call; None where nothing did.

    A command's exit code other than 0 is a failure, but for code 1 of a command line that asks a question
    (`looks.answers_no`): `grep` that finds nothing has worked. Tests that fail are a failure of the command that ran them.

    Args:
        call: as the model asked for it.
        result: what the agent was told.
        commands: of the call's command line, where it has one.
    """
    act, failure = act_of(call.name), _failure(call, result)
    said = result.content if failure is None else failure
    misfit = MALFORMED.search(said)
    if (
        call.parse_error
        or (result.error and result.error.type == "parsing")
        or (misfit and call.name in misfit.groups())
    ):
        return Fault.MALFORMED
    if act in (Act.RUN, Act.FOLLOW):
        told = told_by(call, said) if failure is None else _told_by_failure(failure)
        if told.late:
            return Fault.TIMEOUT
        if told.code == "1" and answers_no(commands, said):
            return None
        if told.signal or int(told.code or 0):
            return Fault.EXIT_CODE
    if failure is None:
        return None
    is_missing = act in (Act.READ, Act.CHANGE, Act.LOOK) and MISSING.search(failure)
    return Fault.MISSING if is_missing else Fault.REFUSED


def _told_by_failure(failure: str) -> Told:
    code, late, died = (one.search(failure) for one in (CODE_OF_FAILURE, LATE_OF_FAILURE, DIED_OF_FAILURE))
    return Told(code=code[1] if code else "", late=late[0] if late else "", signal=died[0] if died else "")


def _failure(call: ToolCall, result: ToolEvent) -> str | None:
    """What a tool says about its failure."""
    if result.error is not None:
        return result.error.message or result.content
    if act_of(call.name) is Act.FOLLOW and NO_SESSION.search(result.content):
        return result.content
    found = TOLD_AS_JSON.fullmatch(result.content)
    return str(json.loads(found[1], strict=False)) if found else None
