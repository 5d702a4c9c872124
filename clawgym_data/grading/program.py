"""Running the programs of a task (generator, expected values, solutions, `python` checks) in sandboxes of their own."""

import base64
import io
import json
import sys
import tarfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from clawgym_data.errors import ClawGymError
from clawgym_data.sandbox import Bubblewrap, Completed, SandboxConfig, SandboxLimits
from clawgym_data.snapshot import EntryKind, Snapshot

PROGRAM_LIMIT_SEC = 120.0
STAGE = "/tmp/clawgym-program"  # noqa: S108 - inside the sandbox
GRADER_CONFIG = SandboxConfig(limits=SandboxLimits(memory_mb=2048, processes=256))
"""For programs of the task's author: no network, nothing of the host but `/usr`."""

LATE_EXIT = 124
"""Exit status of the driver where the function itself says that something took too long (`TimeoutError`)."""

_DRIVER = """
import base64, ctypes, json, os, runpy, sys
from pathlib import Path
ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # not dumpable: what a check starts cannot write to our memory and descriptors
request = json.loads(sys.stdin.buffer.read())
out = os.fdopen(os.dup(1), "w")  # and does not inherit this one
os.dup2(2, 1)
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
path, name = request["path"], request["function"]
sys.path.insert(0, str(Path(path).parent))
made = runpy.run_path(path)
if name not in made:
    sys.exit(f"no function {name!r} in {Path(path).name}")
function = made[name]

def refused(constant):
    raise ValueError(constant)

def judged(case, content):
    if content is None:
        return None
    try:
        output = base64.b64decode(content).decode("utf-8-sig").replace("\\r\\n", "\\n")
        output = json.loads(output, parse_constant=refused) if request["reads_json"] else output
    except (ValueError, RecursionError):
        return False
    try:
        holds = function(case, output)
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:300]
    return holds if isinstance(holds, bool) else f"{name} returned {holds!r}; expected True or False"[:300]

try:
    if "outputs" in request:
        result = [judged(case, content) for case, content in zip(request["cases"], request["outputs"])]
    else:
        given = [Path(a["path"]) if isinstance(a, dict) and list(a) == ["path"] else a for a in request["arguments"]]
        result = function(*given)
except TimeoutError as error:
    print(error, file=sys.stderr)
    sys.exit(124)
json.dump(result, out, allow_nan=False)
out.flush()
"""


class ProgramError(ClawGymError):
    """A program of the task failed; the message holds the end of its error output."""


class ProgramLateError(ProgramError):
    """It took too long, or says that something did; to ask again would take as long."""


@dataclass(frozen=True, slots=True)
class SolutionRun:
    """What a solution left behind."""

    snapshot: Snapshot
    exit: int
    stderr: str


def interpreter() -> str:
    """The sandbox's Python: the version that runs this harness where the system has it, else `python3`."""
    own = f"/usr/bin/python3.{sys.version_info.minor}"
    return own if Path(own).exists() else "/usr/bin/python3"


def snapshot_files(snapshot: Snapshot) -> list[tuple[str, bytes, int]]:
    """The regular files of a snapshot as (path, content, mode), ready to be put into another sandbox."""
    return [
        (entry.path, snapshot.blobs[entry.sha256], entry.mode & 0o777 | 0o600)
        for entry in snapshot.entries
        if entry.kind is EntryKind.FILE and entry.sha256 is not None
    ]


def program_archive(files: Iterable[tuple[str, bytes]]) -> bytes:
    """A tar of program files (name, content), readable by whoever unpacks it."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name, content in files:
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o644
            tar.addfile(member, io.BytesIO(content))
    return archive.getvalue()


def stage(sandbox: Bubblewrap, files: Iterable[tuple[str, bytes]]) -> None:
    """Place program files below `STAGE`, outside the workspace, owned and readable by the sandbox user."""
    done = sandbox.call(
        ["/bin/sh", "-c", f"mkdir -p {STAGE} && tar -x -f - -C {STAGE} --no-same-owner"],
        input=program_archive(files),
        timeout_sec=PROGRAM_LIMIT_SEC,
    )
    if done.returncode:
        raise ProgramError(f"cannot stage program files: {_tail(done)}")


def program_files(folder: Path, names: Iterable[str]) -> list[tuple[str, bytes]]:
    """The named files, and all below the named folders, of a task folder."""
    found: list[tuple[str, bytes]] = []
    for name in names:
        path = folder / name
        inside = sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
        found += [(p.relative_to(folder).as_posix(), p.read_bytes()) for p in inside if "__pycache__" not in p.parts]
    return found


def run_function(
    folder: Path,
    names: Iterable[str],
    function: str,
    arguments: list[Any],
    workspace: Iterable[tuple[str, bytes, int]],
    *,
    time_limit_sec: float = PROGRAM_LIMIT_SEC,
) -> tuple[Any, Snapshot | None]:
    """Call `function` of the first named file in a fresh grader sandbox over a writable copy of a workspace.

    Args:
        folder: the task folder.
        names: program file first, then the files and folders it may read beside it.
        function: its name.
        arguments: JSON values; `{"path": ...}` arrives as a `Path`, and the path `WORKSPACE` as the workspace's.
        workspace: files as (path, content, mode).
        time_limit_sec: wall clock.

    Returns:
        The function's JSON result and the snapshot of the workspace afterwards.

    Raises:
        ProgramError: it failed, took too long, or returned no JSON value.
    """
    bound = [_bind_workspace(argument) for argument in arguments]
    return _run_driver(folder, list(names), {"function": function, "arguments": bound}, workspace, time_limit_sec)


def judge_outputs(
    folder: Path,
    names: Iterable[str],
    function: str,
    cases: Sequence[Any],
    outputs: Sequence[bytes | None],
    *,
    reads_json: bool,
    time_limit_sec: float,
) -> list[bool | str | None]:
    """Ask `function(case, output)` about each output in one fresh grader sandbox, which holds no workspace.

    Returns:
        For each case whether the function says true; False where the output cannot be decoded; None where there is
        none; a text where the function fails.

    Raises:
        ProgramError: it failed as a whole or took too long.
    """
    request = {
        "function": function,
        "cases": cases,
        "outputs": [None if output is None else base64.b64encode(output).decode() for output in outputs],
        "reads_json": reads_json,
    }
    result, _ = _run_driver(folder, list(names), request, [], time_limit_sec)
    if not isinstance(result, list) or len(result) != len(cases):
        raise ProgramError(f"{folder}: {function}() gave no answer for each output")
    return result


def _run_driver(
    folder: Path,
    names: list[str],
    request: dict[str, Any],
    workspace: Iterable[tuple[str, bytes, int]],
    time_limit_sec: float,
) -> tuple[Any, Snapshot]:
    with Bubblewrap.start(GRADER_CONFIG) as sandbox:
        sandbox.put(workspace)
        stage(sandbox, program_files(folder, names))
        done = sandbox.call(
            [interpreter(), "-I", "-X", "utf8", "-c", _DRIVER],
            input=json.dumps(request | {"path": f"{STAGE}/{names[0]}"}).encode(),
            env=_ENVIRONMENT,
            timeout_sec=time_limit_sec,
        )
        where = f"{folder / names[0]}: {request['function']}()"
        if done.timed_out:
            raise ProgramLateError(f"{where} failed: took more than {time_limit_sec:g} s")
        if done.returncode:
            kind = ProgramLateError if done.returncode == LATE_EXIT else ProgramError
            raise kind(f"{where} failed: {_tail(done)}")
        try:
            result = json.loads(done.stdout)
        except ValueError as error:
            raise ProgramError(f"{where} gave no JSON value") from error
        return result, sandbox.snapshot()


def run_solution(
    folder: Path,
    program: str,
    workspace: Iterable[tuple[str, bytes, int]],
    env: Mapping[str, str] | None = None,
    time_limit_sec: float = PROGRAM_LIMIT_SEC,
) -> SolutionRun:
    """Run `python PROGRAM WORKSPACE` in a fresh sandbox and take the workspace it leaves.

    Raises:
        ProgramError: where it exits with another status than 0 or takes too long.
    """
    with Bubblewrap.start(GRADER_CONFIG) as sandbox:
        sandbox.put(workspace)
        stage(sandbox, program_files(folder, [n for n in ("solution", "right", "wrong") if (folder / n).is_dir()]))
        done = sandbox.call(
            [interpreter(), f"{STAGE}/{program}", sandbox.config.workspace],
            env=_ENVIRONMENT | dict(env or {}),
            timeout_sec=time_limit_sec,
        )
        if done.timed_out or done.returncode:
            cause = f"took more than {time_limit_sec:g} s" if done.timed_out else _tail(done)
            raise ProgramError(f"{folder / program}: {cause}")
        sandbox.end_processes()
        return SolutionRun(sandbox.snapshot(), done.returncode, _tail(done))


_ENVIRONMENT = {"LC_ALL": "C", "PYTHONDONTWRITEBYTECODE": "1"}


def _bind_workspace(argument: Any) -> Any:  # noqa: ANN401 - any JSON value
    if argument == {"path": "WORKSPACE"}:
        return {"path": GRADER_CONFIG.workspace}
    return argument


def _tail(done: Completed) -> str:
    text = done.stderr.decode("utf-8", "replace").strip()
    return f"exit status {done.returncode}: {text[-1500:]}"
