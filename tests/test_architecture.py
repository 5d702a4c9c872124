"""The direction of imports, and what must import where POSIX-only modules or heavy packages are missing."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import REPOSITORY

PACKAGES = {
    "clawgym_data": set(),
    "clawgym_bench": {"clawgym_data"},
    "clawgym_train": {"clawgym_data", "clawgym_bench"},
}
POSIX_ONLY = ("fcntl", "grp", "posix", "pwd", "pty", "resource", "termios", "tty", "syslog")


def imported(path: Path) -> set[str]:
    tree = ast.parse(path.read_text("utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    return names | {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}


@pytest.mark.parametrize("package", PACKAGES)
def test_imports_go_leftwards_only(package: str) -> None:
    forbidden = set(PACKAGES) - PACKAGES[package] - {package}
    for path in (REPOSITORY / package).rglob("*.py"):
        wrong = {name for name in imported(path) if name.split(".")[0] in forbidden}
        assert not wrong, f"{path} imports {wrong}"


PROGRAMS = {"clawgym_bench.local_model.convert", "clawgym_bench.local_model.serve"}
"""Run as processes of their own, by name; what they import never enters the process of an evaluation."""


def test_data_never_imports_inspect_and_neither_imports_torch() -> None:
    for package, banned in (
        ("clawgym_data", {"inspect_ai", "torch", "anyio", "docker"}),
        ("clawgym_bench", {"torch", "transformers"}),
    ):
        for path in (REPOSITORY / package).rglob("*.py"):
            names = imported(path)
            assert not names & PROGRAMS, path
            if ".".join(path.relative_to(REPOSITORY).with_suffix("").parts) not in PROGRAMS:
                assert not {name.split(".")[0] for name in names} & banned, path


def run_hidden(hidden: tuple[str, ...], code: str) -> str:
    """Run code where importing the hidden modules fails, as on a system that lacks them."""
    preamble = f"""
import sys
HIDDEN = {hidden!r}
for name in HIDDEN:
    sys.modules.pop(name, None)
class Hide:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in HIDDEN:
            raise ModuleNotFoundError(f'No module named {{name!r}}', name=name)
sys.meta_path.insert(0, Hide())
"""
    done = subprocess.run(
        [sys.executable, "-c", preamble + code], capture_output=True, text=True, check=False, cwd=REPOSITORY
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_specs_can_be_read_and_the_command_line_runs_without_posix() -> None:
    code = """
import clawgym_data.cli
from clawgym_data.locate import bench_tasks
from clawgym_data.task import find_tasks, load_task
print(len([load_task(folder) for folder in find_tasks((bench_tasks(),))]))
sys.argv = ['clawgym', 'list']
clawgym_data.cli.main()
"""
    hidden = tuple(name for name in POSIX_ONLY if name != "posix")
    assert "instrument-bank" in run_hidden(hidden, code)


def test_data_imports_without_inspect_torch_and_docker() -> None:
    run_hidden(
        ("inspect_ai", "torch", "transformers", "docker", "openai"), "import clawgym_data.cli, clawgym_data.proof.prove"
    )


def test_every_benchmark_task_is_complete() -> None:
    for folder in sorted((REPOSITORY / "task_specs" / "bench").iterdir()):
        assert {path.name for path in folder.iterdir()} >= {
            "task.yaml",
            "instruction.md",
            "workspace",
            "solution",
            "right",
            "wrong",
        }, folder
