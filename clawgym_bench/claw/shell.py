"""The tools `exec` and `process`."""

import time
from dataclasses import dataclass
from math import isnan

from inspect_ai.tool import ToolError

from clawgym_bench.claw.cut import cut
from clawgym_bench.claw.running import NoAnswer, Running
from clawgym_bench.claw.site import Site
from clawgym_bench.endings import AgentFailed

YIELD_MS, MAX_YIELD_MS = 10_000, 120_000
"""How long `exec` waits before a command goes on in the background: by default as in OpenClaw, and at most."""
TIMEOUT_SEC = 1800.0
MAX_POLL_MS = 30_000
TAIL_CHARS = 2000
"""Of the output so far that `exec` shows of a command that goes on."""
LOG_LINES = 200
MAX_SESSIONS = 64
EXHAUSTED_CALLS = 5
"""After so many commands in a row that the sandbox had no process or memory for, the agent has used it up."""
ACTIONS = ("list", "poll", "log", "write", "kill")
_EXHAUSTED = ("Resource temporarily unavailable", "Cannot allocate memory", "Cannot fork")


@dataclass
class Session:
    """A command in the background."""

    name: str
    command: str
    running: Running
    began: float
    seen_bytes: int = 0
    """Of the output that `poll` has handed out."""

    def status(self) -> str:
        """How it stands, in words."""
        code = self.running.exit_code
        return "running" if code is None else f"exited with code {code}"


class Shell:
    """The commands of one trial."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._sessions: dict[str, Session] = {}
        self._started = 0
        self._refused = 0

    async def exec(
        self,
        command: str,
        workdir: str | None = None,
        env: dict[str, str] | None = None,
        yield_ms: float | None = None,
        background: bool = False,
        timeout_sec: float | None = None,
    ) -> str:
        """Run a command; where it takes longer than `yield_ms`, or at once, it goes on as a session."""
        if not command.strip():
            raise ToolError("the command is empty")
        if len(self._running()) >= MAX_SESSIONS:
            raise ToolError(f"{MAX_SESSIONS} commands run in the background already; kill some first")
        for name in env or {}:
            if not name or "=" in name or "\0" in name + (env or {})[name]:
                raise ToolError(f"{name!r} cannot be the name of an environment variable")
        limit_sec = min(timeout_sec, TIMEOUT_SEC) if timeout_sec and timeout_sec > 0 else TIMEOUT_SEC
        began = time.monotonic()
        running = await self._site.start(command, workdir, env or {}, limit_sec)
        wanted_ms = YIELD_MS if yield_ms is None or isnan(yield_ms) else yield_ms
        wait_ms = 0.0 if background else min(max(wanted_ms, 10), MAX_YIELD_MS)
        try:
            has_ended = await running.wait(wait_ms / 1000)
        except NoAnswer as error:
            self._note_trouble(str(error))
            raise
        if has_ended:
            return self._finished(running, time.monotonic() - began >= limit_sec, limit_sec)
        self._started += 1
        session = Session(f"s{self._started}", command, running, began)
        self._sessions[session.name] = session
        tail = _text(running)[-TAIL_CHARS:]
        hint = f"Command still running (session {session.name}). Use process (list/poll/log/write/kill) for follow-up."
        return f"{tail}\n\n{hint}" if tail else hint

    async def process(
        self,
        action: str,
        name: str | None = None,
        data: str | None = None,
        eof: bool = False,
        offset: int | None = None,
        limit: int | None = None,
        timeout_ms: float | None = None,
    ) -> str:
        """Look after sessions."""
        if action not in ACTIONS:
            raise ToolError(f"no action {action!r}; expected one of {', '.join(ACTIONS)}")
        if action == "list":
            return await self._list()
        session = self._sessions.get(name or "")
        if session is None:
            known = ", ".join(self._sessions) or "none"
            raise ToolError(f"no session {name!r}; there are: {known}" if name else "sessionId is required")
        if action == "poll":
            return await self._poll(session, timeout_ms or 0)
        if action == "log":
            await session.running.wait(0)
            return _log(session, offset, limit)
        if action == "write":
            return await _feed(session, data or "", eof)
        await session.running.wait(0)
        if session.running.exit_code is not None:
            return f"Session {session.name} had {session.status()} already."
        await session.running.kill()
        return f"Killed session {session.name}."

    async def _list(self) -> str:
        lines = []
        for session in self._sessions.values():
            await session.running.wait(0)
            seconds = time.monotonic() - session.began
            lines.append(f"{session.name} {session.status()}, started {seconds:.0f} s ago :: {session.command[:120]}")
        return "\n".join(lines) or "No sessions."

    async def _poll(self, session: Session, timeout_ms: float) -> str:
        await session.running.wait(min(max(0, timeout_ms), MAX_POLL_MS) / 1000)
        content, total = session.running.output()
        new = content[max(0, len(content) - (total - session.seen_bytes)) :]
        session.seen_bytes = total
        text = cut(new.decode(errors="replace")) or "(no new output)"
        state = "Process still running." if session.running.exit_code is None else f"Process {session.status()}."
        return f"{text}\n\n{state}"

    def _finished(self, running: Running, is_late: bool, limit_sec: float) -> str:
        if running.trouble:
            self._note_trouble(running.trouble)
            raise ToolError(f"the command could not be started: {cut(running.trouble, 2000)}")
        self._refused = 0
        text = cut(_text(running)) or "(no output)"
        if is_late:
            return f"{text}\n\n(Command timed out after {limit_sec:g} seconds and was killed)"
        return text if not running.exit_code else f"{text}\n\n(Command exited with code {running.exit_code})"

    def _note_trouble(self, trouble: str) -> None:
        # Docker has other words as well, which may mean anything: they neither count nor begin the count anew
        self._refused += any(sign in trouble for sign in _EXHAUSTED)
        if self._refused >= EXHAUSTED_CALLS:
            raise AgentFailed(f"exhausted its sandbox: {self._refused} commands in a row could not start: {trouble}")

    def _running(self) -> list[Session]:
        return [session for session in self._sessions.values() if session.running.exit_code is None]


def _text(running: Running) -> str:
    content, total = running.output()
    text = content.decode(errors="replace").rstrip("\n")
    dropped = total - len(content)
    return f"[the first {dropped} of {total} bytes were dropped]\n{text}" if dropped > 0 else text


def _log(session: Session, offset: int | None, limit: int | None) -> str:
    lines = _text(session.running).split("\n")
    if offset is None and limit is None:
        chosen = lines[-LOG_LINES:]
        left = len(lines) - len(chosen)
        note = f"\n\n[the last {len(chosen)} of {len(lines)} lines; pass offset and limit for others]" if left else ""
    else:
        first = max(0, offset or 0)
        chosen = lines[first : first + limit] if limit is not None and limit >= 0 else lines[first:]
        note = ""
    return (cut("\n".join(chosen)) or "(no output)") + note


async def _feed(session: Session, data: str, eof: bool) -> str:
    content = data.encode(errors="replace")
    try:
        taken = await session.running.feed(content, eof)
    except BrokenPipeError as error:
        raise ToolError(f"session {session.name} reads no input: {error}") from error
    if taken < len(content):
        raise ToolError(f"session {session.name} took only {taken} of {len(content)} bytes; it does not read them")
    return f"Wrote {taken} bytes to session {session.name}{', and closed its input' if eof else ''}."
