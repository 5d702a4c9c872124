"""A program of its own: GGUF weights to a folder for `transformers serve`, with our chat template.

`python -m clawgym_bench.local_model.convert WEIGHTS TEMPLATE OUT`; nothing imports it, since it loads torch.
"""

import sys
from pathlib import Path

from transformers import AutoModelForCausalLM, AutoTokenizer, GgufConfig

RESPONSE_TEMPLATE = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|im_start|>assistant\n",
    "fields": {
        "tool_calls": {
            "open": "<tool_call>",
            "close_pattern": r"</tool_call>\s*",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close_pattern": r"<\|im_end\|>\s*", "content": "text"},
    },
}
"""How the server finds tool calls in an answer; it mirrors the chat template."""


def main(weights: Path, template: Path, out: Path) -> None:
    """Convert; without `GgufConfig` the weights keep a note of their quantisation and cannot be saved."""
    place = str(weights.parent)
    tokenizer = AutoTokenizer.from_pretrained(place, gguf_file=weights.name)
    tokenizer.chat_template = template.read_text("utf-8")
    tokenizer.response_template = RESPONSE_TEMPLATE
    model = AutoModelForCausalLM.from_pretrained(
        place, gguf_file=weights.name, dtype="float32", quantization_config=GgufConfig(dequantize=True)
    )
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
