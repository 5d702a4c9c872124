"""The proof of every task in the repository, and what its report looks like; test_weak_task.py has its bounds."""

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from clawgym_data.grading.grader import Grader
from clawgym_data.proof.prove import prove_task
from clawgym_data.proof.report import ProofReport, TaskProof
from clawgym_data.task import load_task
from tests.conftest import REPOSITORY

TASKS = sorted(path.parent for path in (REPOSITORY / "task_specs" / "bench").glob("*/task.yaml"))


def proof_of(folder: Path, grader: Grader, seeds: tuple[int, ...] | None = None) -> TaskProof:
    with ThreadPoolExecutor(4) as executor:
        return prove_task(folder, grader, executor, seeds=seeds)


def reported_proof(folder: Path) -> TaskProof | None:
    """The task's record in the report that $CLAWGYM_PROOF names, so that one run need not prove everything twice."""
    report = os.environ.get("CLAWGYM_PROOF")
    if not report:
        return None
    proofs = {proof.id: proof for proof in ProofReport.model_validate_json(Path(report).read_text("utf-8")).tasks}
    proof = proofs.get(folder.name)
    return proof if proof and proof.digest == load_task(folder).digest else None


@pytest.mark.parametrize("folder", TASKS, ids=lambda folder: folder.name)
def test_every_task_in_the_repository_is_proven(folder: Path, grader: Grader) -> None:
    # `make prove` runs all proven seeds; the first alone keeps the tests short
    proof = reported_proof(folder) or proof_of(folder, grader, seeds=(0,))
    assert proof.lint == ()
    assert proof.failures == ()
    assert proof.passed


def test_the_small_task_is_proven_with_every_figure(stall_takings: Path, tmp_path: Path) -> None:
    report = tmp_path / "proof.json"
    clawgym = Path(sys.executable).parent / "clawgym"
    done = subprocess.run(
        [str(clawgym), "prove", str(stall_takings), "--json", str(report)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    task = json.loads(report.read_text())["tasks"][0]
    assert task["oracle"] == [1.0, 1.0]
    assert task["right"] == {"sheet": 1.0, "plain": 1.0}
    assert task["noop"] == 0
    assert set(task["hacks"]) >= {"echo", "empty", "copy-inputs", "wipe-inputs", "shape", "constant", "shuffle"}
    assert task["mutants"]["breaking"] >= 20
    assert task["mutants"]["caught"] == task["mutants"]["breaking"]
    assert task["neutral"]["kept"] == task["neutral"]["total"] > 5
    assert {"id", "category", "lint", "wrong", "seconds", "passed"} <= task.keys()


def test_brackets_in_a_message_are_only_brackets(stall_takings: Path, tmp_path: Path) -> None:
    path = stall_takings / "instruction.md"
    path.write_text(path.read_text("utf-8") + "\nSee [a] and [/b] please.\n", "utf-8")
    report = tmp_path / "proof.json"
    clawgym = Path(sys.executable).parent / "clawgym"
    command = [str(clawgym), "prove", str(stall_takings), "--json", str(report)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "[a] and [/b]" in done.stdout
    assert report.is_file()
