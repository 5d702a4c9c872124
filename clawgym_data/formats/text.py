"""Text as agents and office programs write it: a BOM, CRLF and NFD names change nothing of its meaning."""

import re
import unicodedata

from clawgym_data.formats.unreadable import Unreadable

_WORD = re.compile(r"\w")


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
    """Words: runs without white space that hold a letter or a digit."""
    return sum(1 for word in text.split() if _WORD.search(word))


def folded(text: str) -> str:
    """For comparing names and phrases: NFC, case-folded, white space collapsed, typographic quotes and dashes plain."""
    plain = unicodedata.normalize("NFC", text).translate(_PLAIN)
    return " ".join(plain.casefold().split())


_PLAIN = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\xa0": " ", "‑": "-"})


def contains_phrase(text: str, phrase: str) -> bool:
    """Whether the phrase stands in the text as whole words, both `folded`."""
    where = folded(phrase)
    left = r"(?<!\w)" if where[:1].isalnum() else ""
    right = r"(?!\w)" if where[-1:].isalnum() else ""
    return re.search(left + re.escape(where) + right, folded(text)) is not None
