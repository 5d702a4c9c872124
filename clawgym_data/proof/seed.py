"""The measurements of one seed of a task: oracle, other right answers, no-op, hack agents, wrong answers, mutants."""

import json
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from clawgym_data.checks import Executed
from clawgym_data.grading.grader import Grader
from clawgym_data.grading.program import ProgramError, run_solution
from clawgym_data.grading.verdict import Verdict
from clawgym_data.grading.world import World, snapshot_of
from clawgym_data.proof.answer import Change
from clawgym_data.proof.hacks import HACKS, hack_variants
from clawgym_data.proof.mutants import Mutant, mutants
from clawgym_data.snapshot import EntryKind, Snapshot

ORACLE_ENVIRONMENTS = (
    {"TZ": "Asia/Tokyo", "LC_ALL": "C", "PYTHONHASHSEED": "1", "PYTHONUTF8": "0"},
    {"TZ": "America/Lima", "LC_ALL": "C.UTF-8", "PYTHONHASHSEED": "77"},
)
"""The oracle must give the same score under another time zone, locale and hash seed."""

SAMPLED_BREAKING, SAMPLED_NEUTRAL = 24, 8
"""Mutants that are graded on a seed after the first; the first grades all of them."""

SAMPLED_VARIANTS = 5
"""Variants of a hack agent on a seed after the first, where grading executes programs: the best of the first seed."""


def _spread(made: tuple[Mutant, ...]) -> tuple[Mutant, ...]:
    """The mutants of a seed after the first: each group's share, evenly spread over the list."""
    chosen: set[int] = set()
    for group, count in (("breaking", SAMPLED_BREAKING), ("neutral", SAMPLED_NEUTRAL)):
        members = [index for index, mutant in enumerate(made) if mutant.group == group]
        step = max(1.0, len(members) / count)
        chosen.update(members[int(n * step)] for n in range(min(count, len(members))))
    return tuple(mutant for index, mutant in enumerate(made) if index in chosen)


def _credited(verdict: Verdict) -> str:
    """The outcomes that gave credit, the heaviest first."""
    paid = sorted((c for c in verdict.checks if c.weight * c.counted > 0), key=lambda c: -c.weight * c.counted)
    return ", ".join(f"{check.id} {check.counted:.2f} of weight {check.weight:g}" for check in paid[:3]) or "nothing"


@dataclass
class SeedFigures:
    """What was measured on one seed; hack scores are the best variant's, `shuffle` the mean of its draws."""

    seed: int
    oracle: list[float] = field(default_factory=list)
    right: dict[str, float] = field(default_factory=dict)
    noop: float = 1.0
    hacks: dict[str, float] = field(default_factory=dict)
    wrong: dict[str, float] = field(default_factory=dict)
    mutants: list[tuple[Mutant, Verdict]] = field(default_factory=list)
    crashed: dict[str, str] = field(default_factory=dict)
    """Solution -> why it left no answer."""
    broken: tuple[str, ...] = ()
    """Checks that cannot answer on the untouched workspace, with the reason: whatever else was measured says nothing."""
    earned: dict[str, str] = field(default_factory=dict)
    """Hack agent -> its best variant and the checks that gave it credit."""
    lost: dict[str, str] = field(default_factory=dict)
    """Solution -> the checks that it fails, with what they saw; only where it scores below 1."""
    best_variants: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """Hack agent -> names of its variants, the best first."""
    killed: dict[str, int] = field(default_factory=dict)
    """Requirement -> breaking mutants that fail a check listing it."""
    repeatable: bool = True


class SeedProof:
    """Measures one seed; each distinct snapshot is graded once."""

    def __init__(
        self, world: World, grader: Grader, executor: ThreadPoolExecutor, first: SeedFigures | None = None
    ) -> None:
        self.world, self.grader, self.executor, self.first = world, grader, executor, first
        self._verdicts: dict[str, tuple[Snapshot, Verdict]] = {}

    def measure(self, tick: Callable[[], None]) -> SeedFigures:
        """Run everything; a program of the task that fails is a fault, not an exception."""
        figures, spec = SeedFigures(self.world.seed), self.world.task.spec
        oracle = self._programs(["solution/solve.py", "solution/solve.py"], ORACLE_ENVIRONMENTS, figures)
        figures.oracle = [verdict.score for _, verdict in oracle]
        tick()
        rights = [item.path for item in spec.right]
        wrongs = [item.path for item in spec.wrong]
        for paths, scores in ((rights, figures.right), (wrongs, figures.wrong)):
            for path, (_, verdict) in zip(paths, self._programs(paths, ({},) * len(paths), figures), strict=True):
                scores[path.split("/")[-1].removesuffix(".py")] = verdict.score
            tick()
        pristine = self._grade(self.world.pristine)
        figures.noop, figures.broken = pristine.score, pristine.grader_failed
        figures.earned["noop"] = _credited(pristine)
        answer = self._answer(oracle[0][0]) if figures.oracle[0] == 1 else None
        for name in HACKS:
            self._measure_hack(name, answer, figures)
        tick()
        if answer is not None:
            self._measure_mutants(oracle[0][0], answer, figures)
        tick()
        figures.repeatable = self._repeatable()
        tick()
        return figures

    def _programs(
        self, paths: Iterable[str], environments: Iterable[Mapping[str, str]], figures: SeedFigures
    ) -> list[tuple[Snapshot, Verdict]]:
        task = self.world.task
        files = [(file.path, file.content, file.mode) for file in self.world.files]

        def run(path: str, env: Mapping[str, str]) -> tuple[Snapshot, Verdict]:
            try:
                left = run_solution(task.folder, path, files, env).snapshot
            except ProgramError as error:
                figures.crashed[path] = str(error)
                left = self.world.pristine
            verdict = self._grade(left)
            if verdict.score < 1:
                missed = [f"{c.id} ({c.broken or c.evidence})" for c in verdict.checks if c.counted < 1 and c.score < 1]
                figures.lost[path] = ", ".join(missed[:4])
            return left, verdict

        return list(self.executor.map(run, paths, environments))

    def _executes(self) -> bool:
        return any(isinstance(check, Executed) for check in self.world.task.spec.verification.checks)

    def _grade(self, snapshot: Snapshot, until_wrong: bool = False) -> Verdict:
        key = f"{snapshot.digest} {until_wrong}"
        if key not in self._verdicts:
            self._verdicts[key] = (snapshot, self.grader.grade(self.world, snapshot, until_wrong=until_wrong))
        return self._verdicts[key][1]

    def _answer(self, oracle: Snapshot) -> dict[str, bytes]:
        """What the oracle wrote or changed."""
        before = {file.path: file.sha256 for file in self.world.files}
        return {
            entry.path: oracle.blobs[entry.sha256]
            for entry in oracle.entries
            if entry.kind is EntryKind.FILE and entry.sha256 is not None and before.get(entry.path) != entry.sha256
        }

    def _measure_hack(self, name: str, answer: Mapping[str, bytes] | None, figures: SeedFigures) -> None:
        variants = hack_variants(name, self.world.task.spec, self.world.contents, answer)
        if self.first is not None and name != "shuffle" and self._executes():
            best = self.first.best_variants.get(name, ())[:SAMPLED_VARIANTS]
            variants = tuple(change for change in variants if change.name in best)
        verdicts = list(
            self.executor.map(lambda change: self._grade(self._changed(self.world.pristine, change)), variants)
        )
        if verdicts:
            ranked = sorted(zip(verdicts, variants, strict=True), key=lambda pair: -pair[0].score)
            figures.best_variants[name] = tuple(change.name for _, change in ranked)
            figures.earned[name] = f"{ranked[0][1].name}: {_credited(ranked[0][0])}"
            scores = [verdict.score for verdict in verdicts]
            figures.hacks[name] = sum(scores) / len(scores) if name == "shuffle" else max(scores)

    def _measure_mutants(self, oracle: Snapshot, answer: Mapping[str, bytes], figures: SeedFigures) -> None:
        made = mutants(self.world.task.spec, self.world.contents, answer, self.world.seed)
        if self.world.seed != self.world.task.spec.proven_seeds[0]:
            made = _spread(made)
        verdicts = self.executor.map(
            lambda mutant: self._grade(self._changed(oracle, mutant.change), until_wrong=self._executes()), made
        )
        figures.mutants = list(zip(made, verdicts, strict=True))
        checks = self.world.task.spec.verification.checks
        for mutant, verdict in figures.mutants:
            if mutant.group != "breaking":
                continue
            hit = {
                name
                for check, result in zip(checks, verdict.checks, strict=True)
                if result.score < 1
                for name in check.requirements
            }
            for name in hit:
                figures.killed[name] = figures.killed.get(name, 0) + 1

    def _changed(self, base: Snapshot, change: Change) -> Snapshot:
        files = {
            entry.path: (base.blobs[entry.sha256], entry.mode)
            for entry in base.entries
            if entry.kind is EntryKind.FILE and entry.sha256 is not None and entry.path not in change.remove
        }
        for path, content in change.write.items():
            mode = files[path][1] if path in files else 0o644
            files[path] = (content, mode)
        return snapshot_of(files)

    def _repeatable(self) -> bool:
        """Grade a spread of the snapshots again, in reverse order and side by side."""
        graded = [pair for key, pair in self._verdicts.items() if key.endswith("False")]
        sample = graded[:: max(1, len(graded) // 24)][::-1]
        again = self.executor.map(lambda pair: self.grader.grade(self.world, pair[0]), sample)
        return all(
            json.dumps(verdict.public(), sort_keys=True) == json.dumps(pair[1].public(), sort_keys=True)
            for pair, verdict in zip(sample, again, strict=True)
        )
