"""A trivial trial with the real OpenClaw (three model calls, two tools) in a sandbox, against OpenClaw started bare.

Bare is the same Node, OpenClaw and configuration, started directly on this machine with a server on its loopback
address, without a sandbox, a log or a grader; Node has compiled it before, there (in a run that is not counted) as in the
image. Also printed: what one model call costs between a program in the sandbox
and the scripted model behind the endpoint.

    clawgym bench image build
    python benchmarks/openclaw_speed.py [--image NAME] [--rounds 3] [--docker]
"""

import argparse
import asyncio
import os
import resource
import socket
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from inspect_ai import eval as inspect_eval
from inspect_ai.log import EvalSample
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, ModelUsage, get_model
from inspect_ai.tool import ToolChoice, ToolInfo

from clawgym_bench._registry import clawgym_bench
from clawgym_bench.endpoint import Endpoint
from clawgym_bench.endpoint.requests import ChatRequest
from clawgym_bench.image.store import RECORD, ROOT, find_image, read_record
from clawgym_bench.image.versions import DEFAULT_IMAGE
from clawgym_bench.openclaw.config import DEFAULT_PROFILE, PORT, command, setup_files, variables
from clawgym_data.sandbox import Bubblewrap, SandboxConfig

NAME = "mockllm/model"
TASKS = Path(__file__).parent.parent / "tests" / "fixtures" / "tasks"
CALLS = (("write", {"path": "out.txt", "content": "one\n"}), ("exec", {"command": "cat out.txt"}))
LATENCY_CALLS = 200
LATENCY = """
import http.client, json, time
body = json.dumps({"messages": [{"role": "user", "content": "x" * 14000}]})
link = http.client.HTTPConnection("127.0.0.1", %d)
for number in range(%d):
    began = time.perf_counter()
    link.request("POST", "/v1/chat/completions", body)
    link.getresponse().read()
    print(time.perf_counter() - began)
"""


@dataclass
class Times:
    """When the model was asked, by the clock of this process."""

    asked: list[float] = field(default_factory=list)


def answered(count: int) -> ModelOutput:
    """The answer after so many answers."""
    output = (
        ModelOutput.for_tool_call(NAME, *CALLS[count]) if count < len(CALLS) else ModelOutput.from_content(NAME, "done")
    )
    output.usage = ModelUsage(input_tokens=10, output_tokens=5, total_tokens=15)
    return output


def scripted(times: Times) -> Model:
    """The model that plays the calls."""

    def answer(
        messages: list[ChatMessage], tools: list[ToolInfo], choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        times.asked.append(time.monotonic())
        return answered(sum(message.role == "assistant" for message in messages))

    return get_model(NAME, custom_outputs=answer, memoize=False)


async def bare(root: Path, version: str, cache: str) -> tuple[float, float, float]:
    """Start OpenClaw on this machine; returns seconds to the first call and to the end, and peak memory in MB."""
    times = Times()

    async def answer(request: ChatRequest) -> ModelOutput:
        times.asked.append(time.monotonic())
        return answered(sum(message.role == "assistant" for message in request.messages))

    with tempfile.TemporaryDirectory() as home, socket.socket() as listener:
        listener.bind(("127.0.0.1", PORT))
        listener.listen(8)
        workspace = f"{home}/workspace"
        os.mkdir(workspace)
        for path, content in setup_files(version, DEFAULT_PROFILE, workspace, 128_000).items():
            target = Path(home, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(content)
        installed = root / "usr/local/lib/openclaw"
        env = {
            name: value.replace("/usr/local/lib/openclaw", str(installed)) for name, value in variables(home).items()
        }
        env["NODE_COMPILE_CACHE"] = cache  # the image's serves its own paths and user alone
        env["PATH"] = f"{root}/usr/local/bin:/usr/bin:/bin"
        words = [
            str(root / "usr/local/bin/node"),
            str(installed / "node_modules/openclaw/openclaw.mjs"),
            *command("Do it.", DEFAULT_PROFILE)[1:],
        ]
        began = time.monotonic()
        async with Endpoint(answer).serving(listener):
            process = await asyncio.create_subprocess_exec(
                *words, env=env, cwd=workspace, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            await process.wait()
        assert len(times.asked) == 3, "OpenClaw did not make its three calls"
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return times.asked[0] - began, time.monotonic() - began, memory


def trials(image: str, sandbox: str, count: int, side_by_side: int) -> tuple[float, list[EvalSample]]:
    """Run trials; returns seconds in all, and the samples."""
    task = clawgym_bench(tasks=str(TASKS), solver="openclaw", image=image, sandbox=sandbox, preflight=False)
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as logs:
        log = inspect_eval(
            task, model=scripted(Times()), epochs=count, max_samples=side_by_side, log_dir=logs, display="none"
        )[0]
        took = time.monotonic() - began
        samples = list(log.samples or [])
    assert samples, log.error
    assert all(sample.error is None for sample in samples), [sample.error for sample in samples]
    return took, samples


def phases(sample: EvalSample) -> tuple[float, float, float]:
    """Seconds of a trial from its start to the first model call, to the last, and to its end with grading."""
    asked = [event.timestamp for event in sample.events if event.event == "model"]
    start = min(event.timestamp for event in sample.events)
    end = max(event.timestamp for event in sample.events)
    return (asked[0] - start).total_seconds(), (asked[-1] - start).total_seconds(), (end - start).total_seconds()


async def latency(root: Path) -> list[float]:
    """Milliseconds of model calls by a program in a sandbox."""

    async def answer(request: ChatRequest) -> ModelOutput:
        return answered(len(CALLS))

    with Bubblewrap.start(SandboxConfig(root=str(root))) as sandbox, sandbox.listen(PORT) as listener:
        async with Endpoint(answer).serving(listener):
            program = LATENCY % (PORT, LATENCY_CALLS)
            done = await asyncio.to_thread(sandbox.call, ["python3", "-c", program])
    return [1000 * float(line) for line in done.stdout.split()]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--image", default=DEFAULT_IMAGE)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--docker", action="store_true")
    given = parser.parse_args()
    folder = find_image(given.image)
    if folder is None:
        raise SystemExit(f"there is no image {given.image}; `clawgym bench image build` makes one")
    root, record = folder / ROOT, read_record(folder / RECORD)
    version = record.openclaw or "none"
    print(f"OpenClaw {version}, image {record.full_name}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as cache:
        alone = [asyncio.run(bare(root, version, cache)) for _ in range(given.rounds + 1)][1:]
    first, whole = (statistics.median(row[place] for row in alone) for place in (0, 1))
    print(f"bare: first call {first:.2f} s, end {whole:.2f} s, peak {alone[-1][2]:.0f} MB")
    calls = asyncio.run(latency(root))
    print(
        f"a model call from inside: median {statistics.median(calls):.1f} ms, worst of {len(calls)} {max(calls):.1f} ms"
    )
    for sandbox in ("bubblewrap", "docker") if given.docker else ("bubblewrap",):
        for side_by_side in (1, 2, 4):
            count = max(side_by_side * given.rounds, 2)
            took, samples = trials(given.image, sandbox, count, side_by_side)
            rows = [phases(sample) for sample in samples]
            start, last, end = (statistics.median(row[place] for row in rows) for place in range(3))
            print(
                f"{sandbox}, {side_by_side} in parallel: first call {start:.2f} s, last {last:.2f} s, end {end:.2f} s "
                f"(ratio to bare {end / whole:.2f}); {3600 * count / took:.0f} trials an hour"
            )
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"the harness itself: peak {own:.0f} MB")


if __name__ == "__main__":
    main()
