"""Programs that run inside a subject's sandbox; they travel there as text and import nothing of this project."""

from functools import cache
from pathlib import Path


@cache
def program_text(name: str) -> str:
    """The source of one of the programs: `driver` or `caller`."""
    return Path(__file__).with_name(f"{name}.py").read_text("utf-8")
