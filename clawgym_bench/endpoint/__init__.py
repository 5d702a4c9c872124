"""The evaluated model as an OpenAI-compatible server inside the sandbox, for agents that bring their own loop."""

from clawgym_bench.endpoint.ports import open_port
from clawgym_bench.endpoint.served import ServedModel
from clawgym_bench.endpoint.server import Endpoint

__all__ = ["Endpoint", "ServedModel", "open_port"]
