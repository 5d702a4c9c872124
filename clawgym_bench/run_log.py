"""One evaluation log as the figures need it: what ran, and each of its trials."""

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from inspect_ai.log import (
    EvalLog,
    EvalSample,
    EvalSpec,
    list_eval_logs,
    read_eval_log,
    read_eval_log_sample_summaries,
    read_eval_log_samples_by_id,
)

from clawgym_bench.figures import Trial
from clawgym_bench.solvers import DEFAULT_SOLVER
from clawgym_data.errors import SpecError
from clawgym_data.outcome import Outcome

VERDICT = "verdict"
UNREAD = {"messages", "events", "store", "attachments"}
"""Fields of a sample that no figure needs; they are most of a log."""

HOW_NOT_WHAT = {
    "max_retries",
    "timeout",
    "attempt_timeout",
    "max_connections",
    "adaptive_connections",
    "cache",
    "batch",
}
"""Settings of a model's calls that change how a run proceeds, not what it measures."""

PLACES_AND_PACE = {"solver", "tasks", "sandbox", "image", "bind", "preflight", "run_cost_limit"}
"""Task arguments that are compared elsewhere, or change no score."""

LIMITS = ("message_limit", "token_limit", "token_limit_type", "turn_limit", "time_limit", "working_limit", "cost_limit")


class UnreadableLogError(SpecError):
    """A file is no log of this benchmark, or is damaged."""


@dataclass(frozen=True, slots=True)
class Identity:
    """What trials must have in common to be averaged; each field is text to show."""

    results_version: str
    """Its first part: numbers of another one are not comparable."""
    solver: str
    model: str
    arguments: str
    """Task arguments that choose tasks or change what is measured, as JSON."""
    settings: str
    """Model arguments, sampling and Inspect's limits, as JSON."""
    roles: str
    """Other models that took part, the judge among them, as JSON."""
    sandbox: str
    root: str
    """Digest of the sandbox's root file system; `host` is whatever a host has."""
    epochs: str
    task_set: str
    """Name and size of the data set, before a slice."""

    def differences(self, other: "Identity") -> list[tuple[str, str, str]]:
        """(field, own value, the other's) of each field that differs."""
        pairs = [(f.name, str(getattr(self, f.name)), str(getattr(other, f.name))) for f in fields(self)]
        return [pair for pair in pairs if pair[1] != pair[2]]


@dataclass(frozen=True, slots=True)
class LoggedTrial:
    """A trial with what tells it apart from others."""

    trial: Trial
    uuid: str
    """Inspect's, kept when a sample is carried into the log of a retry or graded again."""
    completed_at: str
    digest: str
    """Of the task that was graded."""


@dataclass(frozen=True, slots=True)
class RunLog:
    """A log, or several that were merged."""

    files: tuple[str, ...]
    created: str
    status: str
    """Inspect's: success, started, cancelled or error; `merged` for several."""
    run: str
    """Inspect's task id, which a retry keeps."""
    identity: Identity
    set_size: int
    epochs: int
    tasks: tuple[str, ...]
    """Planned ones."""
    trials: tuple[LoggedTrial, ...]

    @property
    def name(self) -> str:
        """For messages."""
        return ", ".join(self.files)

    @property
    def title(self) -> str:
        """What ran, and when it was begun."""
        return f"{self.identity.solver} {self.identity.model}, {shown_time(self.created)}"

    def planned(self) -> list[Trial]:
        """Every planned trial; one that never ran is unscored with the outcome `not_run`."""
        ran = {(logged.trial.task, logged.trial.epoch): logged.trial for logged in self.trials}
        known = {trial.task: trial for trial in ran.values()}
        missing = [
            (task, epoch) for task in self.tasks for epoch in range(1, self.epochs + 1) if (task, epoch) not in ran
        ]
        return [*ran.values(), *(_not_run(task, epoch, known.get(task)) for task, epoch in missing)]

    def digests(self) -> dict[str, str]:
        """Digest by task, of the tasks that were tried."""
        return {logged.trial.task: logged.digest for logged in self.trials}


def shown_time(created: str) -> str:
    """An ISO time to the minute; its zone is the log's own."""
    return created[:16].replace("T", " ")


NOT_RUN = "not_run"
UNKNOWN_CATEGORY = "unknown"


def _not_run(task: str, epoch: int, like: Trial | None) -> Trial:
    cluster, category = (like.cluster, like.category) if like else (task, UNKNOWN_CATEGORY)
    return Trial(
        task=task,
        cluster=cluster,
        category=category,
        outcome=NOT_RUN,
        score=None,
        passed=None,
        has_gate=like is not None and like.has_gate,
        epoch=epoch,
    )


def log_files(paths: list[Path]) -> list[Path]:
    """The log files at or below the paths, each once, oldest first within a folder.

    Raises:
        SpecError: where a path holds none.
    """
    files: dict[Path, Path] = {}
    for path in paths:
        found = [path]
        if path.is_dir():
            found = [Path(unquote(urlsplit(info.name).path)) for info in list_eval_logs(str(path))]
        if not found or not all(file.is_file() for file in found):
            raise SpecError(str(path), "", "no evaluation log", "an .eval file or a folder with some")
        files |= {file.resolve(): file for file in sorted(found)}
    return list(files.values())


def read_run_log(path: Path) -> RunLog:
    """Read one log.

    Raises:
        UnreadableLogError: it is damaged, or of another task.
    """
    try:
        header = read_eval_log(str(path), header_only=True)
        require_ours(str(path), header)
        samples = _samples(path)
    except UnreadableLogError:
        raise
    except Exception as error:  # zip, zstd, JSON and pydantic each raise errors of their own on damaged bytes
        raise damaged(str(path), error) from error
    try:
        trials = tuple(_logged(sample) for sample in samples)
    except (KeyError, TypeError, ValueError) as error:
        raise damaged(str(path), error) from error
    return _run_log(path, header, trials)


def require_ours(log: str, header: EvalLog) -> None:
    """Refuse a log of another task.

    Raises:
        UnreadableLogError: it is one.
    """
    if not header.eval.task.split("/")[-1].startswith("clawgym"):
        raise UnreadableLogError(log, "task", header.eval.task, "a log of clawgym_bench")


def damaged(log: str, error: Exception) -> UnreadableLogError:
    """What a user is told of a log on which reading broke."""
    said = str(error).splitlines()[0] if str(error) else ""
    return UnreadableLogError(log, "", f"{type(error).__name__} {said}".strip(), "a whole evaluation log")


def _samples(path: Path) -> list[EvalSample]:
    """The samples without their conversations, so that a large log fits in memory."""
    if path.suffix == ".json":
        return read_eval_log(str(path)).samples or []
    wanted = [(summary.id, summary.epoch) for summary in read_eval_log_sample_summaries(str(path))]
    return read_eval_log_samples_by_id(str(path), wanted, exclude_fields=UNREAD)


def _run_log(path: Path, header: EvalLog, trials: tuple[LoggedTrial, ...]) -> RunLog:
    spec = header.eval
    ran = dict.fromkeys(logged.trial.task for logged in trials)
    tasks = [str(name) for name in spec.dataset.sample_ids or ran]
    epochs = max([spec.config.epochs or 1, *(logged.trial.epoch for logged in trials)])
    return RunLog(
        files=(str(path),),
        created=str(spec.created),
        status=header.status,
        run=spec.task_id,
        identity=_identity(spec, epochs),
        set_size=spec.dataset.samples or len(tasks),
        epochs=epochs,
        tasks=tuple(dict.fromkeys([*tasks, *ran])),
        trials=trials,
    )


def _identity(spec: EvalSpec, epochs: int) -> Identity:
    arguments = {name: value for name, value in spec.task_args.items() if name not in PLACES_AND_PACE}
    settings: dict[str, Any] = {
        "model_args": spec.model_args,
        "generate": spec.model_generate_config.model_dump(mode="json", exclude_none=True, exclude=HOW_NOT_WHAT),
        "limits": {name: value for name in LIMITS if (value := getattr(spec.config, name)) is not None},
        "harness": (spec.metadata or {}).get("harness"),
    }
    if spec.solver:
        arguments |= {"solver_args": spec.solver_args or {}}
    return Identity(
        results_version=str(spec.task_version).split("-")[0],
        solver=solver_of(spec),
        model=spec.model,
        arguments=_text({name: value for name, value in arguments.items() if value is not None}),
        settings=_text({name: value for name, value in settings.items() if value}),
        roles=_text({role: _role(config) for role, config in (spec.model_roles or {}).items()}),
        sandbox=spec.sandbox.type if spec.sandbox else "unknown",
        root=str((spec.metadata or {}).get("root_digest", "unknown")),
        epochs=str(epochs),
        task_set=f"{spec.dataset.name} of {spec.dataset.samples}",
    )


def solver_of(spec: EvalSpec) -> str:
    """Who acted; Inspect records `--solver` only where it was passed, and our argument as it was passed."""
    recorded = spec.solver or spec.task_args.get("solver")
    return str(recorded or ("replay" if spec.task_args.get("replay") else DEFAULT_SOLVER))


def _role(config: Any) -> Any:  # noqa: ANN401 - one model's configuration, or several
    if isinstance(config, list):
        return [_role(one) for one in config]
    return {
        "model": config.model,
        "args": config.args,
        "generate": config.config.model_dump(mode="json", exclude_none=True, exclude=HOW_NOT_WHAT),
    }


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _logged(sample: EvalSample) -> LoggedTrial:
    metadata = sample.metadata or {}
    score = (sample.scores or {}).get(VERDICT)
    details = (score.metadata or {}) if score else {}
    verdict = details.get("verdict")
    outcome, counts = trial_outcome(sample, details, verdict is not None)
    trial = Trial(
        task=str(sample.id),
        epoch=sample.epoch,
        cluster=str(metadata.get("cluster_id", sample.id)),
        category=str(metadata.get("category", UNKNOWN_CATEGORY)),
        outcome=outcome,
        seconds=sample.total_time,
        has_gate=bool(metadata.get("has_gate", False)),
        **(_figures(verdict) if verdict and counts else {"score": None, "passed": None}),
    )
    return LoggedTrial(
        trial=trial,
        uuid=sample.uuid or f"{sample.id}/{sample.epoch}/{sample.completed_at}",
        completed_at=str(sample.completed_at or ""),
        digest=str((verdict or {}).get("task_digest") or metadata.get("digest") or ""),
    )


INTERRUPTED = "interrupted"
"""The outcome of a trial that was under way when its run was cancelled."""
CANCELLED = ("CancelledError(", "KeyboardInterrupt(")


def trial_outcome(sample: EvalSample, details: dict[str, Any], graded: bool) -> tuple[str, bool]:
    """The trial's outcome, and whether its verdict counts."""
    if sample.invalidation is not None:
        return "invalidated", False
    recorded = str(details.get("outcome") or Outcome.INFRA_FAILED.value)
    if sample.error is not None and not details and sample.error.message.startswith(CANCELLED):
        return INTERRUPTED, False
    if sample.error is not None and recorded != Outcome.AGENT_FAILED.value:
        # an error that nobody classified is ours or the provider's; `--score-on-error` would count it against the agent
        return Outcome.INFRA_FAILED.value, False
    return recorded, graded


def _figures(verdict: dict[str, Any]) -> dict[str, Any]:
    """The figures of one verdict; the headline of an undecided rubric is unknown, and so is whether it passed."""
    gated = any(check["role"] == "gate" for check in verdict["checks"])
    rubric = verdict.get("rubric")
    state = verdict.get("rubric_state") or ("none" if rubric is None else "measured")
    undecided = state == "undecided"
    return {
        "score": None if undecided else float(verdict["score"]),
        "passed": None if undecided and verdict["passed"] else bool(verdict["passed"]),
        "code": float(verdict["code"]),
        "safety": float(verdict["safety"]) if gated else None,
        "rubric": rubric,
        "rubric_state": state,
    }
