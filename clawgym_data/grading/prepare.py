"""What happens before a worker answers: the agent's code is run as a subject, our own functions in grader sandboxes."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from clawgym_data.checks import CheckBase, Executed, Property, Python
from clawgym_data.checks.view import CaseRun
from clawgym_data.errors import SpecError
from clawgym_data.grading.program import (
    ProgramError,
    ProgramLateError,
    judge_outputs,
    program_files,
    run_function,
    snapshot_files,
)
from clawgym_data.grading.subject import Asked, Subjects, ask
from clawgym_data.grading.verdict import Answer
from clawgym_data.grading.world import World
from clawgym_data.snapshot import Snapshot

LEFT_OPEN = "not run to its end, because another check is wrong"

Kind = TypeVar("Kind", bound=CheckBase)
Runs = dict[str, tuple[CaseRun, ...]]


@dataclass
class Prepared:
    """By check id: what the checks compare, and what they compare it with."""

    expected: dict[str, Any] = field(default_factory=dict)
    runs: Runs = field(default_factory=dict)
    pristine_runs: Runs = field(default_factory=dict)
    found: dict[str, Any] = field(default_factory=dict)
    pristine_found: dict[str, Any] = field(default_factory=dict)
    settled: dict[str, Answer] = field(default_factory=dict)
    """Of the checks that need no worker any more, such as those that could not be prepared."""


class Preparer:
    """Prepares checks, and remembers what they share; safe to use from many threads."""

    def __init__(self) -> None:
        self.subjects = Subjects()
        self._drawn: dict[tuple[str, int, str], list[Any]] = {}
        self._judged_first: dict[tuple[str, int, str], list[bool | str | None]] = {}
        """What each property says of the untouched workspace."""

    def prepare(
        self, world: World, snapshot: Snapshot, checks: tuple[CheckBase, ...], until_wrong: bool = False
    ) -> Prepared:
        """Run all that the checks need to have run; what fails settles its check as one that cannot answer.

        Raises:
            SandboxRefused: the grading host failed.
        """
        made = Prepared()
        final: list[Asked] = []
        first: list[Asked] = []

        def begin(check: CheckBase) -> None:
            made.expected[check.id] = check.wanted(world.values)
            if isinstance(check, Property):
                made.expected[check.id] = self._inputs(world, check)
            if isinstance(check, Executed):
                brought = dict(program_files(world.task.folder, check.brings))
                both = [ask(check, made.expected[check.id], place, brought) for place in (snapshot, world.pristine)]
                final.append(both[0])
                first.append(both[1])
            elif isinstance(check, Python):
                made.found[check.id] = _call(world, check, made.expected[check.id], snapshot)

        def judge(check: Property) -> None:
            cases = made.expected[check.id]
            made.found[check.id] = _judged(world, check, cases, made.runs[check.id])
            key = (world.task.digest, world.seed, check.id)
            if key not in self._judged_first:
                self._judged_first[key] = _judged(world, check, cases, made.pristine_runs[check.id])
            made.pristine_found[check.id] = self._judged_first[key]

        _each(made, checks, CheckBase, begin)
        made.runs = self.subjects.run(final, until_wrong)
        made.pristine_runs = self.subjects.run(first)
        for item in final:
            if item.check.id not in made.runs:
                made.settled[item.check.id] = Answer(1.0, LEFT_OPEN)
        _each(made, checks, Property, judge)
        return made

    def _inputs(self, world: World, check: Property) -> list[Any]:
        """The generated inputs, drawn once."""
        key = (world.task.digest, world.seed, check.id)
        if key not in self._drawn:
            drawn, _ = run_function(
                world.task.folder,
                _checks_files(world),
                check.inputs,
                [check.seed, {"path": "WORKSPACE"}],
                [(file.path, file.content, file.mode) for file in world.files],
                time_limit_sec=check.time_limit_sec,
            )
            if not isinstance(drawn, list) or not drawn or not all(isinstance(case, dict) for case in drawn):
                raise ValueError(f"{check.inputs} gave {str(drawn)[:80]}; expected a list of cases")
            self._drawn[key] = drawn
        return self._drawn[key]


def _each(made: Prepared, checks: tuple[CheckBase, ...], kind: type[Kind], work: Callable[[Kind], None]) -> None:
    """Do a step for each check of a kind that is not settled yet; one that fails is settled by that."""
    for check in checks:
        if not isinstance(check, kind) or check.id in made.settled:
            continue
        try:
            work(check)
        except (ProgramError, SpecError, KeyError, TypeError, ValueError, AttributeError, OSError) as error:
            broken = f"{type(error).__name__}: {error}"[:1000]
            late = isinstance(error, ProgramLateError)
            made.settled[check.id] = Answer(0.0, "the check could not be run", broken, late)


def _judged(world: World, check: Property, cases: list[Any], runs: tuple[CaseRun, ...]) -> list[bool | str | None]:
    outputs = check.outputs(cases, runs)
    if all(output is None for output in outputs):
        return [None] * len(cases)
    return judge_outputs(
        world.task.folder,
        _checks_files(world),
        check.holds,
        cases,
        outputs,
        reads_json=check.reads_json,
        time_limit_sec=check.time_limit_sec,
    )


def _call(world: World, check: Python, expected: Any, snapshot: Snapshot) -> Any:  # noqa: ANN401 - any JSON value
    result, _ = run_function(
        world.task.folder,
        _checks_files(world),
        check.function,
        [{"path": "WORKSPACE"}, expected],
        snapshot_files(snapshot),
        time_limit_sec=check.time_limit_sec,
    )
    return result


def _checks_files(world: World) -> list[str]:
    """The file with the task's own functions first, then what it may read beside it."""
    verification = world.task.spec.verification
    if verification.checks_code is None:
        raise SpecError(str(world.task.folder), "verification.checks_code", "nothing", "a file with the functions")
    return [verification.checks_code, *verification.grader_files]
