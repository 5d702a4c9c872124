"""One run of OpenClaw against an endpoint that answers by rote: it shows that OpenClaw works, and fills Node's cache."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

RECIPE = Path(__file__).resolve().parent
INSTALLED = "/usr/local/lib/openclaw"
RUN_SEC = 300
CALLS = (
    ("write", {"path": "note.txt", "content": "one\n"}),
    ("read", {"path": "note.txt"}),
    ("edit", {"path": "note.txt", "edits": [{"oldText": "one", "newText": "two"}]}),
    ("exec", {"command": "cat note.txt"}),
)


class Endpoint(BaseHTTPRequestHandler):
    """Asks for one call after another, then says that it is done."""

    asked: ClassVar[int] = 0

    def do_POST(self) -> None:
        """Answer a chat completion, as a stream."""
        self.rfile.read(int(self.headers["content-length"]))
        delta, finish = answer(Endpoint.asked)
        Endpoint.asked += 1
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        head = {"id": "warm", "object": "chat.completion.chunk", "created": 0, "model": "warm"}
        for part, end in ((delta, None), ({}, finish)):
            chunk = {**head, "choices": [{"index": 0, "delta": part, "finish_reason": end}]}
            self.wfile.write(f"data: {json.dumps(chunk)}\n\n".encode())
        self.wfile.write(b"data: [DONE]\n\n")

    def log_message(self, *_: object) -> None:
        """Nothing."""


def answer(number: int) -> tuple[dict[str, Any], str]:
    """The message of one call, and how it ends."""
    if number >= len(CALLS):
        return {"role": "assistant", "content": "done"}, "stop"
    name, arguments = CALLS[number]
    function = {"name": name, "arguments": json.dumps(arguments)}
    call = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
    return {"role": "assistant", "tool_calls": [call]}, "tool_calls"


def main(openclaw: str) -> None:
    """Run it.

    Raises:
        SystemExit: it does not work.
    """
    server = ThreadingHTTPServer(("127.0.0.1", 0), Endpoint)
    Thread(target=server.serve_forever, daemon=True).start()
    home = Path(tempfile.mkdtemp())
    workspace = home / "workspace"
    workspace.mkdir()
    settings = home / ".openclaw"
    shutil.copytree(RECIPE / f"openclaw-{openclaw}" / "home", settings)
    config = settings / "openclaw.json"
    filled = config.read_text("utf-8").replace("WORKSPACE", str(workspace)).replace("PORT", str(server.server_port))
    config.write_text(filled, "utf-8")
    variables = {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "OPENCLAW_HOME": str(home),
        "OPENCLAW_NO_RESPAWN": "1",
        "OPENCLAW_BUNDLED_PLUGINS_DIR": f"{INSTALLED}/no-plugins",
        "NODE_COMPILE_CACHE": f"{INSTALLED}/compile-cache",
    }
    command = ["openclaw", "agent", "--local", "--json", "--session-id", "warm", "--message", "hello"]
    bounded = ["timeout", "--kill-after=5", str(RUN_SEC), *command]
    done = subprocess.run(bounded, cwd=workspace, env=variables, capture_output=True, text=True, check=False)
    note = workspace / "note.txt"
    found = note.read_text("utf-8") if note.exists() else "no file"
    if done.returncode != 0 or found != "two\n":
        sys.exit(f"OpenClaw does not work: status {done.returncode}, {found!r}\n{done.stdout}\n{done.stderr}")
    shutil.rmtree(home)


if __name__ == "__main__":
    main(sys.argv[1])
