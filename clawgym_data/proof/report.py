"""The record of a proof: one per task, with every figure that its bounds speak of."""

from pydantic import Field

from clawgym_data.proof.rubric import RubricAgreement
from clawgym_data.spec.frozen import Frozen, Shown

MIN_BREAKING = 20
MIN_CAUGHT = 0.95
MAX_UNDETERMINED = 0.20
HACK_MEAN_BOUND = 0.02
"""Mean over a set of tasks of the agents that see no answer (DESIGN 4)."""


class MutantCount(Frozen):
    """Mutants of what the oracle wrote, over all proven seeds."""

    breaking: int = 0
    caught: int = 0
    undetermined: int = 0
    judge_only: int = 0
    missed: tuple[Shown, ...] = ()
    """Names of the breaking ones that keep a score of 1."""
    open: tuple[Shown, ...] = ()
    """Names of the undetermined ones."""


class NeutralCount(Frozen):
    """Changes of form that must keep a score of 1, over all proven seeds."""

    total: int = 0
    kept: int = 0
    lost: tuple[Shown, ...] = ()


class TaskProof(Frozen):
    """The proof of one task; scores are the worst over its proven seeds, all on code alone."""

    id: str
    category: str
    digest: str = ""
    lint: tuple[Shown, ...] = ()
    oracle: tuple[float, ...] = ()
    """Two runs in fresh processes under another time zone, locale and hash seed."""
    right: dict[str, float] = {}
    noop: float | None = None
    hacks: dict[str, float] = {}
    wrong: dict[str, float] = {}
    mutants: MutantCount = MutantCount()
    neutral: NeutralCount = NeutralCount()
    repeatable: bool | None = None
    """The same verdicts when graded again, in another order, beside others."""
    rubric: str = "none"
    """`unproven` until a judge's agreement with the labelled texts is measured and high enough (`--judge`)."""
    agreement: RubricAgreement | None = None
    seeds: tuple[int, ...] = ()
    failures: tuple[Shown, ...] = Field(default=())
    """What keeps the task from passing, each with what to do."""
    seconds: float = 0.0
    passed: bool = False


class ProofSummary(Frozen):
    """The proof of a set of tasks."""

    tasks: int
    passed: int
    hack_means: dict[str, float]
    breaking: int
    caught: int
    seconds: float
    failures: tuple[Shown, ...] = ()


class ProofReport(Frozen):
    """What `clawgym prove --json` writes."""

    tasks: tuple[TaskProof, ...]
    summary: ProofSummary
