"""Everything right for the paths people mean; the export of the catalogue is read row by row, merged ones one step far."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402


def map_rows(ws):
    export = list(solve.csv.DictReader(solve.load(ws, "catalogue/export.csv", "cp1252").splitlines(), delimiter=";"))
    slugs = {row["number"]: row["slug"] for row in export if row["state"] == "published"}
    rows = {}
    for row in export:
        slug = slugs.get(row["merged_into"] or row["number"])
        if row["state"] == "withdrawn":
            rows.setdefault(row["number"], ("-", "410"))
        elif slug and row["state"] != "draft":
            rows.setdefault(row["number"], (f"{solve.home(ws)}item/{slug}", "301"))
    return [(f"/item/{number}", *rest) for number, rest in sorted(rows.items())]


solve.map_rows = map_rows

if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.write(ws, solve.solve(ws))
