"""One trial as a static page: no network, no scripts, everything that an agent wrote escaped."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from clawgym_bench.explain import CHECK_COLUMNS, check_rows
from clawgym_bench.show.changes import Change
from clawgym_bench.show.html import Html, element, joined
from clawgym_bench.show.page_turns import thread_part
from clawgym_bench.show.text import shortened
from clawgym_bench.show.threads import agreement, around, figures, threads, why
from clawgym_bench.trajectory import Comparison, Trajectory

STYLE = (Path(__file__).parent / "page.css").read_text("utf-8")
POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
MAX_SHOWN_CHANGES = 200
MAX_DIFF_LINES = 1500


def page_of(trajectory: Trajectory, comparison: Comparison | None, changes: Sequence[Change] | str) -> str:
    """The page.

    Args:
        trajectory: the trial.
        comparison: with OpenClaw's own record; None where another solver acted.
        changes: of the workspace, or why they are not known.
    """
    title = f"{trajectory.task}, trial {trajectory.epoch}"
    head = element(
        "head",
        Html('<meta charset="utf-8">'),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'),
        Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Html('<meta name="referrer" content="no-referrer">'),
        element("title", title),
        element("style", Html(STYLE)),
    )
    body = element(
        "body",
        _header(trajectory, title),
        element("h2", "Instruction"),
        element("pre", trajectory.instruction),
        _verdict(trajectory),
        _judge(trajectory),
        *(thread_part(trajectory, thread) for thread in threads(trajectory)),
        _workspace(changes),
        _agreement(comparison),
        _usage(trajectory),
    )
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


def _header(trajectory: Trajectory, title: str) -> Html:
    good = {True: " good", False: " bad", None: ""}[trajectory.passed]
    score = "no score" if trajectory.score is None else f"{trajectory.score:.3f}"
    passed = {True: ", passed", False: ", not passed", None: ""}[trajectory.passed]
    lines = why(trajectory)
    return joined(
        element("h1", title),
        element(
            "p",
            element("span", f"{score}{passed}", class_=f"badge{good}"),
            element("span", f" {trajectory.outcome} · {trajectory.solver} · {trajectory.model}"),
        ),
        *(element("div", line, class_="" if place == 0 else "dim") for place, line in enumerate(lines)),
    )


def _verdict(trajectory: Trajectory) -> Html | None:
    if trajectory.verdict is None:
        return None
    return joined(element("h2", "Checks"), table(CHECK_COLUMNS, check_rows(trajectory.verdict), {2, 3}))


def _judge(trajectory: Trajectory) -> Html | None:
    judged = trajectory.verdict.judged if trajectory.verdict else None
    if judged is None:
        return None
    rows = [
        (criterion.id, "unusable" if vote.level is None else f"{vote.level:.4g}", vote.reason)
        for criterion in judged.criteria
        for vote in criterion.votes
    ]
    own = ", the evaluated model itself" if judged.self_judged else ""
    return joined(
        element("h2", "The judge's words"),
        element("p", f"{judged.judge}{own}", class_="dim"),
        table(("criterion", "level", "reason"), rows, {1}),
    )


def _workspace(changes: Sequence[Change] | str) -> Html:
    head = element("h2", "Workspace")
    if isinstance(changes, str):
        return joined(head, element("p", changes, class_="dim"))
    more = len(changes) - MAX_SHOWN_CHANGES
    return joined(
        head,
        element("p", f"{len(changes)} paths are not as they were", class_="dim"),
        *map(_change, changes[:MAX_SHOWN_CHANGES]),
        element("p", f"and {more} more") if more > 0 else None,
    )


def _change(change: Change) -> Html:
    facts = element("span", f" {change.facts}", class_="dim")
    if change.diff is None:
        return element(
            "p", f"{change.how} ", element("code", change.path), facts, element("span", " (no text)", class_="dim")
        )
    more = len(change.diff) - MAX_DIFF_LINES
    return element(
        "details",
        element("summary", f"{change.how} ", element("code", change.path), facts),
        element("pre", *(_diff_line(line) for line in change.diff[:MAX_DIFF_LINES])),
        element("p", f"and {more} more lines", class_="dim") if more > 0 else None,
        open=len(change.diff) <= 40,
    )


def _diff_line(line: str) -> Html:
    kind = {"+": "plus", "-": "minus", "@": "hunk"}.get(line[:1], "same")
    return element("span", shortened(line, 2000)[0] or " ", class_=kind)


def _agreement(comparison: Comparison | None) -> Html | None:
    if comparison is None:
        return None
    first, *rest = agreement(comparison)
    return joined(
        element("h2", "OpenClaw's own record"),
        element("p", first, class_="" if comparison.agrees else "bad"),
        *(element("div", line, class_="dim") for line in rest),
    )


def _usage(trajectory: Trajectory) -> Html:
    hidden = [(f"not shown: {what}", f"{number} events") for what, number in around(trajectory).items()]
    return joined(element("h2", "Run"), table(("", ""), [*figures(trajectory), *hidden], set()))


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], numbers: set[int]) -> Html:
    """A table; cells of `numbers` do not wrap, and on a narrow screen each cell that needs it names its column."""

    def cells(row: Sequence[str]) -> Iterator[Html]:
        for place, cell in enumerate(row):
            kind = "number" if place in numbers else ""
            yield element("td", cell, class_=kind, data_label=columns[place] if place in numbers and cell else False)

    head = element("tr", *(element("th", column) for column in columns)) if any(columns) else None
    return element("table", head, *(element("tr", *cells(row)) for row in rows))
