"""The outer half of a port inside a container: joins `relay_program` to a socket of the host."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from socket import AF_UNIX, socket

from clawgym_bench.endpoint.relay_program import BEGIN, CHUNK_BYTES, HEAD
from clawgym_bench.endpoint.requests import MAX_BODY_BYTES
from clawgym_data.sandbox.stale import temporary_folder

PROGRAM = Path(__file__).parent / "relay_program.py"
START_SEC = 60.0
MAX_WAITING_BYTES = MAX_BODY_BYTES + (1 << 20)
"""That one connection has sent and the endpoint has not taken yet."""
MAX_ALL_WAITING_BYTES = 64 << 20
"""The same of all connections of a trial."""


@asynccontextmanager
async def relayed_port(container: str, port: int) -> AsyncIterator[socket]:
    """Open a port on the loopback address of a container; yields the socket of the host on which to serve it.

    Raises:
        ConnectionError: it could not be opened; the message holds what Docker said.
    """
    with temporary_folder("port") as folder, socket(AF_UNIX) as listener:
        path = f"{folder}/model"
        listener.bind(path)
        listener.listen(128)
        listener.setblocking(False)
        process = await asyncio.create_subprocess_exec(
            *("docker", "exec", "-i", "-u", "0", container, "python3", "-I", "-S", "-c"),
            *(PROGRAM.read_text("utf-8"), str(port)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        relay = _Relay(process, path)
        try:
            await _ready(process, container)
            passing = asyncio.ensure_future(relay.run())
            try:
                yield listener
            finally:
                passing.cancel()
                relay.close()
        finally:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


async def _ready(process: asyncio.subprocess.Process, container: str) -> None:
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        await asyncio.wait_for(process.stdout.readexactly(HEAD.size), START_SEC)
    except (asyncio.IncompleteReadError, TimeoutError) as error:
        with suppress(ProcessLookupError):
            process.kill()
        said = (await process.stderr.read())[-300:].decode(errors="replace").strip()
        raise ConnectionError(f"no port could be opened in the container {container}: {said or error}") from error


class _Relay:
    """Passes frames between the program in the container and connections to the socket."""

    def __init__(self, process: asyncio.subprocess.Process, path: str) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._to_inside, self._from_inside = process.stdin, process.stdout
        self._path = path
        self._writers: dict[int, asyncio.StreamWriter] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Pass frames on until the program ends."""
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                number, length = HEAD.unpack(await self._from_inside.readexactly(HEAD.size))
                if length == BEGIN:
                    await self._begin(number)
                    continue
                data = await self._from_inside.readexactly(length)
                writer = self._writers.get(number)
                if writer is None:
                    continue
                if not data:
                    self._end(number)
                elif self._has_room(writer):
                    writer.write(data)
                else:
                    writer.transport.abort()
                    self._end(number)

    def _has_room(self, writer: asyncio.StreamWriter) -> bool:
        """Whether a connection may send more: the pipe is one for all, so that none of them can be made to wait."""
        waiting = writer.transport.get_write_buffer_size()
        if waiting == 0:
            return True
        everything = sum(one.transport.get_write_buffer_size() for one in self._writers.values())
        return waiting <= MAX_WAITING_BYTES and everything <= MAX_ALL_WAITING_BYTES

    async def _begin(self, number: int) -> None:
        reader, writer = await asyncio.open_unix_connection(self._path)
        self._writers[number] = writer
        task = asyncio.ensure_future(self._answer(number, reader))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, number: int, reader: asyncio.StreamReader) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(CHUNK_BYTES):
                self._to_inside.write(HEAD.pack(number, len(data)) + data)
                await self._to_inside.drain()
            self._to_inside.write(HEAD.pack(number, 0))
        self._end(number)

    def _end(self, number: int) -> None:
        writer = self._writers.pop(number, None)
        if writer is not None:
            writer.close()

    def close(self) -> None:
        """End all connections."""
        for task in self._tasks:
            task.cancel()
        for number in list(self._writers):
            self._end(number)
