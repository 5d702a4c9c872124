"""A rubric for the small task of the tests."""

import json
from pathlib import Path

from clawgym_data.spec.rubric import LABELLED_KINDS

GOOD = "Dear all, here is what each of you gets tonight. Thank you for a fine year."
QUESTION = "Does the note speak to the growers in a friendly voice?"
LEVELS = ("It does not speak to anybody.", "It speaks to them, but coldly.", "It speaks to them in a friendly voice.")


def with_rubric_file(folder: Path, question: str = QUESTION, file: str = "note.md") -> None:
    """Add one criterion of three levels to a copy of the task."""
    texts = {kind: (f"A text of the kind {kind}.", 0.0) for kind in LABELLED_KINDS} | {"good": (GOOD, 1.0)}
    criterion = {
        "id": "friendly",
        "files": [file],
        "question": question,
        "levels": [{"score": n / 2, "description": text} for n, text in enumerate(LEVELS)],
        "labelled": [{"kind": kind, "level": level, "text": text} for kind, (text, level) in texts.items()],
    }
    (folder / "rubric.yaml").write_text(json.dumps({"criteria": [criterion]}))
    path = folder / "task.yaml"
    path.write_text(path.read_text().replace("verification:\n", "verification:\n  rubric: rubric.yaml\n", 1))
