"""`inspect eval clawgym_bench` killed at any moment: nothing is left, finished trials stay, the rest runs once."""

import json
import os
import signal
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from random import Random

from inspect_ai.log import read_eval_log

from clawgym_bench.keep import kept_record
from clawgym_bench.table import figures_of, read_merged
from tests.bench.inspect_forks import Forks, Note, inspect_forks
from tests.conftest import FIXTURE_TASKS
from tests.data.sandboxes import left_of, wait_until

KILLS, TRIALS, AT_ONCE = 10, 30, 4
EVENTS = (0, 2, 4, 5, 6, 7, 8, 9, 10)
"""After how many beginnings and ends of samples a run is killed; the first ones are all beginnings."""
SEED = "killed at ten moments"
WORK = """n=$(od -An -N1 -tu1 /dev/urandom | tr -d ' '); echo $n > payout.csv; (sleep 60 &)
if [ $n -lt 40 ]; then sleep 0.9; else sleep 0.$n; fi"""


def is_running(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def newest_log(folder: Path) -> Path | None:
    """The log of the last start that came so far as to have one; a recovered copy is none."""
    logs = [path for path in folder.glob("*.eval") if not path.stem.endswith("-recovered")]
    return max(logs, key=lambda path: path.name, default=None)


def begin(forks: Forks, folder: Path) -> int:
    """Start the run, or go on with it."""
    recording = folder / "calls.jsonl"
    recording.write_text(json.dumps({"name": "exec", "arguments": {"command": WORK}}) + "\n")
    common = ("--log-dir", str(folder / "logs"), "--display", "plain", "--max-samples", str(AT_ONCE))
    log = newest_log(folder / "logs")
    if log is not None:
        return forks.start("eval-retry", str(log), *common)
    task = ("-T", f"tasks={FIXTURE_TASKS}", "-T", f"replay={recording}", "--model", "none", "--epochs", str(TRIALS))
    return forks.start("eval", "clawgym_bench", *task, *common)


def kill_at(moment: tuple[int, float], pid: int, forks: Forks) -> None:
    """Kill a run when its samples have begun and ended so often, and some time has passed since."""
    events, delay_sec = moment
    wait_until(
        lambda: not is_running(pid) or sum(note.pid == pid for note in forks.notes()) >= events, "no sample went on"
    )
    time.sleep(delay_sec)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    wait_until(lambda: not is_running(pid), "it was not killed")


def check_what_ran(notes: list[Note]) -> None:
    """No trial that had ended began again."""
    ended: dict[tuple[str, int], Note] = {}
    for note in notes:
        assert note.sample not in ended, f"{note} after {ended[note.sample]}"
        if note.what == "ends":
            ended[note.sample] = note
    # beginnings are more than ends by what was killed: no more at a time than run at once
    begun = Counter(note.pid for note in notes if note.what == "begins")
    done = Counter(note.pid for note in notes if note.what == "ends")
    assert all(begun[pid] - done[pid] <= AT_ONCE for pid in begun)


def test_a_run_killed_at_ten_moments(tmp_path: Path) -> None:
    moments = Random(SEED)
    killed: list[int] = []
    with inspect_forks(tmp_path) as forks:
        for _ in range(KILLS):
            pid = begin(forks, tmp_path)
            kill_at((moments.choice(EVENTS), moments.uniform(0, 0.3)), pid, forks)
            killed.append(pid)
        last = begin(forks, tmp_path)
        wait_until(lambda: not is_running(last) or last in {note.pid for note in forks.notes()}, "no sample began")
        wait_until(lambda: not left_of(killed), "the start after the kills left something")
        wait_until(lambda: not is_running(last), "the last start did not end")
        notes = forks.notes()

    check_what_ran(notes)
    file = newest_log(tmp_path / "logs")
    assert file is not None
    log = read_eval_log(str(file))
    said = (tmp_path / "said").read_text()[-2000:]
    assert (log.status, len(log.samples or [])) == ("success", TRIALS), said
    ended = {note.sample: note.uuid for note in notes if note.what == "ends"}
    final = {(str(sample.id), sample.epoch): sample for sample in log.samples or []}
    assert {key: final[key].uuid for key in ended} == ended
    assert sum(note.pid != last for note in notes if note.what == "ends") > 0
    assert all(sample.error is None and kept_record(sample.store, sample.metadata) for sample in final.values())

    figures = figures_of(read_merged([tmp_path / "logs"])[0])
    assert (figures.planned, figures.scored, figures.unscored) == (TRIALS, TRIALS, {})
    assert list((tmp_path / "tmp").iterdir()) == []
    mounts = Path("/proc/self/mounts").read_text()
    assert not [name for name in ("newroot", "oldroot", "/run/sandbox", ".openclaw/workspace") if name in mounts]
