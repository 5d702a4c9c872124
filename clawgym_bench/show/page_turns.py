"""The conversations of a trial as parts of its page."""

import json
from collections.abc import Sequence

from clawgym_bench.show.html import Html, element, joined
from clawgym_bench.show.text import one_line, shortened
from clawgym_bench.show.threads import Thread, Turn, answer_facts, results_by_call, rewrite_text
from clawgym_bench.trajectory import (
    AssistantEvent,
    ContextRewriteEvent,
    EnvironmentEvent,
    ToolCall,
    ToolEvent,
    Trajectory,
)
from clawgym_bench.trajectory.chat import told

MAX_CHARS = 100_000
"""Of one text: a page must open on a phone."""
OPEN_CHARS = 1500
"""Longer messages of the system and the user are folded."""


def thread_part(trajectory: Trajectory, thread: Thread) -> Html:
    """One conversation; those that are not the graded try's own are folded."""
    turns = [_turn(trajectory, turn) for turn in thread.turns]
    title = thread.title
    if thread.conversation.depth == 0 and thread.conversation.attempt == trajectory.attempts:
        return joined(element("h2", title[:1].upper() + title[1:]), *turns)
    return element("details", element("summary", title), *turns, class_="thread")


def _turn(trajectory: Trajectory, turn: Turn) -> Html:
    if isinstance(turn, ContextRewriteEvent):
        return element("div", rewrite_text(turn), class_="note", id=turn.id)
    if isinstance(turn, EnvironmentEvent):
        source = f" of {turn.source}" if turn.source else ""
        text = json.dumps(turn.data, ensure_ascii=False)
        return element("div", f"{turn.what}{source}: {one_line(text, 2000)}", class_="note", id=turn.id)
    if isinstance(turn, AssistantEvent):
        return _answer(trajectory, turn)
    return element("div", element("h3", turn.kind), _folded(turn.content), class_="turn", id=turn.id)


def _answer(trajectory: Trajectory, answer: AssistantEvent) -> Html:
    name, *facts = answer_facts(answer)
    on = [f"on {len(answer.conditioned_on)} messages"] if answer.conditioned_on else []
    return element(
        "div",
        element("h3", name, element("span", "".join(f" · {fact}" for fact in (*facts, *on)), class_="dim")),
        element("pre", answer.error, class_="bad") if answer.error else None,
        _fold("thoughts", answer.reasoning, "thought") if answer.reasoning else None,
        _text(answer.content, "said") if answer.content else None,
        *(_call(call, result) for call, result in results_by_call(trajectory, answer)),
        class_=f"turn assistant{' failed' if answer.error else ''}",
        id=answer.id,
    )


def _call(call: ToolCall, result: ToolEvent | None) -> Html:
    failed = result is not None and result.error is not None
    took = f" {result.seconds:.2f} s" if result is not None and result.seconds is not None else ""
    ended = "no result" if result is None else "error" if failed else "ok"
    told_in_short = one_line(" ".join(_value(value) for value in call.arguments.values()), 120)
    return element(
        "details",
        element(
            "summary", element("b", call.name), f" {told_in_short} ", element("span", f"{ended}{took}", class_="dim")
        ),
        *(joined(element("div", name, class_="dim"), _text(_value(value))) for name, value in call.arguments.items()),
        element("pre", f"malformed: {call.parse_error}", class_="bad") if call.parse_error else None,
        joined(element("div", "result", class_="dim"), _text(told(result), bad=failed)) if result else None,
        class_=f"call{' failed' if failed or call.parse_error else ''}",
        open=failed,
    )


def _value(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _folded(text: str) -> Html:
    if len(text) <= OPEN_CHARS:
        return _text(text)
    return _fold(f"{one_line(text, 100)} ({len(text):,} characters)", text)


def _fold(title: str, text: str, kind: str = "") -> Html:
    return element("details", element("summary", title, class_="dim"), _text(text, kind))


def _text(text: str, kind: str = "", bad: bool = False) -> Html:
    begin, left = shortened(text, MAX_CHARS, max_lines=5000)
    classes: Sequence[str] = [name for name in (kind, "bad" if bad else "") if name]
    tag = "div" if kind == "said" else "pre"
    return joined(element(tag, begin, class_=" ".join(classes)), element("div", left, class_="dim") if left else None)
