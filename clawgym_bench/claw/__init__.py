"""What the agent works with: its tools, where they act, what it is told, and how much it can remember."""

from clawgym_bench.claw.context import ContextWindow
from clawgym_bench.claw.site import Site, open_site
from clawgym_bench.claw.toolset import Toolset

__all__ = ["ContextWindow", "Site", "Toolset", "open_site"]
