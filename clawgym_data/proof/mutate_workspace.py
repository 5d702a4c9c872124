"""Mutants of what lies around the outputs: initial files edited or removed, things left behind.

They break where a guard requirement asks for it. A guard whose quote speaks of what may be there (`nothing else`,
`behind`, `scratch`, ...) is about things left behind; one that speaks of what stays as it is, or of neither, is about the
initial files. Where no guard asks, they are undetermined. Files that a quote names are taken first; files whose bytes the
oracle put under an output folder may have been moved by it, and source beside source that is to be repaired may belong
to the repair: both are left alone.
"""

import random
import re
from collections.abc import Iterator

from clawgym_data.proof.answer import Change, Files, Group, Mutant
from clawgym_data.spec.task import TaskSpec

_SURPLUS = re.compile(
    r"nothing else|no other|any other|(?<!read-)\bonly\b|behind|leave no\b|scratch|temporary|no new|\bextra\b",
    re.IGNORECASE,
)
_KEPT = re.compile(
    r"as (?:it|they) (?:is|are|was|were)|unchanged|untouched|change (?:none|nothing)|not (?:change|touch|edit|alter)",
    re.IGNORECASE,
)


def guard_groups(spec: TaskSpec) -> tuple[Group, Group]:
    """The class of a changed initial file and of a thing left behind."""
    quotes = [requirement.quote for requirement in spec.requirements if requirement.layer == "guard"]
    surplus = any(_SURPLUS.search(quote) for quote in quotes)
    inputs = any(_KEPT.search(quote) or not _SURPLUS.search(quote) for quote in quotes)
    return "breaking" if inputs else "undetermined", "breaking" if surplus else "undetermined"


def workspace_mutants(spec: TaskSpec, inputs: Files, answer: Files, seed: int) -> Iterator[Mutant]:
    """Two initial files edited, one removed, and a scratch file at the root and beside the outputs."""
    group, surplus_group = guard_groups(spec)
    victims = _victims(spec, inputs, answer)
    rng = random.Random(f"workspace:{seed}")  # noqa: S311 - a reproducible draw
    cell = ("workspace", "input")
    edited = sorted(rng.sample(victims, min(2 if group == "breaking" else 1, len(victims))))
    changes = [Change(f"{path}: edited", {path: inputs[path] + b"\n"}) for path in edited]
    if victims and group == "breaking":
        path = rng.choice(victims)
        changes.insert(1, Change(f"{path}: removed", {}, (path,)))
    yield from (Mutant(change.name, group, change, cell) for change in changes)
    for path in _scratch_paths(spec, inputs, answer)[: 2 if surplus_group == "breaking" else 1]:
        name = f"{path}: left behind"
        yield Mutant(name, surplus_group, Change(name, {path: b"x = 1\n"}), ("workspace", "scratch"))


def _victims(spec: TaskSpec, inputs: Files, answer: Files) -> list[str]:
    outputs = [output.path for output in spec.outputs]
    repaired = {_folder(output.path) for output in spec.outputs if output.kind == "code" and output.in_place}
    placed = {content for path, content in answer.items() if path not in inputs}
    free = [
        path
        for path in sorted(inputs)
        if path not in answer
        and inputs[path] not in placed
        and not any(path == o or path.startswith(f"{o}/") for o in outputs)
    ]
    free = [path for path in free if _folder(path) not in repaired] or free
    quotes = " ".join(requirement.quote for requirement in spec.requirements if requirement.layer == "guard")
    named = [
        path
        for path in free
        if path.rsplit("/", 1)[-1] in quotes or any(f"{part}/" in quotes for part in path.split("/")[:-1])
    ]
    return named or free


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _scratch_paths(spec: TaskSpec, inputs: Files, answer: Files) -> list[str]:
    folders = [
        path.rsplit("/", 1)[0] for path in (output.path for output in spec.outputs if output.asked) if "/" in path
    ]
    found = ["scratch.tmp.py", *(f"{folder}/scratch.tmp.py" for folder in folders[:1])]
    return [path for path in found if path not in inputs and path not in answer]
