"""Mutants of a tree: JSON, YAML, TOML, INI.

Lists of objects and members may be ordered freely unless the output says `required`. An undeclared member may hold
anything in a new file, so that nothing of it is changed; in a file edited in place some undeclared values are, since
whatever is not asked for must stay. A member whose list of objects is empty has no object to drop, double or copy: only
the member itself is taken away.
"""

import copy
import json
import random
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time

from clawgym_data.formats.tree import leaves, parse_tree, steps, value_at
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.formats.values import is_blank, same
from clawgym_data.proof.alter import altered, base_type, meaning, misspelt
from clawgym_data.proof.answer import Edit
from clawgym_data.proof.mutate_file import file_edits, form_edits
from clawgym_data.proof.tree_text import Node, rewrite, strict
from clawgym_data.spec.output import Output

ALTERATIONS_A_MEMBER = 2
UNASKED_VALUES = 4
Draft = tuple[str, Node, tuple[str, ...]]
"""What was done, the changed tree and the cell."""


def tree_edits(output: Output, content: bytes, pristine: bytes | None, seed: int) -> Iterator[Edit]:
    """The changes of one tree."""
    yield from file_edits(content)
    try:
        tree = parse_tree(content, output.kind)
    except Unreadable:
        return
    drafts = [*_edited_drafts(output, tree, pristine, seed)] if output.in_place and pristine is not None else []
    drafts += [*_member_drafts(output, tree, seed), *_list_drafts(output, tree, seed)]
    for what, changed, cell in drafts:
        if tree_meaning(output, changed) != tree_meaning(output, tree):
            yield from _written(output, content, what, changed, cell)
    yield from _order_edits(output, content, tree)
    if not output.in_place:
        yield from _form_edits(output, content, tree)
        yield from _unclear_edits(output, content, tree)


def tree_meaning(output: Output, tree: Node) -> object:
    """A form that two trees share where they say the same: declared members by type, free lists as bags."""
    if isinstance(output.key, tuple):
        return _list_meaning(output, "", tree)
    found = []
    for member, declared in output.columns.items():
        value = lookup(tree, member)
        typed = not isinstance(declared, dict) and not isinstance(value, dict)
        kept = meaning(str(declared), value) if typed else _list_meaning(output, member, value)
        found.append((member, kept))
    rest = strict(tree) if output.in_place or not output.columns else None
    return (tuple(found), rest)


def _list_meaning(output: Output, member: str, value: Node) -> object:
    if not isinstance(value, list):
        return strict(value)
    items = [_object_meaning(output, member, item) if isinstance(item, dict) else strict(item) for item in value]
    return tuple(items if _order_of(output, member) == "required" else sorted(items, key=repr))


def _object_meaning(output: Output, member: str, item: dict[str, Node]) -> object:
    names = sorted(columns_of(output, member))
    return tuple((name, name in item, meaning(column_type(output, member, name), item.get(name))) for name in names)


def _order_of(output: Output, member: str) -> str | None:
    return output.order.get(member) or (None if member else output.order.get("rows"))


def lookup(tree: Node, at: str) -> Node:
    """The value at a dotted path; None where there is none."""
    try:
        return value_at(tree, at)
    except Unreadable:
        return None


def lists_of(output: Output, tree: Node) -> dict[str, list[Node]]:
    """The declared lists of objects by member; the empty name is a root that is a list."""
    members = (
        [""]
        if isinstance(output.key, tuple)
        else [m for m, declared in output.columns.items() if isinstance(declared, dict)]
    )
    found = {member: lookup(tree, member) for member in members}
    return {
        member: items
        for member, items in found.items()
        if isinstance(items, list) and all(isinstance(item, dict) for item in items)
    }


def columns_of(output: Output, member: str) -> dict[str, str]:
    """The declared columns of a list of objects."""
    scope = output.columns[member] if member else output.columns
    return {name: str(declared) for name, declared in scope.items()} if isinstance(scope, dict) else {}


def column_type(output: Output, member: str, name: str) -> str:
    """The declared type of a column of a list of objects."""
    return output.type_of(member, name) if member else output.type_of(name)


def key_of(output: Output, member: str) -> tuple[str, ...]:
    """The key columns of a list of objects, none where none is declared."""
    if isinstance(output.key, dict):
        return output.key.get(member, ())
    return output.key if isinstance(output.key, tuple) and not member else ()


def scalars_of(output: Output, tree: Node) -> dict[str, str]:
    """The declared scalar members that are there, with their types; every leaf with a guessed type where none is declared."""
    if isinstance(output.key, tuple):
        return {}
    if not output.columns:
        return {at: guessed_type(value) for at, value in leaves(tree) if at}
    present = {at for at in output.columns if not isinstance(output.columns[at], dict) and _has(tree, at)}
    return {at: output.type_of(at) for at in output.columns if at in present}


def guessed_type(value: Node) -> str:
    """The type of an undeclared value."""
    kinds = (
        (bool, "flag"),
        (int, "whole"),
        (float, "number"),
        (datetime, "datetime"),
        (date, "date"),
        (time, "time"),
        (list, "tags"),
    )
    return next((name for python, name in kinds if isinstance(value, python)), "text")


def _has(tree: Node, at: str) -> bool:
    try:
        value_at(tree, at)
    except Unreadable:
        return False
    return True


def with_value(tree: Node, at: str, value: Node) -> Node:
    """A copy of the tree with the value at a dotted path replaced."""
    return _changed(tree, at, lambda parent, step: parent.__setitem__(step, value))


def without(tree: Node, at: str) -> Node:
    """A copy of the tree without the member or item at a dotted path."""
    return _changed(tree, at, lambda parent, step: parent.__delitem__(step))


def _changed(tree: Node, at: str, act: Callable[[Node, str | int], None]) -> Node:
    """A copy in which only what stands on the way is new; a tree is never changed in place."""
    changed = here = copy.copy(tree)
    *way, last = steps(at)
    for step in way:
        here[step] = copy.copy(here[step])
        here = here[step]
    act(here, last)
    return changed


def _replaced(tree: Node, member: str, items: list[Node]) -> Node:
    return with_value(tree, member, items) if member else items


def _written(output: Output, content: bytes, what: str, tree: Node, cell: tuple[str, ...]) -> Iterator[Edit]:
    changed = rewrite(content, output, tree)
    if changed is not None:
        yield Edit(what, "breaking", changed, cell)


def _rng(seed: int, what: str) -> random.Random:
    return random.Random(f"tree:{seed}:{what}")  # noqa: S311 - a reproducible draw


def _member_drafts(output: Output, tree: Node, seed: int) -> Iterator[Draft]:
    scalars = scalars_of(output, tree)
    for at, declared in scalars.items():
        value = value_at(tree, at)
        peers = [value_at(tree, other) for other, kind in scalars.items() if other != at and kind == declared]
        for what, new in _value_drafts(declared, value, peers, output.tolerance):
            yield f"{at} {what}", with_value(tree, at, new), (at,)
        yield f"{at} missing", without(tree, at), (at,)
        for other in scalars:
            if other > at and scalars[other] == declared and not _alike(output, declared, value, value_at(tree, other)):
                swapped = with_value(with_value(tree, at, value_at(tree, other)), other, value)
                yield f"{at} and {other} exchanged", swapped, (at, other)
                break
    if scalars:
        renamed = _rng(seed, "renamed").choice(list(scalars))
        yield f"{renamed} renamed", _renamed(tree, renamed), (renamed,)
    for member in lists_of(output, tree):
        if member:
            yield f"{member} missing", without(tree, member), (member,)


def _alike(output: Output, declared: str, one: Node, other: Node) -> bool:
    return same(declared, one, other, 2 * output.tolerance)


def _renamed(tree: Node, at: str) -> Node:
    *_, last = steps(at)
    if isinstance(last, int):
        return tree
    parent = at[: -len(last)].rstrip(".")
    old = value_at(tree, parent)
    new = {misspelt(name) if name == last else name: value for name, value in old.items()}
    return with_value(tree, parent, new) if parent else new


def _value_drafts(declared: str, value: Node, others: Sequence[Node], tolerance: float) -> list[tuple[str, Node]]:
    if isinstance(value, list) and base_type(declared) != "tags":
        return [("without its first item", value[1:])] if value else []
    if isinstance(value, dict):
        return [("emptied", {})] if value else []
    return list(altered(declared, value, others, tolerance))[:ALTERATIONS_A_MEMBER]


def _list_drafts(output: Output, tree: Node, seed: int) -> Iterator[Draft]:
    for member, items in lists_of(output, tree).items():
        if items:
            for what, changed, cell in _object_drafts(output, member, items, seed):
                yield what, _replaced(tree, member, changed), (*([member] if member else []), *cell)


def _object_drafts(
    output: Output, member: str, items: list[Node], seed: int
) -> Iterator[tuple[str, list[Node], tuple[str, ...]]]:
    rng, where, columns = _rng(seed, f"list {member}"), member or "root", columns_of(output, member)
    dropped, doubled = rng.randrange(len(items)), rng.randrange(len(items))
    yield f"{where} without item {dropped + 1}", items[:dropped] + items[dropped + 1 :], ()
    yield f"{where} with item {doubled + 1} twice", [*items, items[doubled]], ()
    for name in key_of(output, member)[:1]:
        wrong = _new_key(output, member, items, doubled, name)
        if wrong is not None:
            yield f"{where} with an item {wrong} added", [*items, items[doubled] | {name: wrong}], ()
            changed = [item | {name: wrong} if n == doubled else item for n, item in enumerate(items)]
            yield f"{name} of {where}[{doubled}] to {wrong}", changed, (name,)
    for name in columns:
        yield from _column_drafts(output, member, items, name, rng)
    if columns:
        name = rng.choice(list(columns))
        renamed = [{misspelt(n) if n == name else n: value for n, value in item.items()} for item in items]
        yield f"{name} of {where} renamed", renamed, (name,)
        lost = rng.randrange(len(items))
        without_one = [
            {n: v for n, v in item.items() if number != lost or n != name} for number, item in enumerate(items)
        ]
        yield f"{name} of {where}[{lost}] missing", without_one, (name,)
    if _order_of(output, member) == "required" and len(items) > 1:
        yield f"{where} with its last two items exchanged", [*items[:-2], items[-1], items[-2]], ("order",)
        yield f"{where} reversed", items[::-1], ("order",)


def _new_key(output: Output, member: str, items: list[Node], place: int, name: str) -> Node:
    declared = column_type(output, member, name)
    found = [new for _, new in altered(declared, items[place].get(name), ()) if not is_blank(new)]
    return next((new for new in found if not any(same(declared, item.get(name), new) for item in items)), None)


def _column_drafts(
    output: Output, member: str, items: list[Node], name: str, rng: random.Random
) -> Iterator[tuple[str, list[Node], tuple[str, ...]]]:
    where, declared = member or "root", column_type(output, member, name)
    places = [n for n, item in enumerate(items) if name in item]
    rng.shuffle(places)
    for number, place in enumerate((places * 2)[:ALTERATIONS_A_MEMBER] if name not in key_of(output, member) else []):
        others = [items[n][name] for n in places if n != place]
        found = _value_drafts(declared, items[place][name], others, output.tolerance)
        if found:
            what, new = found[number % len(found)]
            changed = [item | {name: new} if n == place else item for n, item in enumerate(items)]
            yield f"{name} of {where}[{place}] {what}", changed, (name,)
    pairs = ((a, b) for a in places[:3] for b in places[::-1])
    pair = next((p for p in pairs if not _alike(output, declared, items[p[0]][name], items[p[1]][name])), None)
    if pair:
        first, second = pair
        traded = {first: items[second][name], second: items[first][name]}
        changed = [item | {name: traded[n]} if n in traded else item for n, item in enumerate(items)]
        yield f"{name} of {where}[{first}] and [{second}] exchanged", changed, (name,)


def _edited_drafts(output: Output, tree: Node, pristine: bytes, seed: int) -> Iterator[Draft]:
    try:
        before = dict(leaves(parse_tree(pristine, output.kind)))
    except Unreadable:
        return
    after = dict(leaves(tree))
    for at, value in after.items():
        if at in before and strict(before[at]) != strict(value):
            yield f"{at} as it was at first", with_value(tree, at, before[at]), (at,)
    kept = [
        at
        for at, value in after.items()
        if at and at in before and strict(before[at]) == strict(value) and at not in output.columns
    ]
    for at in sorted(_rng(seed, "unasked").sample(kept, min(UNASKED_VALUES, len(kept)))):
        found = altered(guessed_type(after[at]), after[at], ())
        if found and not isinstance(after[at], list | dict):
            yield f"{at} {found[0][0]}, unasked", with_value(tree, at, found[0][1]), ("unasked", at)


def _order_edits(output: Output, content: bytes, tree: Node) -> Iterator[Edit]:
    for member, items in lists_of(output, tree).items():
        order = _order_of(output, member)
        free = order == "free" or (order is None and not output.in_place)
        changed = rewrite(content, output, _replaced(tree, member, items[::-1])) if free and len(items) > 1 else None
        if changed is not None and items != items[::-1]:
            yield Edit(f"{member or 'root'} reversed", "neutral", changed, (member or "root",))
    for at, declared in scalars_of(output, tree).items():
        value = value_at(tree, at)
        if base_type(declared) == "tags" and isinstance(value, list) and value != value[::-1] and not output.in_place:
            changed = rewrite(content, output, with_value(tree, at, value[::-1]))
            if changed is not None:
                yield Edit(f"{at} reversed", "neutral", changed, (at,))


def _sorted_members(tree: Node) -> Node:
    if isinstance(tree, dict):
        return {name: _sorted_members(tree[name]) for name in sorted(tree, key=str)}
    return [_sorted_members(child) for child in tree] if isinstance(tree, list) else tree


def _form_edits(output: Output, content: bytes, tree: Node) -> Iterator[Edit]:
    yield from form_edits(output, content)
    forms: dict[str, bytes | None] = {}
    if output.order.get("members") != "required":
        forms["members sorted"] = rewrite(content, output, _sorted_members(tree))
    if output.kind == "json":
        forms["compact"] = json.dumps(tree, ensure_ascii=False, separators=(",", ":")).encode()
        forms["indented otherwise"] = (json.dumps(tree, ensure_ascii=False, indent=3) + "\n").encode()
        forms["other characters escaped"] = (
            (json.dumps(tree, indent=2) + "\n").encode() if not content.isascii() else None
        )
    elif output.kind == "yaml":
        forms["as JSON, which is YAML"] = (json.dumps(tree, ensure_ascii=False, indent=2, default=str) + "\n").encode()
    for what, changed in forms.items():
        if changed is not None and changed != content and strict(parse_tree(changed, output.kind)) == strict(tree):
            yield Edit(what, "neutral", changed, ("form",))


def _unclear_edits(output: Output, content: bytes, tree: Node) -> Iterator[Edit]:
    for at in scalars_of(output, tree):
        value = value_at(tree, at)
        if isinstance(value, int | float) and not isinstance(value, bool):
            changed = rewrite(content, output, with_value(tree, at, str(value)))
            if changed is not None:
                yield Edit(f"{at} as text", "undetermined", changed, (at,))
            break
    if isinstance(tree, dict):
        more = rewrite(content, output, {**tree, "remark": "x"})
        if more is not None:
            yield Edit("a member added", "undetermined", more, ("members",))
