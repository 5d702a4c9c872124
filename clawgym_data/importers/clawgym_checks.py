"""Runs the checker that this task was released with and turns what it prints into a score."""

import ctypes
import io
import json
import math
import os
import runpy
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

CHECKER = Path(__file__).parent / "reward" / "check.py"
TIME_LIMIT_SEC = 100.0
"""Below the limit of the check, so that a slow checker is named as such."""
MAX_EVIDENCE_CHARACTERS = 1800
MAX_OUTPUT_BYTES = 4 * 1024 * 1024
PR_SET_DUMPABLE = 4
ROUNDING = 1e-9
"""Further outside [0, 1] is no rounding but a fault of the checker."""


def original_reward(workspace: Path, expected: object) -> tuple[float, str]:
    """Score a workspace by the original checker.

    Its own `reward` counts where it prints one, otherwise the mean of all its values, as in the release.

    Raises:
        RuntimeError: the checker crashed.
        TimeoutError: it ran too long, and would again.
        ValueError: it printed something that is no score.
    """
    return score_of(parse_result(run_checker(workspace)))


def run_checker(workspace: Path) -> bytes:
    """What the checker prints for a workspace.

    It runs in a process of its own (see `_serve`) that hands its output over through a file which nothing else can
    open, so that what the checker starts of the agent's, or a child which that leaves behind, cannot write the result.

    Raises:
        RuntimeError: with the last line of its error output.
        TimeoutError: it ran too long.
    """
    environment = os.environ | {"PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8"}
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            [sys.executable, "-s", "-B", __file__, str(workspace), str(out.fileno())],
            cwd=workspace,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=err,
            pass_fds=(out.fileno(),),
            start_new_session=True,
        )
        try:
            code = process.wait(TIME_LIMIT_SEC)
        except subprocess.TimeoutExpired as error:
            raise TimeoutError(f"the original checker ran longer than {TIME_LIMIT_SEC:g} s") from error
        finally:
            _kill_group(process)
        if code != 0:
            raise RuntimeError(f"the original checker left with exit code {code}: {_last_line(_content(err))}")
        return _content(out)


class _Printed(io.BytesIO):
    """Standard output kept in memory; what the checker starts inherits another one."""

    def fileno(self) -> int:
        """Of the output that is thrown away, for those who hand it to a process."""
        return 1


def _serve(workspace: str, descriptor: int) -> None:
    """Run the checker in this process and write what it prints to a descriptor that no other process can use.

    The process is not dumpable: the kernel lets nobody of the same user open its descriptors or write to its memory.
    """
    ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    os.set_inheritable(descriptor, False)
    printed = _Printed()
    sys.stdout = io.TextIOWrapper(printed, encoding="utf-8", write_through=True)
    sys.argv = [str(CHECKER), workspace]
    sys.path[0] = str(CHECKER.parent)
    left: object = None
    try:
        runpy.run_path(str(CHECKER), run_name="__main__")
    except SystemExit as error:
        left = error.code
    if left not in (None, 0):
        sys.exit(left if isinstance(left, int) else str(left))
    with open(descriptor, "wb") as out:
        out.write(printed.getvalue())


def parse_result(output: bytes) -> object:
    """The JSON value that the checker printed: all of its output, or else its last line.

    Raises:
        ValueError: neither is JSON.
    """
    text = output.decode("utf-8", "replace").strip()
    for candidate in (text, _last_line(output)):
        try:
            return json.loads(candidate)
        except (ValueError, RecursionError):
            continue
    raise ValueError(f"the original checker printed no JSON but {text[-80:]!r}")


def score_of(result: object) -> tuple[float, str]:
    """Score and evidence of what the checker printed: a number, or names with numbers.

    Raises:
        ValueError: not numeric, not finite, outside [0, 1], or nothing at all.
    """
    if not isinstance(result, dict):
        return _checked(_number("the printed value", result), "the one number printed")
    if "reward" in result:
        others = {name: value for name, value in result.items() if name != "reward"}
        return _checked(_number("reward", result["reward"]), f"the checker's own reward; {_listing(others)}")
    if not result:
        raise ValueError("the original checker printed no values")
    values = [_number(name, value) for name, value in result.items()]
    return _checked(sum(values) / len(values), f"mean of {len(values)} values; {_listing(result)}")


def _checked(score: float, evidence: str) -> tuple[float, str]:
    if not -ROUNDING <= score <= 1 + ROUNDING:
        raise ValueError(
            f"the original checker gave {score!r}; expected a score in [0, 1]; {evidence}"[:MAX_EVIDENCE_CHARACTERS]
        )
    clamped = min(1.0, max(0.0, score))
    note = "" if clamped == score else f" (clamped from {score!r})"
    return clamped, f"{clamped:.6g}{note}: {evidence}"


def _number(name: str, value: object) -> float:
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(
            f"the original checker gave {name} = {repr(value)[:80]}; expected a finite number or a boolean"
        )
    return float(value)


def _listing(values: dict[str, object]) -> str:
    """Names with their numbers; of other values only the type, which gives no answer away."""
    shown: list[str] = []
    room = MAX_EVIDENCE_CHARACTERS
    for name, value in values.items():
        item = f"{name}={float(value):g}" if isinstance(value, int | float) else f"{name}: {type(value).__name__}"
        room -= len(item) + 2
        if room < 0:
            return ", ".join([*shown, f"and {len(values) - len(shown)} more"])
        shown.append(item)
    return ", ".join(shown)


def _content(stream: IO[bytes]) -> bytes:
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - MAX_OUTPUT_BYTES))
    return stream.read()


def _last_line(output: bytes) -> str:
    lines = output.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip() if lines else ""


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    """End the checker and whatever it started and left behind."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


if __name__ == "__main__":
    _serve(sys.argv[1], int(sys.argv[2]))
