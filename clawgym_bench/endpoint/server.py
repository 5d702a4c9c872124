"""An OpenAI-compatible server for one trial. It runs in the harness; only its port is inside the sandbox."""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import anyio
from aiohttp import web
from inspect_ai.model import ModelOutput

from clawgym_bench.endpoint.replies import MODEL, Body, chunks, completion, failure
from clawgym_bench.endpoint.requests import MAX_BODY_BYTES, BadRequest, ChatRequest, parse_request

HEADERS_SEC = 5.0
"""So long an answer is waited for before a stream is begun, after which no status can say that it failed."""
ALIVE_SEC = 15.0
"""Between signs of life in a stream: clients give a silent one up after minutes."""
TOO_LONG = "This model's maximum context length is exceeded. Please reduce the length of the messages."
MAX_OPEN = 32
"""Requests of one trial that are answered at once; the others wait."""

Answer = Callable[[ChatRequest], Awaitable[ModelOutput | None]]


class Endpoint:
    """Serves what `answer` says.

    Args:
        answer: asked for each request, with the model's answer or None for a conversation that is too long. What it
            raises ends the trial: it is raised where the endpoint is served.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._failure: BaseException | None = None
        self._scope: anyio.CancelScope | None = None
        self._handlers: set[asyncio.Task[ModelOutput | None]] = set()
        self._slots = asyncio.Semaphore(MAX_OPEN)
        self._number = 0
        self.open = 0
        """Requests that wait for the model."""
        self.served = 0
        """Requests that have got an answer."""

    @asynccontextmanager
    async def serving(self, listener: socket.socket) -> AsyncIterator[None]:
        """Serve a socket that listens, until the block ends; whatever is under way then is cancelled.

        Raises:
            Exception: what `answer` raised.
        """
        app = web.Application(client_max_size=MAX_BODY_BYTES)
        for path in ("/v1/chat/completions", "/chat/completions"):
            app.router.add_post(path, self._complete)
        app.router.add_get("/v1/models", _models)
        runner = web.AppRunner(
            app, handle_signals=False, access_log=None, handler_cancellation=True, shutdown_timeout=1
        )
        await runner.setup()
        with anyio.CancelScope() as self._scope:
            try:
                await web.SockSite(runner, listener).start()
                yield
            finally:
                with anyio.CancelScope(shield=True):
                    for handler in self._handlers:
                        handler.cancel()
                    await runner.cleanup()
        if self._failure is not None:
            raise self._failure

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        self._number += 1
        number = self._number
        try:
            asked = await parse_request(await request.read())
        except BadRequest as error:
            return web.json_response(failure(str(error)), status=400)
        except web.HTTPRequestEntityTooLarge:
            return web.json_response(failure(f"the body is larger than {MAX_BODY_BYTES} bytes"), status=413)
        waiting = asyncio.ensure_future(self._ask(asked))
        self._handlers.add(waiting)
        waiting.add_done_callback(self._handlers.discard)
        try:
            if asked.stream:
                return await _streamed(request, waiting, number)
            output = await waiting
        finally:
            waiting.cancel()
        if output is None:
            return web.json_response(failure(TOO_LONG, code="context_length_exceeded"), status=400)
        return web.json_response(completion(output, number))

    async def _ask(self, asked: ChatRequest) -> ModelOutput | None:
        async with self._slots:
            self.open += 1
            try:
                return await self._answer(asked)
            except Exception as error:
                self._stop(error)
                raise web.HTTPServiceUnavailable(reason="the trial has ended") from error
            finally:
                self.open -= 1
                self.served += 1

    def _stop(self, error: Exception) -> None:
        if self._failure is None:
            self._failure = error
        if self._scope is not None:
            self._scope.cancel()


async def _streamed(
    request: web.Request, waiting: "asyncio.Future[ModelOutput | None]", number: int
) -> web.StreamResponse:
    await asyncio.wait([waiting], timeout=HEADERS_SEC)
    if waiting.done() and waiting.result() is None:
        return web.json_response(failure(TOO_LONG, code="context_length_exceeded"), status=400)
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
    await response.prepare(request)
    while not waiting.done():
        await response.write(b": the model is working\n\n")
        await asyncio.wait([waiting], timeout=ALIVE_SEC)
    output = waiting.result()
    bodies = [failure(TOO_LONG, code="context_length_exceeded")] if output is None else chunks(output, number)
    for body in bodies:
        await response.write(_event(body))
    await response.write(b"data: [DONE]\n\n")
    await response.write_eof()
    return response


def _event(body: Body) -> bytes:
    return b"data: " + json.dumps(body).encode() + b"\n\n"


async def _models(request: web.Request) -> web.Response:
    return web.json_response({"object": "list", "data": [{"id": MODEL, "object": "model", "owned_by": "clawgym"}]})
