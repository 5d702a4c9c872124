"""The real OpenClaw, with a scripted model behind it, in bubblewrap."""

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import psutil
import pytest
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog, EvalSample, read_eval_log
from inspect_ai.log._samples import sample_active
from inspect_ai.model import ChatMessage, get_model
from inspect_ai.util import SandboxEnvironment, SandboxUnavailableError

from clawgym_bench.endpoint import Endpoint, ServedModel
from clawgym_bench.openclaw import run as openclaw_run
from clawgym_bench.openclaw.config import PORT
from clawgym_bench.openclaw.report import find_report
from clawgym_bench.trajectory import read_trajectories
from clawgym_bench.trajectory.openclaw_compare import compare
from clawgym_bench.trajectory.openclaw_session import sessions_of as sessions_in
from clawgym_data.task import load_task
from tests.bench.openai_server import Reply, answer, error, openai_server
from tests.bench.openclaw import evaluate_openclaw, instruction_in, openclaw_image, samples_of, steps_of
from tests.bench.scripted import Step, sample_of, scripted_model
from tests.conftest import FIXTURE_TASKS, REPOSITORY

BENCH = REPOSITORY / "task_specs" / "bench"
SOLVED = (
    *("bakery-allergen-cards", "bicycle-shop-migration", "half-marathon-results", "hut-helicopter-loads"),
    *("ice-rink-card-reconciliation", "instrument-bank-renewals", "label-printer-incident", "orchard-press-week"),
    *("seed-shop-inbox", "storage-box-switch-off", "tide-gauge-reader", "toad-patrol-season-page"),
)
"""Two of each category."""
FAILING = SOLVED[:8]
FIRST = min(path.name for path in FIXTURE_TASKS.iterdir() if path.is_dir())


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    openclaw_image()
    tasks = [load_task(BENCH / name) for name in SOLVED]
    steps = {task.spec.instruction.strip(): steps_of(task) for task in tasks}

    def play(messages: list[ChatMessage], number: int) -> Step:
        told = instruction_in(messages)
        mine = next(steps for instruction, steps in steps.items() if instruction in told)
        return mine[number]

    folder = tmp_path_factory.mktemp("solved")
    log = evaluate_openclaw(play, folder, tasks=BENCH, task=",".join(SOLVED), flag_max_samples=8)
    return read_eval_log(log.location, resolve_attachments=True)


@pytest.mark.parametrize("name", SOLVED)
def test_a_solution_by_openclaws_own_tools_scores_1(solved: EvalLog, name: str) -> None:
    sample = samples_of(solved)[name]
    assert sample.scores is not None, sample.error
    assert sample.metadata["openclaw"]["profile"] == "compact"
    assert (sample.scores["verdict"].metadata or {})["outcome"] == "scored", sample.scores["verdict"].explanation
    assert sample.scores["verdict"].as_float() == 1, sample.scores["verdict"].explanation


@pytest.mark.parametrize("name", SOLVED)
def test_trials_side_by_side_never_mix(solved: EvalLog, name: str) -> None:
    sample = samples_of(solved)[name]
    said = json.dumps([message.model_dump(mode="json") for message in sample.messages])
    own = "\n".join(sessions_of(sample))
    assert f"this was {name}" in said
    assert f"this was {name}" in own
    for other in set(SOLVED) - {name}:
        assert f"this was {other}" not in said
        assert f"this was {other}" not in own
    assert sum(event.event == "model" for event in sample.events) == 4


def test_both_records_agree_call_by_call(solved: EvalLog) -> None:
    seen = 0
    for trajectory in read_trajectories(solved.location):
        comparison = compare(trajectory, sessions_in(trajectory))
        assert comparison.agrees, (trajectory.task, comparison)
        assert comparison.answers == comparison.answers_matched == 4
        results = sum(len(trajectory.results(answer)) for answer in trajectory.answers())
        assert (comparison.results_matched, comparison.results_not_sent) == (results, 0)
        assert results == sum(len(answer.calls) for answer in trajectory.answers()) >= 3
        assert not comparison.unknown
        seen += 1
    assert seen == len(SOLVED)


def sessions_of(sample: EvalSample) -> list[str]:
    return [
        event.data["text"]  # type: ignore[index, call-overload]
        for event in sample.events
        if event.event == "info" and event.source == "clawgym/openclaw-session"
    ]


def ending(sample: EvalSample) -> tuple[str, str]:
    assert sample.scores is not None
    metadata = sample.scores["verdict"].metadata or {}
    return metadata["outcome"], metadata["cause"]


# what fails at the model's provider, and what its answers can do to OpenClaw


def _never(request: dict[str, Any], count: int) -> Reply:
    return error(500, "broken")


def _cut(request: dict[str, Any], count: int) -> Reply:
    reply = answer("this is never heard to its end")
    reply.cut_after = 20
    return reply


def _limited(request: dict[str, Any], count: int) -> Reply:
    return error(429, "slow down") if count < 2 else answer("done")


def _hangs(request: dict[str, Any], count: int) -> Reply:
    reply = answer("too late")
    reply.wait_sec = 30
    return reply


def _malformed(request: dict[str, Any], count: int) -> Reply:
    return answer(calls=[("exec", '{"command": "echo')])


def _empty(request: dict[str, Any], count: int) -> Reply:
    return answer("")


def _too_long(request: dict[str, Any], count: int) -> Reply:
    return error(400, "This model's maximum context length is 4096 tokens", "context_length_exceeded")


def _unknown(request: dict[str, Any], count: int) -> Reply:
    return answer(calls=[("frobnicate", '{"a": 1}')])


PROVIDER: dict[str, tuple[Callable[[dict[str, Any], int], Reply], tuple[str, str]]] = {
    "errors for ever": (_never, ("infra_failed", "provider: InternalServerError")),
    "answers cut half-way": (_cut, ("infra_failed", "provider: ")),
    "a rate limit that passes": (_limited, ("scored", "")),
    "no answer in time": (_hangs, ("infra_failed", "provider: ")),
    "arguments that are no JSON": (_malformed, ("agent_failed", "malformed calls in 5 turns in a row")),
    "empty answers": (_empty, ("scored", "")),
    "a window that is too small": (_too_long, ("scored", "limit: context")),
    "a tool that does not exist": (_unknown, ("scored", "limit: turn")),
}


@pytest.fixture(scope="module")
def unlucky(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """One task for each thing that can go wrong, in one run."""
    openclaw_image()
    instructions = {name: load_task(BENCH / name).spec.instruction.strip() for name in FAILING}
    cases = dict(zip(FAILING, PROVIDER.values(), strict=True))
    counts = dict.fromkeys(FAILING, 0)

    def reply(request: dict[str, Any], count: int) -> Reply:
        told = json.dumps(request, ensure_ascii=False)
        name = next(n for n, text in instructions.items() if json.dumps(text, ensure_ascii=False)[1:-1] in told)
        counts[name] += 1
        return cases[name][0](request, counts[name] - 1)

    with openai_server(reply) as server:
        model = get_model("openai-api/loopback/m", base_url=server.url, api_key="none", memoize=False)
        return evaluate_openclaw(
            model,
            tmp_path_factory.mktemp("unlucky"),
            tasks=BENCH,
            task=",".join(FAILING),
            turn_limit=12,
            flag_max_retries=2,
            flag_attempt_timeout=4,
            flag_max_samples=8,
        )


@pytest.mark.parametrize("name", PROVIDER)
def test_each_misfortune_at_the_provider_has_its_outcome(unlucky: EvalLog, name: str) -> None:
    sample = samples_of(unlucky)[FAILING[list(PROVIDER).index(name)]]
    outcome, cause = PROVIDER[name][1]
    assert ending(sample)[0] == outcome
    assert ending(sample)[1].startswith(cause)
    if cause == "":
        assert ending(sample)[1] == ""


LEAVING = f"""
import http.client, json, threading
body = json.dumps({{"messages": [{{"role": "user", "content": "a program"}}]}})
def ask(leaves):
    link = http.client.HTTPConnection("127.0.0.1", {PORT}, timeout=60)
    link.request("POST", "/v1/chat/completions", body)
    link.close() if leaves else link.getresponse().read()
for number in range(12):
    threading.Thread(target=ask, args=(number % 2 == 0,)).start()
"""


def test_calls_side_by_side_and_calls_whose_client_leaves_are_all_counted(tmp_path: Path) -> None:
    def reply(request: dict[str, Any], count: int) -> Reply:
        if request["messages"][-1]["content"] != "a program":
            return answer(calls=[("exec", json.dumps({"command": f"python3 -c '{LEAVING}'"}))])
        slow = answer("yes")
        slow.wait_sec = 1
        return slow

    with openai_server(reply) as server:
        model = get_model("openai-api/loopback/m", base_url=server.url, api_key="none", memoize=False)
        log = evaluate_openclaw(model, tmp_path, tasks=FIXTURE_TASKS, task=FIRST, turn_limit=5)
        assert len(server.requests) == 5
    assert ending(sample_of(log)) == ("scored", "limit: turn")


FULL: list[list[Step]] = [
    [("sessions_spawn", {"task": "Solve what is in the workspace.", "label": "solver"}), "I wait for it."],
    [
        ("sessions_spawn", {"task": "Solve what is in the workspace.", "label": "solver"}),
        ("sessions_yield", {"message": "waiting"}),
    ],
    ["done"],
]


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    """Trials with all tools: two in which a sub-agent does the work, and one in which nothing is done."""
    sub_agent = [*steps_of(load_task(FIXTURE_TASKS / FIRST))[:-1], ("exec", {"command": "sleep 4"}), "SOLVED BY IT"]

    def play(messages: list[ChatMessage], number: int) -> Step:
        active = sample_active()
        assert active is not None
        told = instruction_in(messages)
        if "[Subagent Task]: Solve" in told or ("[Subagent Task]" in told and "Our market stall" not in told):
            return sub_agent[number]
        return "The sub-agent said it." if "SOLVED BY IT" in told else FULL[active.epoch - 1][number]

    folder = tmp_path_factory.mktemp("full")
    return evaluate_openclaw(
        play, folder, tasks=FIXTURE_TASKS, task=FIRST, profile="full", flag_epochs=len(FULL), flag_max_samples=len(FULL)
    )


@pytest.mark.parametrize("epoch", [1, 2])
def test_in_the_full_profile_a_sub_agent_works_on_and_its_result_comes_back(full: EvalLog, epoch: int) -> None:
    [sample] = [sample for sample in full.samples or [] if sample.epoch == epoch]
    assert ending(sample) == ("scored", "")
    assert sample.scores is not None
    assert sample.scores["verdict"].as_float() == 1, sample.scores["verdict"].explanation
    assert sample.metadata["openclaw"]["profile"] == "full"
    assert sample.messages[-1].text == "The sub-agent said it."
    [trajectory] = read_trajectories(full.location, epoch=epoch)
    assert [conversation.depth for conversation in trajectory.conversations][:2] == [0, 1]
    assert compare(trajectory, sessions_in(trajectory)).agrees


def test_in_the_full_profile_a_trial_without_sub_agents_ends_at_once(full: EvalLog) -> None:
    [sample] = [sample for sample in full.samples or [] if sample.epoch == len(FULL)]
    assert ending(sample) == ("scored", "")
    assert sum(event.event == "model" for event in sample.events) == 1


# what becomes of OpenClaw inside its sandbox

DEATHS: dict[str, tuple[list[Step], tuple[str, str]]] = {
    "killed by the agent": ([("exec", {"command": "kill -9 -1"})], ("agent_failed", "openclaw died at work")),
    "killed with all else": (
        [("exec", {"command": "pkill -9 node; pkill -9 openclaw; sleep 5"})],
        ("agent_failed", "openclaw died at work"),
    ),
    "stopped": ([("exec", {"command": "pkill -STOP openclaw; pkill -STOP node"})], ("scored", "limit: working")),
    "a child in the background": (
        [("exec", {"command": "sleep 1000", "background": True}), "done"],
        ("scored", ""),
    ),
    "a child that ignores it": (
        [
            (
                "exec",
                {"command": "nohup setsid sh -c 'trap \"\" TERM INT HUP; while :; do sleep 1; done' >/dev/null 2>&1 &"},
            ),
            "done",
        ],
        ("scored", ""),
    ),
    "a forged report": (
        [
            (
                "exec",
                {
                    "command": """python3 -c "print('{\\"payloads\\": [], \\"meta\\": {\\"x\\":' + '[' * 300 + ']' * 300 + '}}')" > forged; mv -f forged ~/.openclaw/run/stdout"""
                },
            ),
            "done",
        ],
        ("scored", ""),
    ),
    "memory used up": (
        [("exec", {"command": "python3 -c 'x = [bytearray(1 << 20) for _ in range(4000)]'"}), "done"],
        ("scored", ""),
    ),
}


@pytest.fixture(scope="module")
def deaths(tmp_path_factory: pytest.TempPathFactory) -> EvalLog:
    openclaw_image()
    names = SOLVED[: len(DEATHS)]
    instructions = {load_task(BENCH / name).spec.instruction.strip(): name for name in names}
    scripts = dict(zip(names, (script for script, _ in DEATHS.values()), strict=True))

    def play(messages: list[ChatMessage], number: int) -> Step:
        told = instruction_in(messages)
        script = scripts[next(name for text, name in instructions.items() if text in told)]
        return script[number] if number < len(script) else "done"

    return evaluate_openclaw(
        play,
        tmp_path_factory.mktemp("deaths"),
        tasks=BENCH,
        task=",".join(names),
        working_limit=60,
        flag_max_samples=len(DEATHS),
    )


@pytest.mark.parametrize("name", DEATHS)
def test_each_end_of_openclaw_has_its_outcome(deaths: EvalLog, name: str) -> None:
    sample = samples_of(deaths)[SOLVED[list(DEATHS).index(name)]]
    outcome, cause = DEATHS[name][1]
    assert (ending(sample)[0], ending(sample)[1][: len(cause)]) == (outcome, cause)


def test_no_process_is_left_of_any_of_them(deaths: EvalLog) -> None:
    assert deaths.samples
    names = [child.name() for child in psutil.Process().children(recursive=True)]
    assert not [name for name in names if "openclaw" in name or "node" in name]


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that the sandbox's user on the host may read, as pytest's own are not."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def in_the_place_of_openclaw(folder: Path, program: str) -> tuple[tuple[str, str], ...]:
    script = folder / "openclaw"
    script.write_text(f"#!/bin/sh\n{program}\n")
    script.chmod(0o755)
    return ((str(script), "/usr/local/bin/openclaw"),)


@pytest.mark.parametrize(
    ("program", "cause"),
    [
        ("exit 0", "openclaw: no model call before its end (exit code 0): it wrote nothing"),
        (
            "echo cannot open the display >&2; exit 3",
            "openclaw: no model call before its end (exit code 3): cannot open",
        ),
        ("kill -9 $$", "openclaw: no model call before its end (exit code 137)"),
        ("sleep 600", "openclaw: no model call before its end (ended from outside)"),
    ],
)
def test_openclaw_that_never_comes_to_the_model_is_no_score(
    program: str, cause: str, tmp_path: Path, open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openclaw_run, "READY_SEC", 1.0)
    binds = in_the_place_of_openclaw(open_folder, program)
    log = evaluate_openclaw(["done"], tmp_path / "logs", tasks=FIXTURE_TASKS, binds=binds)
    outcome, told = ending(sample_of(log))
    assert outcome == "infra_failed"
    assert told.startswith(cause)
    assert sample_of(log).metadata["infra_retries"] == 2


def test_a_sandbox_without_openclaw_is_refused_before_the_first_trial(tmp_path: Path) -> None:
    with pytest.raises(
        PrerequisiteError,
        match=r"openclaw needs an image with OpenClaw.*this host's own /usr; -T image= takes openclaw-",
    ):
        evaluate_openclaw(["done"], tmp_path, tasks=FIXTURE_TASKS, image="host")


def test_files_of_the_harness_are_no_output(tmp_path: Path, open_folder: Path) -> None:
    """OpenClaw is wrapped so that it leaves files in the workspace before its first turn, as some versions do."""
    leaves = "mkdir -p .openclaw && echo 1 >.openclaw/state.json && echo hello >SOUL.md"
    starts = 'exec /usr/local/bin/node /usr/local/lib/openclaw/node_modules/openclaw/openclaw.mjs "$@"'
    binds = in_the_place_of_openclaw(open_folder, f"{leaves}\n{starts}")
    task = load_task(FIXTURE_TASKS / FIRST)
    steps = steps_of(task)
    log = evaluate_openclaw(steps, tmp_path / "logs", tasks=FIXTURE_TASKS, task=FIRST, binds=binds)
    sample = sample_of(log)
    assert sample.store["clawgym_scaffold"] == [".openclaw/state.json", "SOUL.md"]
    assert sample.scores is not None
    assert sample.scores["verdict"].as_float() == 1, sample.scores["verdict"].explanation


class Gone:
    """A sandbox that is not there any more."""

    async def exec(self, *words: object, **options: object) -> None:
        raise SandboxUnavailableError("it is not running")


@pytest.mark.asyncio
async def test_a_sandbox_that_goes_is_told_as_it_is() -> None:
    served = ServedModel(scripted_model(["done"]))
    run = openclaw_run.OpenClawRun(cast(SandboxEnvironment, Gone()), Endpoint(served.answer), served, "/run")
    with pytest.raises(SandboxUnavailableError):
        await run.run(["openclaw"], {}, "/")


def test_the_report_is_found_among_other_lines() -> None:
    told = '[warn] {"payloads": 1}\n{\n  "payloads": [{"text": "old"}], "meta": {}\n}\nnoise\n{\n  "payloads": [{"text": "a {\\n b"}],\n  "meta": {"stopReason": "stop"}\n}\n[note] bye\n'
    report = find_report(told)
    assert report is not None
    assert (report.text, report.fault) == ("a {\n b", None)
    assert find_report('{\n  "payloads": [{"text": "cut') is None
    assert find_report("") is None


def test_a_forged_report_is_none_or_can_be_logged() -> None:
    deep = '{"payloads": [], "meta": {"x": ' + "[" * 300 + "]" * 300 + "}}"
    assert find_report(deep) is None
    half = find_report('{"payloads": [{"text": "\\ud800"}], "meta": {"\\udfff": ["\\ud800"], "stopReason": "error"}}')
    assert half is not None
    json.dumps(half.public(), ensure_ascii=False).encode()
    assert half.fault == "\\ud800"


@pytest.mark.parametrize(
    ("meta", "fault"),
    [
        ({"aborted": True}, "aborted"),
        ({"stopReason": "error"}, "boom"),
        ({"error": {"kind": "x"}}, '{"kind": "x"}'),
        ({}, None),
    ],
)
def test_a_report_says_what_went_wrong(meta: dict[str, Any], fault: str | None) -> None:
    report = find_report(json.dumps({"payloads": [{"text": "boom"}], "meta": meta}))
    assert report is not None
    assert report.fault == fault
