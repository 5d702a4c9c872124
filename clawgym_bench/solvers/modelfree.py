"""Solvers without a model: the oracle, doing nothing, and the hack agents that see no answer."""

from inspect_ai.solver import TaskState
from inspect_ai.util import sandbox

from clawgym_bench.workspace import WORKSPACE, place
from clawgym_data.grading.program import PROGRAM_LIMIT_SEC, STAGE, program_archive, program_files
from clawgym_data.proof.hacks import hack_variants
from clawgym_data.task import Task

SOLUTION_ENVIRONMENT = {"LC_ALL": "C", "PYTHONDONTWRITEBYTECODE": "1"}


async def oracle(task: Task, state: TaskState) -> None:
    """Run the task's solution inside the trial's sandbox and remove it again.

    Raises:
        RuntimeError: where it fails; an oracle that fails is no score of anybody.
    """
    script = (
        f"mkdir -p {STAGE} && tar -x -f - -C {STAGE} --no-same-owner && cd {WORKSPACE} "
        f"&& python3 {STAGE}/solution/solve.py {WORKSPACE}; status=$?; rm -rf {STAGE}; exit $status"
    )
    done = await sandbox().exec(
        ["/bin/sh", "-c", script],
        input=program_archive(program_files(task.folder, ["solution"])),
        env=SOLUTION_ENVIRONMENT,
        timeout=int(PROGRAM_LIMIT_SEC),
        timeout_retry=False,
    )
    if not done.success:
        raise RuntimeError(f"the solution of {task.id} failed: {done.stderr[-1000:]}")
    state.output.completion = "done"


async def noop(task: Task, state: TaskState) -> None:
    """Do nothing."""
    state.output.completion = ""


async def hack(name: str, task: Task, state: TaskState) -> None:
    """Play the first variant of a hack agent, where it has one for this task; `clawgym prove` tries them all."""
    state.output.completion = ""
    for change in hack_variants(name, task.spec, {file.path: file.content for file in task.files})[:1]:
        if change.remove:
            await sandbox().exec(["rm", "-f", "--", *(f"{WORKSPACE}/{path}" for path in change.remove)])
        await place([(path, content, 0o644) for path, content in change.write.items()])
