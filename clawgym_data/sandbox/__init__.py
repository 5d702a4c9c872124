"""Running commands that nobody vouches for: a private root in memory, no network, limits that are enforced."""

from clawgym_data.sandbox.bubblewrap import Bubblewrap
from clawgym_data.sandbox.causes import Cause, Finding, SandboxGone, SandboxRefused
from clawgym_data.sandbox.config import SandboxConfig, SandboxLimits
from clawgym_data.sandbox.probe import Diagnosis, diagnose
from clawgym_data.sandbox.process import Call, Completed
from clawgym_data.sandbox.tools import probe_tools

__all__ = [
    "Bubblewrap",
    "Call",
    "Cause",
    "Completed",
    "Diagnosis",
    "Finding",
    "SandboxConfig",
    "SandboxGone",
    "SandboxLimits",
    "SandboxRefused",
    "diagnose",
    "probe_tools",
]
