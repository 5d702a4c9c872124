"""Judging one check on files in memory, without workers."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from clawgym_data.canonical import sha256_hex
from clawgym_data.checks import Check, Finding
from clawgym_data.checks.view import View
from clawgym_data.grading.world import snapshot_of
from clawgym_data.snapshot import Snapshot
from clawgym_data.spec.output import Output

CHECK: TypeAdapter[Any] = TypeAdapter(Check)
ROLE = {"id": "c", "role": "outcome", "weight": 1, "rests_on": "computed"}


def judge(
    check: Mapping[str, Any],
    files: Mapping[str, str | bytes],
    expected: Any = None,
    *,
    output: Mapping[str, Any] | None = None,
    pristine: Mapping[str, str | bytes] | None = None,
    truncated: str | None = None,
) -> Finding:
    """The finding of a check given as in a task.yaml; raises Unreadable as the check does."""
    given = dict(ROLE) | dict(check)
    if expected is not None:
        given["expected"] = "x"
    made = CHECK.validate_json(json.dumps(given))
    contents = {path: _bytes(text) for path, text in files.items()}
    before = {path: _bytes(text) for path, text in (pristine or {}).items()}
    snapshot = snapshot_of({path: (content, 0o644) for path, content in contents.items()})
    outputs = [Output.model_validate_json(json.dumps(dict(output)))] if output else []
    view = View(
        entries={entry.path: entry for entry in snapshot.entries},
        files={path: snapshot.content(path) for path in contents.keys() | made.paths() if _is_file(snapshot, path)},
        pristine={path: sha256_hex(content) for path, content in before.items()},
        pristine_files=before,
        outputs={item.path: item for item in outputs},
        truncated=truncated,
    )
    return made.judge(view, expected)


def _is_file(snapshot: Snapshot, path: str) -> bool:
    entry = snapshot.get(path)
    return entry is not None and entry.sha256 is not None


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text
