"""Why a trial got its score: the text that a reader of the log sees beside it."""

from collections.abc import Sequence

from clawgym_data.grading.verdict import MIN_RUBRIC_TO_PASS, CheckResult, Verdict
from clawgym_data.outcome import Outcome

LIMITS = {
    "working": "working time",
    "time": "time (Inspect's)",
    "turn": "turns",
    "token": "tokens",
    "cost": "cost",
    "message": "messages",
    "context": "context: the conversation could not be made short enough for the model",
}
LIMIT_PREFIX = "limit: "
CHECK_COLUMNS = ("check", "role", "score", "weight", "evidence")
MAX_SHOWN_CHARACTERS = 500
"""Of one piece of evidence; the verdict in the score's metadata holds all of it."""


def explain(result: Verdict, outcome: Outcome, cause: str) -> str:
    """The score, how the trial ended, how the score is made, and each check with what it saw.

    Args:
        result: the verdict.
        outcome: how the trial ended.
        cause: why, as recorded.
    """
    rows = [[_shown(cell) for cell in row] for row in check_rows(result)]
    return "\n".join([*summary(result, outcome, cause), "", *_table(CHECK_COLUMNS, rows)])


def summary(result: Verdict, outcome: Outcome, cause: str) -> list[str]:
    """The score, how the trial ended and how the score is made, a line each."""
    return [_headline(result), _ending(outcome, cause), _sum(result), *_rubric(result)]


def check_rows(result: Verdict) -> list[tuple[str, ...]]:
    """A row of `CHECK_COLUMNS` for each check and criterion; the evidence quotes agents and judges as they are."""
    rows = [_check(check) for check in result.checks]
    for criterion in result.judged.criteria if result.judged else ():
        level = "undecided" if criterion.score is None else _number(criterion.score)
        rows.append((criterion.id, "criterion", level, _number(criterion.weight), criterion.evidence))
    return rows


def explain_unscored(outcome: Outcome, cause: str) -> str:
    """Why a trial has no score."""
    whose = {
        Outcome.INFRA_FAILED: "something failed that is not the agent",
        Outcome.GRADER_FAILED: "the task's checks failed, for the initial workspace too, or could not be run",
    }
    reason = whose.get(outcome, outcome.value)
    return f"{outcome.value}: {_shown(cause)}\nno score: {reason}; the trial is in no mean and widens the bounds"


def _headline(result: Verdict) -> str:
    if result.rubric_state == "undecided":
        return f"no score: the judge is undecided; code {_number(result.code)}"
    if result.passed:
        return f"score {_number(result.score)}, passed"
    return f"score {_number(result.score)}, not passed: {', '.join(_missing(result)) or 'no check is required'}"


def _missing(result: Verdict) -> list[str]:
    """What stands between the trial and `passed`."""
    missing = [f"{check.id} is below 1" for check in result.checks if check.required and check.counted < 1]
    missing += [
        f"the {check.role} {check.id} failed"
        for check in result.checks
        if check.role in ("guard", "gate") and check.score < 1
    ]
    if result.rubric is not None and result.rubric < MIN_RUBRIC_TO_PASS:
        missing.append(f"the rubric is below {MIN_RUBRIC_TO_PASS}")
    return missing


def _ending(outcome: Outcome, cause: str) -> str:
    said = _shown(cause)
    if cause.startswith(LIMIT_PREFIX):
        kind = cause.removeprefix(LIMIT_PREFIX)
        said = f"stopped at its limit of {LIMITS.get(kind, kind)}; the workspace is graded as it stood"
    elif outcome is Outcome.AGENT_FAILED:
        said = f"{said}; the workspace is graded as it stood"
    elif outcome is Outcome.SCORED and not cause:
        said = "the agent ended by itself"
    return f"{outcome.value}: {said}"


def _sum(result: Verdict) -> str:
    parts = f"outcomes {_number(result.ungated)} x guards {_number(result.guards)} x safety {_number(result.safety)}"
    return f"code {_number(result.code)} = {parts}"


def _rubric(result: Verdict) -> list[str]:
    """What the judged part is, where the task has one."""
    said = {
        "none": [],
        "not_measured": ["rubric not measured: the run has no judge, the score is the code's"],
        "undecided": ["rubric undecided: the judge gave no usable answer"],
        "measured": [f"rubric {_number(result.rubric or 0)}; the score weighs code and rubric as the task says"],
    }
    return said[result.rubric_state]


def _check(check: CheckResult) -> tuple[str, ...]:
    role = f"{check.role}, required" if check.required else check.role
    score = _number(check.counted)
    if check.counted != check.score:
        score = f"{score} ({_number(check.score)}, but a check that it needs failed)"
    evidence = f"{check.evidence} ({check.broken})" if check.broken else check.evidence
    return check.id, role, score, _number(check.weight) if check.role == "outcome" else "", evidence


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """A Markdown table, which the viewer draws."""
    lines = [head, ["---"] * len(head), *rows]
    return [f"| {' | '.join(cells)} |" for cells in lines]


def _shown(text: str) -> str:
    """Words of an agent or a judge on one line: nothing in them ends a cell or moves a terminal's cursor."""
    cut = text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[:MAX_SHOWN_CHARACTERS]}..."
    return "".join(c if c.isprintable() else _escaped(c) for c in cut).replace("|", "\\|")


def _escaped(character: str) -> str:
    return " " if character == "\n" else character.encode("unicode_escape").decode("ascii")


def _number(value: float) -> str:
    return f"{value:.4g}"
