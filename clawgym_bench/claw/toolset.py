"""The tools as a model sees them: OpenClaw's names and parameters."""

from collections.abc import Awaitable, Callable
from typing import Any

from inspect_ai.tool import ToolDef, ToolError, ToolInfo, ToolParam, ToolParams

from clawgym_bench.claw import files
from clawgym_bench.claw.shell import ACTIONS, Shell
from clawgym_bench.claw.site import Site

PATH = ToolParam(type="string", description="Path of the file (relative to the workspace, or absolute)")
Arguments = dict[str, Any]
Answer = Callable[[Site, Shell, Arguments], Awaitable[str]]


def _text(description: str) -> ToolParam:
    return ToolParam(type="string", description=description)


def _whole(description: str) -> ToolParam:
    return ToolParam(type="integer", description=description)


def _number(description: str) -> ToolParam:
    return ToolParam(type="number", description=description)


def _flag(description: str) -> ToolParam:
    return ToolParam(type="boolean", description=description)


DECLARED: dict[str, tuple[str, dict[str, ToolParam], list[str], Answer]] = {
    "read": (
        f"Read a text file. At most {files.READ_MAX_LINES} lines or {files.READ_MAX_BYTES // 1024} KB are returned; "
        "use offset and limit for large files.",
        {"path": PATH, "offset": _whole("Line to start from (1 is the first)"), "limit": _whole("Most lines to read")},
        ["path"],
        lambda site, shell, given: files.read(site, given["path"], given.get("offset"), given.get("limit")),
    ),
    "write": (
        "Create a file or overwrite it; missing folders are made.",
        {"path": PATH, "content": _text("What the file will hold")},
        ["path", "content"],
        lambda site, shell, given: files.write(site, given["path"], given["content"]),
    ),
    "edit": (
        "Replace exact text in a file. oldText must match exactly once, blanks included.",
        {"path": PATH, "oldText": _text("Exact text to find"), "newText": _text("Text to put in its place")},
        ["path", "oldText", "newText"],
        lambda site, shell, given: files.edit(site, given["path"], given["oldText"], given["newText"]),
    ),
    "apply_patch": (
        "Apply a patch to one or more files. The input has '*** Begin Patch' and '*** End Patch' markers around "
        "'*** Add File: ', '*** Update File: ' and '*** Delete File: ' sections.",
        {"input": _text("The patch")},
        ["input"],
        lambda site, shell, given: files.apply_patch(site, given["input"]),
    ),
    "exec": (
        "Run a shell command. When it takes longer than yieldMs, or with background, it goes on as a session for "
        "the process tool.",
        {
            "command": _text("Shell command"),
            "workdir": _text("Working folder (the workspace by default)"),
            "env": ToolParam(
                type="object", description="Environment variables", additionalProperties=ToolParam(type="string")
            ),
            "yieldMs": _number("Milliseconds to wait before the command goes on in the background (default 10000)"),
            "background": _flag("Let it go on in the background at once"),
            "timeout": _number("Seconds after which the command is killed (default 1800)"),
        },
        ["command"],
        lambda site, shell, given: shell.exec(
            given["command"],
            given.get("workdir"),
            given.get("env"),
            given.get("yieldMs"),
            bool(given.get("background")),
            given.get("timeout"),
        ),
    ),
    "process": (
        "Manage commands in the background: list, poll (new output), log (output by lines), write (to the standard "
        "input), kill.",
        {
            "action": ToolParam(type="string", enum=list(ACTIONS), description="What to do"),
            "sessionId": _text("Session, for all actions but list"),
            "data": _text("For write: what to write"),
            "eof": _flag("For write: close the standard input afterwards"),
            "offset": _whole("For log: first line (0 is the first)"),
            "limit": _whole("For log: most lines"),
            "timeout": _number("For poll: milliseconds to wait at most for the command's end"),
        },
        ["action"],
        lambda site, shell, given: shell.process(
            given["action"],
            given.get("sessionId"),
            given.get("data"),
            bool(given.get("eof")),
            given.get("offset"),
            given.get("limit"),
            given.get("timeout"),
        ),
    ),
}


def tool_infos() -> list[ToolInfo]:
    """The tools without a sandbox, for a call that runs none."""
    return [
        ToolInfo(name=name, description=description, parameters=_parameters(properties, required))
        for name, (description, properties, required, _) in DECLARED.items()
    ]


class Toolset:
    """The tools of one trial."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._shell = Shell(site)
        self.definitions = [self._define(name) for name in DECLARED]

    async def call(self, name: str, given: Arguments) -> str:
        """Answer one call.

        Raises:
            ToolError: what the model is told about a call that failed.
            AgentFailed: the agent has used its sandbox up.
            SandboxGone, RuntimeError: the sandbox does not answer.
        """
        try:
            return await DECLARED[name][3](self._site, self._shell, given)
        except OSError as error:
            raise ToolError(_reason(error)) from error
        except ValueError as error:
            raise ToolError(str(error)) from error

    def _define(self, name: str) -> ToolDef:
        description, properties, required, _ = DECLARED[name]

        async def tool(**kwargs: Any) -> str:  # noqa: ANN401 - what the parameters' schema admits
            return await self.call(name, kwargs)

        return ToolDef(
            tool,
            name=name,
            description=description,
            parameters=_parameters(properties, required),
            parallel=False,
            max_output=0,
        )


def _parameters(properties: dict[str, ToolParam], required: list[str]) -> ToolParams:
    return ToolParams(properties=dict(properties), required=required)


def _reason(error: OSError) -> str:
    name = error.filename if isinstance(error.filename, str) else ""
    return f"{name}: {error.strerror or error}" if name else str(error.strerror or error)
