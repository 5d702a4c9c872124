"""A small real model on this machine: its weights from a package, its server on the loopback, no key and no network."""

from clawgym_bench.local_model.prepare import LocalModelError, prepare
from clawgym_bench.local_model.source import SMOLLM2, Source

__all__ = ["SMOLLM2", "LocalModelError", "Source", "prepare"]
