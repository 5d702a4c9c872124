"""Where this system gets Debian's packages from."""

import shutil
import subprocess

SUITE = "bookworm"
_FIELDS = "$(ORIGIN)|$(LABEL)|$(REPO_URI)"


def debian_mirrors() -> list[str]:
    """Lines for mmdebstrap that name the mirrors of this system; empty where it is none of Debian's: it knows one itself."""
    if shutil.which("apt-get") is None:
        return []
    command = ["apt-get", "indextargets", "--format", _FIELDS, "Created-By: Packages"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return mirror_lines(done.stdout)


def mirror_lines(targets: str) -> list[str]:
    """The suite's own lines for the mirrors that `apt-get indextargets` names, of whatever suite they are now."""
    main: list[str] = []
    security: list[str] = []
    for line in targets.splitlines():
        origin, label, address = line.split("|")
        if origin == "Debian":
            (security if label == "Debian-Security" else main).append(address)
    if not (main and security):
        return []
    return [
        f"deb {main[0]} {SUITE} main",
        f"deb {main[0]} {SUITE}-updates main",
        f"deb {security[0]} {SUITE}-security main",
    ]
