"""Whether a checker reaches for a network, which no grader offers."""

import ast
from collections.abc import Iterator

from clawgym_data.importers.loss import Loss, LossCode, loss

_MODULES = frozenset(
    {
        *(
            "urllib.request",
            "urllib.error",
            "http.client",
            "http.server",
            "xmlrpc.client",
            "socket",
            "socketserver",
            "ssl",
        ),
        *("ftplib", "smtplib", "poplib", "imaplib", "telnetlib", "nntplib"),
        *("requests", "httpx", "aiohttp", "urllib3", "websocket", "websockets", "paramiko"),
    }
)
_CLIENTS = frozenset({"curl", "wget", "ssh", "scp", "nc", "ncat", "ping"})
_STARTERS = frozenset({"run", "call", "check_call", "check_output", "Popen", "system", "popen"})


def network_losses(tree: ast.Module) -> tuple[Loss, ...]:
    """At most one finding: network modules that are imported and clients that are started."""
    seen = sorted({name for node in ast.walk(tree) for name in (*_imported(node), *_started(node))})
    return (loss(LossCode.CHECKER_NETWORK, *seen),) if seen else ()


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    else:
        return
    for name in names:
        parts = name.split(".")
        yield from ({".".join(parts[:depth]) for depth in range(1, len(parts) + 1)} & _MODULES)


def _started(node: ast.AST) -> Iterator[str]:
    """`curl` of `subprocess.run(["curl", ...])` and of `os.system("curl ...")`."""
    if not isinstance(node, ast.Call) or not node.args:
        return
    function = node.func
    name = (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )
    first = node.args[0]
    if isinstance(first, ast.List | ast.Tuple) and first.elts:
        first = first.elts[0]
    if name in _STARTERS and isinstance(first, ast.Constant) and isinstance(first.value, str):
        program = (first.value.split() or [""])[0].rsplit("/", 1)[-1]
        if program in _CLIENTS:
            yield program
