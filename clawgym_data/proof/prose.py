"""Where labelled answers, figures and dates stand in a text, so that they can be written otherwise."""

import calendar
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from clawgym_data.formats.day import dates

_LINE = re.compile(r"(\s*(?:[-*+•–]|\d+[.)])\s+[*_`]*)([^:*_`\n]{1,80}?)([*_`]*\s*:[*_`]*\s*)(.*)")
TAG = re.compile(r"\b[A-Za-z]{1,6}-?\d+(?:-\d+)*\b|\b\d+[A-Za-z]{1,3}-\d+\b")
_DATE = re.compile(
    r"(?<!\d)(?P<iso>\d{4}-\d{2}-\d{2})(?!\d)"
    r"|(?<!\d)(?P<day>\d{1,2}(?:st|nd|rd|th)?(?: of)?\s+[A-Za-z]{3,9}\.?,?\s+\d{4})(?!\d)"
    r"|\b(?P<month>[A-Za-z]{3,9}\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+\d{4})(?!\d)"
)
_FIGURE = re.compile(r"(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?!\d)(?![.,]\d)")
_CLOCK = re.compile(
    r"(?<![\w:.])\d{1,2}(?:[:.]\d{2})(?::\d{2})?(?:\s*[ap]\.?m\.?)?(?!\d)|(?<!\w)\d{1,2}\s*[ap]\.?m\b", re.IGNORECASE
)
_WORDS = re.compile(r"[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*)*")
MONTHS = calendar.month_name[1:]


@dataclass(frozen=True, slots=True)
class LabelLine:
    """One bullet with a label: `head + label + colon + answer` is the line."""

    number: int
    """Of the line, from 0."""
    head: str
    label: str
    """As declared."""
    written: str
    """As it stands there."""
    colon: str
    answer: str

    @property
    def text(self) -> str:
        """The line."""
        return f"{self.head}{self.written}{self.colon}{self.answer}"

    def with_answer(self, answer: str) -> "LabelLine":
        """The same label before another answer."""
        return replace(self, answer=answer)


def label_lines(text: str, labels: Iterable[str]) -> list[LabelLine]:
    """The lines that carry one of the labels, in the order of the text."""
    wanted = {label.casefold(): label for label in labels}
    found = []
    for number, line in enumerate(text.split("\n")):
        match = _LINE.fullmatch(line)
        label = wanted.get(" ".join(match[2].split()).casefold()) if match else None
        if match and label is not None:
            found.append(LabelLine(number, match[1], label, match[2], match[3], match[4]))
    return found


def with_lines(text: str, lines: Iterable[LabelLine]) -> str:
    """The text with these label lines in place of what stands at their numbers."""
    all_lines = text.split("\n")
    for line in lines:
        all_lines[line.number] = line.text
    return "\n".join(all_lines)


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text."""

    start: int
    end: int
    text: str


def date_spans(text: str) -> list[Span]:
    """The calendar dates that `formats.note.dates` reads too."""
    return [Span(m.start(), m.end(), m[0]) for m in _DATE.finditer(text) if len(dates(m[0])) == 1]


def _masked(text: str, spans: Iterable[Span]) -> str:
    for span in spans:
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text


def figure_spans(text: str) -> list[Span]:
    """The figures outside of dates, times and tags."""
    outside = _masked(text, [*date_spans(text), *clock_spans(text)])
    outside = TAG.sub(lambda tag: " " * len(tag[0]), outside)
    return [Span(m.start(), m.end(), m[0]) for m in _FIGURE.finditer(outside)]


def clock_spans(text: str) -> list[Span]:
    """Times of day with minutes separated by a colon, or with am or pm."""
    found = [Span(m.start(), m.end(), m[0]) for m in _CLOCK.finditer(_masked(text, date_spans(text)))]
    return [span for span in found if ":" in span.text or "m" in span.text.lower()]


def words_span(text: str) -> Span | None:
    """The longest run of words outside of figures and dates, such as a name."""
    outside = _masked(text, [*date_spans(text), *figure_spans(text)])
    found = sorted(_WORDS.finditer(outside), key=lambda m: len(m[0]))
    return Span(found[-1].start(), found[-1].end(), found[-1][0]) if found else None


def substituted(text: str, spans: Iterable[Span], new: Callable[[Span], str]) -> str:
    """The text with each span rewritten."""
    for span in sorted(spans, key=lambda s: s.start, reverse=True):
        text = text[: span.start] + new(span) + text[span.end :]
    return text


def number_of(span: Span) -> Decimal:
    """The value of a figure."""
    return Decimal(span.text.replace(",", ""))


def moved_figure(span: Span, step: Decimal) -> str:
    """The figure plus `step`, with as many decimals and separators as before."""
    return f"{number_of(span) + step:,f}" if "," in span.text else f"{number_of(span) + step:f}"


def with_thousands(span: Span) -> str:
    """The figure with separators of thousands."""
    return f"{number_of(span):,f}"


def moved_date(span: Span, days: int = 0, years: int = 0) -> str:
    """The date some days or years later, written in the same form."""
    day = dates(span.text)[0] + timedelta(days=days)
    if years:
        day = day.replace(year=day.year + years, day=28 if (day.month, day.day) == (2, 29) else day.day)
    return _dated(span.text, day)


def other_form(span: Span) -> str:
    """The same date in words where it was ISO, and the other way round."""
    day = dates(span.text)[0]
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}" if span.text[:4].isdigit() else day.isoformat()


def _dated(form: str, day: date) -> str:
    if form[:4].isdigit():
        return day.isoformat()
    month = re.search(r"[A-Za-z]{3,}", form)
    name = MONTHS[day.month - 1]
    if month and len(month[0]) == 3 and month[0].lower() != "may":
        name = name[:3]
    return f"{day.day} {name} {day.year}" if form[0].isdigit() else f"{name} {day.day}, {day.year}"


def opening_block(text: str) -> tuple[int, int] | None:
    """First line and line after the last of the first paragraph, if it is neither heading nor list."""
    lines = text.split("\n")
    start = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), None)
    if start is None or re.match(r"\s*(?:[-*+•–]|\d+[.)])\s", lines[start]):
        return None
    end = next((n for n in range(start, len(lines)) if not lines[n].strip()), len(lines))
    return start, end
