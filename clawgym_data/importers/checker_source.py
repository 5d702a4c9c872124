"""What the source of an original checker shows without running it."""

import ast
import re
import sys
import warnings
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar, cast

from clawgym_data.errors import SpecError
from clawgym_data.importers.loss import Loss, LossCode, loss

_ROOT_NAMES = frozenset(
    {
        "workspace",
        "workspace_path",
        "workspace_root",
        "workspace_dir",
        "ws",
        "ws_path",
        "ws_root",
        "root",
        "base",
        "base_dir",
        "base_path",
    }
)
_SUBPROCESS_CALLS = frozenset({"run", "call", "check_call", "check_output", "Popen"})
_SHELL_CALLS = frozenset({"os.system", "os.popen"})
_CLOCK = re.compile(r"(?:^|\.)(?:datetime|date|dt|_dt)\.(?:now|utcnow|today)\Z|^time\.(?:time|time_ns)\Z")
_CLOCK_WITHOUT_ARGUMENT = frozenset({"time.localtime", "time.gmtime", "time.ctime"})
_FILE_TIMES = frozenset({"st_mtime", "st_mtime_ns", "st_ctime", "st_ctime_ns", "getmtime", "getctime"})
_LISTING_CALLS = frozenset({"os.walk", "os.listdir", "os.scandir"})
_LISTING_METHODS = frozenset({"iterdir", "rglob", "glob", "walk"})
_LOADING_CALLS = frozenset(
    {"exec", "runpy.run_path", "importlib.util.spec_from_file_location", "__import__", "importlib.import_module"}
)
_ABSOLUTE = re.compile(r"/(?:root|home|tmp|usr|etc|var|opt|mnt|workspace|data|bin|proc|dev|srv|app)/[\w./-]+\Z")
_WORKSPACE = "/root/.openclaw/workspace"
_CATCH_IMPORT = frozenset({"ImportError", "ModuleNotFoundError", "Exception", "BaseException"})

Node = TypeVar("Node", bound=ast.AST)


def parse_checker(source: bytes, name: str) -> ast.Module:
    """The syntax tree of a checker.

    Raises:
        SpecError: it is not Python.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise SpecError(
            name, "", f"no Python source ({type(error).__name__})", "a checker that Python can parse"
        ) from error


def checker_losses(tree: ast.Module, shipped: Collection[str]) -> tuple[Loss, ...]:
    """The findings about a checker.

    Args:
        tree: its syntax tree.
        shipped: the paths of the initial workspace, which an agent can change.
    """
    source = _Source.of(tree)
    groups = (
        _import_losses(source, shipped),
        _time_losses(source),
        _path_losses(source),
        _process_losses(source),
        _listing_losses(source),
        _input_losses(source, shipped),
        _reward_losses(source),
    )
    return tuple(found for group in groups for found in group)


def dotted(node: ast.expr) -> str:
    """`os.path.join` for the expression of that name, `.join` where its base is no name."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return ""


@dataclass(frozen=True, slots=True)
class _Source:
    """A tree walked once."""

    nodes: Mapping[type[ast.AST], list[ast.AST]]
    """By their type."""
    calls: tuple[tuple[str, ast.Call], ...]
    """With the dotted names of what is called."""
    texts: frozenset[str]
    """The text constants, docstrings left out."""

    @classmethod
    def of(cls, tree: ast.Module) -> "_Source":
        nodes: defaultdict[type[ast.AST], list[ast.AST]] = defaultdict(list)
        for node in _walk(tree):
            nodes[type(node)].append(node)
        prose = {id(node.value) for node in nodes[ast.Expr] if isinstance(node, ast.Expr)}
        constants = (node for node in nodes[ast.Constant] if isinstance(node, ast.Constant) and id(node) not in prose)
        return cls(
            nodes=nodes,
            calls=tuple((dotted(node.func), node) for node in nodes[ast.Call] if isinstance(node, ast.Call)),
            texts=frozenset(node.value for node in constants if isinstance(node.value, str)),
        )

    def all(self, *kinds: type[Node]) -> Iterator[Node]:
        """The nodes of these types."""
        for kind in kinds:
            for node in self.nodes.get(kind, ()):
                yield cast(Node, node)


def _walk(tree: ast.AST) -> list[ast.AST]:
    """All nodes but the load and store marks, which are a third; `ast.walk` takes twice the time."""
    found = [tree]
    for node in found:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                found += [child for child in value if isinstance(child, ast.AST)]
            elif isinstance(value, ast.AST) and not isinstance(value, ast.expr_context):
                found.append(value)
    return found


def _import_losses(source: _Source, shipped: Collection[str]) -> Iterator[Loss]:
    imports = [
        (node, name.split(".")[0])
        for node in source.all(ast.Import, ast.ImportFrom, ast.Call)
        for name in _imported(node)
    ]
    foreign = [(node, name) for node, name in imports if name not in sys.stdlib_module_names]
    if not foreign:
        return
    parts = {part.removesuffix(".py") for path in shipped for part in path.split("/")}
    guarded = _guarded_nodes(source)
    names = {
        LossCode.AGENT_CODE_IN_CHECKER: {name for _, name in foreign if name in parts},
        LossCode.UNGUARDED_IMPORT: {name for node, name in foreign if name not in parts and id(node) not in guarded},
        LossCode.GUARDED_IMPORT: {name for node, name in foreign if name not in parts and id(node) in guarded},
    }
    for code, found in names.items():
        if found:
            yield loss(code, *sorted(found))


def _guarded_nodes(source: _Source) -> frozenset[int]:
    return frozenset(
        id(node)
        for attempt in source.all(ast.Try)
        if any(_catches_import(handler) for handler in attempt.handlers)
        for statement in attempt.body
        for node in _walk(statement)
    )


def _imported(node: ast.AST) -> tuple[str, ...]:
    if isinstance(node, ast.Import):
        return tuple(alias.name for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "",) if node.level == 0 else ()
    if isinstance(node, ast.Call) and dotted(node.func) in ("__import__", "importlib.import_module") and node.args:
        return (node.args[0].value,) if _is_text(node.args[0]) else ()  # type: ignore[attr-defined]
    return ()


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _catches_import(handler: ast.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(kind is None or dotted(kind) in _CATCH_IMPORT for kind in caught)


def _time_losses(source: _Source) -> Iterator[Loss]:
    clock = {
        name
        for name, call in source.calls
        if _CLOCK.search(name) or (name in _CLOCK_WITHOUT_ARGUMENT and not call.args)
    }
    clock |= {name for name, call in source.calls if name == "time.strftime" and len(call.args) == 1}
    if clock:
        yield loss(LossCode.READS_CLOCK, *sorted(clock))
    times = {node.attr for node in source.all(ast.Attribute) if node.attr in _FILE_TIMES}
    if times:
        yield loss(LossCode.READS_FILE_TIMES, *sorted(times))


def _path_losses(source: _Source) -> Iterator[Loss]:
    if any(text.startswith(_WORKSPACE) for text in source.texts):
        yield loss(LossCode.WORKSPACE_PATH, _WORKSPACE)
    others = sorted(text for text in source.texts if _ABSOLUTE.match(text) and not text.startswith(_WORKSPACE))
    if others:
        yield loss(LossCode.ABSOLUTE_PATH, *others)


def _process_losses(source: _Source) -> Iterator[Loss]:
    starts = _process_names(source)
    started = [(name, call) for name, call in source.calls if name in starts]
    if not started:
        return
    yield loss(LossCode.USES_SUBPROCESS, *sorted({name for name, _ in started}))
    waits = any(name.endswith((".communicate", ".wait")) and _has_timeout(call) for name, call in source.calls)
    free = {name for name, call in started if not _has_timeout(call) and not (name.endswith("Popen") and waits)}
    if free:
        yield loss(LossCode.SUBPROCESS_WITHOUT_TIMEOUT, *sorted(free))


def _process_names(source: _Source) -> frozenset[str]:
    """The dotted names that start a process in this source, under whatever name it imports them."""
    modules = {
        alias.asname or alias.name
        for node in source.all(ast.Import)
        for alias in node.names
        if alias.name == "subprocess"
    }
    names = {f"{module}.{call}" for module in modules for call in _SUBPROCESS_CALLS}
    for node in source.all(ast.ImportFrom):
        if node.module == "subprocess":
            names |= {alias.asname or alias.name for alias in node.names if alias.name in _SUBPROCESS_CALLS}
    return frozenset(names | _SHELL_CALLS)


def _has_timeout(call: ast.Call) -> bool:
    return any(keyword.arg in ("timeout", None) for keyword in call.keywords)


def _listing_losses(source: _Source) -> Iterator[Loss]:
    roots = _root_names(source)
    listed: set[str] = set()
    for name, call in source.calls:
        if name in _LISTING_CALLS and call.args and _is_root(call.args[0], roots):
            listed.add(name)
        if (
            isinstance(call.func, ast.Attribute)
            and call.func.attr in _LISTING_METHODS
            and _is_root(call.func.value, roots)
        ):
            listed.add(call.func.attr)
    if listed:
        yield loss(LossCode.LISTS_WORKSPACE_ROOT, *sorted(listed))
    loaded = {
        name
        for name, call in source.calls
        if name in _LOADING_CALLS and not (call.args and _is_text(call.args[0]) and name != "exec")
    }
    loaded |= {
        name
        for name, _ in source.calls
        if name.endswith((".spec_from_file_location", ".exec_module", ".SourceFileLoader"))
    }
    if loaded:
        yield loss(LossCode.AGENT_CODE_IN_CHECKER, *sorted(loaded))


def _root_names(source: _Source) -> frozenset[str]:
    """Names that stand for the workspace: the usual ones, and what is assigned from them."""
    names = set(_ROOT_NAMES)
    for node in source.all(ast.Assign):
        if _is_root(node.value, names):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return frozenset(names)


def _is_root(node: ast.expr, names: Collection[str]) -> bool:
    if isinstance(node, ast.Name):
        return node.id in names
    if isinstance(node, ast.Subscript):
        return dotted(node.value) == "sys.argv"
    if isinstance(node, ast.IfExp):
        return _is_root(node.body, names)
    if not isinstance(node, ast.Call):
        return False
    name = dotted(node.func)
    if name in ("Path", "pathlib.Path", "str", "os.path.abspath", "os.path.realpath", "os.fspath"):
        return len(node.args) == 1 and _is_root(node.args[0], names)
    own = isinstance(node.func, ast.Attribute) and node.func.attr in ("resolve", "absolute", "expanduser")
    return own and _is_root(node.func.value, names)  # type: ignore[attr-defined]


def _input_losses(source: _Source, shipped: Collection[str]) -> Iterator[Loss]:
    """A static hint: a shipped file, which the agent can edit, is named where values are compared."""
    named = sorted(path for path in shipped if path in source.texts or path.rsplit("/", 1)[-1] in source.texts)
    if named:
        yield loss(LossCode.EXPECTS_FROM_INPUTS, *named)


def _reward_losses(source: _Source) -> Iterator[Loss]:
    if any(_names_reward(node) for node in source.all(ast.Dict, ast.Subscript, ast.Tuple, ast.Call)):
        yield loss(LossCode.OWN_REWARD, "the checker's own reward counts here; the release averages it with its parts")
    if "OPENCLAW_REWARD_PAYLOAD" in source.texts or "final_message" in source.texts:
        yield loss(LossCode.READS_FINAL_MESSAGE, "only the final workspace is graded here")


def _names_reward(node: ast.AST) -> bool:
    if isinstance(node, ast.Dict):
        return any(key is not None and _is_reward(key) for key in node.keys)
    if isinstance(node, ast.Subscript):
        return _is_reward(node.slice)
    if isinstance(node, ast.Tuple):
        return len(node.elts) == 2 and _is_reward(node.elts[0])
    return (
        isinstance(node, ast.Call)
        and dotted(node.func) in ("dict", "OrderedDict")
        and any(k.arg == "reward" for k in node.keywords)
    )


def _is_reward(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == "reward"
