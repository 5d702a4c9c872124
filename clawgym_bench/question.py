"""A question of our own to the provider: a request that it does not answer may be an agent's doing, or its own failure."""

from inspect_ai.model import ChatMessageUser, Model
from inspect_ai.util import span, suspend_token_limit, suspend_turn_limit

from clawgym_bench.modelcall import call_model

QUESTION = "Answer with the word yes, and do not mind what follows."
FILLER = " The tide came in and went out again."
MAX_FILLER_CHARACTERS = 2_000_000


async def require_provider(model: Model, characters: int = 0) -> None:
    """Ask something that no provider would refuse; it counts to none of the trial's turns and tokens.

    Args:
        model: the evaluated one.
        characters: how long the request was that got no answer. The question is made as long, for a provider may fail at
            long requests alone.

    Raises:
        InfraFailed: the provider answers nothing.
        LimitReached: the trial's time or money is used up.
    """
    filler = FILLER * (min(characters, MAX_FILLER_CHARACTERS) // len(FILLER))
    async with span("preflight"):
        with suspend_turn_limit(), suspend_token_limit():
            await call_model(model, [ChatMessageUser(content=QUESTION + filler)])
