#!/usr/bin/python3
"""Stands where Claude Code would: asks the model, runs its `Bash` calls, and fails as the prompt says."""

import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

TOOL = {
    "name": "Bash",
    "description": "Run a command.",
    "input_schema": {"type": "object", "properties": {"command": {"type": "string"}}},
}
SEARCH = {"type": "web_search_20250305", "name": "web_search"}


def ask(messages: list[Any]) -> Any:
    """One call of the model; the proxy beside this program may not listen yet."""
    body = {"model": "any", "max_tokens": 1000, "messages": messages, "tools": [TOOL, SEARCH]}
    url = f"{os.environ['ANTHROPIC_BASE_URL']}/v1/messages"
    headers = {"content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": "none"}
    for attempt in range(100):
        try:
            with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            sys.exit(f"API Error: {error.code} {error.read().decode()[:300]}")
        except urllib.error.URLError:
            if attempt == 99:
                raise
            time.sleep(0.1)


def run(call: dict[str, Any]) -> dict[str, Any]:
    """One call of the tool."""
    done = subprocess.run(["/bin/bash", "-c", call["input"]["command"]], capture_output=True, text=True, check=False)
    return {"type": "tool_result", "tool_use_id": call["id"], "content": done.stdout + done.stderr or "(nothing)"}


def main() -> None:
    """Work until the model calls no tool."""
    if "--version" in sys.argv:
        sys.stdout.write("0.0.1 (stand-in)\n")
        return
    prompt = sys.argv[-1]
    if "CRASH AT ONCE" in prompt:
        sys.exit("no module of mine")
    Path("~/.harness-notes").expanduser().write_text("mine")
    Path("harness-notes.txt").write_text("mine too")
    messages = [{"role": "user", "content": prompt}]
    while True:
        answer = ask(messages)
        calls = [part for part in answer["content"] if part["type"] == "tool_use"]
        messages.append({"role": "assistant", "content": answer["content"]})
        if not calls:
            return
        messages.append({"role": "user", "content": [run(call) for call in calls]})
        if "CRASH AFTER A CALL" in prompt:
            sys.exit("a fault of mine")


if __name__ == "__main__":
    main()
