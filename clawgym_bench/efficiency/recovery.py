"""Recoveries: failed calls that a later call made good."""

from collections.abc import Sequence
from typing import NamedTuple

from clawgym_bench.efficiency.calls import Call, State
from clawgym_bench.efficiency.faults import Fault

WITHIN_CALLS = 5
"""A success that comes later is none of the failure's making good."""


class Recovery(NamedTuple):
    """A failed call, and the one that made it good."""

    failed: Call
    by: Call | None
    """None where there was none within `WITHIN_CALLS`."""
    calls: int | None
    """How many calls later it came; 1 for the very next one."""


def recoveries(calls: Sequence[Call], within: int = WITHIN_CALLS) -> list[Recovery]:
    """What became of each failed call.

    A failed call is recovered where one of the next `within` calls of its conversation, asked for in a later answer, succeeds
    to the same end. That is, in the words of `aims.Aim`:

    - file tools: the same doing (reading; or changing, be it by `write`, `edit` or `apply_patch`) of the same path. Where the
      file was not found, a file of the same name in another folder counts too; a name spelt otherwise does not.
    - commands: the same first words (program, subcommand or module; `cd x &&` and the like are passed over), and a file name
      that both name, or none in either. Folders do not count, since commands change theirs.
    - a command in the background: what a look at it tells of its end stands for the command.
    - malformed calls: a well-formed one of the same tool with the same file, as far as the malformed one names one.
    - any other tool: the same tool, with the same path where it takes one.

    A call that failed twice before it succeeds is two failed calls, both recovered. Other ways to the same end (`sed` after a
    failed `edit`) are not seen, so that the rate is a lower bound.
    """
    found: list[Recovery] = []
    by_conversation: dict[str, list[Call]] = {}
    for call in calls:
        by_conversation.setdefault(call.answer.conversation, []).append(call)
    for talk in by_conversation.values():
        for place, call in enumerate(talk):
            if call.state is State.FAILED:
                later = enumerate(talk[place + 1 : place + 1 + within], 1)
                good = [(steps, other) for steps, other in later if makes_good(other, call)]
                found.append(Recovery(call, good[0][1], good[0][0]) if good else Recovery(call, None, None))
    return found


def makes_good(later: Call, failed: Call) -> bool:
    """Whether a later call succeeds to the end that a failed one had."""
    if later.state is not State.DONE or later.answer.id == failed.answer.id:
        return False
    if failed.fault is Fault.MALFORMED and later.asked.name == failed.asked.name:
        return not failed.aim.names or bool(failed.aim.names & later.aim.names)
    if failed.fault is Fault.MISSING and later.aim.is_elsewhere(failed.aim):
        return True
    return later.aim.is_that_of(failed.aim)
