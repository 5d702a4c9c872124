"""What `clawgym doctor` says about the sandbox."""

from dataclasses import dataclass, field

from clawgym_data.sandbox.bubblewrap import Bubblewrap
from clawgym_data.sandbox.causes import (
    Cause,
    Finding,
    SandboxRefused,
    classify,
    describe_limits,
    refused_by_host,
    with_error,
)
from clawgym_data.sandbox.config import SandboxConfig
from clawgym_data.sandbox.facts import gather_facts

PROBE_SEC = 30.0


@dataclass(frozen=True)
class Diagnosis:
    """Whether runs can use the sandbox here, and what holds each of its limits."""

    works: bool
    finding: Finding | None
    """Why it does not work, with the fix; None where it does."""
    bwrap_version: str
    enforcement: dict[str, str] = field(default_factory=dict)
    """limit -> enforcer; empty where it does not work."""
    hints: tuple[str, ...] = ()
    """How limits that nothing enforces could be enforced."""

    @property
    def cause(self) -> Cause | None:
        """The cause alone."""
        return self.finding.cause if self.finding else None


def diagnose(config: SandboxConfig | None = None) -> Diagnosis:
    """Start a sandbox and make one call in it, exactly as runs do, and say what was found."""
    facts = gather_facts()
    version = ".".join(map(str, facts.bwrap_version))
    try:
        with refused_by_host(facts), Bubblewrap.start(config or SandboxConfig()) as sandbox:
            answer = sandbox.call(["/bin/sh", "-c", "echo works"], timeout_sec=PROBE_SEC)
            enforcement = sandbox.enforcement()
    except SandboxRefused as refusal:
        return Diagnosis(False, refusal.finding, version)
    if answer.stdout != b"works\n":
        finding = classify(with_error(facts, answer.stderr.decode(errors="replace")))
        return Diagnosis(False, finding, version)
    return Diagnosis(True, None, version, enforcement, describe_limits(enforcement))
