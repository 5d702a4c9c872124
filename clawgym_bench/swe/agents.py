"""The agents of the installed `inspect-swe`, found by name; nothing here knows which there are."""

import inspect
from collections.abc import Callable
from importlib import import_module, util
from typing import Any

from inspect_ai._util.error import PrerequisiteError
from inspect_ai._util.registry import registry_find, registry_info
from inspect_ai.agent import Agent
from inspect_ai.model._providers.providers import validate_anthropic_client

PREFIX = "inspect_swe/"
PACKAGE = "inspect_swe"
INSTALL = "pip install 'inspect-swe>=0.2.72,<0.3' 'anthropic>=2,<3'"
"""The extra `swe`."""
Factory = Callable[..., Agent]


def is_swe(solver: str) -> bool:
    """Whether the name of a solver is that of such an agent."""
    return solver.startswith(PREFIX)


def find_factory(solver: str) -> Factory:
    """The function of the package that makes the agent.

    Raises:
        PrerequisiteError: the package is not installed, has no such agent, or one whose model calls cannot be counted.
    """
    if util.find_spec(PACKAGE) is None:
        raise PrerequisiteError(
            f"clawgym_bench: the solver {solver} needs the package inspect-swe, which is not installed: {INSTALL}"
        )
    validate_anthropic_client(f"clawgym_bench: the solver {solver}")
    package = import_module(PACKAGE)
    names = [registry_info(agent).name for agent in registry_find(lambda info: info.type == "agent")]
    known = sorted(
        name for name in names if is_swe(name) and callable(getattr(package, name.removeprefix(PREFIX), None))
    )
    if solver not in known:
        raise PrerequisiteError(f"clawgym_bench: solver is {solver!r}; inspect-swe has {', '.join(known)}")
    factory: Factory = getattr(package, solver.removeprefix(PREFIX))
    lacking = {"filter", "version"} - set(inspect.signature(factory).parameters)
    if lacking:
        raise PrerequisiteError(
            f"clawgym_bench: {solver} takes no {' and no '.join(sorted(lacking))}, so that no trial can be made of it"
        )
    return factory


def accepted(factory: Factory, arguments: dict[str, Any]) -> dict[str, Any]:
    """Those of the arguments that an agent takes."""
    taken = inspect.signature(factory).parameters
    return {name: value for name, value in arguments.items() if name in taken}


def program_of(solver: str) -> str | None:
    """The program that the agent looks for in the sandbox; None where the package does not say it in one place."""
    folder = find_factory(solver).__module__.rpartition(".")[0]
    module = f"{folder}.agentbinary"
    if util.find_spec(module) is None:
        return None
    source = getattr(import_module(module), f"{solver.removeprefix(PREFIX)}_binary_source", None)
    return str(source().binary) if source is not None else None
