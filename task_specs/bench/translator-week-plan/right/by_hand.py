"""Another hand: the plan from its end, members in another order, hours without needless decimals, blanks in the times."""

import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
answer = solve["derive"](ws)
folder = ws / "week-18"
folder.mkdir(exist_ok=True)
rows = [("day", "start", "end", "job"), *reversed(solve["stretches"](answer["accepted"]))]
(folder / "plan.tsv").write_text("\n".join("\t".join(row) for row in rows), "utf-8")


def short(hours):
    """A whole number where it is one."""
    return int(hours) if hours == int(hours) else hours


found = solve["replies"](answer)
body = {
    "hours_left": short(found["hours_left"]),
    "total_hours": short(found["total_hours"]),
    "total_fee": found["total_fee"],
    "declined": found["declined"][::-1],
    "accepted": [
        {"ready": row["ready"].replace("T", " "), "hours": short(row["hours"]), "fee": row["fee"], "job": row["job"]}
        for row in reversed(found["accepted"])
    ],
}
(folder / "replies.json").write_text(json.dumps(body, separators=(",", ":")), "utf-8")
