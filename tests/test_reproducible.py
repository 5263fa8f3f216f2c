"""Same input, same bytes: whatever the hash seed, the order of files, and the machine."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import zipfile
from pathlib import Path

from toolc import driver, pipeline
from toolc.model.artifact import read_text
from toolc.model.project import Project

ROOT = Path(__file__).resolve().parents[1]
DIGESTS = """
import hashlib, json, sys
from toolc import driver
from toolc.model.artifact import read_text
opened = driver.open_project(sys.argv[1])
build = driver.compile_project(opened.root, opened.project)
print(json.dumps({a.path: hashlib.sha256(read_text(a.text).encode()).hexdigest() for a in build.artifacts}))
"""


def test_the_hash_seed_changes_nothing() -> None:
    def digests(seed: str) -> dict[str, str]:
        run = subprocess.run(
            [sys.executable, "-c", DIGESTS, str(ROOT)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        found: dict[str, str] = json.loads(run.stdout)
        return found

    assert digests("0") == digests("1") == digests("2")


def test_generated_files_in_the_repository_are_what_a_build_gives() -> None:
    opened = driver.open_project(str(ROOT))
    build = driver.compile_project(opened.root, opened.project)
    assert build.artifacts
    for artifact in build.artifacts:
        text = read_text(artifact.text)
        assert "\r" not in text
        assert str(ROOT) not in text
        if artifact.owner.value != "human":
            assert (ROOT / artifact.path).read_text("utf-8") == text


def test_the_order_of_files_changes_nothing() -> None:
    folder = ROOT / "tooldefs"
    sources = [
        (path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
        for path in folder.rglob("*")
        if path.suffix in (".toml", ".yaml", ".json", ".md") and "_templates" not in path.parts
    ]
    programs = []
    for seed in range(3):
        random.Random(seed).shuffle(sources)
        programs.append(pipeline.compile_project(dict(sources), Project()))
    assert programs[0] == programs[1] == programs[2]
    assert len(programs[0].tools) == 12


def test_the_wheel_holds_the_templates_and_works_by_itself(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("toolc-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "site")
    templates = {path.name for path in (ROOT / "templates").glob("*.j2")}
    assert {f"toolc/templates/{name}" for name in templates} <= names
    clients = {path.name for path in (ROOT / "src/toolc/lint/clients").glob("*.toml")}
    assert clients and {f"toolc/lint/clients/{name}" for name in clients} <= names
    assert {"toolc/py.typed", "toolc_runtime/py.typed"} <= names
    assert not any(name.startswith("tests") for name in names)
    (tmp_path / "project" / "tooldefs").mkdir(parents=True)
    (tmp_path / "project" / "tooldefs" / "a.toml").write_text('description = "x"', "utf-8")
    subprocess.run(
        [sys.executable, "-m", "toolc", "build"],
        cwd=tmp_path / "project",
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        check=True,
        capture_output=True,
    )
    contract = (tmp_path / "project" / "generated" / "contracts" / "a.py").read_bytes()
    assert contract.startswith(b"# toolc: generated ")
