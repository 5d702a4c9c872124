"""Delimited tables as an output declares them."""

import csv
import io
from dataclasses import dataclass

from clawgym_data.formats.text import decode_text
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.spec.output import Output

MAX_ROWS = 100_000
"""A table with more rows is not read: no task asks for that many."""

MAX_CELL_CHARACTERS = 1_000_000

Row = dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """Header and rows; every row has every column."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]


def parse_cells(content: bytes, delimiter: str) -> list[list[str]]:
    """The cells of a delimited file, blank lines left out.

    Raises:
        Unreadable: not UTF-8, broken quoting, or more than `MAX_ROWS` rows.
    """
    text = decode_text(content)
    csv.field_size_limit(MAX_CELL_CHARACTERS)
    rows: list[list[str]] = []
    try:
        for cells in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True):
            if any(cell.strip() for cell in cells):
                rows.append([cell.strip() for cell in cells])
            if len(rows) > MAX_ROWS:
                raise Unreadable(f"has more than {MAX_ROWS} rows")
    except csv.Error as error:
        raise Unreadable(f"is not a delimited table: {error}") from error
    return rows


def parse_table(content: bytes, output: Output) -> Table:
    """The table that `output` declares; header names are compared with case and spaces folded.

    Raises:
        Unreadable: wrong header, ragged rows, or what `parse_cells` refuses.
    """
    cells = parse_cells(content, "\t" if output.kind == "tsv" else ",")
    if not cells:
        raise Unreadable("is empty")
    header = [name.strip().lower() for name in cells[0]]
    wanted = [name.lower() for name in output.columns]
    in_order = output.order.get("columns", "free") == "required"
    if header != wanted and (in_order or sorted(header) != sorted(wanted)):
        shown = ",".join(header)[:120]
        raise Unreadable(f"has the header {shown!r} instead of {','.join(output.columns)!r}")
    names = {name.lower(): name for name in output.columns}
    columns = tuple(names[name] for name in header)
    for number, row in enumerate(cells[1:], 2):
        if len(row) != len(columns):
            raise Unreadable(f"has {len(row)} cells in row {number} under a header of {len(columns)}")
    return Table(columns, tuple(dict(zip(columns, row, strict=True)) for row in cells[1:]))
