"""Whether the program of an agent is inside the sandbox, asked before the first trial as the agent itself will ask."""

import shlex
import subprocess
from contextlib import suppress
from importlib.metadata import version
from uuid import uuid4

from inspect_ai._util.error import PrerequisiteError

from clawgym_bench.swe.agents import program_of
from clawgym_data.sandbox import Bubblewrap, SandboxConfig, SandboxRefused
from clawgym_data.sandbox.docker import DockerError, call_docker, harness_label

PROBE_SEC = 120
REMOVE_SEC = 60
NOT_FOUND = 44


def require_program(solver: str, config: SandboxConfig, docker_image: str | None) -> dict[str, str]:
    """Find the program in a sandbox as the run's trials get it.

    Args:
        solver: which agent.
        config: of the bubblewrap sandbox.
        docker_image: what the run's containers are made from; None for a run in bubblewrap.

    Returns:
        What the log says of it: the package's version, the program and what it says of its own version.

    Raises:
        PrerequisiteError: it is not there, or does not start; with what to do.
    """
    record = {"agent": solver, "inspect_swe": version("inspect-swe")}
    program = program_of(solver)
    if program is None:
        return record
    word = shlex.quote(program)
    script = f"which {word} >/dev/null || exit {NOT_FOUND}; {word} --version 2>&1 </dev/null"
    try:
        status, said = _in_container(script, docker_image) if docker_image else _in_bubblewrap(script, config)
    except (SandboxRefused, OSError, subprocess.SubprocessError) as error:
        raise PrerequisiteError(f"clawgym_bench: no sandbox in which to look for {program}: {error}") from error
    if status == NOT_FOUND:
        raise PrerequisiteError(
            f"clawgym_bench: {solver} needs the program {program}, which is not in the sandbox; {_fix(docker_image, config)}"
        )
    if status != 0:
        raise PrerequisiteError(
            f"clawgym_bench: {program} is in the sandbox and does not start there (exit status {status}): "
            f"{said.strip()[-600:]}"
        )
    return {**record, "program": program, "version": (said.strip().splitlines() or [""])[0][:100]}


def _in_bubblewrap(script: str, config: SandboxConfig) -> tuple[int, str]:
    with Bubblewrap.start(config) as sandbox:
        done = sandbox.call(["/bin/bash", "-c", script], timeout_sec=PROBE_SEC, max_output_bytes=1 << 16)
    return done.returncode, done.stdout.decode(errors="replace")


def _in_container(script: str, image: str) -> tuple[int, str]:
    name = f"clawgym-probe-{uuid4()}"
    command = ["docker", "run", "--rm", "--name", name, *harness_label(), "--network", "none"]
    try:
        done = subprocess.run(
            [*command, "--entrypoint", "/bin/bash", image, "-c", script],
            capture_output=True,
            text=True,
            check=False,
            timeout=PROBE_SEC,
            errors="replace",
        )
    finally:
        # what ends by itself is gone already; after a time-out, `docker run` alone has ended
        with suppress(DockerError):
            call_docker(["rm", "--force", name], "remove the container", REMOVE_SEC)
    return done.returncode, done.stdout + done.stderr


def _fix(docker_image: str | None, config: SandboxConfig) -> str:
    if docker_image:
        return f"the image {docker_image} must hold it"
    if not config.read_only_binds:
        return "pass -T bind=FOLDER:/opt/NAME, with a folder of this host that has it"
    looked = dict(config.env)["PATH"]
    return f"it was looked for in {looked}; the bound folder and all in it must be readable by every user"
