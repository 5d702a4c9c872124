"""What a run in Docker needs of this machine, and what its log records of it."""

import os
from pathlib import Path
from typing import Any

from inspect_ai._util.error import PrerequisiteError

from clawgym_data.sandbox.docker import (
    HARNESS_VARIABLE,
    DockerError,
    Engine,
    find_engine,
    harness_name,
    sweep_containers,
)
from clawgym_data.sandbox.stale import sweep_folders

COMPOSE_FILE = Path(__file__).parent / "compose.yaml"
IMAGE_KEY, RUNTIME_KEY = "docker_image", "docker_runtime"
"""In a sample's metadata: Inspect hands them on to the compose file as SAMPLE_METADATA_DOCKER_IMAGE and ..._RUNTIME."""


def docker_environment(runtime: str | None, own_compose: str | None) -> dict[str, Any]:
    """Remove what killed runs left, mark what this run makes, and say what its log records of the engine.

    Args:
        runtime: of the engine's, such as gVisor's `runsc`; None for its default.
        own_compose: a compose file of the user's in the place of ours, of which nothing is known.

    Raises:
        PrerequisiteError: no sample could have a container; with what to do.
    """
    os.environ[HARNESS_VARIABLE] = harness_name()
    sweep_containers()
    sweep_folders()
    if own_compose is not None:
        if runtime is not None:
            raise PrerequisiteError("clawgym_bench: -T runtime goes with our compose file; state it in your own")
        return {"sandbox": "docker"}
    engine = _engine()
    used = runtime or engine.default_runtime
    if used not in engine.runtimes:
        raise PrerequisiteError(
            f"clawgym_bench: the Docker engine has no runtime {used!r}; it has {', '.join(engine.runtimes)}"
        )
    return {
        "sandbox": "docker",
        "docker": {"engine": engine.version, "storage": engine.storage, "runtime": used},
        "enforcement": engine.enforcement(used),
    }


def docker_metadata(image: str | None, runtime: str | None) -> dict[str, str]:
    """What samples carry for the compose file."""
    return {name: value for name, value in ((IMAGE_KEY, image), (RUNTIME_KEY, runtime)) if value is not None}


def _engine() -> Engine:
    try:
        return find_engine()
    except OSError as error:
        raise PrerequisiteError(
            "clawgym_bench: the sandbox docker needs Docker, which is not installed here"
        ) from error
    except DockerError as failure:
        raise PrerequisiteError(f"clawgym_bench: no Docker engine answers: {failure}") from failure
