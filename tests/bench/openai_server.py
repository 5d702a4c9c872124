"""A loopback server that speaks OpenAI's chat completions, and fails as a test says."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Reply:
    """What one request gets."""

    status: int = 200
    body: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    wait_sec: float = 0
    cut_after: int | None = None
    """Bytes of the body after which the connection is closed."""


def answer(text: str | None = None, calls: list[tuple[str, str]] | None = None, finish: str | None = None) -> Reply:
    """A completion with a text, or with calls as (name, arguments as text)."""
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if calls:
        message["tool_calls"] = [
            {"id": f"call_{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for n, (name, arguments) in enumerate(calls)
        ]
    choice = {"index": 0, "message": message, "finish_reason": finish or ("tool_calls" if calls else "stop")}
    usage = {"prompt_tokens": 50, "completion_tokens": 10, "total_tokens": 60}
    body = {"id": "x", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage}
    return Reply(body=body)


def error(status: int, message: str, code: str | None = None, **headers: str) -> Reply:
    """An error as OpenAI words it."""
    body = {"error": {"message": message, "type": "error", "code": code}}
    return Reply(status=status, body=body, headers=headers)


@dataclass
class Server:
    """Where it listens, and what it was asked."""

    url: str
    requests: list[dict[str, Any]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)


@contextmanager
def openai_server(reply: Callable[[dict[str, Any], int], Reply]) -> Iterator[Server]:
    """Serve; `reply` gets the request and how many there were before."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            server.requests.append(request)
            server.times.append(time.monotonic())
            given = reply(request, len(server.requests) - 1)
            time.sleep(given.wait_sec)
            body = json.dumps(given.body).encode()
            try:
                self.send_response(given.status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(body)))
                for name, value in given.headers.items():
                    self.send_header(name.replace("_", "-"), value)
                self.end_headers()
                self.wfile.write(body[: given.cut_after])
            except BrokenPipeError:
                pass
            self.close_connection = given.cut_after is not None

        def log_message(self, format: str, *args: Any) -> None:
            pass

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = Server(f"http://127.0.0.1:{listener.server_port}/v1")
    thread = threading.Thread(target=listener.serve_forever, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listener.shutdown()
        listener.server_close()
