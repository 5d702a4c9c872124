"""Text as agents and office programs write it: a BOM, CRLF and NFD names change nothing of its meaning."""

import re
import unicodedata

from clawgym_data.formats.unreadable import Unreadable

_WORD = re.compile(r"\w")
_LETTERS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_PLAIN = str.maketrans(
    {
        "‘": "'",
        "’": "'",
        "“": '"',
        "”": '"',
        "‐": "-",
        "‑": "-",
        "–": "-",
        "−": "-",
        "—": " - ",
    }
)
RUNS_A_COMPOUND = 5
"""Of so many runs one may be a compound such as `well-known` before the parts of compounds count as words."""


def decode_text(content: bytes) -> str:
    """UTF-8 text without BOM, in NFC, with line feeds only.

    Raises:
        Unreadable: where it is not UTF-8 or contains a NUL.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable(f"is not UTF-8 text (byte {error.start})") from error
    if "\x00" in text:
        raise Unreadable("contains NUL bytes")
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


def word_count(text: str) -> int:
    """Words: runs without white space that hold a letter or a digit.

    Letters joined by something else than white space are one word, but only in one run of `RUNS_A_COMPOUND`: a text
    whose words are chained by hyphens, commas or invisible characters is as long as it reads.
    """
    runs = [run for run in text.split() if _WORD.search(run)]
    joined = sum(max(0, len(_LETTERS.findall(run)) - 1) for run in runs)
    return len(runs) + max(0, joined - len(runs) // RUNS_A_COMPOUND)


def folded(text: str) -> str:
    """For comparing names and phrases: NFC, case-folded, white space collapsed, typographic quotes and dashes plain.

    A dash as long as an em separates words; characters that nobody sees are left out.
    """
    plain = unicodedata.normalize("NFC", _UNSEEN.sub("", text)).translate(_PLAIN)
    return " ".join(plain.casefold().split())
