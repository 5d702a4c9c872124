"""Which sandbox a run uses: the task argument and Inspect's flag `--sandbox` say the same, or the run is refused."""

import click
from inspect_ai._util.error import PrerequisiteError

DEFAULT_SANDBOX = "bubblewrap"
SANDBOXES = (DEFAULT_SANDBOX, "docker")


def sandbox_flag() -> tuple[str | None, str | None]:
    """Type and configuration of `--sandbox TYPE[:CONFIG]` on Inspect's command line; None each where it is not there."""
    context = click.get_current_context(silent=True)
    flag = context.params.get("sandbox") if context else None
    kind, _, config = str(flag or "").partition(":")
    return kind or None, config or None


def refuse_sandbox(actual: str, declared: str | None) -> None:
    """Refuse a contradiction, and a sandbox that is none.

    Args:
        actual: what the run uses.
        declared: what `-T sandbox` said; None where it said nothing.

    Raises:
        PrerequisiteError: with what to do.
    """
    if declared is not None and actual != declared:
        raise PrerequisiteError(
            f"clawgym_bench: --sandbox {actual} and -T sandbox={declared} contradict each other; pass one of them"
        )
    if actual == "local":
        raise PrerequisiteError(
            "clawgym_bench: --sandbox local would run an agent's commands on this host; use bubblewrap or docker"
        )
