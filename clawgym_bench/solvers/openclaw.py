"""`openclaw`: the real one, unmodified, with the evaluated model behind it."""

import anyio
from inspect_ai.log import transcript
from inspect_ai.model import Model, get_model
from inspect_ai.solver import TaskState
from inspect_ai.util import SandboxEnvironment, sandbox

from clawgym_bench.claw.context import ContextWindow
from clawgym_bench.endings import AgentFailed, InfraFailed, LimitReached
from clawgym_bench.endpoint import Endpoint, ServedModel, open_port
from clawgym_bench.openclaw.config import (
    DEFAULT_PROFILE,
    PORT,
    Profile,
    command,
    setup_files,
    variables,
)
from clawgym_bench.openclaw.installed import installed_version
from clawgym_bench.openclaw.run import OpenClawRun, Run
from clawgym_bench.openclaw.scaffold import SCAFFOLD_KEY, find_scaffold
from clawgym_bench.openclaw.session import CALL_IDS_SOURCE, note_sessions
from clawgym_bench.workspace import WORKSPACE
from clawgym_data.sandbox import SandboxConfig
from clawgym_data.task import Task

HOME = SandboxConfig().home
OUTPUT = f"{HOME}/.openclaw/run"
NOTE_SEC = 45
"""For reading OpenClaw's own record, also where a limit has ended the trial."""
REPORT_SOURCE = "clawgym/openclaw-report"


async def openclaw(
    task: Task, state: TaskState, *, profile: Profile = DEFAULT_PROFILE, context_tokens: int | None = None
) -> None:
    """Let OpenClaw work on the task, with the evaluated model.

    Args:
        task: what is asked for; the instruction is in the state already.
        state: of the sample.
        profile: which of OpenClaw's tools the model is offered.
        context_tokens: what the model takes; by default what Inspect knows of it.

    Raises:
        AgentFailed, LimitReached, InfraFailed: see there.
    """
    environment = sandbox()
    version = await installed_version(environment)
    state.metadata["openclaw"] = {"version": version, "profile": profile}
    model = get_model()
    window = ContextWindow.of(model, context_tokens, 0)
    for path, content in setup_files(version, profile, WORKSPACE, window.window_tokens).items():
        await environment.write_file(f"{HOME}/{path}", content)
    trial = _Trial(task, state, environment, model, profile)
    await trial.run()


class _Trial:
    """One trial's run of OpenClaw and what it leaves in the log."""

    def __init__(
        self, task: Task, state: TaskState, environment: SandboxEnvironment, model: Model, profile: Profile
    ) -> None:
        self._state, self._environment, self._profile = state, environment, profile
        self._given = [file.path for file in task.files]
        self._served = ServedModel(model, before_first=self._note_scaffold)

    async def run(self) -> None:
        endpoint = Endpoint(self._served.answer)
        has_gateway = self._profile == "full"
        process = OpenClawRun(self._environment, endpoint, self._served, OUTPUT, has_gateway)
        try:
            async with open_port(self._environment, PORT) as listener, endpoint.serving(listener):
                run = await process.run(command(self._state.input_text, self._profile), variables(HOME), WORKSPACE)
        finally:
            with anyio.move_on_after(NOTE_SEC, shield=True):
                await self._note_work()
        if run.report is not None:
            transcript().info(run.report.public(), source=REPORT_SOURCE)
        raise_unless_done(run, self._served)

    async def _note_scaffold(self) -> None:
        self._state.store.set(SCAFFOLD_KEY, await find_scaffold(self._environment, self._given))

    async def _note_work(self) -> None:
        if self._served.conversation:
            self._state.messages = list(self._served.conversation)
        if self._served.last is not None:
            self._state.output = self._served.last
        if self._served.call_ids.renamed:
            transcript().info(dict(self._served.call_ids.renamed), source=CALL_IDS_SOURCE)
        await note_sessions(self._environment, HOME)


def raise_unless_done(run: Run, served: ServedModel) -> None:
    """Tell a run that ended by itself from one that failed, and whose doing that was.

    Failures of the provider end a trial at the endpoint, before OpenClaw hears of them. What is left happened inside the
    sandbox. Before the first call of a tool nothing inside can have been the agent's doing.

    Raises:
        InfraFailed: OpenClaw did not come to ask the model, or died before any tool was called.
        AgentFailed: OpenClaw died or gave up afterwards.
        LimitReached: the conversation became too long and OpenClaw did not make it shorter.
    """
    how = f"exit code {run.returncode}" if run.returncode is not None else "ended from outside"
    if served.calls == 0:
        raise InfraFailed(f"openclaw: no model call before its end ({how}): {_tail(run.output)}")
    if served.is_too_long:
        raise LimitReached("context")
    if run.report is not None:
        fault = run.report.fault
        if fault is not None:
            raise AgentFailed(f"openclaw reported: {fault}")
        return
    if served.has_ended:
        transcript().info({"remark": f"OpenClaw gave no report after the last answer ({how})"}, source="clawgym")
        return
    if served.tool_calls == 0:
        raise InfraFailed(f"openclaw: died before any tool was called ({how}): {_tail(run.output)}")
    raise AgentFailed(f"openclaw died at work ({how}): {_tail(run.output)}")


def _tail(output: str) -> str:
    return output.strip()[-400:] or "it wrote nothing"
