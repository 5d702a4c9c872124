"""What OpenClaw says at its end. Its exit code says nothing: it is 0 after failed model calls and time-outs too."""

import json
import re
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from clawgym_bench.nested import extent
from clawgym_bench.surrogates import without_surrogates

_BEGIN = re.compile(r'^\{\s*"(?:payloads|runId|status|result)"', re.MULTILINE)
MAX_TRIED = 3
"""Places where a report may begin: an agent can write countless ones."""
MAX_KEPT_CHARS = 20_000
MAX_DEPTH = 40
"""Of nested lists and objects: whoever nests deeper is not OpenClaw, and the log could not hold it."""


class Report(BaseModel):
    """The report of `openclaw agent --json`, as far as it says how a run ended."""

    model_config = ConfigDict(frozen=True)

    payloads: list[dict[str, Any]] = Field(default_factory=list)
    meta: dict[str, Any] = Field(default_factory=dict)

    @property
    def text(self) -> str:
        """What a person would have been told."""
        return "\n\n".join(str(payload["text"]) for payload in self.payloads if payload.get("text"))

    @property
    def fault(self) -> str | None:
        """What went wrong by OpenClaw's own word; None where nothing did."""
        error = self.meta.get("error")
        if error:
            return json.dumps(error)[:500] if not isinstance(error, str) else error[:500]
        if self.meta.get("aborted") is True:
            return "aborted"
        if self.meta.get("stopReason") == "error":
            return self.text[:500] or "an error without words"
        return None

    def public(self) -> dict[str, Any]:
        """For the log: without the description of the prompt, which the log has already."""
        meta = {name: value for name, value in self.meta.items() if name != "systemPromptReport"}
        return {"text": self.text[:MAX_KEPT_CHARS], "meta": meta}


def find_report(output: str) -> Report | None:
    """The last report in what OpenClaw wrote, between its other lines; None where there is none, or not all of it."""
    for found in reversed(list(_BEGIN.finditer(output))[-MAX_TRIED:]):
        try:
            value, _ = json.JSONDecoder().raw_decode(output, found.start())
            if extent(value).depth > MAX_DEPTH:
                continue
            value = without_surrogates(value)
            body = value.get("result", value)
            return Report(payloads=body.get("payloads") or [], meta=body.get("meta") or {})
        except (ValueError, AttributeError, RecursionError):
            continue
    return None
