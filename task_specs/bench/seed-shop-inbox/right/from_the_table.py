"""Another hand: by decision, quoted, CRLF and BOM; compact JSON; other letters, bold labels, pounds spelt out."""

import csv
import json
import runpy
import sys
from pathlib import Path

ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
solve = runpy.run_path(str(Path(__file__).parent.parent / "solution/solve.py"))
a = solve["derive"](ws)
folder = ws / "answers"
folder.mkdir(exist_ok=True)
with (folder / "cases.csv").open("w", encoding="utf-8-sig", newline="") as file:
    sheet = csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    sheet.writerow(["order", "first", "decision"])
    sheet.writerows(sorted(((no, *row) for no, row in a["cases"].items()), key=lambda row: row[2]))
body = solve["books"](a)
for refund in body["refunds"]:
    refund |= {name: int(refund[name]) for name in ("card", "voucher") if refund[name] == int(refund[name])}
(folder / "goods-and-money.json").write_text(json.dumps(dict(reversed(body.items())), separators=(",", ":")), "utf-8")

TEXTS = {
    "longest": "Of everybody who wrote to us you have been waiting longest, and it is a lost parcel on top of that. I am sorry. "
    "No one at the courier's has seen it for far too many days, so I have stopped hoping and started packing. {again} "
    "{money}You need not do anything but look out for the van.",
    "largest": "You get your money back, all that this was about, and below you see how much it is. {why} "
    "You need not send me anything, and the money is on its way as soon as the bank opens tomorrow.",
    "no": "This time I have to say no, and I would rather say it straight away. {why} I know that this is not the answer "
    "you hoped for, and I thank you for writing so kindly all the same. May the rest of the bed do well.",
}
REASONS = {
    (
        "largest",
        "cancel",
    ): "The parcel had not left us when your mail came, so nothing is lost and nobody has to run after anything.",
    (
        "largest",
        "dead",
    ): "It is the seed. We tested it once more in February, and it did as badly with me as with you; I am sorry.",
    (
        "largest",
        "late",
    ): "Your parcel has got lost, for which I am sorry, and of what was in it there is too little left to fill another.",
    (
        "no",
        "dead",
    ): "Your seed comes from a lot that did well when we tested it last, better than it has to, so the trouble must lie elsewhere.",
    (
        "no",
        "short",
    ): "By the time you wrote the parcel had been with you for more than two weeks, and then nobody can say any more what was in it.",
}
for name, text in TEXTS.items():
    no = a["drafts"][name]
    person, (money, packets) = a["people"][no], solve["facts"](a, no)
    again = f"The new parcel holds {solve['varieties'](person['sent'])}." if person["sent"] else ""
    back = f"We have run out of {solve['varieties'](person['paid'])}, and that I pay back. " if person["paid"] else ""
    letter = text.format(again=again, money=back, why=REASONS.get((name, person["claim"]), ""))
    bullets = f"- **Order:** {no}\n- **Money back:** {money} pounds\n- **Packets:** {packets}\n"
    (folder / f"{name}.md").write_text(
        f"Dear {person['order']['name'].split()[0]},\n\n{letter}\n\nYours, Ottilie\n\n{bullets}", "utf-8"
    )
