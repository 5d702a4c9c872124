"""What an imported task lacks or gets wrong: findings by code, and the report over a whole import."""

from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from clawgym_data.spec.frozen import Frozen, Shown


class Severity(StrEnum):
    """What a finding means for the score."""

    BLOCKS = "blocks"
    """The task cannot be solved or graded as shipped."""
    WARPS = "warps"
    """The score can be wrong."""
    NOTE = "note"
    """Worth knowing."""


class LossCode(StrEnum):
    """What was found."""

    MISSING_FIXTURE = "missing-fixture"
    NEEDS_WEB = "needs-web"
    MOUNTED_ELSEWHERE = "mounted-elsewhere"
    UNGUARDED_IMPORT = "unguarded-import"
    UNSURE_FIXTURE = "unsure-fixture"
    MAY_NEED_WEB = "may-need-web"
    READS_CLOCK = "reads-clock"
    READS_FILE_TIMES = "reads-file-times"
    ABSOLUTE_PATH = "absolute-path"
    GUARDED_IMPORT = "guarded-import"
    SUBPROCESS_WITHOUT_TIMEOUT = "subprocess-without-timeout"
    AGENT_CODE_IN_CHECKER = "agent-code-in-checker"
    LISTS_WORKSPACE_ROOT = "lists-workspace-root"
    EXPECTS_FROM_INPUTS = "expects-from-inputs"
    READS_FINAL_MESSAGE = "reads-final-message"
    OWN_REWARD = "own-reward"
    OTHER_REWARD_SCRIPT = "other-reward-script"
    USES_SUBPROCESS = "uses-subprocess"
    WORKSPACE_PATH = "workspace-path"
    MENTIONS_WEB = "mentions-web"
    BANS_WEB = "bans-web"
    NAMES_URL = "names-url"
    OUTSIDE_PATH = "outside-path"
    CHECKER_NETWORK = "checker-network"
    NO_ORACLE = "no-oracle"
    NO_RUBRIC = "no-rubric"
    NO_CATEGORY = "no-category"
    NO_LICENCE = "no-licence"
    NO_OUTPUTS = "no-outputs"
    OUTPUTS_LEFT_OUT = "outputs-left-out"
    UNKNOWN_FIELD = "unknown-field"
    UNKNOWN_FILE = "unknown-file"
    EMPTY_FOLDER = "empty-folder"


_BLOCKS = ("missing-fixture", "needs-web", "mounted-elsewhere", "unguarded-import")
_NOTES = (
    "uses-subprocess",
    "workspace-path",
    "mentions-web",
    "bans-web",
    "names-url",
    "no-oracle",
    "no-rubric",
    "no-category",
    "no-licence",
    "no-outputs",
    "outputs-left-out",
    "unknown-field",
    "unknown-file",
    "empty-folder",
)
SEVERITIES: Mapping[LossCode, Severity] = MappingProxyType(
    {
        code: Severity.BLOCKS if code in _BLOCKS else Severity.NOTE if code in _NOTES else Severity.WARPS
        for code in LossCode
    }
)


class Loss(Frozen):
    """One finding about one task."""

    code: LossCode
    severity: Severity
    detail: Shown
    """What was seen, in a few words."""


def loss(code: LossCode, *seen: str) -> Loss:
    """A finding with the severity of its code; of many things seen the first five are named."""
    more = f" and {len(seen) - 5} more" if len(seen) > 5 else ""
    return Loss(code=code, severity=SEVERITIES[code], detail=", ".join(seen[:5])[:300] + more)


class ImportedTask(Frozen):
    """A task that was written, and what it lost or always lacked."""

    id: str
    original: Shown
    """Its folder, relative to the source."""
    outputs: tuple[Shown, ...]
    """The paths that the prompt asks for, as far as its text shows them."""
    losses: tuple[Loss, ...]


class SkippedFolder(Frozen):
    """A folder that could not become a task."""

    original: Shown
    reason: Shown


class ImportReport(Frozen):
    """What an import gave."""

    imported: tuple[ImportedTask, ...]
    skipped: tuple[SkippedFolder, ...]

    def counts(self) -> dict[LossCode, int]:
        """The number of tasks with each finding, by severity and code; codes that never occur are left out."""
        seen = Counter(code for task in self.imported for code in {found.code for found in task.losses})
        order = list(Severity)
        return {code: seen[code] for code in sorted(seen, key=lambda code: (order.index(SEVERITIES[code]), code))}
