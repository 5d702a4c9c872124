"""Several logs of one run, as a retry or a split over machines leaves them, made into one."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import chain

from clawgym_bench.run_log import LoggedTrial, RunLog
from clawgym_data.errors import SpecError, SpecErrors


def merge_logs(logs: Sequence[RunLog]) -> RunLog:
    """One run of all logs: the newest scored trial of each task and epoch counts once.

    Inspect carries the finished trials of a log into the log of its retry; they are known by their uuid. Two different
    trials of one task and epoch that are both scored are two runs, and one trial with two scores was graded again
    (which leaves no date in a log): taking one of them would be choosing.

    Args:
        logs: at least one.

    Raises:
        SpecErrors: the logs are not parts of one run; every reason is named.
    """
    logs = sorted(logs, key=lambda log: (log.created, log.files))
    if len(logs) == 1:
        return logs[0]
    tasks = tuple(dict.fromkeys(chain.from_iterable(log.tasks for log in logs)))
    faults = [*_mixtures(logs), *_foreign_tasks(logs, tasks), *_other_digests(logs)]
    chosen, doubles = _choose(logs)
    faults += doubles
    if faults:
        raise SpecErrors(tuple(faults))
    return RunLog(
        files=tuple(chain.from_iterable(log.files for log in logs)),
        created=logs[0].created,
        status="merged",
        run=logs[0].run,
        identity=logs[0].identity,
        set_size=logs[0].set_size,
        epochs=logs[0].epochs,
        tasks=tasks,
        trials=tuple(chosen),
    )


def _mixtures(logs: Sequence[RunLog]) -> list[SpecError]:
    first = logs[0]
    return [
        SpecError(log.name, field, found, f"{expected}, as in {first.name}")
        for log in logs[1:]
        for field, found, expected in log.identity.differences(first.identity)
    ]


def _foreign_tasks(logs: Sequence[RunLog], tasks: tuple[str, ...]) -> list[SpecError]:
    """Logs over the whole set name the same tasks; slices of it together no more than the set holds."""
    size = logs[0].set_size
    if len(tasks) <= size:
        return []
    first = set(logs[0].tasks)
    other = next((log for log in logs[1:] if set(log.tasks) - first), logs[-1])
    extra = ", ".join(sorted(set(other.tasks) - first)[:5])
    return [SpecError(other.name, "tasks", f"{extra}", f"a task of the {size} in the set of {logs[0].name}")]


def _other_digests(logs: Sequence[RunLog]) -> list[SpecError]:
    seen: dict[str, tuple[str, RunLog]] = {}
    faults = []
    for log in logs:
        for task, digest in log.digests().items():
            known, where = seen.setdefault(task, (digest, log))
            if digest != known:
                faults.append(
                    SpecError(log.name, f"digest of {task}", digest[:12], f"{known[:12]}, as in {where.name}")
                )
    return faults


def _choose(logs: Sequence[RunLog]) -> tuple[list[LoggedTrial], list[SpecError]]:
    found: dict[tuple[str, int], list[tuple[LoggedTrial, RunLog]]] = defaultdict(list)
    for log in logs:
        for logged in log.trials:
            found[logged.trial.task, logged.trial.epoch].append((logged, log))
    chosen, faults = [], []
    for (task, epoch), several in found.items():
        scored = [(logged, log) for logged, log in several if logged.trial.code is not None]
        where = f"{task}, epoch {epoch}"
        names = " and ".join(dict.fromkeys(log.name for _, log in scored))
        if len({logged.uuid for logged, _ in scored}) > 1:
            faults.append(SpecError(names, where, "different scored trials", "one, or copies of it"))
        elif len({(logged.trial.score, logged.trial.code, logged.trial.passed) for logged, _ in scored}) > 1:
            faults.append(SpecError(names, where, "one trial with different scores", "only its newest grading"))
        chosen.append(max(scored or several, key=lambda pair: pair[0].completed_at)[0])
    return chosen, faults
