"""Fulfils every wish of a contact, whenever it was sent and whether or not the museum is in a freeze."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "solution"))
sys.dont_write_bytecode = True
import solve  # noqa: E402

fulfil = solve.fulfil


def all_of_them(sites, wishes, page):
    fulfil(sites, wishes, page)
    for words in wishes:
        late = solve.re.search(r"for quay.example: please redirect (/\S+) to (/\w+)", words)
        for site in sites:
            if late and site.name == "quay-web":
                site.rules.insert(0, ["redirect", late[1], late[2]])


solve.fulfil = all_of_them
solve.in_time = lambda moment: True
solve.is_frozen = lambda ws, museum: False

if __name__ == "__main__":
    ws = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    solve.write(ws, solve.solve(ws))
