"""Running the agent's program as a subject: a throw-away copy of its workspace, no network, only bytes come back."""

import time
from fnmatch import fnmatchcase
from typing import Any

from clawgym_data.checks import Command
from clawgym_data.checks.view import CaseRun
from clawgym_data.grading.program import snapshot_files
from clawgym_data.sandbox import Bubblewrap, SandboxConfig, SandboxLimits
from clawgym_data.snapshot import Snapshot, SnapshotLimits
from clawgym_data.spec.frozen import path_fault

SUBJECT_CONFIG = SandboxConfig(limits=SandboxLimits(memory_mb=1024, processes=128))
MAX_OUTPUT_BYTES = 4 << 20

_ENVIRONMENT = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONPYCACHEPREFIX": "/tmp/pycache"}  # noqa: S108 - inside the sandbox


def subject_copy(check: Command, snapshot: Snapshot) -> Snapshot:
    """The part of the snapshot that the subject gets."""
    kept = tuple(e for e in snapshot.entries if any(fnmatchcase(e.path, pattern) for pattern in check.copies))
    return Snapshot(kept, snapshot.blobs, snapshot.truncated)


def run_cases(
    check: Command, cases: list[dict[str, Any]], snapshot: Snapshot, until_wrong: bool = False
) -> tuple[CaseRun, ...]:
    """Run each case in turn in one fresh sandbox over a copy of the snapshot (see `subject_copy`).

    Args:
        check: says what is run.
        cases: what it is given, and what it should give.
        snapshot: the copy's contents.
        until_wrong: leave out the cases after the first wrong one, where only that some is wrong matters.

    Raises:
        SandboxRefused: where no sandbox starts; that is the host's fault, not the subject's.
    """
    runs: list[CaseRun] = []
    with Bubblewrap.start(SUBJECT_CONFIG) as sandbox:
        sandbox.put(snapshot_files(snapshot))
        deadline = time.monotonic() + check.time_limit_sec
        for number, case in enumerate(cases):
            name = str(case.get("name", number))
            if until_wrong and runs and not check.case_right(cases[number - 1], runs[-1]):
                runs += [CaseRun(name, -1, b"", "not run after a wrong one")] * (len(cases) - number)
                break
            if time.monotonic() > deadline:
                late = f"{name}: the cases before took more than {check.time_limit_sec:g} s"
                runs.append(CaseRun(name, -1, b"", late))
                continue
            runs.append(_run_case(check, case, name, sandbox))
            sandbox.end_processes()
    return tuple(runs)


def _run_case(check: Command, case: dict[str, Any], name: str, sandbox: Bubblewrap) -> CaseRun:
    given = case.get("files", {})
    for path in given:
        if path_fault(path):
            raise ValueError(f"case {name} writes {path!r}, which {path_fault(path)}")
    try:
        sandbox.put([(path, str(text).encode(), 0o644) for path, text in given.items()])
    except OSError as error:
        return CaseRun(name, -1, b"", f"{name}: the case's files cannot be written: {error}")
    done = sandbox.call(
        [*check.run, *map(str, case.get("args", []))],
        input=str(case.get("stdin", "")).encode(),
        env=_ENVIRONMENT,
        timeout_sec=check.case_limit_sec,
        max_output_bytes=MAX_OUTPUT_BYTES,
    )
    if done.timed_out:
        return CaseRun(name, done.returncode, b"", f"{name}: took more than {check.case_limit_sec:g} s")
    if done.truncated:
        return CaseRun(name, done.returncode, b"", f"{name}: printed more than {MAX_OUTPUT_BYTES} bytes")
    if "output" not in case:
        return CaseRun(name, done.returncode, done.stdout)
    left = sandbox.snapshot(SnapshotLimits(max_file_bytes=MAX_OUTPUT_BYTES), first=(case["output"],))
    try:
        return CaseRun(name, done.returncode, left.content(case["output"]))
    except KeyError as error:
        return CaseRun(name, done.returncode, b"", f"{name}: {error.args[0]}")
