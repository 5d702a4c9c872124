"""Mutants of a note: prose with labelled lines.

Labels may stand in any order unless the output says `required`. Where an opening paragraph is asked for, leaving it out
breaks; a wrong figure in it is undetermined, since the outputs do not say which of its figures is asked for. What only
moves words or sentences about is for a judge.
"""

import random
import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import partial
from itertools import pairwise

from clawgym_data.formats.day import dates
from clawgym_data.formats.figure import figures
from clawgym_data.formats.text import decode_text, folded, word_count
from clawgym_data.formats.unreadable import Unreadable
from clawgym_data.proof.alter import NUMERIC, choices, misspelt, wrong_tag
from clawgym_data.proof.answer import Edit
from clawgym_data.proof.mutate_file import file_edits, form_edits
from clawgym_data.proof.prose import (
    TAG,
    LabelLine,
    Span,
    clock_spans,
    date_spans,
    figure_spans,
    label_lines,
    moved_date,
    moved_figure,
    opening_block,
    other_form,
    substituted,
    with_lines,
    with_thousands,
    words_span,
)
from clawgym_data.proof.vocabulary import Vocabulary
from clawgym_data.spec.output import Output, split_type

NEUTRAL_CLOSING = "\nThat is all for now.\n"
TITLE = "# A note\n\n"
Wrong = tuple[str, str]
"""What was done and the changed answer."""


def note_edits(output: Output, content: bytes, words: Vocabulary, seed: int) -> Iterator[Edit]:
    """The changes of one note; those that came out otherwise than their class says are left out."""
    yield from file_edits(content)
    try:
        text = decode_text(content)
    except Unreadable:
        return
    lines = label_lines(text, output.columns)
    before = note_meaning(output, text)
    made = [
        *_answer_edits(output, text, lines, words),
        *_label_edits(output, text, lines, seed),
        *_prose_edits(output, text),
    ]
    for edit in made:
        same = edit.content is not None and note_meaning(output, edit.content.decode()) == before
        if same == (edit.group == "neutral"):
            yield edit
    if not output.in_place:
        yield from form_edits(output, content)
        yield from _form_edits(output, text, lines, before)


def note_meaning(output: Output, text: str) -> object:
    """A form that two notes share where their labelled answers, opening paragraph and length agree."""
    lines = label_lines(text, output.columns)
    answers = sorted((line.label, repr(answer_meaning(output.type_of(line.label), line.answer))) for line in lines)
    if output.order.get("labels") == "required":
        answers.insert(0, ("order", repr([line.label for line in lines])))
    block = opening_block(text) if "paragraph" in output.order else None
    opening = folded(" ".join(text.split("\n")[slice(*block)])) if block else ""
    fits = output.max_words is None or word_count(text) <= output.max_words
    return (answers, sorted(dates(opening)), figures(opening), bool(opening), fits)


def answer_meaning(declared: str, answer: str) -> object:
    """What a labelled answer says, part by part of its type."""
    plain = re.sub(r"[*_`]{1,3}", "", answer)
    parts: list[object] = []
    for kind in split_type(declared):
        if kind in NUMERIC:
            parts.append(tuple(figures(substituted(plain, date_spans(plain), lambda _: " "))))
        elif kind == "date":
            parts.append(tuple(dates(plain)))
        else:
            known = [*date_spans(plain), *(figure_spans(plain) if len(split_type(declared)) > 1 else [])]
            parts.append(folded(substituted(plain, known, lambda _: " ")))
    return tuple(parts)


def _answer_edits(output: Output, text: str, lines: Sequence[LabelLine], words: Vocabulary) -> Iterator[Edit]:
    for line in lines:
        for kind in split_type(output.type_of(line.label)):
            peers = [
                other.answer
                for other in lines
                if other.label != line.label and kind in split_type(output.type_of(other.label))
            ]
            for what, answer in wrong_answers(kind, line.answer, peers, words, output.tolerance):
                changed = with_lines(text, [line.with_answer(answer)])
                cell = (line.label,) if kind in NUMERIC else (line.label, kind)
                yield Edit(f"{line.label} {what}", "breaking", changed.encode(), cell)


def wrong_answers(kind: str, answer: str, peers: Sequence[str], words: Vocabulary, tolerance: float) -> list[Wrong]:
    """Answers that say something else in the part of that base type."""
    if kind in NUMERIC:
        return _wrong_figures(kind, answer, tolerance)
    match kind:
        case "date":
            spans = date_spans(answer)[:1]
            days = [
                ("a day later", lambda span: moved_date(span, days=1)),
                ("a year earlier", lambda span: moved_date(span, years=-1)),
            ]
            return [(what, substituted(answer, spans, new)) for what, new in days if spans]
        case "time":
            spans = clock_spans(answer)[:1]
            return [("another time", substituted(answer, spans, _other_clock))] if spans else []
        case "flag":
            return [("flipped", _flipped(answer))]
        case "tag" | "tags":
            return _wrong_tags(kind, answer, peers, words)
        case _ if kind.startswith("choice("):
            return _wrong_choice(kind, answer)
        case _:
            return _wrong_words(kind, answer, peers, words)


def _wrong_figures(kind: str, answer: str, tolerance: float) -> list[Wrong]:
    spans = figure_spans(answer)
    if not spans:
        return []
    places = 0 if kind == "whole" else len(spans[0].text.partition(".")[2])
    step = Decimal(1).scaleb(-places) + (0 if kind == "whole" else 2 * Decimal(str(tolerance)))
    return [(f"{move:+f}", substituted(answer, spans[:1], partial(moved_figure, step=move))) for move in (step, -step)]


def _other_clock(span: Span) -> str:
    hour, rest = re.match(r"(\d+)(.*)", span.text, re.DOTALL).groups()  # type: ignore[union-attr]
    return f"{(int(hour) + 1) % 24 if ':' in rest and 'm' not in rest.lower() else int(hour) % 12 + 1:02d}{rest}"


def _flipped(answer: str) -> str:
    yes = re.match(r"[*_`\s]*(yes|true|y)\b", answer, re.IGNORECASE)
    return "no" if yes else "yes"


def _wrong_tags(kind: str, answer: str, peers: Sequence[str], words: Vocabulary) -> list[Wrong]:
    tags = [match[0] for match in TAG.finditer(answer)]
    if not tags:
        return _wrong_words("text", answer, peers, words)
    form = re.sub(r"\d", "0", tags[0])
    other = next((tag for tag in words.tags if re.sub(r"\d", "0", tag) == form and tag not in tags), wrong_tag(tags[0]))
    found = [(f"to {other}", answer.replace(tags[0], other, 1))]
    if kind == "tags" and len(tags) > 1:
        found.append(
            (f"without {tags[-1]}", re.sub(r"[,;\s]*(?:and\s+)?" + re.escape(tags[-1]) + r"(?![\w-])", "", answer))
        )
    return found


def _wrong_choice(kind: str, answer: str) -> list[Wrong]:
    said = [choice for choice in choices(kind) if folded(choice) in folded(answer)]
    chosen = max(said, key=len, default=None)
    return [(f"to {choice}", choice) for choice in choices(kind) if choice != chosen][:2]


def _wrong_words(kind: str, answer: str, peers: Sequence[str], words: Vocabulary) -> list[Wrong]:
    span = words_span(answer) if kind == "name" else None
    old = span.text if span else answer
    peers = [inner.text for peer in peers if (inner := words_span(peer))] if kind == "name" else peers
    candidates = [*peers, *(words.names if kind == "name" else words.sentences)]
    other = next((text for text in candidates if not _shared(old, text)), None)
    found = [("to something else", other)] if other else []
    found.append(("misspelt", misspelt(old)))
    return [(what, answer.replace(old, new, 1)) for what, new in found]


def _shared(one: str, other: str) -> bool:
    return not other.strip() or bool(set(folded(one).split()) & set(folded(other).split())) or bool(figure_spans(other))


def _label_edits(output: Output, text: str, lines: Sequence[LabelLine], seed: int) -> Iterator[Edit]:
    all_lines = text.split("\n")
    for line in lines:
        rest = all_lines[: line.number] + all_lines[line.number + 1 :]
        yield Edit(f"{line.label} dropped", "breaking", "\n".join(rest).encode(), (line.label,))
    for one, other in pairwise(lines):
        if output.type_of(one.label) == output.type_of(other.label):
            traded = with_lines(text, [one.with_answer(other.answer), other.with_answer(one.answer)])
            yield Edit(
                f"{one.label} and {other.label} exchanged", "breaking", traded.encode(), (one.label, other.label)
            )
    if not lines:
        return
    chosen = random.Random(f"note:{seed}").choice(lines)  # noqa: S311 - a reproducible draw
    second = f"{text.rstrip()}\n{chosen.head}{chosen.written}{chosen.colon}{misspelt(chosen.answer)}\n"
    yield Edit(f"{chosen.label} twice, answered otherwise", "breaking", second.encode(), (chosen.label,))
    bare = list(all_lines)
    for line in lines:
        bare[line.number] = f"{line.head}{line.answer}"
    yield Edit("answers without labels", "breaking", "\n".join(bare).encode(), ("labels",))


def _prose_edits(output: Output, text: str) -> Iterator[Edit]:
    lines, block = text.split("\n"), opening_block(text)
    if block and output.order.get("paragraph") == "first":
        rest = "\n".join(lines[: block[0]] + lines[block[1] :]).lstrip("\n")
        yield Edit("opening paragraph dropped", "breaking", rest.encode(), ("paragraph",))
    if output.max_words is not None:
        longer = text.rstrip() + "\n\n" + "very " * (output.max_words + 10 - word_count(text)) + "well.\n"
        yield Edit("too many words", "breaking", longer.encode(), ("words",))
    if not block:
        return
    opening = "\n".join(lines[slice(*block)])
    spans = figure_spans(opening)[:1]
    if spans and "paragraph" in output.order:
        changed = substituted(opening, spans, lambda span: moved_figure(span, Decimal(1)))
        yield Edit("opening figure +1", "undetermined", text.replace(opening, changed, 1).encode(), ("paragraph",))
    sentences = re.split(r"(?<=[.!?])\s+", opening)
    if len(sentences) > 1:
        turned = " ".join(sentences[::-1])
        yield Edit(
            "opening sentences reversed", "judge_only", text.replace(opening, turned, 1).encode(), ("paragraph",)
        )


def _form_edits(output: Output, text: str, lines: Sequence[LabelLine], before: object) -> Iterator[Edit]:
    all_lines = text.split("\n")
    forms = {
        "a title added": text if text.startswith("#") else TITLE + text,
        "a closing line without figures": text.rstrip("\n") + "\n" + NEUTRAL_CLOSING,
        "decomposed characters": unicodedata.normalize("NFD", text),
        "star bullets": "\n".join(re.sub(r"^(\s*)- ", r"\1* ", line) for line in all_lines),
        "bold labels": with_lines(text, [_bold(line) for line in lines]),
        "thousands separated": with_lines(text, [_separated(output, line) for line in lines]),
        "dates in another form": with_lines(text, [_other_dates(output, line) for line in lines]),
        "labels reversed": _reversed(output, text, lines),
    }
    for what, changed in forms.items():
        if changed != text and note_meaning(output, changed) == before:
            yield Edit(what, "neutral", changed.encode(), ("form",))


def _bold(line: LabelLine) -> LabelLine:
    return LabelLine(
        line.number, line.head.rstrip("*_`") + "**", line.label, line.written, ":** ", line.answer.lstrip("*_` ")
    )


def _separated(output: Output, line: LabelLine) -> LabelLine:
    if not set(split_type(output.type_of(line.label))) & set(NUMERIC):
        return line
    return line.with_answer(substituted(line.answer, figure_spans(line.answer), with_thousands))


def _other_dates(output: Output, line: LabelLine) -> LabelLine:
    if "date" not in split_type(output.type_of(line.label)):
        return line
    return line.with_answer(substituted(line.answer, date_spans(line.answer), other_form))


def _reversed(output: Output, text: str, lines: Sequence[LabelLine]) -> str:
    numbers = [line.number for line in lines]
    together = bool(numbers) and numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    if output.order.get("labels") == "required" or not together:
        return text
    all_lines = text.split("\n")
    all_lines[numbers[0] : numbers[-1] + 1] = [line.text for line in lines[::-1]]
    return "\n".join(all_lines)
