"""Every kind of fault has a test that shows the right outcome."""

import json
import subprocess
import sys

from tests.conftest import REPOSITORY
from tests.faults.kinds import FAULTS

COLLECT = """
import json, sys, pytest

class Collected:
    def pytest_collection_finish(self, session):
        found = {}
        for item in session.items:
            if item.get_closest_marker("skip") is None:
                for mark in item.iter_markers("fault"):
                    found.setdefault(mark.args[0], set()).add(item.nodeid.split("[")[0])
        print("MAP" + json.dumps({name: sorted(tests) for name, tests in found.items()}))

sys.exit(pytest.main(["--collect-only", "-qq", "-p", "no:cacheprovider", "-p", "no:xdist", "tests"], [Collected()]))
"""


def fault_map() -> dict[str, list[str]]:
    """Kind -> the tests that carry its mark, as pytest collects them."""
    done = subprocess.run(
        [sys.executable, "-c", COLLECT], cwd=REPOSITORY, capture_output=True, text=True, check=False, timeout=300
    )
    [line] = [line for line in done.stdout.splitlines() if line.startswith("MAP")] or [""]
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict[str, list[str]] = json.loads(line.removeprefix("MAP"))
    return found


def test_every_kind_of_fault_has_a_test_and_every_mark_names_a_kind() -> None:
    found = fault_map()
    assert sorted(set(FAULTS) - set(found)) == []
    assert sorted(set(found) - set(FAULTS)) == []


if __name__ == "__main__":
    for name, tests in sorted(fault_map().items(), key=lambda pair: list(FAULTS).index(pair[0])):
        for test in tests:
            sys.stdout.write(f"| {name} | {test.removeprefix('tests/')} | {FAULTS[name]} |\n")
