"""The smaller parts of a task spec."""

from typing import Annotated, Literal

from pydantic import Field

from clawgym_data.spec.frozen import Frozen, RelativePath, Sha256, Slug


class Scenario(Frozen):
    """Where in life the task plays."""

    category: Slug
    subcategory: Slug


class Provenance(Frozen):
    """Where the task comes from, enough to make it again."""

    route: Literal["hand-written", "family", "persona", "skill", "cowork", "imported"]
    generator: str | None = None
    version: int | str = 1
    seed: int = 0
    parents: tuple[str, ...] = ()
    licence: str = "CC-BY-4.0"


class Turn(Frozen):
    """One message to the agent."""

    id: Slug = "main"
    kind: Literal["scripted", "simulated"] = "scripted"
    message: str = ""
    """What the agent reads. In a folder the first turn's message stands in `instruction.md`."""
    mutations: tuple[dict[str, str], ...] = ()
    """Changes to the workspace before this turn; refused through `requires` until a runner has them."""
    clock: str | None = None
    """ISO date and time that services report during this turn."""
    persona: str | None = None
    """Of a simulated user: who it is."""
    facts: tuple[str, ...] = ()
    """Of a simulated user: what it knows and discloses by its rules."""
    disclosure: tuple[str, ...] = ()
    rounds: Annotated[int, Field(ge=1)] | None = None
    seed: int | None = None


class FileEntry(Frozen):
    """One file of the initial workspace."""

    path: RelativePath
    sha256: Sha256
    size: Annotated[int, Field(ge=0)]
    """Bytes."""
    mode: Annotated[int, Field(ge=0, le=0o777)] = 0o644
    """Permission bits."""


class Tool(Frozen):
    """A command that must exist in the sandbox before turn 1; where it is missing the run is refused, never scored 0."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9._+-]+$")]
    min_version: str | None = None


class Limits(Frozen):
    """Limits of an attempt that the task itself states; the run's own limits apply beside them."""

    working_sec: Annotated[int, Field(gt=0)] | None = None
    turns: Annotated[int, Field(gt=0)] | None = None
    memory_mb: Annotated[int, Field(gt=0)] | None = None


class Environment(Frozen):
    """What surrounds the workspace."""

    network: Literal["none"] = "none"
    services: tuple[Slug, ...] = ()
    tools: tuple[Tool, ...] = ()
    limits: Limits = Limits()


class Requirement(Frozen):
    """One thing that the agent is asked for, tied to the words that ask for it."""

    id: Slug
    source: str = "instruction"
    """`instruction` or `workspace:<path>`."""
    quote: Annotated[str, Field(min_length=3)]
    """Occurs exactly once in the source."""
    layer: Literal["check", "judge", "guard", "untested"]
    reason: str | None = None
    """Why nothing tests it (layer `untested` only)."""


class WrongSolution(Frozen):
    """A plausible wrong solution and the highest score it may reach on any proven seed."""

    path: RelativePath
    max_score: Annotated[float, Field(ge=0, lt=1)]
    mistake: Annotated[str, Field(min_length=10)]


class RightSolution(Frozen):
    """Another valid solution, which must score 1."""

    path: RelativePath
    differs: Annotated[str, Field(min_length=10)]
    """How it differs from the oracle's answer."""


class Disagreement(Frozen):
    """Where a blind solver and a check differed, and how that was resolved."""

    check: Slug
    solver_answered: str
    resolution: str


class BlindSolve(Frozen):
    """One solve by someone who saw only instruction and workspace."""

    solver: str
    score: Annotated[float, Field(ge=0, le=1)]
    tool_calls: int | None = None
    disagreements: tuple[Disagreement, ...] = ()


class Coincidence(Frozen):
    """An expected value that occurs in the workspace or the instruction without giving the answer away."""

    value: str
    """The value, the key of a row, or the id of a check whose values all may occur."""
    reason: Annotated[str, Field(min_length=10)]
