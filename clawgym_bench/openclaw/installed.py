"""Whether, and in which version, OpenClaw is where a trial needs it."""

import json

from inspect_ai._util.error import PrerequisiteError
from inspect_ai.util import SandboxEnvironment

from clawgym_bench.image.choice import BUILD, Root
from clawgym_bench.image.store import stored_images
from clawgym_bench.openclaw.config import PACKAGE


def require_openclaw(root: Root) -> None:
    """Refuse a run without OpenClaw before its first trial.

    Args:
        root: the sandboxes' root.

    Raises:
        PrerequisiteError: with what to do.
    """
    if root.record is None or root.record.openclaw is None:
        found = "this host's own /usr" if root.record is None else f"the image {root.record.full_name}"
        raise PrerequisiteError(
            f"clawgym_bench: the solver openclaw needs an image with OpenClaw, and the sandboxes would have {found}; "
            f"{_advice()}"
        )


def _advice() -> str:
    known = [record.full_name for record in stored_images().values() if record.openclaw is not None]
    return f"-T image= takes {' or '.join(known)}" if known else f"`{BUILD}` makes one"


async def installed_version(environment: SandboxEnvironment) -> str:
    """OpenClaw's version in a sandbox.

    Raises:
        PrerequisiteError: there is none.
    """
    try:
        return str(json.loads(await environment.read_file(PACKAGE))["version"])
    except (FileNotFoundError, ValueError, KeyError) as error:
        raise PrerequisiteError(
            f"clawgym_bench: the sandbox has no OpenClaw ({PACKAGE}: {error}); `{BUILD}` makes an image that has it"
        ) from error
