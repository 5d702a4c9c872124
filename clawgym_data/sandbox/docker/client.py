"""Running the command `docker`, and what its failures mean."""

import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO

REST_BYTES = 1 << 16
"""More than what follows the last member of an archive that was read to its end."""


class DockerError(RuntimeError):
    """Docker did not do what it was asked for."""

    def __init__(self, doing: str, said: str) -> None:
        super().__init__(f"Docker did not {doing}: {said[-300:]}")
        self.said = said.lower()
        """What Docker said, in small letters."""

    def is_about(self, *signs: str) -> bool:
        """Whether Docker said one of these words, given in small letters."""
        return any(sign in self.said for sign in signs)


def call_docker(arguments: Sequence[str], doing: str, limit_sec: float, given: bytes = b"") -> str:
    """Run `docker ARGUMENTS` and return what it printed.

    Args:
        arguments: the words after `docker`.
        doing: what it is to do, for the error.
        limit_sec: how long it may take.
        given: its standard input.

    Raises:
        DockerError: it failed, or took too long.
        OSError: there is no such command.
    """
    try:
        done = subprocess.run(["docker", *arguments], input=given, capture_output=True, check=False, timeout=limit_sec)
    except subprocess.TimeoutExpired as late:
        raise DockerError(doing, f"not within {limit_sec:g} s") from late
    if done.returncode != 0:
        raise DockerError(doing, done.stderr.decode(errors="replace").strip())
    return done.stdout.decode(errors="replace")


@contextmanager
def docker_output(arguments: Sequence[str], doing: str, limit_sec: float) -> Iterator[IO[bytes]]:
    """Run `docker ARGUMENTS` and read what it prints while it runs; what the reader leaves unread is not waited for.

    After `limit_sec` the output ends where it is.

    Raises:
        DockerError: it failed, and not by being stopped here.
        OSError: there is no such command.
    """
    is_late = threading.Event()
    with tempfile.TemporaryFile() as told:
        command = ["docker", *arguments]
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=told) as process:

            def stop() -> None:
                is_late.set()
                process.kill()

            alarm = threading.Timer(limit_sec, stop)
            alarm.start()
            assert process.stdout is not None
            try:
                yield process.stdout
                if len(process.stdout.read(REST_BYTES)) == REST_BYTES:
                    process.kill()
                    return
            except BaseException:
                process.kill()
                raise
            finally:
                process.wait()
                alarm.cancel()
        if process.returncode != 0 and not is_late.is_set():
            told.seek(0)
            raise DockerError(doing, told.read().decode(errors="replace").strip())
