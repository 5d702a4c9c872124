"""Short letters, bullets with stars and in another order; the table backwards; JSON sorted by member, indented."""

import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
a = solve["derive"](ws)
folder = ws / "answers"
folder.mkdir(exist_ok=True)
rows = [f"{no},{first},{word}" for no, (first, word) in reversed(a["cases"].items())]
(folder / "cases.csv").write_text("\n".join(["order,first,decision", *rows]), "utf-8")
body = solve["books"](a)
body["again"] = body["again"][::-1]
(folder / "goods-and-money.json").write_text(json.dumps(body, indent=4, sort_keys=True), "utf-8")
TEXTS = {
    (
        "longest",
        "late",
    ): "the courier has lost your parcel, and I am sorry that you had to ask. I pack it again today as far as the shelf "
    "allows, and what I no longer have I pay back. You need not do anything.",
    (
        "largest",
        "cancel",
    ): "of course. It had not been fetched yet, so the parcel comes back out of the basket and you get everything back, "
    "to the last penny of the postage. Happy birthday, or happy removal, whichever it is.",
    (
        "largest",
        "dead",
    ): "you did nothing wrong at all. That lot has gone off: we tried it again ourselves and it hardly moved. I am sorry, "
    "it should not have gone out. You get back what you paid for all the packets of it.",
    (
        "largest",
        "late",
    ): "your parcel has vanished between two depots, sorry. I looked whether I can send it again, but of both I have too "
    "little left on the shelf, so you get all your money back, and the postage with it.",
    (
        "no",
        "dead",
    ): "that is a puzzle, because the same lot stands here like a lawn; we tried it again only last month. So I can't pay it "
    "back. My guess is the cold. If you have any left, put them on the kitchen sill and be rude to them.",
    (
        "no",
        "short",
    ): "if you had told me in the first two weeks I would have sent it at once. It is too long ago now to find out where it "
    "went, so I must leave it at that. It is a pity, because I can hear from your letter that you wanted it.",
}
for name, no in a["drafts"].items():
    person, (money, packets) = a["people"][no], solve["facts"](a, no)
    bullets = f"* Packets: {packets}\n* Money back: {money}\n* Order: {no}"
    text = TEXTS[name, person["claim"]]
    (folder / f"{name}.md").write_text(f"{person['order']['name']}, {text}\n\nOttilie\n\n{bullets}\n", "utf-8")
