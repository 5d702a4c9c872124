"""Mutants of what the oracle wrote: one thing changed each, classed by requirements and outputs alone.

Which check notices a mutant plays no part here. Types, order, newline, tolerance, `max_words` and `in_place` of the
outputs decide whether a change breaks the answer or leaves its meaning; what they leave open is undetermined. A change
that came out as nothing (equal values exchanged, a value within tolerance) is no mutant.
"""

from collections.abc import Iterator, Sequence

from clawgym_data.proof.answer import Change, Edit, Files, Mutant
from clawgym_data.proof.mutate_code import code_edits
from clawgym_data.proof.mutate_folder import folder_mutants
from clawgym_data.proof.mutate_note import note_edits
from clawgym_data.proof.mutate_table import table_edits
from clawgym_data.proof.mutate_text import in_place_edits, text_edits
from clawgym_data.proof.mutate_tree import tree_edits
from clawgym_data.proof.mutate_workspace import guard_groups, workspace_mutants
from clawgym_data.proof.vocabulary import Vocabulary, vocabulary_of
from clawgym_data.spec.output import TABLE_KINDS, TREE_KINDS, Output
from clawgym_data.spec.task import TaskSpec

__all__ = ["MAX_BREAKING", "Mutant", "mutants"]

MAX_BREAKING = 60
"""Of more breaking mutants an even spread over the cells is kept; up to twice as many where there are more cells."""


def mutants(spec: TaskSpec, inputs: Files, answer: Files, seed: int) -> tuple[Mutant, ...]:
    """All mutants of one task, the same for the same arguments.

    Args:
        spec: gives outputs and requirements.
        inputs: the pristine workspace.
        answer: the files that the oracle wrote or changed.
        seed: of the draws of rows and lines.
    """
    found: dict[str, Mutant] = {}
    for mutant in _all_mutants(spec, inputs, answer, seed):
        found.setdefault(mutant.name, mutant)
    breaking = [mutant for mutant in found.values() if mutant.group == "breaking"]
    limit = max(MAX_BREAKING, min(2 * MAX_BREAKING, len({mutant.cell for mutant in breaking})))
    kept = {mutant.name for mutant in spread(breaking, limit)}
    return tuple(mutant for mutant in found.values() if mutant.name in kept or mutant.group != "breaking")


def spread(found: Sequence[Mutant], limit: int) -> list[Mutant]:
    """At most `limit` of them: one from each file in turns, and of each file one from each cell in turns."""
    paths: dict[str, list[Mutant]] = {}
    for mutant in found:
        paths.setdefault(mutant.cell[0], []).append(mutant)
    by_path = {path: _in_turns(group, [mutant.cell for mutant in group]) for path, group in paths.items()}
    ordered = [mutant for group in by_path.values() for mutant in group]
    return _in_turns(ordered, [mutant.cell[:1] for mutant in ordered])[:limit]


def _in_turns(found: Sequence[Mutant], names: Sequence[tuple[str, ...]]) -> list[Mutant]:
    groups: dict[tuple[str, ...], list[Mutant]] = {}
    for mutant, name in zip(found, names, strict=True):
        groups.setdefault(name, []).append(mutant)
    rounds = max((len(group) for group in groups.values()), default=0)
    return [group[n] for n in range(rounds) for group in groups.values() if n < len(group)]


def _all_mutants(spec: TaskSpec, inputs: Files, answer: Files, seed: int) -> Iterator[Mutant]:
    words, (_, surplus) = vocabulary_of(inputs), guard_groups(spec)
    for output in spec.outputs:
        if output.asked and output.kind == "folder":
            yield from folder_mutants(output, inputs, answer, surplus, seed)
        elif output.asked and output.path in answer:
            yield from (_mutant(output, edit) for edit in _edits(output, inputs, answer, words, seed))
    yield from workspace_mutants(spec, inputs, answer, seed)


def _mutant(output: Output, edit: Edit) -> Mutant:
    name = f"{output.path}: {edit.what}"
    write = {} if edit.content is None else {output.path: edit.content}
    remove = (output.path,) if edit.content is None else ()
    return Mutant(name, edit.group, Change(name, write, remove), (output.path, *edit.cell))


def _edits(output: Output, inputs: Files, answer: Files, words: Vocabulary, seed: int) -> Iterator[Edit]:
    content, pristine = answer[output.path], inputs.get(output.path)
    if output.kind == "code":
        yield from code_edits(output, content, pristine, seed)
    elif output.kind == "text":
        yield from text_edits(output, content, pristine, seed)
    else:
        if output.in_place and pristine is not None:
            yield from in_place_edits(output, content, pristine, seed)
        if output.kind in TABLE_KINDS:
            yield from table_edits(output, content, seed)
        elif output.kind in TREE_KINDS:
            yield from tree_edits(output, content, pristine, seed)
        else:
            yield from note_edits(output, content, words, seed)
