"""An OpenAI-compatible server for one trial. It runs in the harness; only its port is inside the sandbox.

Whatever asks may be a program that the agent wrote, so that connections, requests and bytes are bounded: one trial must
not use up what the others need.
"""

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
from aiohttp import web
from inspect_ai.model import ModelOutput

from clawgym_bench.endpoint.replies import MODEL, Body, chunks, completion, failure
from clawgym_bench.endpoint.requests import MAX_BODY_BYTES, BadRequest, ChatRequest, parse_request

HEADERS_SEC = 5.0
"""So long an answer is waited for before a stream is begun, after which no status can say that it failed."""
ALIVE_SEC = 15.0
"""Between signs of life in a stream: clients give a silent one up after minutes."""
MAX_CONNECTIONS = 64
"""Of one trial at once, and as many as are taken in one go; more are closed."""
TAKEN = 16
"""Connections that are accepted in one go."""
MAX_OPEN = 8
"""Requests of one trial that are read and answered at once; the others wait."""
REFUSAL_SEC, MAX_REFUSAL_SEC = 0.01, 5.0
"""Each refused request is answered so much later than the one before: whoever sends thousands waits."""


@dataclass(frozen=True)
class Refusal:
    """A request that the model did not answer, by the request's own fault."""

    message: str
    status: int = 400
    code: str | None = None


ENDED = Refusal("the trial has ended", status=503)
Answer = Callable[[ChatRequest], Awaitable[ModelOutput | Refusal]]
Waiting = asyncio.Future[ModelOutput | Refusal]


class Endpoint:
    """Serves what `answer` says.

    Args:
        answer: asked for each request. What it raises ends the trial: it is raised where the endpoint is served.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._failure: BaseException | None = None
        self._scope: anyio.CancelScope | None = None
        self._handlers: set[Waiting] = set()
        self._slots = asyncio.Semaphore(MAX_OPEN)
        self._number = self._refused = 0
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
            server = await _listening(runner, listener)
            try:
                yield
            finally:
                with anyio.CancelScope(shield=True):
                    server.close()
                    for handler in self._handlers:
                        handler.cancel()
                    await asyncio.gather(*self._handlers, return_exceptions=True)
                    await runner.cleanup()
        if self._failure is not None:
            raise self._failure

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        self._number += 1
        number = self._number
        try:
            async with self._slots:
                asked = await parse_request(await request.read())
        except BadRequest as error:
            return await self._refuse(Refusal(str(error)))
        except web.HTTPRequestEntityTooLarge:
            return await self._refuse(Refusal(f"the body is larger than {MAX_BODY_BYTES} bytes", status=413))
        waiting = asyncio.ensure_future(self._ask(asked))
        self._handlers.add(waiting)
        waiting.add_done_callback(self._handlers.discard)
        # a call that has begun goes on and counts although its client leaves: else leaving would make calls free
        if asked.stream:
            await asyncio.wait([waiting], timeout=HEADERS_SEC)
            if not waiting.done() or isinstance(waiting.result(), ModelOutput):
                return await _streamed(request, waiting, number)
        output = await asyncio.shield(waiting)
        return (
            web.json_response(completion(output, number))
            if isinstance(output, ModelOutput)
            else await self._refuse(output)
        )

    async def _refuse(self, refusal: Refusal) -> web.Response:
        self._refused += 1
        await asyncio.sleep(min(self._refused * REFUSAL_SEC, MAX_REFUSAL_SEC))
        return web.json_response(failure(refusal.message, code=refusal.code), status=refusal.status)

    async def _ask(self, asked: ChatRequest) -> ModelOutput | Refusal:
        async with self._slots:
            self.open += 1
            try:
                return await self._answer(asked)
            except Exception as error:
                self._stop(error)
                return ENDED
            finally:
                self.open -= 1
                self.served += 1

    def _stop(self, error: Exception) -> None:
        if self._failure is None:
            self._failure = error
        if self._scope is not None:
            self._scope.cancel()


class _Closed(asyncio.Protocol):
    """A connection that is one too many."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        transport.close()


async def _listening(runner: web.AppRunner, listener: socket.socket) -> asyncio.Server:
    accept = runner.server
    assert accept is not None

    def protocol() -> asyncio.BaseProtocol:
        return accept() if len(accept.connections) < MAX_CONNECTIONS else _Closed()

    loop = asyncio.get_running_loop()
    create = loop.create_unix_server if listener.family == socket.AF_UNIX else loop.create_server
    return await create(protocol, sock=listener, backlog=TAKEN)


async def _streamed(request: web.Request, waiting: Waiting, number: int) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-cache"})
    await response.prepare(request)
    while not waiting.done():
        await response.write(b": the model is working\n\n")
        await asyncio.wait([waiting], timeout=ALIVE_SEC)
    output = waiting.result()
    bodies = chunks(output, number) if isinstance(output, ModelOutput) else [failure(output.message, code=output.code)]
    for body in bodies:
        await response.write(_event(body))
    await response.write(b"data: [DONE]\n\n")
    await response.write_eof()
    return response


def _event(body: Body) -> bytes:
    return b"data: " + json.dumps(body).encode() + b"\n\n"


async def _models(request: web.Request) -> web.Response:
    return web.json_response({"object": "list", "data": [{"id": MODEL, "object": "model", "owned_by": "clawgym"}]})
