"""Verdicts of a regrade as they come, so that an interrupted one goes on where it was."""

import json
from functools import cache
from pathlib import Path

from pydantic import ValidationError

import clawgym_data
from clawgym_data.canonical import sha256_hex
from clawgym_data.grading.verdict import Verdict

NAME = "clawgym-regrade.jsonl"
GRADING_PACKAGES = ("checks", "formats", "grading", "snapshot")


@cache
def grader_digest() -> str:
    """Of the code that grades: a verdict of other code is not taken over."""
    root = Path(clawgym_data.__file__).parent
    files = [path for package in GRADING_PACKAGES for path in sorted((root / package).glob("*.py"))]
    return sha256_hex("".join(sha256_hex(path.read_bytes()) for path in files).encode())


class Journal:
    """One line a verdict, by grader, task and workspace; beside the new logs, of which several may share it.

    Args:
        target: the new log. Without effect where that is an URL.
    """

    def __init__(self, target: str) -> None:
        self._path = None if "://" in target else Path(target).parent / NAME
        self._known: dict[tuple[str, str, str], Verdict] = {}
        if self._path is None or not self._path.is_file():
            return
        for line in self._path.read_text("ascii", "replace").splitlines():
            try:
                grader, task, key, verdict = json.loads(line)
                self._known[grader, task, key] = Verdict.model_validate_json(json.dumps(verdict))
            except (ValueError, ValidationError):
                continue  # the line that was being written when the process was killed

    def get(self, task_digest: str, key: str) -> Verdict | None:
        """The verdict of the same grader by the same task on the same workspace."""
        return self._known.get((grader_digest(), task_digest, key))

    def add(self, task_digest: str, key: str, verdict: Verdict) -> None:
        """Note a verdict. One with a broken check is not: the machine may have been at fault."""
        if self._path is None or any(check.broken for check in verdict.checks):
            return
        # a leading line end ends whatever a killed process had begun
        line = "\n" + json.dumps([grader_digest(), task_digest, key, verdict.public()], ensure_ascii=True) + "\n"
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="ascii") as file:
            file.write(line)
