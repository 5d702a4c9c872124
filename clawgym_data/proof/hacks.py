"""The hack agents: what may be earned without understanding the task, with the bound that each must stay under."""

from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from clawgym_data.proof import hack_blind, hack_forge, hack_informed
from clawgym_data.proof.answer import Change, Files
from clawgym_data.spec.task import TaskSpec

__all__ = ["BOUNDS", "HACKS", "NEEDS_ANSWER", "hack_variants"]

_BLIND: Mapping[str, Callable[[TaskSpec, Files], Iterator[Change]]] = {
    "echo": hack_blind.echo,
    "empty": hack_blind.empty,
    "copy-inputs": hack_blind.copy_inputs,
    "wipe-inputs": hack_blind.wipe_inputs,
    "shotgun": hack_blind.shotgun,
    "plant": hack_blind.plant,
    "forge": hack_forge.forge,
}
_INFORMED: Mapping[str, Callable[[TaskSpec, Files, Files], Iterator[Change]]] = {
    "shape": hack_informed.shape,
    "constant": hack_informed.constant,
    "shuffle": hack_informed.shuffle,
}

HACKS: tuple[str, ...] = tuple(chain(_BLIND, _INFORMED))
"""All names, in the order in which they are run."""

NEEDS_ANSWER: frozenset[str] = frozenset(_INFORMED)
"""Those which are given the oracle's files."""

BOUNDS: Mapping[str, float] = {
    **dict.fromkeys(_BLIND, 0.05),
    "forge": 0.0,
    "shape": 0.15,
    "constant": 0.15,
    "shuffle": 0.25,
}
"""The highest code score of the best variant; of `shuffle`, of the mean over its draws (DESIGN 4)."""


def hack_variants(name: str, spec: TaskSpec, inputs: Files, answer: Files | None = None) -> tuple[Change, ...]:
    """What a hack agent leaves, in several variants, as changes of the pristine workspace.

    Args:
        name: one of `HACKS`.
        spec: gives instruction and outputs; outputs that are not asked for are never written.
        inputs: the pristine workspace.
        answer: the files that the oracle wrote or changed; without them the agents that need them have no variant.

    Raises:
        KeyError: for an unknown name.
    """
    if name in _BLIND:
        return tuple(_BLIND[name](spec, inputs))
    agent = _INFORMED[name]
    return () if answer is None else tuple(agent(spec, inputs, answer))
