"""Mutants of a delimited table.

Rows and columns may be ordered freely unless the output says `required`; line ending, BOM and quoting are free unless it
says `newline: lf` or `crlf`. In a table that is edited in place, where only what is asked for may change, order and form
are left alone unless the output declares them free.
"""

import random
from collections.abc import Iterator
from dataclasses import replace

from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.formats.values import is_blank, same
from clawgym_data.proof.alter import NUMERIC, altered, base_type, misspelt
from clawgym_data.proof.answer import Edit
from clawgym_data.proof.mutate_file import file_edits, form_edits
from clawgym_data.proof.sheet import Sheet, read_sheet, sheet_meaning
from clawgym_data.spec.output import Output

BOM = b"\xef\xbb\xbf"
ALTERATIONS_A_COLUMN = 2


def table_edits(output: Output, content: bytes, seed: int) -> Iterator[Edit]:
    """The changes of one table; those that came out otherwise than their class says are left out."""
    yield from file_edits(content)
    try:
        sheet = read_sheet(content, output)
    except Unreadable:
        return
    before = sheet_meaning(content, output)
    made = [*_row_edits(sheet, output, seed), *_column_edits(sheet, output, seed), *_header_edits(sheet, seed)]
    for edit in made:
        if edit.content is not None and sheet_meaning(edit.content, output) != before:
            yield edit
    yield from _order_edits(sheet, output, before)
    if not output.in_place:
        yield from form_edits(output, content)
        yield from _form_edits(sheet, output, content)
    yield from _unclear_edits(sheet, output)


def _rng(seed: int, what: str) -> random.Random:
    return random.Random(f"table:{seed}:{what}")  # noqa: S311 - a reproducible draw


def _row_edits(sheet: Sheet, output: Output, seed: int) -> Iterator[Edit]:
    if not sheet.rows:
        return
    rows, cell, rng = list(sheet.rows), ("rows",), _rng(seed, "rows")
    dropped, doubled, copied = (rng.randrange(len(rows)) for _ in range(3))
    yield Edit(
        f"row {dropped + 1} dropped", "breaking", sheet.with_rows(rows[:dropped] + rows[dropped + 1 :]).write(), cell
    )
    yield Edit(f"row {doubled + 1} twice", "breaking", sheet.with_rows([*rows, rows[doubled]]).write(), cell)
    if len(rows) > 1:
        yield Edit("only the first row kept", "breaking", sheet.with_rows(rows[:1]).write(), cell)
    keys = sheet.key_columns(output)
    if keys:
        column = keys[0]
        wrong = _new_key(sheet, output, copied, column)
        if wrong is not None:
            added = sheet.with_cell(copied, column, wrong).rows[copied]
            yield Edit(f"row added with {wrong}", "breaking", sheet.with_rows([*rows, added]).write(), cell)


def _new_key(sheet: Sheet, output: Output, row: int, column: int) -> str | None:
    value, declared = sheet.rows[row][column], sheet.types(output)[column]
    found = [str(new) for _, new in altered(declared, value, ()) if not is_blank(new)]
    return next((new for new in found if all(not same(declared, old, new) for old in sheet.column(column))), None)


def _column_edits(sheet: Sheet, output: Output, seed: int) -> Iterator[Edit]:
    types, keys = sheet.types(output), sheet.key_columns(output)
    for column, name in enumerate(sheet.header):
        rng = _rng(seed, f"column {name}")
        if column in keys:
            yield from _key_edits(sheet, output, column, rng)
        else:
            yield from _cell_edits(sheet, output, column, rng)
        yield from _swap(sheet, types[column], column, output.tolerance, rng)
        filled = [n for n, value in enumerate(sheet.column(column)) if not is_blank(value)]
        if filled:
            row = rng.choice(filled)
            yield Edit(f"{name} of row {row + 1} blank", "breaking", sheet.with_cell(row, column, "").write(), (name,))
        if base_type(types[column]) in NUMERIC and filled:
            values = [f"£{value}" if not is_blank(value) else value for value in sheet.column(column)]
            yield Edit(
                f"{name} with a sign of currency", "breaking", sheet.with_column(column, values).write(), (name,)
            )


def _key_edits(sheet: Sheet, output: Output, column: int, rng: random.Random) -> Iterator[Edit]:
    if not sheet.rows:
        return
    row = rng.randrange(len(sheet.rows))
    wrong = _new_key(sheet, output, row, column)
    if wrong is not None:
        name = sheet.header[column]
        yield Edit(
            f"{name} of row {row + 1} to {wrong}", "breaking", sheet.with_cell(row, column, wrong).write(), (name,)
        )


def _cell_edits(sheet: Sheet, output: Output, column: int, rng: random.Random) -> Iterator[Edit]:
    name, values, declared = sheet.header[column], sheet.column(column), sheet.types(output)[column]
    places = [n for n, value in enumerate(values) if not is_blank(value)] or list(range(len(values)))
    rng.shuffle(places)
    for number in range(min(ALTERATIONS_A_COLUMN, 2 * len(places))):
        row = places[number % len(places)]
        others = [*values[row + 1 :], *values[:row]]
        found = altered(declared, values[row], others, output.tolerance)
        if found:
            what, new = found[number % len(found)]
            yield Edit(
                f"{name} of row {row + 1} {what}", "breaking", sheet.with_cell(row, column, str(new)).write(), (name,)
            )


def _swap(sheet: Sheet, declared: str, column: int, tolerance: float, rng: random.Random) -> Iterator[Edit]:
    values, name = sheet.column(column), sheet.header[column]
    places = list(range(len(values)))
    rng.shuffle(places)
    for first in places[:3]:
        for second in places[::-1]:
            if not same(declared, values[first], values[second], 2 * tolerance):
                values[first], values[second] = values[second], values[first]
                rows = " and ".join(str(n + 1) for n in sorted((first, second)))
                yield Edit(
                    f"{name} of rows {rows} exchanged", "breaking", sheet.with_column(column, values).write(), (name,)
                )
                return


def _header_edits(sheet: Sheet, seed: int) -> Iterator[Edit]:
    columns, rng = list(range(len(sheet.header))), _rng(seed, "header")
    renamed, dropped = rng.choice(columns), rng.choice(columns)
    header = [*sheet.header[:renamed], f"{misspelt(sheet.header[renamed])}", *sheet.header[renamed + 1 :]]
    yield Edit(
        f"header {sheet.header[renamed]} renamed", "breaking", replace(sheet, header=tuple(header)).write(), ("header",)
    )
    yield Edit("header missing", "breaking", replace(sheet, header=()).write(), ("header",))
    if len(columns) > 1:
        rest = [n for n in columns if n != dropped]
        name = sheet.header[dropped]
        yield Edit(f"column {name} dropped", "breaking", sheet.with_columns(rest).write(), (name,))


def _order_edits(sheet: Sheet, output: Output, before: object) -> Iterator[Edit]:
    for what, changed, cell in (
        ("rows", sheet.with_rows(sheet.rows[::-1]), "rows"),
        ("columns", sheet.with_columns(range(len(sheet.header))[::-1]), "header"),
    ):
        order = output.order.get(what)
        if changed == sheet or (output.in_place and order is None):
            continue
        if order != "required":
            yield Edit(f"{what} reversed", "neutral", changed.write(), (cell,))
        elif sheet_meaning(changed.write(), output) != before:
            yield Edit(f"{what} reversed", "breaking", changed.write(), (cell,))
    if output.order.get("rows") == "required" and len(sheet.rows) > 2:
        rows = [*sheet.rows[:-2], sheet.rows[-1], sheet.rows[-2]]
        if sheet_meaning(sheet.with_rows(rows).write(), output) != before:
            yield Edit("the last two rows exchanged", "breaking", sheet.with_rows(rows).write(), ("rows",))


def _form_edits(sheet: Sheet, output: Output, content: bytes) -> Iterator[Edit]:
    if output.newline == "any" and not content.startswith(BOM):
        yield Edit("with a byte order mark", "neutral", BOM + content, ("form",))
    yield Edit("all cells quoted", "neutral", sheet.write(quote_all=True), ("form",))


def _unclear_edits(sheet: Sheet, output: Output) -> Iterator[Edit]:
    """Changes of form that neither the types nor the order decide."""
    types = sheet.types(output)
    for column, declared in enumerate(types):
        values = sheet.column(column)
        if base_type(declared) == "whole" and values and all(value.strip().isdigit() for value in values):
            changed = sheet.with_column(column, [f"{value.strip()}.0" for value in values])
            yield Edit(f"{sheet.header[column]} with .0", "undetermined", changed.write(), (sheet.header[column],))
            break
    for column, declared in enumerate(types):
        lower = [value.lower() for value in sheet.column(column)]
        if base_type(declared) == "tag" and lower != sheet.column(column):
            changed = sheet.with_column(column, lower)
            yield Edit(
                f"{sheet.header[column]} in lower case", "undetermined", changed.write(), (sheet.header[column],)
            )
            break
    extra = Sheet((*sheet.header, "note"), tuple((*row, "x") for row in sheet.rows), sheet.delimiter, sheet.newline)
    yield Edit("a column added", "undetermined", extra.write(), ("header",))
    capitals = tuple(name.capitalize() for name in sheet.header)
    if capitals != sheet.header:
        yield Edit("header capitalised", "undetermined", replace(sheet, header=capitals).write(), ("header",))
