"""What a task asks for, as data: the class of a mutant follows from this and from the requirements alone."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from clawgym_data.spec.frozen import Frozen, RelativePath

BASE_TYPES = ("tag", "tags", "whole", "number", "money", "date", "time", "datetime", "name", "text", "flag")
_CHOICE = re.compile(r"^choice\([^()]+\)$")


def split_type(declared: str) -> tuple[str, ...]:
    """The base types of a column type: `"whole and name"` -> `("whole", "name")`; a final `?` (may be blank) is dropped."""
    return tuple(part.strip() for part in declared.rstrip("?").split(" and "))


def _checked_type(declared: str) -> str:
    for base in split_type(declared):
        if base not in BASE_TYPES and not _CHOICE.match(base):
            raise ValueError(
                f"type {base!r}; expected one of {', '.join(BASE_TYPES)}, choice(a|b), or several joined by ' and '"
            )
    return declared


ColumnType = Annotated[str, AfterValidator(_checked_type)]
"""`tag` (identifier, exact), `tags` (set of them), `whole`, `number`, `money`, `date` (ISO), `time`, `datetime`, `name`
(case and spacing folded), `text`, `flag`, `choice(a|b)`; `?` at the end: may be blank."""

OutputKind = Literal["csv", "tsv", "json", "yaml", "toml", "ini", "note", "text", "code", "folder"]
TREE_KINDS = ("json", "yaml", "toml", "ini")
TABLE_KINDS = ("csv", "tsv")


class Output(Frozen):
    """One file (or folder) that the instruction asks for or lets the agent edit."""

    path: RelativePath
    kind: OutputKind
    key: tuple[str, ...] | dict[str, tuple[str, ...]] | Literal["label"] | None = None
    """Key columns of a table; of a tree whose root is a list; of each list of a tree by its member; `label` for a note."""
    columns: dict[str, ColumnType | dict[str, ColumnType]] = {}
    """Name -> type. In a tree a member with a mapping is a list of objects. In a note the labels."""
    order: dict[str, Literal["required", "free", "first"]] = {}
    """What may be ordered freely: `rows`, `columns` of a table, each list and `members` of a tree, `labels` of a note."""
    newline: Literal["any", "lf", "crlf"] = "any"
    tolerance: Annotated[float, Field(ge=0)] = 0.0
    """Absolute tolerance of `number` and `money`, in the unit of the value."""
    max_words: Annotated[int, Field(gt=0)] | None = None
    """Upper limit of a note or text that the instruction states."""
    in_place: bool = False
    """The path exists in the workspace and is edited there; whatever is not asked for must stay as it is."""
    asked: bool = True
    """False for a path that the agent may write without being asked to."""

    @model_validator(mode="after")
    def _key_names_columns(self) -> "Output":
        keys = self.key if isinstance(self.key, dict) else {"": self.key or ()}
        for member, names in keys.items():
            scope = self.columns.get(member, {}) if member else self.columns
            missing = [] if names == "label" else [name for name in names if name not in scope]
            if missing:
                raise ValueError(f"key {missing} of {self.path}; expected names from columns {sorted(scope)}")
        return self

    def type_of(self, *names: str) -> str:
        """The declared type of a column, or of a member's column (`type_of("recalls", "refund")`); `text` by default."""
        scope: str | dict[str, str] = dict(self.columns)  # type: ignore[arg-type]
        for name in names:
            if not isinstance(scope, dict) or name not in scope:
                return "text"
            scope = scope[name]
        return scope if isinstance(scope, str) else "text"
