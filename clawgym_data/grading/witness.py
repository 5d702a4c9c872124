"""Workspaces on which a check that could not answer is asked again, to tell a broken check from an agent's odd bytes."""

from collections.abc import Iterator

from clawgym_data.grading.program import ProgramError, run_solution
from clawgym_data.grading.world import World, snapshot_of
from clawgym_data.snapshot import Snapshot

_FORMS = {
    "csv": b"name,value\na,1\nb,2\n",
    "tsv": b"name\tvalue\na\t1\nb\t2\n",
    "json": b'{"name": "a", "value": 1}\n',
    "yaml": b"name: a\nvalue: 1\n",
    "toml": b'name = "a"\nvalue = 1\n',
    "ini": b"[a]\nname = a\nvalue = 1\n",
    "code": b"value = 1\n",
}
"""A small valid file of each kind."""
_TEXT = b"# Title\n\nSome words.\n"


def solved(world: World) -> Snapshot | None:
    """What the oracle leaves; None without solutions (as in a wheel, whose tasks were proven with it) or where it fails."""
    if not world.task.has_solutions:
        return None
    files = [(file.path, file.content, file.mode) for file in world.files]
    try:
        return run_solution(world.task.folder, "solution/solve.py", files).snapshot
    except ProgramError:
        return None


def filled(world: World) -> Iterator[Snapshot]:
    """The untouched workspace with something at each output path: valid files, lists for objects, and plain text."""
    initial = {file.path: (file.content, file.mode) for file in world.files}
    asked = [output for output in world.task.spec.outputs if output.asked and output.path not in initial]
    asked = [output for output in asked if not any(path.startswith(f"{output.path}/") for path in initial)]
    variants: tuple[dict[str, bytes], ...] = (
        _FORMS,
        _FORMS | {"json": b'[{"name": "a", "value": 1}]\n', "yaml": b"- name: a\n"},
        {},
    )
    for forms in variants if asked else ():
        made = {output.path: (forms.get(output.kind, _TEXT), 0o644) for output in asked if output.kind != "folder"}
        yield snapshot_of(initial | made)
