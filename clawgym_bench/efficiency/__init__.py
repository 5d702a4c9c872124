"""What trials took: turns, calls, errors and recoveries, waste, tokens, money and time, from their trajectories."""

from clawgym_bench.efficiency.calls import Call, State, calls_of
from clawgym_bench.efficiency.effort import Effort, effort_of
from clawgym_bench.efficiency.faults import Fault
from clawgym_bench.efficiency.recovery import Recovery, recoveries
from clawgym_bench.efficiency.summary import RunEfficiency, efficiency_of
from clawgym_bench.efficiency.waste import empty_polls, repeated_looks

__all__ = [
    "Call",
    "Effort",
    "Fault",
    "Recovery",
    "RunEfficiency",
    "State",
    "calls_of",
    "efficiency_of",
    "effort_of",
    "empty_polls",
    "recoveries",
    "repeated_looks",
]
