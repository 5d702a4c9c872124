"""The user that a sandbox's user is on the host, where the harness is root."""

import ctypes
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from clawgym_data.errors import ClawGymError

FIRST_UID, UIDS = 700_000, 4096


class HostUserError(ClawGymError):
    """Root of a user namespace that has no users to spare for sandboxes."""


_numbers = itertools.count()


@dataclass(frozen=True)
class HostUser:
    """An otherwise unused user and group of the same number."""

    uid: int

    def command(self) -> list[str]:
        """Return the words that start a command as this user, without groups or capabilities."""
        uid = str(self.uid)
        return ["setpriv", "--reuid", uid, "--regid", uid, "--clear-groups", "--inh-caps=-all"]

    @contextmanager
    def file_access(self) -> Iterator[None]:
        """Let the calling thread, and no other, use files as this user.

        A folder in memory of another user namespace refuses new files from a user who has no number there.
        """
        libc = ctypes.CDLL(None)
        libc.setfsgid(self.uid)
        libc.setfsuid(self.uid)
        try:
            yield
        finally:
            libc.setfsuid(0)
            libc.setfsgid(0)


def next_host_user() -> HostUser:
    """Return the next user of the range; two sandboxes of one process share one only after all were used."""
    return HostUser(_first_uid() + next(_numbers) % UIDS)


@cache
def _first_uid() -> int:
    """Return the start of the range: the usual one, or in a smaller user namespace the last that fits.

    Raises:
        HostUserError: the namespace has too few users.
    """
    ranges = [tuple(map(int, line.split())) for line in Path("/proc/self/uid_map").read_text("ascii").splitlines()]
    if any(start <= FIRST_UID and start + length >= FIRST_UID + UIDS for start, _, length in ranges):
        return FIRST_UID
    for start, _, length in reversed(ranges):
        if length > 2 * UIDS:
            return start + length - UIDS
    raise HostUserError(f"the user namespace of this process maps fewer than {2 * UIDS} users")
