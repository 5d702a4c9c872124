"""Wasted calls: those that could tell the model nothing that it had not before its eyes."""

from collections.abc import Sequence

from clawgym_bench.efficiency.calls import Call, State
from clawgym_bench.efficiency.faults import Fault
from clawgym_bench.efficiency.looks import changes_nothing
from clawgym_bench.efficiency.tools import Act
from clawgym_data.canonical import canonical_json

NOTHING_NEW = "(no new output)"
"""How OpenClaw and `claw_agent` word that a poll brought nothing."""


def repeated_looks(calls: Sequence[Call]) -> list[Call]:
    """Calls that repeat an earlier look at what has not changed since.

    A look is a successful call that changes nothing: of a tool that shows files, or a command line of programs that are known
    to write nothing (`looks`). It is wasted where all of this holds:

    - an earlier look was the same, tool and arguments to the letter, and told the same, to the letter;
    - that earlier result stands in the input of the answer that repeats the look, unshortened, or both are of one answer;
    - nothing between them can have written what they look at. A change by a file tool can have written its own files, so
      that looks at other single files still count; every command line that is not known to write nothing, every tool that is
      not known here and every command in the background can have written anything.

    So a look after a change is never wasted: it verifies, even where it finds all as it was. Neither is looking at the end at
    what was written: only the second such look without a change between is.
    """
    found: list[Call] = []
    seen: dict[str, Call] = {}
    running: set[str] = set()
    for call in calls:
        if call.state is State.PENDING:
            running.add(call.session)
        if running:
            seen.clear()
        elif is_look(call):
            earlier = seen.get(_key(call))
            if earlier and _tells_the_same(call, earlier):
                found.append(call)
            seen[_key(call)] = call
        elif _may_write(call):
            _forget(seen, call)
        if call.is_end:
            running.discard(call.session)
    return found


def is_look(call: Call) -> bool:
    """Whether a call succeeded and changed nothing."""
    if call.state is not State.DONE:
        return False
    return call.act in (Act.READ, Act.LOOK) or (call.act is Act.RUN and changes_nothing(call.commands))


def empty_polls(calls: Sequence[Call]) -> list[Call]:
    """Looks at a command in the background that brought no output and no end that was not told before.

    Each costs a call of the model, where one longer wait would have done.
    """
    return [
        call
        for call in calls
        if call.act is Act.FOLLOW and call.state is State.DONE and not call.is_end and call.text.startswith(NOTHING_NEW)
    ]


def _key(call: Call) -> str:
    return canonical_json([call.asked.name, call.asked.arguments])


def _tells_the_same(call: Call, earlier: Call) -> bool:
    """Whether a look told what the answer that asked for it had in its input, or gets from its other calls."""
    if call.result is None or earlier.result is None or call.result.digest != earlier.result.digest:
        return False
    return earlier.result.id in call.answer.conditioned_on or earlier.answer.id == call.answer.id


def _may_write(call: Call) -> bool:
    if call.fault is Fault.MALFORMED or call.act in (Act.READ, Act.LOOK):
        return False
    if call.act is Act.CHANGE:
        return call.state is not State.FAILED
    return call.act is not Act.RUN or not changes_nothing(call.commands)


def _forget(seen: dict[str, Call], call: Call) -> None:
    """Forget the looks whose result a call can have changed."""
    for key, look in list(seen.items()):
        is_other_file = call.act is Act.CHANGE and look.act is Act.READ and call.aim.names and look.aim.names
        if not is_other_file or look.aim.names & call.aim.names:
            del seen[key]
