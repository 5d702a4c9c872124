"""The bounds of a proof (DESIGN 4): what the figures of a task break, each with what its author can do."""

from collections.abc import Iterator, Mapping, Sequence

from clawgym_data.proof.hacks import BOUNDS
from clawgym_data.proof.report import MAX_UNDETERMINED, MIN_BREAKING, MIN_CAUGHT, TaskProof
from clawgym_data.proof.seed import SeedFigures
from clawgym_data.spec.task import TaskSpec

EPSILON = 1e-6
WRONG_SLACK = 0.05
"""How far a stated maximum may lie above the highest measured score."""

_BLIND_ADVICE = "rest the weight on computed facts, compare whole rows, raise credit_above"
ADVICE: Mapping[str, str] = {
    "echo": _BLIND_ADVICE,
    "empty": "no outcome may be met by an empty or blank output",
    "copy-inputs": "ask for something else than what stands in a file; " + _BLIND_ADVICE,
    "wipe-inputs": "no outcome may be met by removing files; guard the inputs",
    "shotgun": _BLIND_ADVICE,
    "plant": "no check may load or believe a file that the agent left",
    "forge": "compare printed values that differ from case to case; an exit status proves nothing",
    "shape": "files, keys and labels earn too much: raise credit_above, or move weight to computed values",
    "constant": "one value for all earns too much: raise credit_above to the share of the most frequent value",
    "shuffle": "right values in wrong places earn too much: compare whole rows, raise credit_above",
}
"""Hack agent -> what to do where it scores too high."""


def failures_of(spec: TaskSpec, proof: TaskProof, seeds: Sequence[SeedFigures]) -> list[str]:
    """The bounds that do not hold; what only follows from another fault is left out.

    Args:
        spec: the task.
        proof: its figures, the worst over the seeds.
        seeds: the figures of each seed; without any there is nothing to say.
    """
    if not seeds:
        return []
    broken = list(dict.fromkeys(fault for figures in seeds for fault in figures.broken))
    if broken:  # every score below would be about this
        return [
            f"check {fault}: it cannot answer on the untouched workspace; expected a score of 0" for fault in broken
        ]
    crashed = {path: message for figures in seeds for path, message in figures.crashed.items()}
    found = [*crashed.values(), *_solutions(proof, seeds, crashed), *_games(proof, seeds)]
    found += _wrongs(spec, proof, crashed, measured=len(seeds) == len(spec.proven_seeds))
    if min(proof.oracle, default=0.0) >= 1 - EPSILON:  # mutants are of the oracle's answer
        found += [*_mutants(proof, len(seeds)), *_requirements(spec, seeds)]
    if proof.repeatable is False:
        found.append(
            "grading the same snapshots again gave other verdicts: no check may depend on time, order or chance"
        )
    return found


def _solutions(proof: TaskProof, seeds: Sequence[SeedFigures], crashed: Mapping[str, str]) -> Iterator[str]:
    def failing(path: str) -> str:
        return next((figures.lost[path] for figures in seeds if path in figures.lost), "nothing")

    oracle = "solution/solve.py"
    if oracle not in crashed and min(proof.oracle, default=0.0) < 1 - EPSILON:
        yield (
            f"oracle scores {proof.oracle}; expected 1 twice on every seed; it fails {failing(oracle)}"
            + ("; it depends on the time zone, locale or hash seed" if len(set(proof.oracle)) > 1 else "")
        )
    for name, score in proof.right.items():
        path = f"right/{name}.py"
        if path not in crashed and score < 1 - EPSILON and failing(path) != failing(oracle):
            yield f"right/{name} scores {score:.3f}; a valid answer must score 1: it fails {failing(path)}"


def _games(proof: TaskProof, seeds: Sequence[SeedFigures]) -> Iterator[str]:
    def earned(name: str) -> str:
        scores = {n: figures.hacks.get(name, figures.noop) for n, figures in enumerate(seeds)}
        return seeds[max(scores, key=lambda n: scores[n])].earned.get(name, "")

    noop = proof.noop or 0.0
    if noop > 0:
        yield f"doing nothing scores {noop:.3f} ({earned('noop')}); outcomes must be 0 on the untouched workspace"
    for name, score in proof.hacks.items():
        known = max(noop, proof.hacks.get("echo", 0.0)) if name == "plant" else noop  # it plants beside an echo
        if score > max(BOUNDS[name], known) + EPSILON:
            yield f"hack agent {name} scores {score:.3f} ({earned(name)}); expected at most {BOUNDS[name]}: {ADVICE[name]}"


def _wrongs(spec: TaskSpec, proof: TaskProof, crashed: Mapping[str, str], measured: bool) -> Iterator[str]:
    """`measured`: on all proven seeds, of which the highest score counts."""
    for item in spec.wrong:
        if item.path in crashed:
            continue
        score = proof.wrong.get(item.path.split("/")[-1].removesuffix(".py"), 1.0)
        if score > item.max_score + EPSILON:
            yield (
                f"{item.path} scores {score:.3f}; its max_score is {item.max_score}: "
                "raise it if the mistake deserves that much, else move weight to what the mistake gets wrong"
            )
        elif measured and item.max_score > score + WRONG_SLACK + EPSILON:
            yield (
                f"{item.path}: max_score {item.max_score} is more than {WRONG_SLACK} above the measured {score:.3f}; "
                "lower it"
            )


def _mutants(proof: TaskProof, seeds: int) -> Iterator[str]:
    mutants, neutral = proof.mutants, proof.neutral
    per_seed = mutants.breaking / seeds
    if per_seed < MIN_BREAKING:
        yield f"{per_seed:.0f} breaking mutants a seed; expected {MIN_BREAKING}: declare columns and keys of the outputs"
    if mutants.caught < MIN_CAUGHT * mutants.breaking:
        yield (
            f"{mutants.caught} of {mutants.breaking} breaking mutants caught; expected {MIN_CAUGHT:.0%}: "
            f"check what they change; missed: {'; '.join(mutants.missed[:5])}"
        )
    total = mutants.breaking + mutants.undetermined + neutral.total
    if mutants.undetermined > MAX_UNDETERMINED * total:
        yield (
            f"{mutants.undetermined} of {total} mutants undetermined; expected at most {MAX_UNDETERMINED:.0%}: "
            f"declare order, newline and types of the outputs; open: {'; '.join(mutants.open[:5])}"
        )
    if neutral.kept < neutral.total:
        yield (
            f"{neutral.total - neutral.kept} neutral changes lose score: {'; '.join(neutral.lost[:5])}; "
            "let the checks take them, or declare what is required under outputs"
        )


def _requirements(spec: TaskSpec, seeds: Sequence[SeedFigures]) -> Iterator[str]:
    for requirement in spec.requirements:
        if requirement.layer in ("check", "guard") and not any(f.killed.get(requirement.id) for f in seeds):
            yield (
                f"requirement {requirement.id}: no breaking mutant fails a check that lists it; "
                "declare what it asks for under outputs, and let a check of just that list it"
            )
