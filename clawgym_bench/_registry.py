"""What Inspect loads through the entry point: every task, solver, scorer and sandbox provider of this package."""

from inspect_ai._util.registry import _registry, registry_has, registry_key

from clawgym_bench.attempt import attempt
from clawgym_bench.sandbox import BubblewrapEnvironment
from clawgym_bench.scorer import coverage, verdict
from clawgym_bench.task import clawgym_bench

# Inspect resolves a name without "/" as a path, unless the registry holds it already: entry points are loaded first.
# The table is private; the exact Inspect release is pinned and tests/bench runs every name.
if not registry_has("task", "clawgym_bench"):
    _registry[registry_key("task", "clawgym_bench")] = clawgym_bench
# A log names scorers without their package; an editable install registers them so, a wheel with it: `inspect score`
# must find them by either.
for _name, _scorer in (("verdict", verdict), ("coverage", coverage)):
    for _alias in (_name, f"clawgym_bench/{_name}"):
        if not registry_has("scorer", _alias):
            _registry[registry_key("scorer", _alias)] = _scorer

__all__ = ["BubblewrapEnvironment", "attempt", "clawgym_bench", "coverage", "verdict"]
