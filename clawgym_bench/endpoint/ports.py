"""A port inside the trial's sandbox that is served from outside, whatever the sandbox is."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from socket import socket

from inspect_ai.util import SandboxEnvironment

from clawgym_bench.container import container_of
from clawgym_bench.endings import InfraFailed
from clawgym_bench.endpoint.relay import relayed_port
from clawgym_bench.sandbox import in_thread
from clawgym_bench.workspace import bubblewrap_of


@asynccontextmanager
async def open_port(environment: SandboxEnvironment, port: int) -> AsyncIterator[socket]:
    """Open a port on the sandbox's loopback address, before the agent begins; yields a socket that listens.

    Raises:
        InfraFailed: it cannot be opened.
    """
    async with AsyncExitStack() as stack:
        try:
            listener = await _opened(environment, port, stack)
        except OSError as error:
            raise InfraFailed(f"sandbox: {error}") from error
        yield listener


async def _opened(environment: SandboxEnvironment, port: int, stack: AsyncExitStack) -> socket:
    own = bubblewrap_of(environment)
    if own is not None:
        return stack.enter_context(await in_thread(partial(own.runner.listen, port)))
    container = container_of(environment)
    if container is None:
        raise InfraFailed(f"sandbox: no way to open a port in {type(environment).__name__}")
    return await stack.enter_async_context(relayed_port(container, port))
