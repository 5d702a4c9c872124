"""A scripted model, and evaluations of the small task with it in this process."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    Model,
    ModelOutput,
    ModelUsage,
    StopReason,
    get_model,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from clawgym_bench._registry import clawgym_bench
from clawgym_data.outcome import Outcome
from tests.conftest import FIXTURE_TASKS

NAME = "mockllm/model"
Call = tuple[str, dict[str, Any]]
Step = str | Call | list[Call] | ModelOutput | Exception
Script = Sequence[Step] | Callable[[list[ChatMessage], int], Step]
USAGE = (100, 20)


def output_of(step: Step, usage: tuple[int, int] = USAGE, stop_reason: StopReason | None = None) -> ModelOutput:
    """The output of one step: an answer, calls, or itself."""
    if isinstance(step, Exception):
        raise step
    if isinstance(step, ModelOutput):
        output = step
    elif isinstance(step, str):
        output = ModelOutput.from_content(NAME, step)
    else:
        calls = [step] if isinstance(step, tuple) else step
        # as servers name them: OpenClaw would alter the underscore, and what repeats
        given = [ToolCall(id=f"call_{n}", function=name, arguments=args) for n, (name, args) in enumerate(calls)]
        message = ChatMessageAssistant(content="", tool_calls=given)
        output = ModelOutput.from_message(message, stop_reason="tool_calls")
    if stop_reason is not None:
        output.choices[0].stop_reason = stop_reason
    # without a usage Inspect's scripted provider would fetch a tokenizer
    output.usage = output.usage or ModelUsage(
        input_tokens=usage[0], output_tokens=usage[1], total_tokens=usage[0] + usage[1]
    )
    return output


def scripted_model(script: Script, **arguments: Any) -> Model:
    """A model that plays a script; the step follows from how many answers the conversation has."""

    def answer(
        messages: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        number = sum(isinstance(message, ChatMessageAssistant) for message in messages)
        if callable(script):
            return output_of(script(messages, number))
        return output_of(script[number] if number < len(script) else "done")

    return get_model(NAME, custom_outputs=answer, memoize=False, **arguments)


def evaluate(script: Script | Model, folder: Path, *, tasks: Path = FIXTURE_TASKS, **arguments: Any) -> EvalLog:
    """Evaluate; arguments with the prefix `flag_` go to Inspect, the others are those of `-T`."""
    flags = {name.removeprefix("flag_"): value for name, value in arguments.items() if name.startswith("flag_")}
    given = {name: value for name, value in arguments.items() if not name.startswith("flag_")}
    model = script if isinstance(script, Model) else scripted_model(script)
    task = clawgym_bench(tasks=str(tasks), **given)
    return inspect_eval(task, model=model, log_dir=str(folder), display="none", **flags)[0]


def sample_of(log: EvalLog) -> EvalSample:
    """The first sample."""
    assert log.samples, log.error
    return log.samples[0]


def ending_of(log: EvalLog) -> tuple[str, str, bool]:
    """Outcome, cause, and whether there is a score."""
    scores = sample_of(log).scores
    assert scores is not None, sample_of(log).error
    metadata = scores["verdict"].metadata or {}
    assert metadata["outcome"] in set(Outcome)
    return metadata["outcome"], metadata["cause"], "verdict" in metadata


def told(log: EvalLog) -> str:
    """All that the conversation holds at its end."""
    messages = sample_of(log).messages
    return "\n".join(f"{m.text}{m.error.message if m.role == 'tool' and m.error else ''}" for m in messages)
