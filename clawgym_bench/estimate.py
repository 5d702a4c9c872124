"""What a run may cost, told before it starts where the model's price is known."""

from inspect_ai.model import Model, get_model_info

from clawgym_bench.limits import Limits

TYPICAL_INPUT_TOKENS, TYPICAL_OUTPUT_TOKENS = 250_000, 8_000
"""Of one trial of about twenty turns, all calls together; an assumption, with nothing read from a cache."""


def estimate(model: Model, trials: int, limits: Limits) -> str | None:
    """A sentence about the cost of one epoch; None where the price is unknown."""
    info = get_model_info(model)
    if info is None or info.cost is None:
        return None
    typical = (TYPICAL_INPUT_TOKENS * info.cost.input + TYPICAL_OUTPUT_TOKENS * info.cost.output) / 1e6
    most = limits.cost_usd * trials
    cap = "" if limits.run_cost_usd is None else f"; the run is stopped at ${limits.run_cost_usd:,.2f}"
    return (
        f"{model}: about ${typical * trials:,.2f} for {trials} trials (${typical:,.3f} each, assumed without caching), "
        f"at most ${min(most, limits.run_cost_usd or most):,.2f} (${limits.cost_usd:,.2f} a trial{cap}); "
        "times the epochs"
    )
