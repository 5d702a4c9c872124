"""What logs say, on a terminal: names in them come from agents, models and files, so that none of it may act."""

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console
from rich.text import Text

from clawgym_bench.show.text import visible
from clawgym_data.progress import table_width


class LogConsole(Console):
    """Prints every text, those of tables too, as it stands: no markup, and what would act on a terminal as its escape."""

    def render_str(self, text: str, **options: Any) -> Text:  # noqa: ANN401 - as rich declares them
        """The text to be printed in the place of a string."""
        return super().render_str(visible(text), **options)


def log_console() -> LogConsole:
    """A console for what was read from logs, on standard output."""
    return LogConsole(highlight=False, markup=False, emoji=False, width=table_width())


def remark(lines: Iterable[str]) -> None:
    """Print lines on standard error."""
    for line in lines:
        print(visible(line), file=sys.stderr)  # noqa: T201 - called by commands alone
