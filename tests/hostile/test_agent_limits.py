"""Agents that use a limit up after their work: it ends them, they are graded as they stand, and the next one has it whole."""

from collections.abc import Iterator

import pytest
from inspect_ai.log import EvalLog
from inspect_ai.log._samples import sample_active
from inspect_ai.model import ChatMessage, ModelCost, ModelInfo, ModelOutput
from inspect_ai.model._model_info import clear_model_info_cache, set_model_info

from tests.bench.scripted import NAME, Step, evaluate, output_of
from tests.hostile.cases import HONEST, LEFT_BEHIND, sh

"""The tests share their run."""

LATE = f"setsid sh -c 'sleep 40; echo x > payout.csv; sleep {LEFT_BEHIND}' &"
ENDLESS: dict[str, Step] = {
    "limit: turn": output_of(sh("true"), usage=(1, 1)),
    "limit: token": output_of(sh("true"), usage=(15_000, 0)),
    "limit: cost": output_of(sh("true"), usage=(1, 3_000)),
    "limit: working": output_of(sh(f"{LATE} sleep {LEFT_BEHIND}", yieldMs=120_000), usage=(1, 1)),
    "limit: context": ModelOutput.from_content(NAME, "", stop_reason="model_length"),
    "": output_of("done", usage=(1, 1)),
}
"""How the cause reads, and what the agent does for ever after its work; prices are 1 and 10 dollars a thousand tokens."""


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EvalLog]:
    set_model_info(NAME, ModelInfo(cost=ModelCost(input=1000, output=10_000, input_cache_write=0, input_cache_read=0)))

    def script(messages: list[ChatMessage], number: int) -> Step:
        active = sample_active()
        assert active is not None
        return list(ENDLESS.values())[active.epoch - 1] if number else HONEST

    limits = {"turn_limit": 30, "token_limit": 25_000, "cost_limit": 50.0, "working_limit": 12.0}
    yield evaluate(script, tmp_path_factory.mktemp("limits"), flag_epochs=len(ENDLESS), flag_max_samples=3, **limits)
    clear_model_info_cache()


@pytest.mark.parametrize("cause", ENDLESS)
@pytest.mark.fault("agent-escapes-its-zero")
def test_a_limit_that_is_used_up_ends_the_agent_and_takes_nothing_from_its_work(log: EvalLog, cause: str) -> None:
    assert log.status == "success", log.error
    sample = next(s for s in log.samples or [] if s.epoch == list(ENDLESS).index(cause) + 1)
    score = (sample.scores or {})["verdict"]
    assert ((score.metadata or {})["outcome"], (score.metadata or {})["cause"]) == ("scored", cause)
    assert score.as_float() == 1
    assert "infra_retries" not in sample.metadata
    assert not cause or "stopped at its limit of" in str(score.explanation)
