"""Text of agents as it may be shown: nothing in it moves a cursor, hides other text or turns its direction."""

import unicodedata

KEPT = {"\n", "\t", "\u200c", "\u200d"}
"""Line break, tab, and the two joiners that scripts and emoji need."""
ACTING = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
"""Unicode's categories of control and format characters, halves of characters, private ones and line separators."""


def visible(text: str) -> str:
    """The text with every character that acts instead of being seen as its escape."""
    return "".join(map(_seen, text.replace("\r\n", "\n")))


def _seen(character: str) -> str:
    if character in KEPT or unicodedata.category(character) not in ACTING:
        return character
    return character.encode("unicode_escape").decode("ascii")


def shortened(text: str, max_chars: int | None, max_lines: int = 30) -> tuple[str, str]:
    """The beginning of a text, and how much of it is left out: empty where nothing is, and never just a little.

    Args:
        text: any.
        max_chars: None: all of it.
        max_lines: so many at most.
    """
    if max_chars is None or (len(text) <= max_chars * 1.25 and text.count("\n") < max_lines * 1.25):
        return text, ""
    begin = "\n".join(text[:max_chars].split("\n")[:max_lines])
    return begin, f"[{len(text) - len(begin):,} more characters of {len(text):,}]"


def one_line(text: str, max_chars: int) -> str:
    """The beginning of a text on one line."""
    flat = " ".join(text[: max_chars * 4].split())
    return flat if len(flat) <= max_chars and len(text) <= max_chars * 4 else f"{flat[:max_chars]}..."
