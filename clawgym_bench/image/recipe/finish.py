"""The last steps of an image, inside it and with its own Python: leave out, compile, describe, try.

Only the standard library is at hand. `build.sh` runs this file with the version of OpenClaw, or `none`.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from fnmatch import translate
from pathlib import Path

RECIPE_VERSION = 1
RECIPE = Path(__file__).resolve().parent
INSTALLED = Path("/usr/local/lib/openclaw")
PROGRAMS = Path("/usr/local/bin")
DESCRIPTION = Path("/usr/local/share/clawgym/image.json")
PYTHON_FOLDERS = ("/usr/lib/python3.11", "/usr/lib/python3/dist-packages", "/usr/share/python3")
SANDBOX_UID = 1000
"""Of the agent in a bubblewrap sandbox; in a container it is 0, as here."""
LAUNCHER = f'#!/bin/sh\nexec {PROGRAMS}/node {INSTALLED}/node_modules/openclaw/openclaw.mjs "$@"\n'


def main(openclaw: str) -> None:
    """Finish the tree that this process has as its root."""
    has_openclaw = openclaw != "none"
    if has_openclaw:
        step("what never runs is left out")
        rules = (RECIPE / f"openclaw-{openclaw}" / "trim.txt").read_text("utf-8")
        trim(INSTALLED / "node_modules", rules)
        install_programs()
    step("Python's modules are compiled")
    compile_python()
    DESCRIPTION.parent.mkdir(parents=True)
    DESCRIPTION.write_text(json.dumps(description(has_openclaw), indent=1) + "\n", "utf-8")
    if has_openclaw:
        step("OpenClaw's first run, which fills its cache")
        set_dates(INSTALLED, int(os.environ["SOURCE_DATE_EPOCH"]))
        subprocess.run([sys.executable, "-I", "-B", RECIPE / "warm.py", openclaw], check=True)
        share_cache(INSTALLED / "compile-cache")


def step(name: str) -> None:
    """Tell what begins."""
    sys.stdout.write(f"== {name}\n")
    sys.stdout.flush()


def trim(folder: Path, rules: str) -> int:
    """Remove what the rules name; return how many files and folders that were.

    Args:
        folder: what the patterns are relative to.
        rules: a pattern a line, in which `*` also stands for `/`, and the reason; `!` before it keeps what matches.

    Raises:
        ValueError: a pattern matches nothing: it is of another version.
    """
    words = [line.split()[0] for line in rules.splitlines() if line and not line.startswith("#")]
    kept = [re.compile(translate(word[1:])) for word in words if word.startswith("!")]
    removed = {word: 0 for word in words if not word.startswith("!")}
    patterns = {word: re.compile(translate(word)) for word in removed}
    of_any = re.compile("|".join(map(translate, removed)))
    for parent, folders, files in os.walk(folder):
        for name in [*folders, *files]:
            path = Path(parent, name)
            shown = os.path.relpath(path, folder)
            if not of_any.match(shown) or any(pattern.match(shown) for pattern in kept):
                continue
            removed[next(word for word, pattern in patterns.items() if pattern.match(shown))] += 1
            if name in folders and not path.is_symlink():
                shutil.rmtree(path)
                folders.remove(name)
            else:
                path.unlink()
    idle = [word for word, count in removed.items() if not count]
    if idle:
        raise ValueError(f"trim.txt: {', '.join(idle)}: nothing of that name is below {folder}")
    return sum(removed.values())


def install_programs() -> None:
    """Put `node` and `openclaw` on the search path, and the folders that OpenClaw's variables name beside it."""
    node = next(INSTALLED.glob("node_modules/node-linux-*/bin/node"))
    (PROGRAMS / "node").symlink_to(os.path.relpath(node, PROGRAMS))
    (PROGRAMS / "openclaw").write_text(LAUNCHER, "utf-8")
    (PROGRAMS / "openclaw").chmod(0o755)
    (INSTALLED / "no-plugins").mkdir()


def compile_python() -> None:
    """Compile anew, so that dates of sources do not matter: Debian's own compilation records them."""
    for folder in PYTHON_FOLDERS:
        for cache in Path(folder).rglob("__pycache__"):
            shutil.rmtree(cache)
    options = ["-m", "compileall", "-q", "-j", "0", "--invalidation-mode", "unchecked-hash"]
    subprocess.run([sys.executable, *options, *filter(os.path.isdir, PYTHON_FOLDERS)], check=True)


def description(has_openclaw: bool) -> dict[str, object]:
    """What the image is made of."""
    release = dict(line.split("=", 1) for line in Path("/etc/os-release").read_text("utf-8").splitlines())
    package = INSTALLED / "node_modules/openclaw/package.json"
    lines = _output("dpkg-query", "--show", "--showformat", "${Package}=${Version}\n").splitlines()
    return {
        "recipe": RECIPE_VERSION,
        "suite": release["VERSION_CODENAME"],
        "architecture": _output("dpkg", "--print-architecture"),
        "openclaw": json.loads(package.read_text("utf-8"))["version"] if has_openclaw else None,
        "node": _output("node", "--version").removeprefix("v") if has_openclaw else None,
        "packages": dict(sorted(line.split("=", 1) for line in lines)),
    }


def _output(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()


def set_dates(folder: Path, seconds: int) -> None:
    """Give everything in a folder one date: OpenClaw names its cache after the date of a file."""
    for parent, folders, files in os.walk(folder):
        for name in [*folders, *files, "."]:
            os.utime(Path(parent, name), (seconds, seconds), follow_symlinks=False)


def share_cache(folder: Path) -> None:
    """Let the sandbox's user find what was compiled here: Node puts the user's number into the folder's name."""
    for own in [path for path in folder.rglob("v*-0") if path.is_dir()]:
        own.with_name(f"{own.name.removesuffix('-0')}-{SANDBOX_UID}").symlink_to(own.name)


if __name__ == "__main__":
    main(sys.argv[1])
