"""How long a sandbox takes to start, to run a command and to close, against a plain subprocess of the same run."""

import argparse
import statistics
import subprocess
from collections.abc import Callable
from time import perf_counter

from clawgym_data.sandbox import Bubblewrap, SandboxConfig


def measure(action: Callable[[], object], repeats: int) -> float:
    action()
    times = []
    for _ in range(repeats):
        began = perf_counter()
        action()
        times.append(perf_counter() - began)
    return statistics.median(times) * 1000


def measure_sandboxes(repeats: int) -> tuple[float, float]:
    """Return the median milliseconds of starting and of closing a sandbox."""
    starts, closes = [], []
    for _ in range(repeats):
        began = perf_counter()
        sandbox = Bubblewrap.start(SandboxConfig())
        started = perf_counter()
        sandbox.close()
        starts.append(started - began)
        closes.append(perf_counter() - started)
    return statistics.median(starts) * 1000, statistics.median(closes) * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=50)
    repeats: int = parser.parse_args().repeats
    files = [(f"folder/file{number}.txt", b"x" * 4096, 0o644) for number in range(20)]

    def plain(argv: list[str]) -> Callable[[], object]:
        return lambda: subprocess.run(argv, capture_output=True, check=True)

    rows = {
        "plain true": measure(plain(["true"]), repeats),
        "plain bash -c true": measure(plain(["bash", "-c", "true"]), repeats),
    }
    Bubblewrap.start(SandboxConfig()).close()
    rows["sandbox start"], rows["sandbox close"] = measure_sandboxes(repeats)
    with Bubblewrap.start(SandboxConfig()) as sandbox:
        rows["sandbox call true"] = measure(lambda: sandbox.call(["true"]), repeats)
        rows["sandbox call bash -c true"] = measure(lambda: sandbox.call(["bash", "-c", "true"]), repeats)
        rows["sandbox put of 20 files"] = measure(lambda: sandbox.put(files), repeats)
        rows["sandbox snapshot of 20 files"] = measure(sandbox.snapshot, repeats)
        rows["sandbox end_processes"] = measure(sandbox.end_processes, repeats)
        enforcement = sandbox.enforcement()
    print(f"{'median of ' + str(repeats):32}{'ms':>8}{'x plain true':>14}")
    for name, milliseconds in rows.items():
        print(f"{name:32}{milliseconds:8.2f}{milliseconds / rows['plain true']:14.1f}")
    print("enforced by:", ", ".join(f"{limit} {enforcer}" for limit, enforcer in enforcement.items()))


if __name__ == "__main__":
    main()
