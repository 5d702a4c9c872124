"""System calls that a subject is refused beyond what its sandbox refuses: what they leave outlives files and processes.

One execution could keep something for the next in System V objects, POSIX message queues, extended attributes and flags
of folders that cannot be made anew, and in the limits of the driver.
"""

import errno
import platform
import struct

_SYS_SECCOMP = {"x86_64": 317, "aarch64": 277}
_IOCTL = {"x86_64": 16, "aarch64": 29}
_PRLIMIT = {"x86_64": 302, "aarch64": 261}
SET_FLAGS, SET_FLAGS_32, SET_PROJECT = 0x4008_6602, 0x4004_6602, 0x401C_5820
"""`ioctl` commands that change the flags of a file or folder."""
_REFUSED = {
    "x86_64": {
        "shmget": 29,
        "semget": 64,
        "msgget": 68,
        "setxattr": 188,
        "lsetxattr": 189,
        "fsetxattr": 190,
        "mq_open": 240,
        "setxattrat": 463,
        "file_setattr": 469,
    },
    "aarch64": {
        "setxattr": 5,
        "lsetxattr": 6,
        "fsetxattr": 7,
        "mq_open": 180,
        "msgget": 186,
        "semget": 190,
        "shmget": 194,
        "setxattrat": 463,
        "file_setattr": 469,
    },
}
_LOAD_WORD, _JUMP_EQUAL, _RETURN = 0x20, 0x15, 0x06
_NUMBER_OFFSET, _FIRST_ARGUMENT_OFFSET, _SECOND_ARGUMENT_OFFSET = 0, 16, 24
_ALLOW, _REFUSE = 0x7FFF_0000, 0x0005_0000 | errno.EPERM


def refusals() -> tuple[int, bytes] | None:
    """The number of `seccomp` and a filter (classic BPF) for it; None where the machine has no table.

    Calls of another architecture are not looked at: the sandbox's own filter refuses them.
    """
    machine = platform.machine()
    if machine not in _REFUSED:
        return None
    numbers = sorted(_REFUSED[machine].values())
    program = [
        _operation(_LOAD_WORD, _NUMBER_OFFSET),
        *(_operation(_JUMP_EQUAL, number, len(numbers) - index + 8) for index, number in enumerate(numbers)),
        _operation(_JUMP_EQUAL, _PRLIMIT[machine], 1),
        _operation(_JUMP_EQUAL, _IOCTL[machine], 2, 6),
        _operation(_LOAD_WORD, _FIRST_ARGUMENT_OFFSET),
        _operation(_JUMP_EQUAL, 0, 4, 5),  # its own limits
        _operation(_LOAD_WORD, _SECOND_ARGUMENT_OFFSET),
        _operation(_JUMP_EQUAL, SET_FLAGS, 3),
        _operation(_JUMP_EQUAL, SET_FLAGS_32, 2),
        _operation(_JUMP_EQUAL, SET_PROJECT, 1),
        _operation(_RETURN, _ALLOW),
        _operation(_RETURN, _REFUSE),
    ]
    return _SYS_SECCOMP[machine], b"".join(program)


def _operation(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)
