"""A tree of this machine as an image of a Docker engine; skipped, with the reason, where none answers."""

from pathlib import Path

import pytest

from clawgym_bench.image.docker import digest_in_docker, docker_tag, has_docker_image, import_image, remove_from_docker
from clawgym_bench.image.store import CACHE_VARIABLE, RECORD, ROOT, read_record
from clawgym_data.sandbox.docker import call_docker
from tests.bench.docker_engine import require_docker
from tests.bench.image_trees import digest_of, made


def test_an_engine_gets_exactly_the_tree_and_gives_it_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_docker()
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    folder = made(tmp_path / "images", "a" * 64)
    for made_by_engines in ("dev", "etc", "proc", "root/.openclaw/workspace", "sys"):
        (folder / ROOT / made_by_engines).mkdir(parents=True)
    record = read_record(folder / RECORD)

    import_image(folder, record)

    assert has_docker_image(record)
    assert digest_in_docker(record) == digest_of(folder / ROOT)
    told = call_docker(["image", "inspect", "--format", "{{.Config.WorkingDir}}", docker_tag(record)], "tell", 60)
    assert told.strip() == "/root/.openclaw/workspace"
    remove_from_docker(record)
    assert not has_docker_image(record)
