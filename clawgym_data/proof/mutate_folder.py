"""Mutants of a folder of files: files gone, moved, emptied or exchanged.

A file that is a copy of an initial one is meant byte for byte, so that one more byte breaks it; in other files a byte
may mean nothing. A surplus file breaks where a guard requirement is about things left behind.
"""

import random
from collections.abc import Iterator
from itertools import pairwise

from clawgym_data.proof.answer import Change, Files, Group, Mutant
from clawgym_data.spec.output import Output

FILES_A_FOLDER = 4


def folder_mutants(output: Output, inputs: Files, answer: Files, surplus: Group, seed: int) -> Iterator[Mutant]:
    """The changes of the files below one folder."""
    root = output.path
    files = {path: content for path, content in answer.items() if path.startswith(f"{root}/")}
    rng = random.Random(f"folder:{seed}:{root}")  # noqa: S311 - a reproducible draw
    chosen = sorted(rng.sample(sorted(files), min(FILES_A_FOLDER, len(files))))

    def mutant(what: str, group: Group, write: Files, *remove: str) -> Mutant:
        name = f"{root}: {what}"
        return Mutant(
            name, group, Change(name, write, remove), (root, *(path[len(root) + 1 :] for path in remove or write))
        )

    if files:
        yield mutant("all files missing", "breaking", {}, *sorted(files))
    copies = set(inputs.values())
    for path in chosen:
        name, content = path[len(root) + 1 :], files[path]
        yield mutant(f"{name} missing", "breaking", {}, path)
        yield mutant(f"{name} under another name", "breaking", {f"{path}.old": content}, path)
        if content:
            yield mutant(f"{name} empty", "breaking", {path: b""})
        if content in copies:
            yield mutant(f"{name} with one more byte", "breaking", {path: content + b"\n"})
    for one, other in pairwise(chosen):
        if files[one] != files[other]:
            names = f"{one[len(root) + 1 :]} and {other[len(root) + 1 :]}"
            yield mutant(f"{names} exchanged", "breaking", {one: files[other], other: files[one]})
    yield mutant("a surplus file", surplus, {f"{root}/surplus.tmp": b"x\n"})
