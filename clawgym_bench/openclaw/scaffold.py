"""What the harness itself puts into the workspace: known from a listing before the model's first turn."""

from collections.abc import Iterable

from inspect_ai.util import SandboxEnvironment

from clawgym_bench.workspace import WORKSPACE

SCAFFOLD_KEY = "clawgym_scaffold"
"""In the sample's store: paths of the workspace that are the harness's and never count as output."""
LIST_SEC = 30


async def find_scaffold(environment: SandboxEnvironment, given: Iterable[str]) -> list[str]:
    """Paths that lie in the workspace beside the task's own files, before the agent has done anything.

    Args:
        environment: the trial's sandbox.
        given: paths of the task's initial files.

    Raises:
        RuntimeError: the workspace cannot be listed.
    """
    command = ["find", WORKSPACE, "-mindepth", "1", "-not", "-type", "d", "-printf", "%P\\n"]
    done = await environment.exec(command, timeout=LIST_SEC, timeout_retry=False)
    if not done.success:
        raise RuntimeError(f"cannot list the workspace: {done.stderr[-300:]}")
    return sorted(set(done.stdout.splitlines()) - set(given))
