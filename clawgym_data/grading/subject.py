"""Running what the agent made as a subject: a throw-away copy of its workspace, no network, only bytes come back.

All executions of a verdict that have equal copies share one sandbox, in which a driver runs them one after the other,
each from the first state (`clawgym_data.subject.driver`); those that bring programs of ours get one each, because what
they read must reach nobody else. What was run once is remembered by content: the copy, the
command line and all that it was given.
"""

import json
import marshal
import struct
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum
from fnmatch import fnmatchcase
from functools import cached_property
from types import TracebackType
from typing import Any, Self
from weakref import WeakValueDictionary

from clawgym_data.canonical import sha256_hex
from clawgym_data.checks import Executed
from clawgym_data.checks.executed import BROUGHT, Execution
from clawgym_data.checks.view import CaseRun
from clawgym_data.grading.program import interpreter, snapshot_files
from clawgym_data.sandbox import Bubblewrap, SandboxConfig, SandboxLimits
from clawgym_data.snapshot import EntryKind, Snapshot
from clawgym_data.spec.frozen import path_fault
from clawgym_data.subject import program_text
from clawgym_data.subject.refusals import refusals

SUBJECT_CONFIG = SandboxConfig(limits=SandboxLimits(memory_mb=1024, processes=128))
BROUGHT_FOLDER = "/tmp/brought"  # noqa: S108 - inside the sandbox
HEADER = struct.Struct(">IiBdI")
"""Of a frame that the driver writes: number, exit, flag, seconds, length of what follows."""
FINE, LATE, TOO_MUCH, FAILED = range(4)
REQUEST_VERSION = 2
"""Of `marshal`: read by every Python 3, whichever the sandbox has."""
MAX_DRIVER_BYTES = 64 << 20
MAX_LOST = 4
"""Times that a verdict's driver is started anew because a subject has ended it."""
PLACE_LOST = 75
"""The driver's exit status where a subject has left what it cannot put right."""
MAX_ANEW = 32
"""Times that it goes on in a fresh sandbox after that."""
MARGIN_SEC = 30.0
NOT_RUN = "not run, because one before settled it"
MAX_KNOWN_BYTES = 64 << 20

_ENVIRONMENT = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONDONTWRITEBYTECODE": "1"}
"""No byte code is written, nor that of the system passed over: compiling the standard library anew takes 0.3 s."""


@dataclass(frozen=True)
class Asked:
    """What one check wants to have run on one snapshot."""

    check: Executed
    cases: Any
    executions: tuple[Execution, ...]
    copy: Snapshot
    """The part of the snapshot that the subject gets."""
    brought: Mapping[str, bytes]

    @cached_property
    def subject(self) -> str:
        """Identity of all that the executions find; those of one sandbox have it in common."""
        brought = {name: sha256_hex(content) for name, content in self.brought.items()}
        return _digest([self.copy.digest, brought, self.check.env, self.check.apart])

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """Identity of each execution, which decides what it gives."""
        return tuple(_digest([self.subject, asdict(execution)]) for execution in self.executions)


def ask(check: Executed, cases: Any, snapshot: Snapshot, brought: Mapping[str, bytes]) -> Asked:  # noqa: ANN401
    """What a check wants to have run.

    Raises:
        ValueError: a case writes or reads outside the workspace.
    """
    executions = tuple(_with_brought(execution) for execution in check.executions(cases))
    for execution in executions:
        for path in (*execution.files, *([execution.output] if execution.output else [])):
            if path_fault(path):
                raise ValueError(f"case {execution.name} names {path!r}, which {path_fault(path)}")
    kept = tuple(e for e in snapshot.entries if any(fnmatchcase(e.path, pattern) for pattern in check.copies))
    return Asked(check, cases, executions, Snapshot(kept, snapshot.blobs, snapshot.truncated), brought)


def _with_brought(execution: Execution) -> Execution:
    return replace(execution, argv=tuple(word.replace(BROUGHT, BROUGHT_FOLDER) for word in execution.argv))


class Subjects:
    """Runs executions and remembers what they gave; safe to use from many threads."""

    def __init__(self) -> None:
        self._known: dict[str, CaseRun] = {}
        self._known_bytes = 0
        self._lock = threading.Lock()
        self._turns = WeakValueDictionary[str, threading.Lock]()

    def run(self, asked: Sequence[Asked], until_wrong: bool = False) -> dict[str, tuple[CaseRun, ...]]:
        """What all executions gave, by the check's id.

        Args:
            asked: by several checks, on one snapshot.
            until_wrong: where only matters that some check is wrong: nothing more is run of a check after its first wrong
                run, and of the others nothing more after their first; those that are still open then are left out.

        Raises:
            SandboxRefused: where no sandbox starts; that is the host's fault, not the subject's.
        """
        groups: dict[str, list[Asked]] = {}
        for item in asked:
            groups.setdefault(item.subject, []).append(item)
        found: dict[str, tuple[CaseRun, ...]] = {}
        for group in groups.values():
            with self._turn(group[0].subject):
                known = self._recall(group)
                with _Session(group[0]) as session:
                    _complete(session, group, known, until_wrong)
                self._remember(known)
            for item in group:
                runs = tuple(_runs(item, known, until_wrong))
                if UNKNOWN not in runs:
                    found[item.check.id] = runs
        return found

    def _turn(self, subject: str) -> threading.Lock:
        """Equal subjects take turns, so that the later one finds what the earlier one gave."""
        with self._lock:
            return self._turns.setdefault(subject, threading.Lock())

    def _recall(self, group: list[Asked]) -> dict[str, CaseRun]:
        keys = {key for item in group for key in item.keys}
        with self._lock:
            return {key: self._known[key] for key in keys if key in self._known}

    def _remember(self, made: Mapping[str, CaseRun]) -> None:
        with self._lock:
            for key, run in made.items():
                if key not in self._known:
                    self._known[key] = run
                    self._known_bytes += len(run.output) + len(key)
            while self._known_bytes > MAX_KNOWN_BYTES:
                oldest = next(iter(self._known))
                self._known_bytes -= len(self._known.pop(oldest).output) + len(oldest)


def _complete(session: "_Session", group: list[Asked], known: dict[str, CaseRun], until_wrong: bool) -> None:
    """Run what is not known yet and still matters: together where they share a sandbox, else one after the other."""
    first_only = until_wrong or session.apart
    while todo := _open(group, known, until_wrong, first_only):
        for (item, number), run in zip(todo, session.run(todo), strict=True):
            known[item.keys[number]] = run
        if until_wrong and any(_is_wrong(item, known) for item in group):
            return
        first_only = session.apart


def _open(
    group: list[Asked], known: Mapping[str, CaseRun], until_wrong: bool, first_only: bool
) -> list[tuple[Asked, int]]:
    """What is not known yet and still matters, all of it or the first of each check."""
    todo: list[tuple[Asked, int]] = []
    for item in group:
        numbers = [number for number, run in enumerate(_runs(item, known, until_wrong)) if run is UNKNOWN]
        todo += [(item, number) for number in numbers[: 1 if first_only else None]]
    return todo


def _is_wrong(item: Asked, known: Mapping[str, CaseRun]) -> bool:
    return any(
        key in known and item.check.surely_wrong(item.cases, number, known[key]) for number, key in enumerate(item.keys)
    )


def _runs(item: Asked, known: Mapping[str, CaseRun], until_wrong: bool) -> Iterator[CaseRun]:
    """The known runs of a check, `UNKNOWN` for the others, and none beyond one that settles the score or is enough."""
    over, check = False, item.check
    for number, execution in enumerate(item.executions):
        if over:
            yield CaseRun(execution.name, -1, b"", NOT_RUN)
            continue
        run = known.get(item.keys[number], UNKNOWN)
        yield run
        if run is not UNKNOWN:
            over = check.settles(item.cases, number, run) or (
                until_wrong and check.surely_wrong(item.cases, number, run)
            )


UNKNOWN = CaseRun("", -1, b"", "unknown")


class _Session:
    """One subject's sandbox, started when first needed, and anew where the subject has ended the driver."""

    def __init__(self, subject: Asked) -> None:
        self._subject = subject
        self._sandbox: Bubblewrap | None = None
        self._spent: dict[str, float] = {}
        """Seconds by check."""
        self._lost = self._anew = 0
        self._given_up = False
        """Whether nothing more is run, because the subject has stopped the driver or ended it too often."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    def run(self, todo: Sequence[tuple[Asked, int]]) -> list[CaseRun]:
        """What the executions gave, in their order; the driver's death is the fault of the one that then ran."""
        found: dict[int, CaseRun] = {}
        while left := [place for place in range(len(todo)) if place not in found]:
            sent = left[:1] if self.apart else left
            made, end = ({}, _End.HUNG) if self._given_up else self._drive([(place, *todo[place]) for place in sent])
            found |= made
            missing = [place for place in sent if place not in made]
            if end is _End.ANEW and made and self._anew < MAX_ANEW:
                self._anew += 1
            elif end is not _End.FINE:
                self._lost += bool(missing)
                self._given_up = end is _End.HUNG or self._lost > MAX_LOST
                for place in missing if self._given_up else missing[:1]:
                    name = _execution(todo[place]).name
                    found[place] = CaseRun(name, -1, b"", f"{name}: the subject ended or stopped what ran it")
            if end is not _End.FINE or self.apart:
                self._end()
        return [found[place] for place in range(len(todo))]

    @property
    def apart(self) -> bool:
        """Whether each execution gets a sandbox of its own."""
        return self._subject.check.apart

    def _end(self) -> None:
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    def _drive(self, todo: Sequence[tuple[int, Asked, int]]) -> tuple[dict[int, CaseRun], "_End"]:
        """What came back, and how the driver ended."""
        if self._sandbox is None:
            self._sandbox = Bubblewrap.start(SUBJECT_CONFIG)
            self._sandbox.put(snapshot_files(self._subject.copy))
        budgets = {
            item.check.id: max(0.0, item.check.time_limit_sec - self._spent.get(item.check.id, 0.0))
            for _, item, _ in todo
        }
        limits = sum(_execution((item, number)).limit_sec for _, item, number in todo)
        done = self._sandbox.call(
            [interpreter(), "-I", "-S", "-X", "utf8", "-c", program_text("driver")],
            input=marshal.dumps(self._request(todo, budgets), REQUEST_VERSION),
            env=_ENVIRONMENT | self._subject.check.env,
            timeout_sec=min(limits, sum(budgets.values())) + MARGIN_SEC,
            max_output_bytes=MAX_DRIVER_BYTES,
        )
        found = {}
        asked = {place: (item, number) for place, item, number in todo}
        for place, seconds, run in _frames(done.stdout, {place: _execution(one) for place, one in asked.items()}):
            found[place] = run
            check = asked[place][0].check.id
            self._spent[check] = self._spent.get(check, 0.0) + seconds
        if done.timed_out:
            return found, _End.HUNG
        if done.returncode == PLACE_LOST:
            return found, _End.ANEW
        return found, _End.FINE if len(found) == len(todo) and not done.returncode else _End.KILLED

    def _request(self, todo: Sequence[tuple[int, Asked, int]], budgets: Mapping[str, float]) -> dict[str, Any]:
        subject, refused = self._subject, refusals()
        return {
            "workspace": SUBJECT_CONFIG.workspace,
            "home": SUBJECT_CONFIG.home,
            "folders": [entry.path for entry in subject.copy.entries if entry.kind is EntryKind.DIRECTORY],
            "brought_folder": BROUGHT_FOLDER,
            "brought": dict(subject.brought),
            "refused": refused,
            "cases": [
                {
                    "number": place,
                    "of": item.check.id,
                    "budget_sec": budgets[item.check.id],
                    **asdict(item.executions[number]),
                }
                for place, item, number in todo
            ],
        }


class _End(Enum):
    """How a driver ended."""

    FINE = "fine"
    KILLED = "killed"
    HUNG = "hung"
    ANEW = "anew"
    """It cannot put right what a subject left, so that what is left to run needs a fresh sandbox."""


def _execution(asked: tuple[Asked, int]) -> Execution:
    return asked[0].executions[asked[1]]


def _frames(stream: bytes, executions: Mapping[int, Execution]) -> Iterator[tuple[int, float, CaseRun]]:
    """The runs with their seconds in what the driver wrote; it ends early where the driver was ended."""
    position = 0
    while position + HEADER.size <= len(stream):
        number, code, flag, seconds, length = HEADER.unpack_from(stream, position)
        content = stream[position + HEADER.size : position + HEADER.size + length]
        position += HEADER.size + length
        if len(content) < length or number not in executions:
            return
        execution = executions[number]
        problem = {
            FINE: None,
            LATE: f"{execution.name}: took more than {execution.limit_sec:g} s",
            TOO_MUCH: f"{execution.name}: gave more than is read",
        }.get(flag, f"{execution.name}: {content[:300].decode('utf-8', 'replace')}")
        yield number, seconds, CaseRun(execution.name, code, b"" if problem else content, problem)


def _digest(value: Any) -> str:  # noqa: ANN401 - any JSON value
    return sha256_hex(json.dumps(value, sort_keys=True, separators=(",", ":")).encode())
