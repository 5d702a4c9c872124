"""One trial on a terminal."""

import json
from collections.abc import Sequence

from rich.console import Console
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from clawgym_bench.explain import CHECK_COLUMNS, check_rows
from clawgym_bench.show.changes import Change
from clawgym_bench.show.text import one_line, shortened, visible
from clawgym_bench.show.threads import (
    Thread,
    Turn,
    agreement,
    answer_facts,
    around,
    figures,
    results_by_call,
    rewrite_text,
    threads,
    why,
)
from clawgym_bench.trajectory import AssistantEvent, Comparison, ContextRewriteEvent, EnvironmentEvent, Trajectory
from clawgym_bench.trajectory.chat import told

MAX_CHARS = 800
"""Of one text, unless all is wanted."""


class TrialPrinter:
    """Prints a trial part by part.

    Args:
        console: where to.
        full: whether long texts are printed whole.
    """

    def __init__(self, console: Console, full: bool) -> None:
        self._console = console
        self._max = None if full else MAX_CHARS

    def trial(self, trajectory: Trajectory, comparison: Comparison | None, changes: Sequence[Change] | str) -> None:
        """Print everything.

        Args:
            trajectory: the trial.
            comparison: with OpenClaw's own record; None where another solver acted.
            changes: of the workspace, or why they are not known.
        """
        self._header(trajectory)
        for thread in threads(trajectory):
            self._thread(trajectory, thread)
        self._changes(changes)
        self._verdict(trajectory)
        for line in agreement(comparison) if comparison else ():
            self._say(line)
        hidden = ", ".join(f"{number} {what}" for what, number in around(trajectory).items())
        if hidden:
            self._say(f"not shown: {hidden}", "dim")

    def _header(self, trajectory: Trajectory) -> None:
        grid = Table.grid(padding=(0, 2))
        for name, text in figures(trajectory):
            grid.add_row(Text(visible(name), "dim"), Text(visible(text)))
        for place, line in enumerate(why(trajectory)):
            grid.add_row(Text("why" if place == 0 else "", "dim"), Text(visible(line), "bold" if place == 0 else ""))
        self._console.print(grid)

    def _thread(self, trajectory: Trajectory, thread: Thread) -> None:
        self._console.print(Rule(Text(visible(thread.title)), style="dim"))
        if thread.conversation.attempt != trajectory.attempts and self._max is not None:
            self._say("an earlier try; --full shows it", "dim")
            return
        for turn in thread.turns:
            self._turn(trajectory, turn)

    def _turn(self, trajectory: Trajectory, turn: Turn) -> None:
        if isinstance(turn, ContextRewriteEvent):
            self._say(f"~ {rewrite_text(turn)}", "yellow")
        elif isinstance(turn, EnvironmentEvent):
            text = json.dumps(turn.data, ensure_ascii=False)
            self._say(f"! {turn.what}{f' of {turn.source}' if turn.source else ''}: {one_line(text, 500)}", "yellow")
        elif isinstance(turn, AssistantEvent):
            self._answer(trajectory, turn)
        else:
            self._console.print(Text(f"{turn.kind}", "bold cyan"))
            self._body(turn.content)

    def _answer(self, trajectory: Trajectory, answer: AssistantEvent) -> None:
        self._console.print(Text(visible(" · ".join(answer_facts(answer))), "bold green"))
        if answer.error is not None:
            self._body(answer.error, "bold red")
        if answer.reasoning:
            self._body(answer.reasoning, "dim italic")
        if answer.content:
            self._body(answer.content)
        for call, result in results_by_call(trajectory, answer):
            self._say(f"-> {call.name}", "bold blue", indent=2)
            for name, value in call.arguments.items():
                text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
                self._body(f"{name}: {text}", indent=5)
            if call.parse_error:
                self._body(f"malformed: {call.parse_error}", "red", indent=5)
            if result is None:
                self._say("<- no result", "dim", indent=2)
                continue
            took = f" ({result.seconds:.2f} s)" if result.seconds is not None else ""
            self._say(f"<- {'error' if result.error else 'result'}{took}", "red" if result.error else "dim", indent=2)
            self._body(told(result), "red" if result.error else "", indent=5)

    def _verdict(self, trajectory: Trajectory) -> None:
        if trajectory.verdict is None:
            return
        table = Table(title="verdict", title_justify="left", show_lines=False)
        for column in CHECK_COLUMNS:
            table.add_column(column, overflow="fold")
        for row in check_rows(trajectory.verdict):
            table.add_row(*(Text(visible(cell if self._max is None else one_line(cell, 300))) for cell in row))
        self._console.print(table)

    def _changes(self, changes: Sequence[Change] | str) -> None:
        if isinstance(changes, str):
            self._say(f"workspace: {changes}", "dim")
            return
        self._console.print(Rule(Text(f"workspace: {len(changes)} paths are not as they were"), style="dim"))
        for change in changes:
            self._say(f"{change.how} {change.path} ({change.facts})")
            for line in change.diff or () if self._max is None else ():
                self._say(line, {"+": "green", "-": "red"}.get(line[:1], "dim"), indent=2)

    def _body(self, text: str, style: str = "", indent: int = 2) -> None:
        begin, left = shortened(text.rstrip(), self._max)
        for part, how in ((begin, style), (left, "dim")):
            if part:
                self._say(part, how, indent)

    def _say(self, text: str, style: str = "", indent: int = 0) -> None:
        self._console.print(Padding(Text(visible(text), style), (0, 0, 0, indent), expand=False))
