"""How much one trial, and one run, may use; what is not the standard is recorded with the results."""

from dataclasses import dataclass, field
from typing import Any

from inspect_ai.model import GenerateConfig
from inspect_ai.util import Limit, cost_limit, sample_limits, token_limit
from pydantic import BaseModel, ConfigDict, Field

WORKING_SEC = 1800.0
"""Of a trial, without waiting for a provider that limits its rate or fails for a while."""
TURNS = 100
TOKENS = 4_000_000
"""Of all calls of a trial together, input and output."""
COST_USD = 10.0
"""Of a trial, where the model's price is known."""
INFRA_RETRIES = 2
"""How often a trial is begun anew, in a fresh sandbox, after something failed that is not the agent."""
PROVIDER_RETRIES = 8
"""Of one model call, with Inspect's growing waits: about 13 minutes in all."""
CALL_SEC = 900
"""For one try of one model call."""
GENERATE_CONFIG = GenerateConfig(max_retries=PROVIDER_RETRIES, attempt_timeout=CALL_SEC)
"""Inspect would retry a failing provider for ever; flags such as --max-retries win over this."""


class Limits(BaseModel):
    """What a trial may use; `run_cost_usd` is for all trials of the run together."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    working_sec: float = Field(default=WORKING_SEC, gt=0)
    turns: int = Field(default=TURNS, gt=0)
    tokens: int = Field(default=TOKENS, gt=0)
    cost_usd: float = Field(default=COST_USD, gt=0)
    run_cost_usd: float | None = Field(default=None, gt=0)
    """None: no cap. It changes no score, so that a run with one is still standard."""

    def changed(self) -> list[str]:
        """The limits that are not the standard ones, as `name value (standard value)`."""
        standard = Limits()
        names = ("working_sec", "turns", "tokens", "cost_usd")
        pairs = [(name, getattr(self, name), getattr(standard, name)) for name in names]
        return [f"{name} {value:g} (standard {usual:g})" for name, value, usual in pairs if value != usual]


def flags_in_force() -> list[str]:
    """The limits that Inspect's own flags put on the running sample."""
    limits = sample_limits()
    named: list[tuple[str, Limit]] = [
        ("--time-limit", limits.time),
        ("--working-limit", limits.working),
        ("--message-limit", limits.message),
        ("--turn-limit", limits.turn),
        ("--token-limit", limits.token),
        ("--cost-limit", limits.cost),
    ]
    return [f"{flag} {limit.limit:g}" for flag, limit in named if limit.limit is not None]


def which_flag_stopped() -> str:
    """What of Inspect's own ended the sample: a limit of time, or else an operator."""
    limits = sample_limits()
    for name, limit in (("working", limits.working), ("time", limits.time)):
        if limit.limit is not None and limit.usage >= limit.limit:
            return f"limit: {name}"
    return "stopped by an operator"


@dataclass
class RunBudget:
    """The cost of all trials of a run, those that still run included."""

    cap_usd: float | None
    _trials: list[Limit] = field(default_factory=list)

    def open_trial(self, cap_usd: float) -> Limit:
        """The cost limit of one more trial."""
        trial = cost_limit(cap_usd)
        self._trials.append(trial)
        return trial

    @property
    def spent_usd(self) -> float:
        """So far; 0 where no price is known."""
        return sum(trial.usage for trial in self._trials)

    @property
    def is_used_up(self) -> bool:
        """Whether the cap is reached."""
        return self.cap_usd is not None and self.spent_usd >= self.cap_usd


def counted_limits(limits: Limits, budget: RunBudget) -> list[Limit]:
    """What of one trial Inspect counts at each model call, and enforces after it."""
    return [token_limit(limits.tokens), budget.open_trial(limits.cost_usd)]


def limits_record(limits: Limits) -> dict[str, Any]:
    """What a log says of the limits; findings during the run are added to the lists."""
    reasons = limits.changed()
    return {**limits.model_dump(), "standard": not reasons, "not_standard_because": reasons}
