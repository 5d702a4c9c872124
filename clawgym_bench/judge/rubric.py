"""The rubric of a trial: which files reach the judge, and what the verdict becomes."""

import anyio
from inspect_ai.model import get_model, model_roles

from clawgym_bench.judge.prompt import readable
from clawgym_bench.judge.vote import Files, Judge
from clawgym_data.grading.rubric import CriterionResult, RubricResult, rubric_result
from clawgym_data.grading.verdict import Verdict, with_rubric
from clawgym_data.grading.world import World
from clawgym_data.snapshot import Snapshot
from clawgym_data.spec.rubric import Criterion, Rubric

JUDGE_ROLE = "judge"


async def with_judge(world: World, snapshot: Snapshot, verdict: Verdict) -> Verdict:
    """The verdict with its rubric, where the task has one and the run has a model for the role `judge`.

    The evaluated model is never asked in its place. Scorers run after the limits of the trial have ended, so that the
    judge's tokens count to none of them; the log holds them under the role.

    Args:
        world: the task with the seed that the agent was given.
        snapshot: what the agent left.
        verdict: on the code alone.
    """
    rubric = world.task.spec.verification.rubric
    if rubric is None or JUDGE_ROLE not in model_roles() or verdict.grader_failed:
        return verdict
    model = get_model(role=JUDGE_ROLE, required=True)
    judged = await judge_rubric(
        Judge(model), rubric, snapshot, world.pristine, self_judged=str(model) == str(get_model())
    )
    return with_rubric(verdict, judged, world.task.spec.verification.weights)


def undecided_cause(verdict: Verdict) -> str:
    """Which criteria the judge left undecided, and why."""
    assert verdict.judged is not None
    return "; ".join(
        f"judge {verdict.judged.judge}, criterion {criterion.id}: {', '.join(criterion.votes[-1].unusable)}"
        for criterion in verdict.judged.criteria
        if criterion.score is None
    )


async def judge_rubric(
    judge: Judge, rubric: Rubric, snapshot: Snapshot, pristine: Snapshot, self_judged: bool = False
) -> RubricResult:
    """Judge every criterion alone, side by side."""
    results: dict[str, CriterionResult] = {}

    async def one(criterion: Criterion) -> None:
        results[criterion.id] = await _criterion(judge, criterion, snapshot, pristine)

    async with anyio.create_task_group() as group:
        for criterion in rubric.criteria:
            group.start_soon(one, criterion)
    found = [results[criterion.id] for criterion in rubric.criteria]
    return rubric_result(str(judge.model), found, self_judged)


async def _criterion(judge: Judge, criterion: Criterion, snapshot: Snapshot, pristine: Snapshot) -> CriterionResult:
    texts: dict[str, str] = {}
    for path in criterion.files:
        try:
            texts[path] = readable(snapshot.content(path))
        except KeyError as error:
            return _lowest(criterion, str(error.args[0]))
        except UnicodeDecodeError as error:
            return _lowest(criterion, f"{path}: is not UTF-8 text (byte {error.start})")
        if not texts[path].strip():
            return _lowest(criterion, f"{path}: is empty")
    if all(_sha256(snapshot, path) == _sha256(pristine, path) for path in criterion.files):
        return _lowest(criterion, f"{', '.join(criterion.files)}: as it was given")
    return await judge.criterion(criterion, texts, known_good(criterion, pristine))


def _lowest(criterion: Criterion, reason: str) -> CriterionResult:
    return CriterionResult(id=criterion.id, weight=criterion.weight, score=0.0, evidence=reason)


def _sha256(snapshot: Snapshot, path: str) -> str | None:
    entry = snapshot.get(path)
    return entry.sha256 if entry else None


def known_good(criterion: Criterion, pristine: Snapshot) -> Files:
    """The criterion's files with its labelled good text."""
    good = next(labelled for labelled in criterion.labelled if labelled.kind == "good")
    return labelled_files(criterion, good.text, pristine)


def labelled_files(criterion: Criterion, text: str, pristine: Snapshot) -> Files:
    """A labelled text stands for the first file that the criterion names; the others are as they were given, if at all."""
    files = {criterion.files[0]: text}
    for path in criterion.files[1:]:
        try:
            files[path] = readable(pristine.content(path))
        except (KeyError, UnicodeDecodeError):
            continue
    return files
