"""The arguments of `-T`, checked before anything of a run begins.

Inspect reads each value as YAML and takes a comma for a list, so that `image=5` is a number and a path with a comma two texts.
"""

from collections.abc import Callable, Sequence
from datetime import date, datetime
from typing import Annotated, Any, TypeVar

from inspect_ai._util.error import PrerequisiteError
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from clawgym_bench.limits import Limits
from clawgym_bench.openclaw import PROFILES
from clawgym_bench.sandbox_choice import SANDBOXES
from clawgym_bench.solvers import SOLVERS
from clawgym_bench.swe.agents import PREFIX, is_swe
from clawgym_data.spec.task import CATEGORIES, SPLITS

Value = TypeVar("Value")


def _is_whole(value: object) -> bool:
    """Whether the text of a value of YAML is what the user typed; of 1.10 or `no` it is not."""
    return isinstance(value, str | int | date) and not isinstance(value, bool | datetime)


def _text(value: object) -> str:
    parts = value if isinstance(value, list | tuple) else [value]
    if not all(map(_is_whole, parts)):
        raise ValueError("text, which quotes within quotes keep as it is: -T NAME='\"VALUE\"'")
    text = ",".join(map(str, parts))
    if not text or "\0" in text:
        raise ValueError("text with one character or more, none of them NUL")
    return text


def _texts(value: object) -> list[str]:
    return [part.strip() for part in _text(value).split(",")]


def _no_truth(value: Value) -> Value:
    if isinstance(value, bool):
        raise ValueError("a number")
    return value


def _one_of(allowed: Sequence[str], is_allowed: Callable[[str], bool] = lambda _: False) -> AfterValidator:
    def check(value: str) -> str:
        if value not in allowed and not is_allowed(value):
            raise ValueError(f"one of {', '.join(allowed)}")
        return value

    return AfterValidator(check)


Text = Annotated[str, BeforeValidator(_text)]
Texts = Annotated[tuple[str, ...], BeforeValidator(_texts)]
Count = Annotated[int, BeforeValidator(_no_truth), Field(gt=0)]
Amount = Annotated[float, BeforeValidator(_no_truth), Field(gt=0, allow_inf_nan=False)]


class Arguments(BaseModel):
    """What `-T` may say; see `clawgym_bench.task.clawgym_bench`. None: it says nothing."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    solver: Annotated[Text, _one_of((*SOLVERS, f"{PREFIX}NAME"), is_swe)] | None = None
    sandbox: Annotated[Text, _one_of(SANDBOXES)] | None = None
    tasks: Text | None = None
    category: Annotated[Text, _one_of((*CATEGORIES, "uncategorised"))] | None = None
    task: Texts | None = None
    split: Annotated[Text, _one_of((*SPLITS, "imported"))] | None = None
    replay: Text | None = None
    context_tokens: Count | None = None
    preflight: bool | None = None
    profile: Annotated[Text, _one_of(PROFILES)] | None = None
    bind: Texts | None = None
    image: Text | None = None
    runtime: Text | None = None
    working_limit: Amount | None = None
    turn_limit: Count | None = None
    token_limit: Count | None = None
    cost_limit: Amount | None = None
    run_cost_limit: Amount | None = None

    @property
    def limits(self) -> Limits:
        """Of a trial and of the run; the standard ones where nothing is said."""
        given = {
            "working_sec": self.working_limit,
            "turns": self.turn_limit,
            "tokens": self.token_limit,
            "cost_usd": self.cost_limit,
            "run_cost_usd": self.run_cost_limit,
        }
        return Limits.model_validate({name: value for name, value in given.items() if value is not None})


def read_arguments(given: dict[str, Any]) -> Arguments:
    """Check what `-T` said.

    Raises:
        PrerequisiteError: an argument is unknown, or its value is none for it.
    """
    unknown = sorted(set(given) - set(Arguments.model_fields))
    if unknown:
        raise PrerequisiteError(
            f"clawgym_bench: unknown arguments {', '.join(unknown)}; expected {', '.join(Arguments.model_fields)}"
            f"{' (--model names the model)' if 'model' in unknown else ''}"
        )
    try:
        return Arguments.model_validate({name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0])
        expected = first["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
        raise PrerequisiteError(f"clawgym_bench: {name} is {given[name]!r}; expected {expected}") from error
