"""How often the 95 % intervals of `clawgym_bench.figures` hold the true value, by simulation with a fixed seed.

Runs of 24 and 200 tasks, three trials each, whose scores are skewed and go together within clusters. The task's level
comes from a normal latent of which half the variance is the cluster's, through the distribution's own quantiles; a
trial's score adds noise of its own in the same way. The reference in the same run is the interval that takes every
task for independent and the normal quantile (`naive`). The standard error of a coverage is 0.5 % at 2,000 runs.

    python benchmarks/interval_coverage.py [--runs 2000]
"""

import argparse
import time
from collections.abc import Callable
from math import erfc, sqrt
from random import Random
from statistics import fmean, stdev

from clawgym_bench.figures import mean_interval, rate_interval
from clawgym_bench.figures.intervals import Z_975

TRIALS = 3
SHARED = 0.5
"""Share of the latent variance that the tasks of a cluster have in common."""
KNOTS = 2000
ROOT_2 = sqrt(2)

DISTRIBUTIONS: dict[str, Callable[[Random], float]] = {
    "beta(0.5, 1.5)": lambda random: random.betavariate(0.5, 1.5),
    "60 % zeros": lambda random: 0.0 if random.random() < 0.6 else random.betavariate(2, 2),
    "90 % zeros": lambda random: 0.0 if random.random() < 0.9 else random.betavariate(4, 2),
}
CLUSTERS: dict[str, dict[int, list[int]]] = {
    "one task each": {24: [1] * 24, 200: [1] * 200},
    "equal": {24: [3] * 8, 200: [5] * 40},
    "unequal": {24: [8, 4, 4, 2, 2, 1, 1, 1, 1], 200: [40, 20, 20, 10, 10] + [5] * 10 + [1] * 50},
}

Interval = tuple[float, float] | None


def quantiles(draw: Callable[[Random], float]) -> list[float]:
    random = Random(1)
    drawn = sorted(draw(random) for _ in range(100 * KNOTS))
    return [fmean(drawn[100 * knot : 100 * (knot + 1)]) for knot in range(KNOTS)]


def naive(values: dict[str, float]) -> Interval:
    centre, reach = fmean(values.values()), Z_975 * stdev(values.values()) / sqrt(len(values))
    return centre - reach, centre + reach


class Case:
    """One design: how many tasks in which clusters, and how skewed they are."""

    def __init__(self, sizes: list[int], knots: list[float]) -> None:
        self.names = [f"{cluster}-{n}" for cluster, size in enumerate(sizes) for n in range(size)]
        self.clusters = {name: name.split("-")[0] for name in self.names}
        self.sizes, self.knots, self.truth = sizes, knots, fmean(knots)

    def levels(self, random: Random) -> list[float]:
        """The latent of each task, standard normal."""
        own, common = sqrt(1 - SHARED), sqrt(SHARED)
        found = []
        for size in self.sizes:
            shared = common * random.gauss(0, 1)
            found += [shared + own * random.gauss(0, 1) for _ in range(size)]
        return found

    def scores(self, levels: list[float], random: Random) -> list[float]:
        """Task means of scores whose latent has a fifth of its variance between the trials of a task."""
        own, common = sqrt(0.2), sqrt(0.8)
        return [
            fmean(self.knots[place_of(common * level + own * random.gauss(0, 1))] for _ in range(TRIALS))
            for level in levels
        ]

    def passes(self, levels: list[float], random: Random) -> list[list[float]]:
        """Passed or not by task and trial, with chances that have the distribution."""
        chances = (self.knots[place_of(level)] for level in levels)
        return [[float(random.random() < chance) for _ in range(TRIALS)] for chance in chances]


def place_of(latent: float) -> int:
    """The knot of a standard normal value."""
    return min(KNOTS - 1, int(KNOTS * 0.5 * erfc(-latent / ROOT_2)))


def holds(found: Interval, truth: float) -> bool:
    return found is not None and found[0] <= truth <= found[1]


def coverage(case: Case, runs: int) -> dict[str, float]:
    random = Random(2)
    hits = dict.fromkeys(("mean", "naive", "rate, 1 trial", "rate, 3 trials"), 0)
    width = 0.0
    for _ in range(runs):
        levels = case.levels(random)
        scores = dict(zip(case.names, case.scores(levels, random), strict=True))
        found = mean_interval(scores, case.clusters)
        hits["mean"] += holds(found, case.truth)
        width += found[1] - found[0] if found else 0
        hits["naive"] += holds(naive(scores), case.truth)
        passes = case.passes(levels, random)
        for trials, name in ((1, "rate, 1 trial"), (TRIALS, "rate, 3 trials")):
            rates = {task: fmean(row[:trials]) for task, row in zip(case.names, passes, strict=True)}
            hits[name] += holds(rate_interval(rates, case.clusters, trials * len(rates)), case.truth)
    return {name: count / runs for name, count in hits.items()} | {"width": width / runs}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=2000, help="Runs of 24 tasks; of 200 tasks a quarter of them.")
    runs: int = parser.parse_args().runs
    started = time.perf_counter()
    print(
        f"{'tasks':>5} {'clusters':14} {'scores':15} {'mean':>6} {'naive':>6} {'rate/1':>6} {'rate/3':>6} {'width':>6}"
    )
    for name, draw in DISTRIBUTIONS.items():
        knots = quantiles(draw)
        for kind, sizes in CLUSTERS.items():
            for count, shape in sizes.items():
                found = coverage(Case(shape, knots), runs if count < 100 else runs // 4)
                row = " ".join(f"{value:6.3f}" for value in found.values())
                print(f"{count:5} {kind:14} {name:15} {row}", flush=True)
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
