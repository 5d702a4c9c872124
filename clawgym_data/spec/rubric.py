"""Judged criteria and the labelled texts by which a judge is measured."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from clawgym_data.spec.frozen import Frozen, RelativePath, Slug

LabelledKind = Literal["good", "paraphrase", "keyword-dump", "instruction-echo", "injection", "wrong-facts"]
LABELLED_KINDS: tuple[LabelledKind, ...] = (
    "good",
    "paraphrase",
    "keyword-dump",
    "instruction-echo",
    "injection",
    "wrong-facts",
)


class Level(Frozen):
    """One level of a criterion."""

    score: Annotated[float, Field(ge=0, le=1)]
    description: Annotated[str, Field(min_length=10)]


class LabelledText(Frozen):
    """A text with the level a fair judge gives it."""

    kind: LabelledKind
    level: Annotated[float, Field(ge=0, le=1)]
    text: str


class Criterion(Frozen):
    """One quality, judged alone, from the files it names."""

    id: Slug
    requirements: tuple[Slug, ...] = ()
    files: tuple[RelativePath, ...]
    question: Annotated[str, Field(min_length=10)]
    weight: Annotated[float, Field(gt=0)] = 1.0
    levels: tuple[Level, ...]
    labelled: tuple[LabelledText, ...]

    @model_validator(mode="after")
    def _levels_and_texts(self) -> "Criterion":
        scores = [level.score for level in self.levels]
        if scores != sorted(set(scores)) or scores[:1] != [0.0] or scores[-1:] != [1.0]:
            raise ValueError(f"levels {scores} of {self.id}; expected rising scores from 0 to 1")
        missing = set(LABELLED_KINDS) - {text.kind for text in self.labelled}
        if missing:
            raise ValueError(f"labelled texts of {self.id} lack {sorted(missing)}; expected one of each kind at least")
        unknown = [text.level for text in self.labelled if text.level not in scores]
        if unknown:
            raise ValueError(f"labelled levels {unknown} of {self.id}; expected one of {scores}")
        return self


class Rubric(Frozen):
    """The judged part of a verification."""

    criteria: Annotated[tuple[Criterion, ...], Field(min_length=1)]
