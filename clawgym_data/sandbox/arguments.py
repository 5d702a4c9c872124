"""The command line of the process that holds a sandbox, and of those that join it."""

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from clawgym_data.sandbox.config import SandboxConfig
from clawgym_data.sandbox.facts import gather_facts

SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
HOLDER = "/run/sandbox/cat"
TMP, SHARED_MEMORY = "/tmp", "/dev/shm"  # noqa: S108 - inside the sandbox
ROOT_BYTES, SHARED_MEMORY_BYTES = 16 << 20, 64 << 20
USER_NAME = "claw"
READY = b"ready\n"
_BECOME_HOLDER = '/usr/bin/env -i --ignore-signal=CHLD setpriv --pdeathsig KILL "$1"'
_MERGED_FOLDERS = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_HOST_ETC = (
    "alternatives",
    "bash.bashrc",
    "ca-certificates",
    "crypto-policies",
    "debian_version",
    "fonts",
    "java-*",
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "localtime",
    "magic",
    "mime.types",
    "nsswitch.conf",
    "perl",
    "pki",
    "profile",
    "protocols",
    "python3*",
    "services",
    "ssl",
    "terminfo",
)


@cache
def data_files(config: SandboxConfig) -> dict[str, tuple[str, bytes]]:
    """Return path -> (mode, content) of the files that a sandbox has of its own.

    The program of process 1 may be run but not read. The kernel therefore lets no process of the sandbox trace it or
    write to its memory, so that it cannot be made to run anything after `end_processes`.
    """
    name, uid, home = USER_NAME, config.uid, config.home
    root = Path(config.root or "/")
    passwd = (
        f"{name}:x:{uid}:{uid}:{name}:{home}:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n"
    )
    group = f"{name}:x:{uid}:\nnogroup:x:65534:\n"
    hosts = f"127.0.0.1 localhost {config.hostname}\n::1 localhost\n"
    return {
        "/etc/passwd": ("0644", passwd.encode()),
        "/etc/group": ("0644", group.encode()),
        "/etc/hosts": ("0644", hosts.encode()),
        "/etc/os-release": ("0644", _inside(root, "/etc/os-release").read_bytes()),
        HOLDER: ("0111", _inside(root, "/usr/bin/cat").read_bytes()),
    }


def holder_command(config: SandboxConfig, files: Mapping[str, int], info_fd: int, mark: str) -> list[str]:
    """Return the command that makes the sandbox and stays as its process 1, until its standard input ends.

    Process 1 dies with bubblewrap's own process, which it asks for only when it needs nothing from that any more.

    Args:
        config: what to make.
        files: descriptors of the contents of `data_files`.
        info_fd: where bubblewrap writes the id of process 1.
        mark: names the harness to whoever reads the command line on the host; process 1 does not keep it.
    """
    facts = gather_facts()
    limits = config.limits
    tmp = ["--perms", "1777", "--size", str(limits.tmp_mb << 20), "--tmpfs"]
    owned = ["--perms", "0755", "--size", str(limits.tmp_mb << 20), "--tmpfs"]
    binds = [word for source, target in config.read_only_binds for word in ("--ro-bind", source, target)]
    modes = data_files(config)
    own_files = [
        word
        for path, descriptor in files.items()
        for word in ("--perms", modes[path][0], "--file", str(descriptor), path)
    ]
    return [
        str(facts.bwrap_path),
        *("--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-net", "--unshare-cgroup-try"),
        *(("--disable-userns",) if disables_nested_namespaces() else ()),
        *("--uid", str(config.uid), "--gid", str(config.uid), "--hostname", config.hostname),
        *("--new-session", "--as-pid-1", "--clearenv", "--info-fd", str(info_fd)),
        *("--size", str(ROOT_BYTES), "--tmpfs", "/"),
        *("--perms", "0755", "--dir", "/etc"),
        *_system_folders(config.root),
        *own_files,
        *("--proc", "/proc", "--dev", "/dev"),
        *("--perms", "1777", "--size", str(SHARED_MEMORY_BYTES), "--tmpfs", SHARED_MEMORY, "--remount-ro", "/dev"),
        *(*tmp, TMP, "--dir", "/var", "--symlink", TMP, f"/var{TMP}"),
        *(*owned, config.home),
        *("--perms", "0755", "--size", str(limits.workspace_mb << 20), "--tmpfs", config.workspace),
        *binds,
        *("--remount-ro", "/", "--chdir", "/"),
        *("/bin/sh", "-c", f"echo ready; exec {_BECOME_HOLDER} >/dev/null 2>&1", "sh", HOLDER, mark),
    ]


def disables_nested_namespaces() -> bool:
    """Whether this bubblewrap can forbid user namespaces inside the sandbox."""
    return gather_facts().bwrap_version >= (0, 8)


def command_in_sandbox(
    config: SandboxConfig, argv: Sequence[str], cwd: str | None, env: Mapping[str, str]
) -> list[str]:
    """Return what a process that has joined the sandbox runs, with exactly the environment that is meant."""
    variables = {
        "PATH": SEARCH_PATH,
        "HOME": config.home,
        "USER": USER_NAME,
        "LANG": "C.UTF-8",
        **dict(config.env),
        **env,
    }
    folder = os.path.join(config.workspace, cwd or "")
    command = list(argv)
    if "=" in command[0]:
        command = ["/bin/sh", "-c", 'exec "$@"', "sh", *command]
    return ["/usr/bin/env", "-i", "-C", folder, *(f"{key}={value}" for key, value in variables.items()), *command]


def joining_command(pid: int, uid: int, outer_user_namespace: str | None) -> list[str]:
    """Return the words that make a process join a sandbox.

    Args:
        pid: process 1 of the sandbox, as the host numbers it.
        uid: the user inside.
        outer_user_namespace: where an ordinary user finds the user namespace that owns the others; None for root, who
            needs no right from it. Bubblewrap puts a second user namespace into the first, and an ordinary user has to
            enter one after the other.
    """
    others = ["-m", "-p", "-n", "-i", "-u"]
    if outer_user_namespace is None:
        return ["nsenter", "-t", str(pid), "-U", *others, "-S", str(uid), "-G", str(uid)]
    outer = ["nsenter", f"--user={outer_user_namespace}", "-t", str(pid), *others, "--preserve-credentials"]
    return [*outer, "/usr/bin/nsenter", "-t", "1", "-U", "--preserve-credentials"]


@cache
def _system_folders(root: str | None) -> tuple[str, ...]:
    top = Path(root or "/")
    words = ["--ro-bind", str(top / "usr"), "/usr"]
    for name in _MERGED_FOLDERS:
        folder = top / name
        if folder.is_symlink():
            words += ["--symlink", os.readlink(folder).lstrip("/"), f"/{name}"]
        elif folder.is_dir():
            words += ["--ro-bind", str(folder), f"/{name}"]
    if root is not None:
        own = ("passwd", "group", "hosts", "os-release")
        kept = [path for path in sorted((top / "etc").iterdir()) if path.name not in own]
    else:
        words += ["--size", "4096", "--tmpfs", "/usr/local"]
        if not (top / "usr/bin/python").exists():
            words += ["--symlink", "/usr/bin/python3", "/usr/local/bin/python"]
        for path in _own_installation():
            words += ["--size", "4096", "--tmpfs", str(path)]
        kept = sorted(path for pattern in _HOST_ETC for path in Path("/etc").glob(pattern))
    for path in kept:
        if path.is_symlink():
            words += ["--symlink", os.readlink(path), f"/etc/{path.name}"]
        else:
            words += ["--ro-bind", str(path), f"/etc/{path.name}"]
    return tuple(words)


def _own_installation() -> list[Path]:
    """Return the folders of this project below /usr; /usr/local is hidden as a whole, the rest of the host is absent."""
    folder = Path(__file__).resolve().parents[2]
    if not folder.is_relative_to("/usr") or folder.is_relative_to("/usr/local"):
        return []
    if (folder / "task_specs").is_dir():  # a source tree: solutions and tests lie beside the packages
        return [folder]
    return sorted(path for path in folder.iterdir() if path.name.startswith("clawgym") and path.is_dir())


def _inside(root: Path, path: str) -> Path:
    """Resolve a path of the sandbox's root file system, whose links are relative to that root."""
    current = root / path.lstrip("/")
    while current.is_symlink():
        target = os.readlink(current)
        current = root / target.lstrip("/") if target.startswith("/") else current.parent / target
    return current
