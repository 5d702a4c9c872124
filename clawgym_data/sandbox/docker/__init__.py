"""Docker from outside: its commands, what its engine enforces, and containers whose harness is gone."""

from clawgym_data.sandbox.docker.client import DockerError, call_docker, docker_output
from clawgym_data.sandbox.docker.engine import GVISOR, Engine, find_engine, image_id
from clawgym_data.sandbox.docker.stale import HARNESS_VARIABLE, harness_label, harness_name, sweep_containers

__all__ = [
    "GVISOR",
    "HARNESS_VARIABLE",
    "DockerError",
    "Engine",
    "call_docker",
    "docker_output",
    "find_engine",
    "harness_label",
    "harness_name",
    "image_id",
    "sweep_containers",
]
