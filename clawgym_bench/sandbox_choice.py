"""Which sandbox a run uses: the task argument and Inspect's flag `--sandbox` say the same, or the run is refused."""

import subprocess
from pathlib import Path

import click
from inspect_ai._util.error import PrerequisiteError

DEFAULT_SANDBOX = "bubblewrap"
SANDBOXES = (DEFAULT_SANDBOX, "docker")
COMPOSE_FILE = Path(__file__).parent / "compose.yaml"
DOCKER_IMAGE = "clawgym-sandbox:1"
"""What the compose file names."""
DOCKER_SEC = 60


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


def require_docker_image() -> None:
    """Refuse where our image cannot be found; each sample would fail, after an attempt to pull it.

    Raises:
        PrerequisiteError: with what to do.
    """
    try:
        done = subprocess.run(
            ["docker", "image", "inspect", "--format", "{{.Id}}", DOCKER_IMAGE],
            capture_output=True, text=True, check=False, timeout=DOCKER_SEC,
        )  # fmt: skip
    except FileNotFoundError as error:
        raise PrerequisiteError(
            "clawgym_bench: the sandbox docker needs Docker, which is not installed here"
        ) from error
    except subprocess.TimeoutExpired as error:
        raise PrerequisiteError(f"clawgym_bench: Docker did not answer within {DOCKER_SEC} s") from error
    if done.returncode != 0:
        raise PrerequisiteError(
            f"clawgym_bench: the sandbox docker needs the image {DOCKER_IMAGE} (scripts/docker-image in the source "
            f"repository makes one); docker says: {done.stderr.strip()[-300:]}"
        )
