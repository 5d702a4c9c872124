"""Processor time of one case of an executed check, against the bare program that it runs.

The reference starts the same program on the same input as an ordinary process of this machine, without a sandbox, in the
same run; what is above 1 is the price of isolation: a sandbox a verdict, a driver, the first state before each case.

    python benchmarks/executed_cases.py [--cases 40]
"""

import argparse
import resource
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from clawgym_data.checks import Check
from clawgym_data.grading.program import interpreter
from clawgym_data.grading.subject import Subjects, ask
from clawgym_data.grading.world import snapshot_of

PROGRAM = b"import argparse, csv, datetime, sys\nprint(sum(map(int, sys.stdin.read().split())))\n"
CHECK = {
    "id": "sums",
    "kind": "command",
    "role": "outcome",
    "rests_on": "computed",
    "weight": 1,
    "run": ["python3", "sums.py"],
    "expected": "cases",
}


def cpu_sec(work: Callable[[], Any]) -> float:
    """Processor time of some work and of all that it starts."""

    def used() -> float:
        both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(usage.ru_utime + usage.ru_stime for usage in both)

    before = used()
    work()
    return used() - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--cases", type=int, default=40)
    count = parser.parse_args().cases
    cases = [{"stdin": f"{number} 1", "stdout": str(number + 1)} for number in range(count)]
    check = TypeAdapter(Check).validate_python(CHECK, strict=False)
    asked = ask(check, cases, snapshot_of({"sums.py": (PROGRAM, 0o644)}), {})
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "sums.py").write_bytes(PROGRAM)

        def bare() -> None:
            for case in cases:
                subprocess.run(
                    [interpreter(), "sums.py"],
                    input=case["stdin"].encode(),
                    cwd=folder,
                    capture_output=True,
                    check=True,
                )

        plain = cpu_sec(bare)
    isolated = cpu_sec(lambda: Subjects().run([asked]))
    right = [check.case_right(case, run) for case, run in zip(cases, Subjects().run([asked])["sums"], strict=True)]
    print(f"{count} cases, all right: {all(right)}")
    print(f"bare      {plain / count * 1000:6.1f} ms of processor time a case")
    print(f"isolated  {isolated / count * 1000:6.1f} ms of processor time a case, ratio {isolated / plain:.2f}")


if __name__ == "__main__":
    main()
