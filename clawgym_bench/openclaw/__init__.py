"""The real OpenClaw, unmodified, as a black box: how it is set up, started and read."""

from clawgym_bench.openclaw.config import DEFAULT_PROFILE, PROFILES, Profile

__all__ = ["DEFAULT_PROFILE", "PROFILES", "Profile"]
