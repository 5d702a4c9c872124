"""What no declarative kind says: how each text begins, and how long texts and panel are."""

import re

BULLET = re.compile(r"[-*+] +([A-G]): *(.*)")
TEXT_WORDS, PANEL_WORDS = (25, 45), (40, 70)  # by the guide and Ines's mail of February


def texts_in_form(workspace, beginnings):
    """The share above half of the seven texts that begin and are as long as the guide wants; nothing without a panel in form."""
    path = workspace / "case-4/texts.md"
    if not path.is_file():
        return 0.0, "there are no texts"
    lines = plain(path.read_text("utf-8-sig", errors="replace")).split("\n")
    texts = {match[1]: match[2] for match in map(BULLET.match, lines) if match}
    right = [place for place, words in beginnings.items() if in_form(texts.get(place, ""), words)]
    if not long_enough(" ".join(panel(lines)), PANEL_WORDS):
        return 0.0, "the panel has another length"
    return max(0.0, 2 * len(right) / len(beginnings) - 1), f"{len(right)} of {len(beginnings)} texts in form"


def plain(text):
    """Without emphasis, code marks and carriage returns, straight apostrophes, further lines of a bullet in its first."""
    text = re.sub(r"[*_]{2}|(?<=\S)\*|\*(?=\S)|(?<!\w)_|_(?!\w)|[`\r]", "", text).replace("\u2019", "'")
    return re.sub(r"\n {2,}(?=\S)", " ", text)


def panel(lines):
    """The lines above the first bullet, headings left out."""
    for line in lines:
        if BULLET.match(line):
            return
        if not line.startswith("#"):
            yield line


def in_form(text, words):
    begins = " ".join(text.split()).casefold().startswith(f"{words}.".casefold())
    return begins and long_enough(text, TEXT_WORDS)


def long_enough(text, limits):
    """Inside the limits, whichever way chained words are counted."""
    fewest = sum(any(map(str.isalnum, word)) for word in text.split())
    most = len(re.findall(r"[\w']+", text))
    return limits[0] <= most and fewest <= limits[1]
