"""Long output made shorter, with a note that says what is missing."""

OUTPUT_MAX_CHARS = 30_000
"""Of what one tool call hands to the model."""


def cut(text: str, max_chars: int = OUTPUT_MAX_CHARS) -> str:
    """Keep the head and the tail of a text that is longer than `max_chars`."""
    if len(text) <= max_chars:
        return text
    head = max_chars // 2
    tail = max_chars - head
    left_out = len(text) - head - tail
    return f"{text[:head]}\n[... {left_out} of {len(text)} characters left out ...]\n{text[-tail:]}"
