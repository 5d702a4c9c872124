"""What the result of a command says of its end, in the words that the harness itself writes.

A command may print the same words, so that they count only where the harness writes them: as the last line in OpenClaw (2026.4.1
and 2026.9.6), `claw_agent` and Claude Code, before the output in Codex, and as all of the result where a command was killed.
"""

import re
from dataclasses import dataclass

from clawgym_bench.efficiency.tools import Act, act_of
from clawgym_bench.trajectory import ToolCall

CODE = r"(?P<code>-?[0-9]{1,10})"
AFTER_TIMEOUT = r"\n\nThe command was terminated, but external side effects .*"
"""What OpenClaw 2026.9.6 adds where a command in the background was ended for its time."""
CODEX = re.compile(
    rf"\A(?:Chunk ID: .*\n)?Wall time: .*\nProcess (?:exited with code {CODE}|running with session ID (?P<session>[\w-]+))\n"
)


def _last_line(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"^{pattern}\s*\Z", re.MULTILINE)


OF_RUN = (
    _last_line(rf"\(Command exited with code {CODE}\)"),
    _last_line(r"\(Command (?P<late>timed out) after [\d.]+ seconds and was killed\)"),
    _last_line(r"Command still running \(session (?P<session>[\w-]+)(?:, pid [^)\n]*)?\)\. Use process\b.*"),
    _last_line(r"Command running in background with ID: (?P<session>[\w-]+).*"),
    CODEX,
)
OF_LOOK = (
    _last_line(rf"Process (?P<ended>exited) with (?:code {CODE}|signal (?P<signal>\w+)|unknown exit code)\."),
    _last_line(rf"Process (?P<ended>exited) with .*(?P<late>{AFTER_TIMEOUT})"),
    re.compile(rf"\ASession \S+ had (?P<ended>exited) with code {CODE} already\.\s*\Z"),
    re.compile(
        r"\A(?P<killed>Killed|Removed|Cleared|Termination requested for) session \S+(?: \(termination requested\))?\.\s*\Z"
    ),
    _last_line(rf"Process (?P<killed>stopped) by request \(.*\)\.(?:{AFTER_TIMEOUT})?"),
    CODEX,
)
OUTPUT_ALONE = frozenset({"list", "log"})
"""Actions of `process` whose results say nothing of an end but what the command printed."""


@dataclass(frozen=True)
class Told:
    """What is said; empty where nothing is."""

    session: str = ""
    """The command goes on by this name."""
    code: str = ""
    signal: str = ""
    late: str = ""
    """It was ended for its time."""
    ended: str = ""
    killed: str = ""
    """The agent has ended it."""

    @property
    def is_end(self) -> bool:
        """Whether a look at a command tells its end."""
        return bool(self.ended or self.killed or self.code)


def told_by(call: ToolCall, text: str) -> Told:
    """What the result of a call says of its command's end.

    Args:
        call: of a tool that runs commands or looks after them; of any other nothing is said.
        text: the result.
    """
    act = act_of(call.name)
    patterns = OF_RUN if act is Act.RUN else OF_LOOK if act is Act.FOLLOW else ()
    if call.arguments.get("action") in OUTPUT_ALONE:
        return Told()
    found = next((found for pattern in patterns if (found := pattern.search(text))), None)
    return Told(**{name: part for name, part in found.groupdict().items() if part}) if found else Told()
