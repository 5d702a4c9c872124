"""The system call filter of everything that runs in a sandbox.

The filter is installed on one thread of the harness (`seccomp(2)` without TSYNC); the processes which that thread
starts inherit it, which those that join an existing namespace would not from bubblewrap's own `--seccomp`.
"""

import ctypes
import errno
import platform
import struct

CLONE_NEW_FLAGS = 0x7E02_0000
"""CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET."""
X32_BIT = 0x4000_0000

_LOAD_WORD, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP_SET, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER_OFFSET, _ARCH_OFFSET, _FIRST_ARGUMENT_OFFSET = 0, 4, 16
_ALLOW = 0x7FFF_0000
_ERRNO = 0x0005_0000
_PR_SET_NO_NEW_PRIVS, _SECCOMP_SET_MODE_FILTER = 38, 1

_AUDIT_ARCH = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
_SYS_SECCOMP = {"x86_64": 317, "aarch64": 277}
_CLONE = {"x86_64": 56, "aarch64": 220}
_UNSHARE = {"x86_64": 272, "aarch64": 97}
_CLONE3 = 435

_DENIED_EVERYWHERE = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
    "quotactl_fd": 443,
}
_DENIED = {
    "x86_64": {
        **_DENIED_EVERYWHERE,
        "syslog": 103,
        "pivot_root": 155,
        "acct": 163,
        "settimeofday": 164,
        "mount": 165,
        "umount2": 166,
        "swapon": 167,
        "swapoff": 168,
        "reboot": 169,
        "iopl": 172,
        "ioperm": 173,
        "create_module": 174,
        "init_module": 175,
        "delete_module": 176,
        "quotactl": 179,
        "clock_settime": 227,
        "kexec_load": 246,
        "add_key": 248,
        "request_key": 249,
        "keyctl": 250,
        "perf_event_open": 298,
        "open_by_handle_at": 304,
        "finit_module": 313,
        "kexec_file_load": 320,
        "bpf": 321,
        "userfaultfd": 323,
    },
    "aarch64": {
        **_DENIED_EVERYWHERE,
        "umount2": 39,
        "mount": 40,
        "pivot_root": 41,
        "quotactl": 60,
        "acct": 89,
        "kexec_load": 104,
        "init_module": 105,
        "delete_module": 106,
        "clock_settime": 112,
        "syslog": 116,
        "reboot": 142,
        "settimeofday": 170,
        "add_key": 217,
        "request_key": 218,
        "keyctl": 219,
        "swapon": 224,
        "swapoff": 225,
        "perf_event_open": 241,
        "open_by_handle_at": 265,
        "finit_module": 273,
        "bpf": 280,
        "userfaultfd": 282,
        "kexec_file_load": 294,
    },
}


_SOCKET = {"x86_64": 41, "aarch64": 198}
AF_ALG, AF_VSOCK = 38, 40
"""Socket families that no network namespace confines: the kernel's ciphers, and the hypervisor."""


def build_filter(machine: str) -> bytes:
    """Assemble the filter (classic BPF, `struct sock_filter[]`) for a machine as `platform.machine()` names it.

    Denied calls and calls that would make a namespace answer EPERM; `clone3`, whose flags a filter cannot see, and
    calls of another architecture answer ENOSYS, so that libraries use `clone` instead.

    Raises:
        KeyError: there is no table for the machine.
    """
    denied = sorted(_DENIED[machine].values())
    refuse_unknown = _statement(_RETURN, _ERRNO | errno.ENOSYS)
    program = [
        _statement(_LOAD_WORD, _ARCH_OFFSET),
        _jump(_JUMP_EQUAL, _AUDIT_ARCH[machine], 1, 0),
        refuse_unknown,
        _statement(_LOAD_WORD, _NUMBER_OFFSET),
        _jump(_JUMP_GREATER_EQUAL, X32_BIT, 0, 1),
        refuse_unknown,
        _jump(_JUMP_EQUAL, _CLONE3, 0, 1),
        refuse_unknown,
        _jump(_JUMP_EQUAL, _SOCKET[machine], len(denied) + 7, 0),
        _jump(_JUMP_EQUAL, _CLONE[machine], len(denied) + 2, 0),
        _jump(_JUMP_EQUAL, _UNSHARE[machine], len(denied) + 1, 0),
        *(_jump(_JUMP_EQUAL, number, len(denied) - index + 3, 0) for index, number in enumerate(denied)),
        _statement(_RETURN, _ALLOW),
        _statement(_LOAD_WORD, _FIRST_ARGUMENT_OFFSET),
        _jump(_JUMP_SET, CLONE_NEW_FLAGS, 1, 0),
        _statement(_RETURN, _ALLOW),
        _statement(_RETURN, _ERRNO | errno.EPERM),
        _statement(_LOAD_WORD, _FIRST_ARGUMENT_OFFSET),
        _jump(_JUMP_EQUAL, AF_VSOCK, 2, 0),
        _jump(_JUMP_EQUAL, AF_ALG, 1, 0),
        _statement(_RETURN, _ALLOW),
        _statement(_RETURN, _ERRNO | errno.EPERM),
    ]
    return b"".join(program)


def restrict_this_thread() -> bool:
    """Forbid the calling thread, and all that it starts, new privileges, and install the filter.

    Returns:
        Whether the filter is in force: False where the machine has no table or the kernel refuses one.

    Raises:
        OSError: even the promise to gain no privileges was refused.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_NO_NEW_PRIVS) failed")
    machine = platform.machine()
    if machine not in _DENIED:
        return False
    program = build_filter(machine)
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    return bool(libc.syscall(_SYS_SECCOMP[machine], _SECCOMP_SET_MODE_FILTER, 0, header) == 0)


def _statement(code: int, value: int) -> bytes:
    return struct.pack("<HBBI", code, 0, 0, value)


def _jump(code: int, value: int, if_true: int, if_false: int) -> bytes:
    return struct.pack("<HBBI", code, if_true, if_false, value)
