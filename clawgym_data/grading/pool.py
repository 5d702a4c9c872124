"""A pool of grading workers: limited, killable, replaced when one dies or hangs."""

import json
import os
import pickle
import queue
import selectors
import struct
import sys
import threading
import time
from typing import Any

from clawgym_data.grading.job import Job
from clawgym_data.grading.verdict import Answer
from clawgym_data.sandbox import stale
from clawgym_data.sandbox.facts import gather_facts
from clawgym_data.sandbox.spawn import PIPES_WITH_INPUT, spawner

START_LIMIT_SEC = 60.0
JOBS_PER_WORKER = 2000
"""A worker is replaced after this many jobs, so that leaks stay small."""


class GraderHostError(Exception):
    """The grading host failed: no worker starts, or a worker cannot be fed."""


class _WorkerLost(Exception):  # noqa: N818 - how a conversation ended
    """The worker died or kept silent; the message says which."""


class _Worker:
    """One worker process inside bubblewrap: read-only root, no network, no other processes in sight."""

    def __init__(self) -> None:
        bwrap = gather_facts().bwrap_path
        if bwrap is None:
            raise GraderHostError("bubblewrap is not installed; `clawgym doctor` says how to get it")
        command = [
            *("env", "-i", f"PATH={os.environ.get('PATH', os.defpath)}", "LC_ALL=C.UTF-8", "PYTHONHASHSEED=0"),
            *(bwrap, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"),
            *("--unshare-net", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--die-with-parent", "--new-session"),
            *("--cap-drop", "ALL", "--", sys.executable, "-I", "-X", "utf8", "-m", "clawgym_data.grading.worker"),
            stale.mark(stale.next_name()),  # by which the next run ends one that outlived a killed harness
        ]
        # bubblewrap dies with the thread that started it: a lasting one, not whichever first needed a worker
        self.process = spawner(restricted=False).spawn(command, PIPES_WITH_INPUT)
        self.jobs = 0
        self._buffer = b""
        self._errors: list[bytes] = []
        threading.Thread(target=self._drain_errors, daemon=True).start()
        try:
            if self._line(START_LIMIT_SEC) != b"":
                raise GraderHostError("a grading worker did not greet")
        except _WorkerLost as error:
            self.kill()
            raise GraderHostError(f"no grading worker starts: {error}; {self._last_words()}") from error

    def answer(self, job: Job) -> list[Answer]:
        """Answers of the checks in turn; the list ends early with the one that killed the worker or hung."""
        self.jobs += 1
        answers: list[Answer] = []
        payload = pickle.dumps(job)
        feeder = threading.Thread(target=self._send, args=(payload,), daemon=True)
        feeder.start()
        for check in job.checks:
            try:
                line = self._line(check.time_limit_sec)
            except _WorkerLost as error:
                self.kill()
                answers.append(Answer(0.0, f"the check was ended: {error}", str(error)))
                return answers
            answers.append(Answer(**json.loads(line)))
        try:
            self._line(START_LIMIT_SEC)
        except _WorkerLost:
            self.kill()
        feeder.join()
        return answers

    def kill(self) -> None:
        """End the process and all that it started."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass

    def _send(self, payload: bytes) -> None:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(struct.pack(">Q", len(payload)) + payload)
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError):
            pass  # the reading side reports that the worker is gone

    def _line(self, limit_sec: float) -> bytes:
        assert self.process.stdout is not None
        deadline = time.monotonic() + limit_sec
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._buffer:
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    raise _WorkerLost(f"no answer within {limit_sec:g} s")
                chunk = os.read(self.process.stdout.fileno(), 1 << 16)
                if not chunk:
                    raise _WorkerLost("the worker died")
                self._buffer += chunk
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line

    def _drain_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self._errors = [*self._errors[-20:], line[:2000]]
        self.process.stderr.close()

    def _last_words(self) -> str:
        return b" ".join(self._errors).decode("utf-8", "replace").strip()[-500:] or "it said nothing"


class WorkerPool:
    """At most `size` workers, started when first needed; safe to use from many threads."""

    def __init__(self, size: int | None = None) -> None:
        self.size = size or os.cpu_count() or 1
        self._free: queue.LifoQueue[_Worker | None] = queue.LifoQueue()
        for _ in range(self.size):
            self._free.put(None)
        self._closed = False

    def answer(self, job: Job) -> list[Answer]:
        """One answer for each check of the job; a check that hangs or kills its worker is answered as broken.

        Raises:
            GraderHostError: where no worker can be started.
        """
        answers: list[Answer] = []
        while len(answers) < len(job.checks):
            answers += self._converse(job, answers)
        return answers

    def _converse(self, job: Job, done: list[Answer]) -> list[Answer]:
        """Hand the checks after `done` to a worker."""
        rest = Job(
            checks=job.checks[len(done) :],
            expected=job.expected[len(done) :],
            **{name: getattr(job, name) for name in Job.__slots__ if name not in ("checks", "expected")},
        )
        worker = self._free.get()
        keep: _Worker | None = None
        try:
            if worker is None or worker.process.poll() is not None:
                worker = _Worker()
            answers = worker.answer(rest)
            if len(answers) == len(rest.checks) and worker.process.poll() is None:
                keep = worker
            return answers
        finally:
            if worker is not None and (keep is None or worker.jobs >= JOBS_PER_WORKER or self._closed):
                worker.kill()
                keep = None
            self._free.put(keep)

    def close(self) -> None:
        """End all workers that are not busy; the busy ones end after their job."""
        self._closed = True
        for _ in range(self.size):
            try:
                worker = self._free.get_nowait()
            except queue.Empty:
                continue
            if worker is not None:
                worker.kill()
            self._free.put(None)

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(self, *details: Any) -> None:  # noqa: ANN401
        self.close()
