"""Trials that failed by no doing of the agent: errors for Inspect, run again by `inspect eval-retry`, counted by cause."""

import os
import signal
import time
from pathlib import Path

import pytest
from inspect_ai import eval as inspect_eval
from inspect_ai import eval_retry
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.solver import TaskState
from inspect_ai.util import sandbox

from clawgym_bench import solvers
from clawgym_bench._registry import clawgym_bench
from clawgym_bench.endings import InfraFailed
from clawgym_bench.table import figures_of, read_merged, read_runs
from clawgym_bench.workspace import bubblewrap_of
from clawgym_data.task import Task
from tests.conftest import FIXTURE_TASKS


class Failing:
    """A solver that does nothing, but the second trial's provider fails, and the third trial's sandbox is killed."""

    def __init__(self) -> None:
        self.is_healed = False
        self.ran: list[int] = []

    async def __call__(self, task: Task, state: TaskState) -> None:
        self.ran.append(state.epoch)
        state.output.completion = "done"
        if self.is_healed:
            return
        if state.epoch == 2:
            raise InfraFailed("provider: for the test")
        if state.epoch == 3:
            own = bubblewrap_of(sandbox())
            assert own is not None
            os.kill(own.runner.pid, signal.SIGKILL)
            while own.runner.alive:
                time.sleep(0.01)


def of_epoch(log: EvalLog, epoch: int) -> EvalSample:
    return next(sample for sample in log.samples or [] if sample.epoch == epoch)


def test_what_infrastructure_cost_is_run_again_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = Failing()
    monkeypatch.setitem(solvers.SOLVERS, "noop", failing)
    task = clawgym_bench(solver="noop", tasks=str(FIXTURE_TASKS))
    [log] = inspect_eval(task, model="none", epochs=4, max_samples=1, log_dir=str(tmp_path), display="none")

    assert log.status == "error"
    causes = {sample.epoch: sample.error.message for sample in log.samples or [] if sample.error}
    assert set(causes) == {2, 3}
    assert "provider: for the test" in causes[2]
    assert "snapshot: " in causes[3]
    for epoch, message in causes.items():
        details = (of_epoch(log, epoch).scores or {})["verdict"].metadata or {}
        assert (details["outcome"], details["cause"] in message) == ("infra_failed", True)
    [run] = read_runs([tmp_path])
    assert (run.planned, run.scored, run.unscored, run.bounds) == (4, 2, {"infra_failed": 2}, (0.0, 0.5))

    failing.is_healed = True
    failing.ran.clear()
    [again] = eval_retry(log.location, log_dir=str(tmp_path), display="none")
    assert (again.status, sorted(failing.ran)) == ("success", [2, 3])
    kept = {epoch: of_epoch(log, epoch).uuid == of_epoch(again, epoch).uuid for epoch in range(1, 5)}
    assert kept == {1: True, 2: False, 3: False, 4: True}
    assert "provider: for the test" in (of_epoch(again, 2).error_retries or [])[0].message
    figures = figures_of(read_merged([tmp_path])[0])
    assert (figures.planned, figures.scored, figures.unscored) == (4, 4, {})
