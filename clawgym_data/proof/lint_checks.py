"""What can be said against the checks of a task and its folder without running anything."""

import re
from collections.abc import Callable, Iterator, Mapping

from clawgym_data.checks import CheckBase
from clawgym_data.checks.edit import EditedText, LinesKept
from clawgym_data.checks.files import FilesPlaced
from clawgym_data.checks.tree import TreeUnchanged
from clawgym_data.formats.values import iso_date, plain_number
from clawgym_data.grading.world import World
from clawgym_data.spec.output import TABLE_KINDS, TREE_KINDS, Output
from clawgym_data.spec.task import TaskSpec
from clawgym_data.task import Task

_COMPARED_WITH_PRISTINE = (LinesKept, EditedText, TreeUnchanged)
_SOLVED = ("solution/", "right/", "wrong/")


def check_faults(spec: TaskSpec, files: Mapping[str, bytes]) -> Iterator[str]:
    """Checks that could never answer: paths that nothing declares, patterns that are none.

    Args:
        spec: the task.
        files: the initial contents by path.
    """
    outputs = {output.path: output for output in spec.outputs}
    for check in spec.verification.checks:
        where = f"verification.checks.{check.id}"
        yield from (f"{where}: {fault}" for fault in _path_faults(check, outputs, files))
        for pattern in check.excepted if isinstance(check, LinesKept) else ():
            try:
                re.compile(pattern.encode())
            except re.error as error:
                yield f"{where}.except: found {pattern!r}; expected a regular expression ({error})"


def _path_faults(check: CheckBase, outputs: Mapping[str, Output], files: Mapping[str, bytes]) -> Iterator[str]:
    kinds = {"table": TABLE_KINDS, "tree": TREE_KINDS}.get(str(getattr(check, "kind", "")).split("_")[0])
    paths = (check.root,) if isinstance(check, FilesPlaced) else check.paths()
    for path in paths:
        output = outputs.get(path)
        if kinds and (output is None or output.kind not in kinds):
            yield f"found path {path!r}; expected an output declared with a kind of {', '.join(kinds)}"
        elif output is None and path not in files and not _in_folder(path, outputs):
            yield f"found path {path!r}, which no output declares; expected one of {', '.join(sorted(outputs)) or 'some'}"
        if isinstance(check, _COMPARED_WITH_PRISTINE) and path not in files:
            yield f"found path {path!r}; expected a file of the workspace, with which the final one is compared"


def _in_folder(path: str, outputs: Mapping[str, Output]) -> bool:
    return any(output.kind == "folder" and path.startswith(f"{name}/") for name, output in outputs.items())


def shape_faults(world: World) -> Iterator[str]:
    """Expected values that a check of that kind cannot compare with anything."""
    for check in world.task.spec.verification.checks:
        wanted = check.wanted(world.values)
        expected = _SHAPES.get(str(getattr(check, "kind", "")))
        if expected and not expected[1](wanted):
            shown = repr(wanted)
            found = shown if len(shown) <= 80 else f"{shown[:77]}..."
            yield f"verification.checks.{check.id}.expected: found {found} (seed {world.seed}); expected {expected[0]}"


def _rows(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(row, dict) for row in value.values())


def _names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(name, str | int | float) for name in value)


def _cases(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(case, dict) for case in value)


def _number(value: object) -> bool:
    value = value.get("value") if isinstance(value, dict) else value
    return not isinstance(value, bool) and plain_number(value) is not None


def _texts(value: object) -> bool:
    value = value.get("value") if isinstance(value, dict) else value
    return all(isinstance(text, str) for text in value) if isinstance(value, list) else isinstance(value, str)


_SHAPES: Mapping[str, tuple[str, Callable[[object], bool]]] = {
    "table_rows": ("a mapping of keys to mappings of columns", _rows),
    "tree_rows": ("a mapping of keys to mappings of members", _rows),
    "tree_values": ("a mapping of dotted paths to values", lambda value: isinstance(value, dict)),
    "files_placed": ("a mapping of paths to initial paths", lambda value: isinstance(value, dict)),
    "table_keys": ("a list of keys", _names),
    "table_order": ("a list of keys", _names),
    "command": ("a list of cases, each a mapping", _cases),
    "labelled_figure": ("a number", _number),
    "labelled_date": ("an ISO date", lambda value: iso_date(str(value)) is not None),
    "labelled_text": ("a text or a list of texts", _texts),
    "edited_text": ("the whole text as it should be", lambda value: isinstance(value, str)),
}


def folder_faults(task: Task) -> list[str]:
    """Files of the folder that nobody would ever run or read, and grading files that are no second derivation."""
    spec, faults = task.spec, []
    for field, listed in (("right", spec.right), ("wrong", spec.wrong)):
        known = {item.path for item in listed}
        stray = sorted(f"{field}/{path.name}" for path in (task.folder / field).glob("*.py"))
        faults += [f"{path}: nothing runs it; list it under {field}" for path in stray if path not in known]
    verification = spec.verification
    for name, used in (("expected.py", verification.expected), ("rubric.yaml", verification.rubric)):
        if (task.folder / name).is_file() and used is None:
            faults.append(f"{name}: nothing reads it; name it under verification.{name.split('.')[0]}")
    for field, path in (("expected", verification.expected), ("checks_code", verification.checks_code)):
        if path and path.startswith("workspace/"):
            faults.append(f"verification.{field}: {path} reaches the agent; expected a file beside workspace/")
        if path and path.startswith(_SOLVED):
            faults.append(f"verification.{field}: {path} is a solution; expected a second derivation of its own")
    return faults
