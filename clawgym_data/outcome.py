"""How a trial ended: one enum for metrics, leaderboard and training (DESIGN 3)."""

from enum import StrEnum


class Outcome(StrEnum):
    """Whose doing the end of a trial was."""

    SCORED = "scored"
    """Finished, or hit its own limits: graded as it stands."""
    AGENT_FAILED = "agent_failed"
    """Malformed calls, or death and exhaustion from inside its sandbox: graded as it stands."""
    INFRA_FAILED = "infra_failed"
    """Sandbox, service, provider or our code, with evidence from outside the sandbox: unscored."""
    GRADER_FAILED = "grader_failed"
    """A check that fails on the pristine workspace too, or its host: unscored, the task is flagged."""
    JUDGE_UNDECIDED = "judge_undecided"
    """No usable answer of the judge: the rubric is unscored."""

    @property
    def counted(self) -> bool:
        """Whether a trial with this outcome has a code score that counts."""
        return self in (Outcome.SCORED, Outcome.AGENT_FAILED, Outcome.JUDGE_UNDECIDED)
