"""A delimited table as it was written, so that it can be written again with one thing changed."""

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from clawgym_data.formats.text import decode_text
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.proof.alter import meaning
from clawgym_data.spec.output import Output

Cells = tuple[str, ...]


class _AllQuoted(csv.excel):
    quoting = csv.QUOTE_ALL


@dataclass(frozen=True, slots=True)
class Sheet:
    """Header and rows of even length, with the delimiter and line ending of the file."""

    header: Cells
    rows: tuple[Cells, ...]
    delimiter: str = ","
    newline: str = "\n"

    def write(self, quote_all: bool = False) -> bytes:
        """The file, quoted only where needed unless all cells are to be."""
        text = io.StringIO()
        dialect = _AllQuoted if quote_all else csv.excel
        writer = csv.writer(text, dialect, delimiter=self.delimiter, lineterminator=self.newline)
        writer.writerows([self.header, *self.rows] if self.header else self.rows)
        return text.getvalue().encode()

    def with_rows(self, rows: Iterable[Sequence[str]]) -> "Sheet":
        """The same header over other rows."""
        return replace(self, rows=tuple(tuple(row) for row in rows))

    def with_cell(self, row: int, column: int, value: str) -> "Sheet":
        """One cell changed."""
        return self.with_rows(
            [value if (r, c) == (row, column) else cell for c, cell in enumerate(cells)]
            for r, cells in enumerate(self.rows)
        )

    def with_column(self, column: int, values: Sequence[str]) -> "Sheet":
        """One column's values replaced."""
        return self.with_rows(
            [*row[:column], value, *row[column + 1 :]] for row, value in zip(self.rows, values, strict=True)
        )

    def with_columns(self, order: Sequence[int]) -> "Sheet":
        """The named columns only, in that order."""
        rows = tuple(tuple(row[n] for n in order) for row in self.rows)
        return replace(self, header=tuple(self.header[n] for n in order), rows=rows)

    def column(self, number: int) -> list[str]:
        """The values of one column."""
        return [row[number] for row in self.rows]

    def key_columns(self, output: Output) -> tuple[int, ...]:
        """The numbers of the key columns."""
        key = [name.lower() for name in output.key] if isinstance(output.key, tuple) else []
        return tuple(n for n, name in enumerate(self.header) if name.strip().lower() in key)

    def types(self, output: Output) -> list[str]:
        """The declared type of each column, `text` where there is none."""
        names = {name.lower(): name for name in output.columns}
        return [output.type_of(names.get(name.strip().lower(), name)) for name in self.header]


def delimiter_of(output: Output) -> str:
    """Tab for TSV, else comma."""
    return "\t" if output.kind == "tsv" else ","


def read_sheet(content: bytes, output: Output) -> Sheet:
    """Read a table as the output declares it; blank lines are left out.

    Raises:
        Unreadable: where it is no table with even rows.
    """
    delimiter = delimiter_of(output)
    try:
        cells = [
            row
            for row in csv.reader(io.StringIO(decode_text(content), newline=""), delimiter=delimiter, strict=True)
            if row
        ]
    except csv.Error as error:
        raise Unreadable(f"is not a delimited table: {error}") from error
    if not cells or any(len(row) != len(cells[0]) for row in cells):
        raise Unreadable("has no header or uneven rows")
    newline = "\r\n" if b"\r\n" in content else "\n"
    return Sheet(tuple(cells[0]), tuple(tuple(row) for row in cells[1:]), delimiter, newline)


def sheet_meaning(content: bytes, output: Output) -> object:
    """A form that two files share exactly where they say the same; None for what is no table of these columns."""
    try:
        sheet = read_sheet(content, output)
    except Unreadable:
        return None
    types, names = sheet.types(output), [name.strip().lower() for name in sheet.header]
    columns = (
        list(range(len(names)))
        if output.order.get("columns") == "required"
        else sorted(range(len(names)), key=lambda n: names[n])
    )
    rows = [tuple(meaning(types[n], row[n]) for n in columns) for row in sheet.rows]
    if output.order.get("rows") != "required":
        rows.sort(key=repr)
    return (tuple(names[n] for n in columns), tuple(rows))
