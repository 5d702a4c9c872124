"""What a log says of its run as a whole: limits, whether they are the standard ones, what the preflight found."""

import logging
from typing import Any

import anyio
from inspect_ai.model import Model

from clawgym_bench.limits import Limits, RunBudget
from clawgym_bench.preflight import preflight
from clawgym_data.task import Task

logger = logging.getLogger(__name__)


class RunRecord:
    """The record of one run, which its trials share.

    Args:
        record: the part of the log's metadata that is added to, with `limits`.
    """

    def __init__(self, record: dict[str, Any]) -> None:
        self._record = record
        settings = {name: value for name, value in record.get("limits", {}).items() if name in Limits.model_fields}
        self.limits = Limits(**settings)
        self.budget = RunBudget(self.limits.run_cost_usd)
        self._asking: anyio.Lock | None = None

    def limits_of(self, task: Task) -> Limits:
        """The run's limits, or a task's own where they are lower."""
        stated = task.spec.environment.limits
        return self.limits.model_copy(
            update={
                "working_sec": min(self.limits.working_sec, stated.working_sec or self.limits.working_sec),
                "turns": min(self.limits.turns, stated.turns or self.limits.turns),
            }
        )

    def note_flags(self, flags: list[str]) -> None:
        """Mark the run where Inspect's own flags limit its samples."""
        limits = self._record.get("limits", {})
        reasons = limits.get("not_standard_because", [])
        reasons += [flag for flag in flags if flag not in reasons]
        limits["standard"] = not reasons

    async def ask_first(self, model: Model) -> None:
        """Make the preflight call, once for the run."""
        if self._asking is None:
            self._asking = anyio.Lock()
        async with self._asking:
            if "preflight" in self._record:
                return
            found = await preflight(model)
            self._record["preflight"] = found.model_dump()
            if found.suspect:
                logger.warning("preflight of %s: %s; this run is marked suspect", model, found.finding)
