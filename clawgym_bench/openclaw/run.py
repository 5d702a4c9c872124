"""One run of OpenClaw in the sandbox, from its start to its report or its death."""

from dataclasses import dataclass

import anyio
from inspect_ai.util import SandboxEnvironment

from clawgym_bench.endpoint import Endpoint, ServedModel
from clawgym_bench.openclaw.report import Report, find_report

LOOK_SEC = 0.25
READY_SEC = 300.0
"""From the start to the first model call; 3 s where nothing else runs."""
LEAVE_SEC = 3.0
"""For OpenClaw to leave by itself after its report; a command left in the background keeps it."""
QUIET_SEC = 10.0
"""Without a request, for a gateway to start a sub-agent or to hand its result on."""
SILENT_SEC = 90.0
"""After the model's last word, without a report or another request."""
READ_SEC = 20
MAX_OUTPUT_BYTES = 512 << 10
_START = 'mkdir -p "$0" && cd "$1" && shift && exec "$@" >"$0/stdout" 2>"$0/stderr" </dev/null'
_READ = 'tail -q -c "$2" -- "$1/stderr" "$1/stdout" 2>/dev/null'


@dataclass(frozen=True)
class Run:
    """How a run of OpenClaw ended."""

    returncode: int | None
    """None where it was ended from outside."""
    report: Report | None
    output: str
    """The end of what it wrote."""


class OpenClawRun:
    """Starts OpenClaw and waits for its end.

    Args:
        environment: the trial's sandbox.
        endpoint: where its model calls arrive.
        served: the model behind it.
        folder: in the sandbox, for what OpenClaw writes.
        has_gateway: whether the work may go on after the report, in sub-agents, and the gateway never leaves by itself.
    """

    def __init__(
        self,
        environment: SandboxEnvironment,
        endpoint: Endpoint,
        served: ServedModel,
        folder: str,
        has_gateway: bool = False,
    ) -> None:
        self._environment, self._endpoint, self._served, self._folder = environment, endpoint, served, folder
        self._has_gateway = has_gateway

    async def run(self, command: list[str], env: dict[str, str], cwd: str) -> Run:
        """Start it, and wait until it has left, has reported, or is silent after the model's last word."""
        returncode: int | None = None
        failed: list[Exception] = []
        start = ["/bin/sh", "-c", _START, self._folder, cwd, *command]
        async with anyio.create_task_group() as group:
            group.start_soon(self._watch, group.cancel_scope)
            try:
                done = await self._environment.exec(
                    start, env=env, timeout=None, timeout_retry=False, concurrency=False
                )
                returncode = done.returncode
            except Exception as error:  # raised outside the task group, which would wrap it
                failed.append(error)
            group.cancel_scope.cancel()
        if failed:
            raise failed[0]
        output = await self._read()
        return Run(returncode, find_report(output), output[-4000:])

    async def _watch(self, scope: anyio.CancelScope) -> None:
        """End a run that does not begin, or has nothing left to say."""
        with anyio.move_on_after(READY_SEC):
            while not self._served.calls:
                await anyio.sleep(LOOK_SEC)
        silent_sec = 0.0
        served = -1
        while self._served.calls and silent_sec < SILENT_SEC:
            await anyio.sleep(LOOK_SEC)
            if self._endpoint.open or self._goes_on or served != self._endpoint.served:
                silent_sec, served = 0.0, self._endpoint.served
                continue
            silent_sec += LOOK_SEC
            # looking costs a command in the sandbox: seldom, the longer nothing happens
            if silent_sec < self._quiet_sec or silent_sec % max(LOOK_SEC, silent_sec // 4) >= LOOK_SEC:
                continue
            if find_report(await self._read()):
                await anyio.sleep(0 if self._has_gateway else LEAVE_SEC)
                break
        scope.cancel()

    @property
    def _goes_on(self) -> bool:
        """Whether OpenClaw is bound to ask the model again."""
        return self._served.waits_for_tools if self._has_gateway else not self._served.has_ended

    @property
    def _quiet_sec(self) -> float:
        return QUIET_SEC if self._has_gateway and self._served.has_delegated else 0.0

    async def _read(self) -> str:
        """What OpenClaw wrote so far; nothing where the sandbox does not answer any more."""
        command = ["/bin/sh", "-c", _READ, "sh", self._folder, str(MAX_OUTPUT_BYTES)]
        try:
            done = await self._environment.exec(command, timeout=READ_SEC, timeout_retry=False)
        except Exception:  # whatever the agent has left of its sandbox
            return ""
        return done.stdout
