"""How a trial ended whose program ran inside the sandbox: by itself, or by whose doing."""

from inspect_ai.util import SandboxEnvironment

from clawgym_bench.endings import AgentFailed, InfraFailed, LimitReached
from clawgym_bench.swe.calls import HarnessCalls
from clawgym_bench.workspace import bubblewrap_of
from clawgym_data.sandbox import SandboxGone

SAID_CHARS = 900
"""Of what a program says at its end, its beginning and most of all its end are kept."""


async def raise_unless_done(
    calls: HarnessCalls, failure: BaseException | None, environment: SandboxEnvironment
) -> None:
    """Say what the end of the program means.

    Failures of the provider and limits are known from outside and stand first. The rest happened inside the sandbox: before
    the model's first call of a tool nothing in there can have been the agent's doing, afterwards no sign from inside can
    prove that it was not.

    Args:
        calls: what the model calls have shown.
        failure: what the agent raised; None where the program ended well.
        environment: the trial's sandbox.

    Raises:
        LimitReached, LimitExceededError: a limit.
        InfraFailed, SandboxGone: something outside failed, or the program before the agent could act.
        AgentFailed: the program failed after the agent had acted; a second try would let an agent throw a bad one away.
    """
    if calls.ended_by is not None:
        raise calls.ended_by
    own = bubblewrap_of(environment)
    if own is not None and not own.runner.alive:
        raise SandboxGone("the sandbox has ended")
    if isinstance(calls.refused, LimitReached):
        raise calls.refused
    has_ended = calls.answers > 0 and calls.refused is None
    if has_ended and (failure is None or _is_refusal(calls)):
        return
    said = _short(failure) if failure is not None else "it ended after its request was refused"
    if calls.tool_calls == 0:
        raise calls.refused or InfraFailed(f"harness: {said if failure is not None else 'it never asked the model'}")
    raise AgentFailed(f"harness: {said}{f' ({calls.refused})' if calls.refused else ''}")


def _short(failure: BaseException) -> str:
    text = f"{type(failure).__name__}: {str(failure).strip()}"
    return text if len(text) <= SAID_CHARS else f"{text[: SAID_CHARS // 3]} ... {text[-SAID_CHARS * 2 // 3 :]}"


def _is_refusal(calls: HarnessCalls) -> bool:
    """Whether the model's last word was a refusal, which some programs report as an error."""
    return calls.last is not None and calls.last.stop_reason == "content_filter"
