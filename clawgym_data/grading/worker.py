"""A grading worker: a process without network or privileges that parses what agents made and answers checks.

It reads length-prefixed pickles from its parent (trusted) and writes one line of JSON for each check, then an empty line.
"""

import json
import pickle
import struct
import sys
from dataclasses import replace
from typing import Any, BinaryIO

from clawgym_data.checks.view import View
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.grading.job import Job

MAX_MEMORY_BYTES = 3 << 30
"""Address space of a worker."""


def answer_checks(job: Job, write_line: Any) -> None:  # noqa: ANN401 - a writer of lines
    """Answer each check in turn; a failure of one never touches the next."""
    view = View(
        entries={entry.path: entry for entry in job.entries},
        files=job.files,
        pristine=job.pristine,
        pristine_files=job.pristine_files,
        outputs=job.outputs,
        truncated=job.truncated,
    )
    for check, expected in zip(job.checks, job.expected, strict=True):
        view = replace(
            view,
            runs=job.runs.get(check.id, ()),
            pristine_runs=job.pristine_runs.get(check.id, ()),
            found=job.found.get(check.id),
            pristine_found=job.pristine_found.get(check.id),
        )
        write_line(_answer(check, view, expected))


def _answer(check: Any, view: View, expected: Any) -> dict[str, Any]:  # noqa: ANN401 - any kind, any JSON value
    try:
        finding = check.judge(view, expected)
    except Unreadable as reason:
        return {"score": 0.0, "evidence": str(reason)[:2000]}
    except (RecursionError, MemoryError) as error:
        return {"score": 0.0, "evidence": f"too much to read: {type(error).__name__}", "broken": type(error).__name__}
    except Exception as error:
        return {"score": 0.0, "evidence": "the check broke", "broken": f"{type(error).__name__}: {error}"[:500]}
    return {"score": finding.score, "evidence": finding.evidence[:2000]}


def _limit_self() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY_BYTES, MAX_MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


def _read_exactly(stream: BinaryIO, size: int) -> bytes:
    content = stream.read(size)
    if len(content) != size:
        raise EOFError
    return content


def main() -> None:
    """Serve jobs until the parent closes the pipe."""
    _limit_self()
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr

    def write_line(value: dict[str, Any]) -> None:
        sink.write(json.dumps(value, ensure_ascii=True).encode() + b"\n")
        sink.flush()

    sink.write(b"\n")
    sink.flush()
    while True:
        try:
            (size,) = struct.unpack(">Q", _read_exactly(source, 8))
            job = pickle.loads(_read_exactly(source, size))  # noqa: S301 - from the parent only
        except EOFError:
            return
        answer_checks(job, write_line)
        sink.write(b"\n")
        sink.flush()


if __name__ == "__main__":
    main()
