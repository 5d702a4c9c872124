"""A judge's reply: it names exactly one of the declared levels, or it cannot be used."""

import json
import re
from dataclasses import dataclass

from inspect_ai.model import ModelOutput, ResponseSchema
from inspect_ai.util import JSONSchema

MAX_REPLY_CHARACTERS = 20_000
MAX_REASON_CHARACTERS = 600
MAX_SHOWN_CHARACTERS = 160
KEYS = ("reason", "level")

_WHOLE_FENCE = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a judge said."""

    level: int | None
    """Index of the level; None where the reply cannot be used."""
    reason: str = ""
    """The judge's words, cut."""
    fault: str = ""
    """Why it cannot be used, in our words only: it is told to the judge."""
    shown: str = ""
    """How an unusable reply began."""


def response_schema(names: list[str]) -> ResponseSchema:
    """The form of a reply, for providers that can enforce one."""
    properties = {"reason": JSONSchema(type="string"), "level": JSONSchema(type="string", enum=list(names))}
    schema = JSONSchema(type="object", properties=properties, required=list(KEYS), additionalProperties=False)
    return ResponseSchema(name="assessment", json_schema=schema, strict=True)


def read_reply(output: ModelOutput, names: list[str]) -> Reply:
    """Read a reply; never raises for what stands in it.

    Args:
        output: of the judge's model.
        names: of the declared levels.
    """
    text = output.choices[0].message.text.strip() if output.choices else ""
    fault = _output_fault(output, text)
    if fault:
        return Reply(None, fault=fault, shown=text[:MAX_SHOWN_CHARACTERS])
    return read_text(text, names)


def _output_fault(output: ModelOutput, text: str) -> str:
    if not output.choices:
        return "it was empty"
    if output.choices[0].stop_reason in ("max_tokens", "model_length"):
        return "it was cut by the length limit"
    if output.choices[0].stop_reason == "content_filter":
        return "a content filter stopped it"
    if output.choices[0].message.tool_calls:
        return "it called a tool"
    if not text:
        content = output.choices[0].message.content
        reasoned = isinstance(content, list) and any(part.type == "reasoning" for part in content)
        return "it held reasoning and no answer" if reasoned else "it was empty"
    return "it was too long" if len(text) > MAX_REPLY_CHARACTERS else ""


def read_text(text: str, names: list[str]) -> Reply:
    """Read the words of a reply: one JSON object with exactly the two keys, a level by its name, nothing around it.

    A Markdown fence around the whole reply is the one thing that is taken off: it adds no words.
    """
    shown = text[:MAX_SHOWN_CHARACTERS]
    fenced = _WHOLE_FENCE.match(text)
    try:
        found = json.loads(fenced[1] if fenced else text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return Reply(None, fault="it was not one JSON object", shown=shown)
    if not isinstance(found, dict) or set(found) != set(KEYS):
        return Reply(None, fault="its keys were not exactly reason and level", shown=shown)
    if not isinstance(found["reason"], str) or found["level"] not in names:
        return Reply(None, fault="its level was not one of the declared names", shown=shown)
    return Reply(names.index(found["level"]), reason=found["reason"].strip()[:MAX_REASON_CHARACTERS])


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key appears twice")
    return dict(pairs)
