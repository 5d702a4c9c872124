"""A judge on the loopback: an OpenAI-compatible server whose replies a test writes."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from inspect_ai.model import GenerateConfig, Model, get_model

Answer = tuple[int, bytes]
Script = Callable[[str], Answer]
"""From all that the judge reads (system and user message) to status and body."""


def completion(content: str | None, finish: str = "stop", **message: Any) -> Answer:
    body = {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [
            {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content, **message}}
        ],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }
    return 200, json.dumps(body).encode()


def names(level: int, reason: str = "because it is so") -> Answer:
    return completion(json.dumps({"reason": reason, "level": f"level-{level}"}))


class Endpoint:
    def __init__(self, script: Script) -> None:
        self.requests: list[dict[str, Any]] = []
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                endpoint.requests.append(request)
                status, body = script(read_by_judge(request))
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def environment(self) -> dict[str, str]:
        """For a process that names the model `openai-api/judge/scripted`."""
        return {"JUDGE_BASE_URL": self.url, "JUDGE_API_KEY": "none"}

    def model(self, **config: Any) -> Model:
        settings = GenerateConfig(max_retries=0, **config)
        return get_model(
            "openai-api/judge/scripted",
            base_url=self.url,
            api_key="none",
            config=settings,
            memoize=False,
            max_retries=0,
        )

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def read_by_judge(request: dict[str, Any]) -> str:
    return "\n".join(str(message["content"]) for message in request["messages"])


@contextmanager
def endpoint(script: Script) -> Iterator[Endpoint]:
    served = Endpoint(script)
    try:
        yield served
    finally:
        served.close()
