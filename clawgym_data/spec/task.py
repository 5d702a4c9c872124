"""The task spec: one document for every task, whatever its route."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from clawgym_data.checks import Check
from clawgym_data.spec.frozen import Frozen, RelativePath, Sha256, Slug
from clawgym_data.spec.output import Output
from clawgym_data.spec.parts import (
    BlindSolve,
    Coincidence,
    Environment,
    FileEntry,
    Provenance,
    Requirement,
    RightSolution,
    Scenario,
    Turn,
    WrongSolution,
)
from clawgym_data.spec.rubric import Rubric

Category = Literal[
    "productivity-and-collaboration",
    "systems-and-automation",
    "analysis-and-reasoning",
    "content-and-domain",
    "planning-and-knowledge",
    "software-development",
]
CATEGORIES: tuple[Category, ...] = (
    "productivity-and-collaboration",
    "systems-and-automation",
    "analysis-and-reasoning",
    "content-and-domain",
    "planning-and-knowledge",
    "software-development",
)
SPLITS = ("bench", "train", "dev_seed", "dev_graph", "dev_family")

Canary = Annotated[str, StringConstraints(pattern=r"^clawgym-[a-z]+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]

RUNNER_FEATURES = frozenset[str]()
"""What the present runner offers beyond one scripted turn over files; `requires` is checked against it."""


MAX_NAMED = 20


def repeated(names: Iterable[str]) -> list[str]:
    """The names that occur more than once, sorted, the first `MAX_NAMED` of them."""
    return sorted(name for name, count in Counter(names).items() if count > 1)[:MAX_NAMED]


def _folded_paths(entries: Iterable[FileEntry]) -> Iterator[str]:
    """The case-folded paths of files, and of folders once in each of their spellings."""
    folders: set[str] = set()
    for entry in entries:
        yield entry.path.casefold()
        parts = entry.path.split("/")
        folders.update("/".join(parts[:depth]) for depth in range(1, len(parts)))
    yield from (folder.casefold() for folder in folders)


class Weights(Frozen):
    """How code and rubric enter the score where a rubric was judged."""

    code: Annotated[float, Field(ge=0, le=1)] = 0.7
    rubric: Annotated[float, Field(ge=0, le=1)] = 0.3


class Verification(Frozen):
    """How a final workspace is judged."""

    expected: RelativePath | None = None
    """File of the task folder with `expected(workspace) -> dict`."""
    checks_code: RelativePath | None = None
    """File with the functions that `python` checks name; `checks.py` where it exists."""
    grader_files: dict[RelativePath, Sha256] = {}
    """Further files of the task folder that `python` checks read, by hash."""
    checks: Annotated[tuple[Check, ...], Field(min_length=1)]
    rubric: Rubric | None = None
    weights: Weights = Weights()
    coincidences: tuple[Coincidence, ...] = ()

    @model_validator(mode="after")
    def _references(self) -> "Verification":
        twice = repeated(check.id for check in self.checks)
        if twice:
            raise ValueError(f"check ids {twice} appear twice; expected unique ids")
        prerequisites = {check.id for check in self.checks if check.role == "prerequisite"}
        for check in self.checks:
            unknown = sorted(set(check.needs) - prerequisites)
            if unknown:
                raise ValueError(f"check {check.id} needs {unknown}; expected prerequisites: {sorted(prerequisites)}")
            if check.role == "prerequisite" and check.needs:
                raise ValueError(f"prerequisite {check.id} has needs; expected none")
        if not any(check.role == "outcome" for check in self.checks):
            raise ValueError("no check has the role outcome; expected at least one")
        return self


class TaskSpec(Frozen):
    """Everything that defines a task but the bytes of its files, which it names by hash."""

    schema_version: Literal[1]
    id: Slug
    version: Annotated[int, Field(ge=1)] = 1
    title: Annotated[str, Field(min_length=3, max_length=120)]
    split: Literal["bench", "train", "dev_seed", "dev_graph", "dev_family", "imported"]
    category: Literal[Category, "uncategorised"]
    scenario: Scenario | None = None
    operations: tuple[Slug, ...] = ()
    persona: str | None = None
    skills: tuple[Slug, ...] = ()
    language: Annotated[str, StringConstraints(pattern=r"^[a-z]{2}(-[A-Z]{2})?$")] = "en"
    difficulty: Annotated[float, Field(ge=0, le=1)] | None = None
    """1 minus the mean score of the reference models; null until measured."""
    cluster_id: Slug
    canary: Canary | None = None
    provenance: Provenance
    assurance: Literal["proven", "imported"]
    """Imported tasks relax what a proof needs and are never ranked."""
    discovery_depth: Annotated[int, Field(ge=0)] | None = None
    """Longest chain of files in which each says where or how to look in the next."""
    turns: Annotated[tuple[Turn, ...], Field(min_length=1)] = (Turn(),)
    environment: Environment = Environment()
    workspace: tuple[FileEntry, ...] = ()
    """The manifest: computed from the folder, not written by hand."""
    requirements: tuple[Requirement, ...] = ()
    context: tuple[str, ...] = ()
    """Quotes of the instruction that ask for nothing."""
    outputs: tuple[Output, ...] = ()
    proven_seeds: tuple[int, ...] = (0,)
    verification: Verification
    wrong: tuple[WrongSolution, ...] = ()
    right: tuple[RightSolution, ...] = ()
    blind_solves: tuple[BlindSolve, ...] = ()
    requires: tuple[Slug, ...] = ()
    """What a runner must offer; a runner that does not refuses the task."""

    @model_validator(mode="after")
    def _unique_names(self) -> "TaskSpec":
        for what, names in (
            ("requirement ids", [requirement.id for requirement in self.requirements]),
            ("output paths", [output.path.casefold() for output in self.outputs]),
            ("workspace paths", [*_folded_paths(self.workspace)]),
            ("turn ids", [turn.id for turn in self.turns]),
        ):
            twice = repeated(names)
            if twice:
                raise ValueError(f"{what} {twice} appear twice (case folded); expected unique ones")
        return self

    @model_validator(mode="after")
    def _checks_name_things_that_exist(self) -> "TaskSpec":
        known, turns = {r.id for r in self.requirements}, {turn.id for turn in self.turns}
        for check in self.verification.checks:
            unknown = sorted(set(check.requirements) - known)
            if unknown:
                raise ValueError(f"check {check.id} lists requirements {unknown}; expected some of {sorted(known)}")
            if check.after_turn is not None and check.after_turn not in turns:
                raise ValueError(
                    f"check {check.id} runs after turn {check.after_turn!r}; expected one of {sorted(turns)}"
                )
        return self

    @model_validator(mode="after")
    def _requires_what_it_uses(self) -> "TaskSpec":
        needed = {
            "turns": len(self.turns) > 1,
            "simulated-user": any(turn.kind == "simulated" for turn in self.turns),
            "mutations": any(turn.mutations for turn in self.turns),
            "services": bool(self.environment.services),
        }
        missing = sorted(name for name, used in needed.items() if used and name not in self.requires)
        if missing:
            raise ValueError(f"the task uses {missing}; expected them under requires")
        return self

    @property
    def instruction(self) -> str:
        """What the agent reads first."""
        return self.turns[0].message

    def output_paths(self) -> tuple[str, ...]:
        """The paths of the outputs that are asked for."""
        return tuple(output.path for output in self.outputs if output.asked)
