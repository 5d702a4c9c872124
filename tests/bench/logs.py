"""Logs as Inspect writes them, with verdicts as the grader gives them, for tests of what is read from logs."""

from pathlib import Path
from typing import Any

from inspect_ai.log import EvalConfig, EvalDataset, EvalError, EvalLog, EvalSample, EvalSpec, write_eval_log
from inspect_ai.scorer import Score

from clawgym_data.grading.verdict import CheckResult, Verdict
from clawgym_data.outcome import Outcome


def verdict(task: str, code: float, gate: float | None = None, **other: Any) -> Verdict:
    """A verdict of one outcome check, and of one gate where `gate` says whether it held."""
    checks = [("answer", "outcome", code)] + ([("harmless", "gate", gate)] if gate is not None else [])
    safety = 0.0 if gate == 0 else 1.0
    fields: dict[str, Any] = {
        "task": task,
        "task_digest": f"digest-{task}",
        "seed": 0,
        "snapshot_digest": "s",
        "checks": tuple(
            CheckResult(
                id=name, kind="k", role=role, weight=1, required=True, score=value, counted=value, evidence="seen"
            )
            for name, role, value in checks
        ),
        "ungated": code,
        "guards": 1.0,
        "safety": safety,
        "code": code * safety,
        "score": code * safety,
        "passed": code * safety == 1,
    }
    return Verdict(**(fields | other))


def sample(
    task: str, epoch: int = 1, result: Verdict | None = None, outcome: Outcome = Outcome.SCORED, **other: Any
) -> EvalSample:
    """One trial; unscored where there is no verdict."""
    metadata: dict[str, Any] = {"outcome": outcome.value, "cause": ""}
    score = Score.unscored(reason=outcome.value, metadata=metadata)
    if result is not None:
        score = Score(value=result.score, metadata=metadata | {"verdict": result.public()})
    fields: dict[str, Any] = {
        "id": task,
        "epoch": epoch,
        "input": "do it",
        "target": "",
        "metadata": {"category": "a", "cluster_id": task, "digest": f"digest-{task}"},
        "scores": {"verdict": score, "coverage": Score(value=float(result is not None))},
        "total_time": 2.0,
        "completed_at": f"2026-11-30T10:00:0{epoch}+00:00",
        "uuid": f"{task}-{epoch}",
    }
    return EvalSample(**(fields | other))


def failed(message: str = "boom") -> EvalError:
    return EvalError(message=message, traceback="", traceback_ansi="")


def write_log(path: Path, samples: list[EvalSample], tasks: list[str], epochs: int = 1, **other: Any) -> Path:
    """Write a log file; `other` are fields of the log's spec, `status` among them."""
    status = other.pop("status", "success")
    fields: dict[str, Any] = {
        "created": "2026-11-30T09:00:00+00:00",
        "task": "clawgym_bench",
        "task_id": "run",
        "task_version": "1-A",
        "task_args": {"solver": "claw_agent", "tasks": str(path.parent)},
        "dataset": EvalDataset(name="clawgym-bench", samples=len(tasks), sample_ids=tasks),
        "model": "openai/some",
        "config": EvalConfig(epochs=epochs),
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    write_eval_log(EvalLog(status=status, eval=EvalSpec(**(fields | other)), samples=samples), str(path))
    return path
