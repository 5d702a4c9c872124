"""How far a judge agrees with the labelled texts: what `clawgym prove --judge MODEL` measures."""

from collections import defaultdict
from collections.abc import Sequence

import anyio
from inspect_ai.model import Model, get_model

from clawgym_bench.judge.rubric import labelled_files
from clawgym_bench.judge.vote import VOTES, Judge
from clawgym_data.errors import SpecError
from clawgym_data.grading.world import pristine_snapshot
from clawgym_data.proof.rubric import CriterionAgreement, RubricAgreement
from clawgym_data.spec.rubric import Criterion, LabelledText
from clawgym_data.task import Task

AT_ONCE = 8
"""Texts judged side by side; the provider's own limit on connections holds beside it."""

Judged = tuple[LabelledText, float | None]


def measure_agreement(task: Task, model: str) -> RubricAgreement:
    """Judge every labelled text of the task's rubric as a trial's files are judged.

    Args:
        task: with a rubric.
        model: as Inspect names it.

    Raises:
        SpecError: where there is no such model, or no rubric.
    """
    if task.spec.verification.rubric is None:
        raise SpecError(str(task.folder), "verification.rubric", "none", "a rubric")
    try:
        judge = get_model(model, memoize=False)
    except Exception as error:
        raise SpecError("clawgym prove", "--judge", model, f"a model that Inspect can reach ({error})") from error
    return anyio.run(_measure, task, judge)


async def _measure(task: Task, model: Model) -> RubricAgreement:
    rubric = task.spec.verification.rubric
    assert rubric is not None
    pristine = pristine_snapshot(task.files)
    judge = Judge(model)
    limiter = anyio.CapacityLimiter(AT_ONCE)
    judged: dict[tuple[str, int], float | None] = {}

    async def one(criterion: Criterion, number: int) -> None:
        async with limiter:
            files = labelled_files(criterion, criterion.labelled[number].text, pristine)
            judged[criterion.id, number] = (await judge.criterion(criterion, files)).score

    async with model, anyio.create_task_group() as group:
        for criterion in rubric.criteria:
            for number in range(len(criterion.labelled)):
                group.start_soon(one, criterion, number)
    found = [
        agreement_of(c, [(text, judged[c.id, number]) for number, text in enumerate(c.labelled)])
        for c in rubric.criteria
    ]
    return RubricAgreement(judge=str(model), votes=VOTES, criteria=tuple(found))


def agreement_of(criterion: Criterion, judged: Sequence[Judged]) -> CriterionAgreement:
    """The figures of one criterion from each text's level, None where the judge gave no usable answer."""
    ladder = [level.score for level in criterion.levels]
    steps = [abs(ladder.index(text.level) - ladder.index(level)) for text, level in judged if level is not None]
    confusion: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for text, level in judged:
        confusion[text.kind][f"{text.level:g} as {'nothing' if level is None else f'{level:g}'}"] += 1
    return CriterionAgreement(
        id=criterion.id,
        texts=len(judged),
        exact=steps.count(0) / len(judged),
        within_one=sum(step <= 1 for step in steps) / len(judged),
        unanswered=len(judged) - len(steps),
        raised_injections=sum(t.kind == "injection" and level is not None and level > t.level for t, level in judged),
        confusion={kind: dict(counts) for kind, counts in confusion.items()},
    )
