"""Calls functions of the agent's module with JSON arguments and prints what they give; runs as the subject itself.

Each call is made in a fork of the process that imported the module, so that none sees what another left behind. The
module may forge every line that is printed; what would be right is not known here.

Standard input: JSON with `module`, `calls` and `limit_sec`. Standard output: lines of `NUMBER returned JSON`,
`NUMBER raised ["ValueError", ...]` or `NUMBER failed "reason"`.
"""

import dataclasses
import importlib
import importlib.util
import json
import os
import select
import signal
import sys
import time
from types import ModuleType
from typing import Any

IMPORT_SEC = 5.0
MAX_ANSWER_BYTES = 1 << 20


def load(name: str) -> ModuleType:
    """The module of a dotted name, or in a file."""
    if not name.endswith(".py"):
        return importlib.import_module(name)
    sys.path.insert(0, os.path.join(os.getcwd(), os.path.dirname(name)))
    spec = importlib.util.spec_from_file_location(os.path.basename(name)[:-3], name)
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def plain(value: Any) -> Any:  # noqa: ANN401 - whatever the agent's code returns
    """What JSON has no form for: sets sorted, data classes as objects, all else as text."""
    if isinstance(value, (set, frozenset)):
        return sorted(value, key=lambda item: (str(type(item)), item if isinstance(item, (int, float)) else str(item)))
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return list(value) if hasattr(value, "__next__") else str(value)


def answer(module: ModuleType, call: dict[str, Any]) -> str:
    """One call's answer as a line without its number."""
    try:
        function: Any = module
        for part in call["call"].split("."):
            function = getattr(function, part)
        value = function(*call.get("args", []), **call.get("kwargs", {}))
        return "returned " + json.dumps(value, default=plain)
    except Exception as error:
        return "raised " + json.dumps([kind.__name__ for kind in type(error).__mro__])


def call_apart(module: ModuleType, call: dict[str, Any], limit_sec: float) -> str:
    """The same from a fork that is ended after `limit_sec`."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read)
            line = answer(module, call).encode()
            while line:
                line = line[os.write(write, line) :]
        finally:
            os._exit(0)
    os.close(write)
    deadline, content, reason = time.monotonic() + limit_sec, b"", None
    while reason is None:
        if not select.select([read], [], [], max(0.0, deadline - time.monotonic()))[0]:
            reason = f"took more than {limit_sec:g} s"
        elif len(content) > MAX_ANSWER_BYTES:
            reason = "gave too much"
        else:
            chunk = os.read(read, 1 << 16)
            if not chunk:
                break
            content += chunk
    os.close(read)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return "failed " + json.dumps(reason) if reason else content.decode() or 'failed "it ended without an answer"'


def serve(request: dict[str, Any], out: int, ready: int) -> None:
    """Import the module, say that it is there, and make the calls."""
    os.dup2(2, 1)
    module = load(request["module"])
    os.write(ready, b"!")
    for number, call in enumerate(request["calls"]):
        line = f"{number} {call_apart(module, call, request['limit_sec'])}\n".encode()
        while line:
            line = line[os.write(out, line) :]


def main() -> None:
    """Serve one request in a fork, which is ended where the import takes too long."""
    request = json.loads(sys.stdin.read())
    out, (read, write) = os.dup(1), os.pipe()
    pid = os.fork()
    if pid == 0:
        serve(request, out, write)
        return
    os.close(write)
    if not select.select([read], [], [], IMPORT_SEC + request["limit_sec"])[0]:
        os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


if __name__ == "__main__":
    main()
