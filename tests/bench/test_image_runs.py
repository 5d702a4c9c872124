"""Runs in an image: which one is taken, what the log says of it, and what a retry and a merge refuse."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from click.testing import CliRunner, Result
from inspect_ai import eval as inspect_eval
from inspect_ai import eval_retry
from inspect_ai._cli.eval import eval_retry_command
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log

from clawgym_bench._registry import clawgym_bench
from clawgym_bench.image.store import CACHE_VARIABLE, ROOT, ImageRecord, keep, unfinished
from clawgym_bench.image.versions import DEFAULT_IMAGE
from clawgym_bench.table import read_merged
from clawgym_bench.taskset import load_set
from clawgym_data.errors import SpecErrors
from tests.conftest import FIXTURE_TASKS

ETC = ("alternatives", "ld.so.cache", "os-release")


def host_like_image(images: Path, digest: str, name: str = DEFAULT_IMAGE) -> Path:
    """An image of this host's own programs, which takes no time to make; its digest is whatever is said."""
    told = ImageRecord(
        name=name,
        root_digest=digest * 64,
        recipe="r",
        openclaw=None,
        node=None,
        suite="host",
        architecture="any",
        bytes=0,
        built=f"2026-01-01T00:00:0{ord(digest) % 10}+00:00",
        build_sec=0,
    )
    with unfinished(images, name) as work:
        root = work / ROOT
        (root / "etc").mkdir(parents=True)
        (root / "usr").symlink_to("/usr")
        for folder in ("bin", "lib", "lib64", "sbin"):
            if Path("/", folder).is_symlink():
                (root / folder).symlink_to(os.readlink(f"/{folder}"))
        for path in (Path("/etc", name) for name in ETC):
            (shutil.copytree if path.is_dir() else shutil.copy)(path, root / "etc" / path.name)  # type: ignore[operator]
        (root / "etc/which-image").write_text(digest)
        return keep(work, told)


@pytest.fixture
def images(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    # where the sandbox's user may read: pytest's own folders are for their owner alone
    with TemporaryDirectory(prefix="clawgym-images-") as folder:
        Path(folder).chmod(0o755)
        monkeypatch.setenv(CACHE_VARIABLE, folder)
        yield Path(folder) / "images"


def run(folder: Path, **arguments: str) -> EvalLog:
    task = clawgym_bench(tasks=str(FIXTURE_TASKS), **{"solver": "oracle", **arguments})
    [log] = inspect_eval(task, model="none", log_dir=str(folder), display="none")
    return log


def root_of(log: EvalLog) -> str | None:
    assert log.eval.metadata is not None
    assert log.eval.sandbox is not None
    root = getattr(log.eval.sandbox.config, "root", None)
    assert log.eval.metadata["root_digest"] == (Path(root).parent.name[0] * 64 if root else "host")
    return str(root) if root else None


def test_the_default_image_is_used_where_it_is_and_recorded(images: Path, tmp_path: Path) -> None:
    before = run(tmp_path / "before")
    folder = host_like_image(images, "a")
    log = run(tmp_path / "after")

    assert root_of(before) is None
    assert "the sandbox root is this host's own /usr" in (before.eval.metadata or {})["not_rankable_because"]
    assert log.status == "success", log.error
    assert root_of(log) == str(folder / ROOT)
    metadata = log.eval.metadata or {}
    assert metadata["image"]["name"] == DEFAULT_IMAGE
    assert "the sandbox root is this host's own /usr" not in metadata["not_rankable_because"]
    assert metadata["rankable"] is (not metadata["not_rankable_because"])
    assert root_of(run(tmp_path / "host", image="host")) is None


def test_an_image_is_named_by_digest_or_path(images: Path, tmp_path: Path) -> None:
    old, new = host_like_image(images, "a"), host_like_image(images, "b")

    assert root_of(run(tmp_path / "1")) == str(new / ROOT)
    assert root_of(run(tmp_path / "2", image=f"{DEFAULT_IMAGE}@{'a' * 12}")) == str(old / ROOT)
    assert root_of(run(tmp_path / "3", image=str(old))) == str(old / ROOT)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"image": "nothing"},
            "there is no image nothing \\(there are: .*@aaaaaaaaaaaa\\); `clawgym bench image build`",
        ),
        ({"image": "/nowhere/root"}, "there is no image /nowhere/root"),
    ],
)
def test_an_image_that_cannot_be_used_is_refused(images: Path, arguments: dict[str, str], message: str) -> None:
    host_like_image(images, "a")

    with pytest.raises(PrerequisiteError) as refused:
        clawgym_bench(solver="noop", tasks=str(FIXTURE_TASKS), **arguments)
    assert re.search(message, str(refused.value.message))


def test_logs_of_different_roots_are_no_parts_of_one_run(images: Path, tmp_path: Path) -> None:
    for digest in ("a", "b"):
        host_like_image(images, digest)
        run(tmp_path / "logs")

    # which of two logs of one second is the older is not told
    with pytest.raises(SpecErrors, match=r"root: found (a{64}; expected b{64}|b{64}; expected a{64}), as in "):
        read_merged([tmp_path / "logs"])


def failed_log(folder: Path, stall_takings: Path, **arguments: str) -> EvalLog:
    """A log with one trial that failed by the set-up, which a retry runs again."""
    path = stall_takings / "task.yaml"
    whole = path.read_text()
    path.write_text(whole + "environment: {tools: [{name: no-such-tool-here}]}\n")
    task = clawgym_bench(solver="oracle", tasks=str(stall_takings.parent), **arguments)
    [log] = inspect_eval(task, model="none", log_dir=str(folder), display="none")
    path.write_text(whole)
    load_set.cache_clear()
    assert log.status == "error"
    return log


def retried(log: EvalLog, folder: Path) -> Result:
    """`inspect eval-retry`, in this process."""
    return CliRunner().invoke(eval_retry_command, [log.location, "--log-dir", str(folder), "--display", "plain"])


def test_a_retry_takes_the_image_of_its_log(images: Path, tmp_path: Path, stall_takings: Path) -> None:
    old = host_like_image(images, "a")
    log = failed_log(tmp_path / "logs", stall_takings)
    host_like_image(images, "b")

    done = retried(log, tmp_path / "again")

    assert done.exception is None, done.output
    [info] = list_eval_logs(str(tmp_path / "again"))
    again = read_eval_log(info.name)
    assert again.status == "success", again.error
    assert root_of(again) == str(old / ROOT)


def test_a_retry_without_the_image_of_its_log_is_refused(images: Path, tmp_path: Path, stall_takings: Path) -> None:
    old = host_like_image(images, "a")
    log = failed_log(tmp_path / "logs", stall_takings)
    shutil.rmtree(old)
    host_like_image(images, "b")

    done = retried(log, tmp_path / "again")

    assert isinstance(done.exception, PrerequisiteError)
    assert f"there is no image {DEFAULT_IMAGE}@{'a' * 12}" in str(done.exception)


def test_no_trial_of_a_retry_runs_in_another_root_than_its_log_says(
    images: Path, tmp_path: Path, stall_takings: Path
) -> None:
    host_like_image(images, "a")
    log = failed_log(tmp_path / "logs", stall_takings)
    host_like_image(images, "b")

    [again] = eval_retry(log.location, log_dir=str(tmp_path / "again"), display="none")

    assert again.status == "error"
    [sample] = again.samples or []
    assert sample.error is not None
    assert f"the sandbox has the root {'a' * 64}" in sample.error.message


def test_a_retry_by_a_path_whose_image_has_changed_is_refused(
    images: Path, tmp_path: Path, stall_takings: Path
) -> None:
    own = images.parent / "own"
    host_like_image(images, "a").rename(own)
    log = failed_log(tmp_path / "logs", stall_takings, image=str(own))
    shutil.rmtree(own)
    host_like_image(images, "b").rename(own)

    done = retried(log, tmp_path / "again")

    assert isinstance(done.exception, PrerequisiteError)
    assert f"the log ran with the image {DEFAULT_IMAGE}@{'a' * 12}" in str(done.exception)
