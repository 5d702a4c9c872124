"""A program of its own: `transformers serve` on one folder, as Inspect's client and a clumsy model need it.

`python -m clawgym_bench.local_model.serve FOLDER HOST PORT`; nothing imports it, since it loads torch.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from transformers.cli.serving import chat_completion
from transformers.cli.transformers import main

parse = chat_completion.parse_assistant_message


def parse_or_leave(*arguments: Any, cleaned_content: str = "", **named: Any) -> tuple[str, Any, Any]:  # noqa: ANN401
    """Leave an answer as text whose calls are no JSON objects; the server would fail on it, as if it were at fault."""
    try:
        content, reasoning, calls = parse(*arguments, cleaned_content=cleaned_content, **named)
        are_whole = all(isinstance(json.loads(call.arguments), dict) for call in calls or [])
    except (KeyError, TypeError, ValueError):
        are_whole = False
    return (content, reasoning, calls) if are_whole else (cleaned_content, None, None)


if __name__ == "__main__":
    folder, host, port = sys.argv[1:4]
    # the server refuses requests with this field, which Inspect always sends; `auto` is what it does anyway
    chat_completion.UNUSED_CHAT_COMPLETION_FIELDS.discard("tool_choice")
    chat_completion.parse_assistant_message = parse_or_leave
    # clients must name the model as the server does: by its folder's name, from the folder above
    os.chdir(Path(folder).parent)
    sys.argv = ["transformers", "serve", Path(folder).name, "--device", "cpu", "--host", host, "--port", port]
    main()
