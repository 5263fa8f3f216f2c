"""Whoever compiles, the result is that of one process."""

from __future__ import annotations

import importlib
import importlib.util
import multiprocessing
import os
import pickle
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from toolc import compiling, pipeline
from toolc.model.document import SourceFile
from toolc.model.project import Project

from .conftest import build, tree

INPUTS = {
    "toolc.toml": 'templates = "mine"\n'
    '[[outputs]]\ntemplate = "all.md.j2"\npath = "ALL.md"\nper = "project"\n',
    "mine/all.md.j2": "{% for tool in tools %}{{ tool.name }}: {{ tool.description }}\n{% endfor %}",
    "mine/handler.py.j2": '# Mine.\n{% extends "toolc/handler.py.j2" %}',
    "tooldefs/_types.toml": '[types.Place]\ntype = "object"\n'
    '[[types.Place.properties]]\nname = "near"\ntype = "array:Place"\n'
    '[[types.Place.properties]]\nname = "town"\ntype = "string|int"\n',
    "tooldefs/_more.yaml": "fragments:\n  page:\n    parameters:\n    - {name: at, type: Place}\n",
    "tooldefs/_other.json": '{"types": {"Word": {"type": "string", "maxLength": 9}}}',
    "tooldefs/about.md": "About.\n",
}
KINDS = [
    'description = "Plain {}."\nparameters = [{{ name = "who", type = "string" }}]\n',
    'description = "Shared {}."\nparameters = [{{ name = "at", type = "Place" }}]\n',
    'description = "Fragment {}."\nparameters = [{{ include = "page" }}]\n',
    'descriptionFile = "about.md"\ntitle = "{}"\n',
    'description = "Warned {}."\nwhatever = 1\n',
    'description = "Alone {}."\n[[parameters]]\nname = "w"\ntype = "Word"\ndescription = "x"\n',
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A project with a file of everything that a batch has to carry along."""
    root = tmp_path / "project"
    for path, text in INPUTS.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    for number in range(30):
        text = KINDS[number % len(KINDS)].format(number)
        (root / f"tooldefs/tool{number}.toml").write_text(text)
    return root


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "_BATCH", 4)
    monkeypatch.setattr(compiling, "_UNDER_WAY", 3)


def alone(root: Path) -> tuple[str, dict[str, bytes]]:
    """What one process makes of the same project."""
    other = root.parent / "alone"
    shutil.copytree(root, other)
    report = build(other).report
    made = tree(other)
    shutil.rmtree(other)
    return report, made


def assert_same(root: Path, executor: Executor) -> None:
    """A first build, and one after a change of everything shared, and one with an error."""
    wanted = alone(root)
    assert "M101" in wanted[0]
    assert (build(root, executor=executor).report, tree(root)) == wanted
    types = root / "tooldefs/_types.toml"
    types.write_text(types.read_text().replace("town", "city"))
    wanted = alone(root)
    assert (build(root, executor=executor).report, tree(root)) == wanted
    (root / "tooldefs/tool3.toml").write_text("description = \n")
    (root / "tooldefs/tool4.toml").write_text('descriptionFile = "nowhere.md"\n')
    wanted = alone(root)
    assert "L" in wanted[0]
    assert (build(root, executor=executor).report, tree(root)) == wanted


@contextmanager
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        yield executor


@contextmanager
def dask() -> Iterator[Executor]:
    distributed: Any = importlib.import_module("distributed")
    with distributed.Client(n_workers=2, processes=False, dashboard_address=None) as client:
        yield client.get_executor()


has_dask = importlib.util.find_spec("distributed") is not None


@pytest.mark.parametrize(
    "open_executor",
    [
        pytest.param(lambda: ThreadPoolExecutor(3), id="threads"),
        pytest.param(processes, id="processes"),
        pytest.param(
            dask,
            id="dask",
            marks=pytest.mark.skipif(not has_dask, reason="dask's `distributed` is not installed"),
        ),
    ],
)
def test_any_executor(root: Path, open_executor: Any) -> None:
    with open_executor() as executor:
        assert_same(root, executor)


class Dying(Executor):
    """Its processes die after some batches, with others under way."""

    def __init__(self, batches: int) -> None:
        self.left = batches

    def submit(self, call: Any, /, *arguments: Any, **options: Any) -> Future[Any]:
        self.left -= 1
        if self.left < -2:
            raise BrokenProcessPool
        future: Future[Any] = Future()
        if self.left < 0:
            future.set_exception(BrokenProcessPool())
        else:
            future.set_result(call(*arguments, **options))
        return future


@pytest.mark.parametrize("batches", [0, 1, 3, 100])
def test_an_executor_that_breaks(root: Path, batches: int) -> None:
    wanted = alone(root)
    assert (build(root, executor=Dying(batches)).report, tree(root)) == wanted


OWN = """
import os, signal, sys
from toolc import compiling, workspace
from toolc.cli.main import main
compiling.MANY, compiling._FORKED_BATCH = 10, 4
os.cpu_count = lambda: 2
forked, fork = [], os.fork
os.fork = lambda: forked.append(fork()) or forked[-1]
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_the_own_processes(root: Path) -> None:
    wanted = alone(root)
    code = OWN + "assert main(['build']) == 0 and len(forked) == 2"
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=root, capture_output=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert tree(root) == wanted[1]
    assert build(root).report == wanted[0]


FAILING = {
    "killed": "os.kill(os.getpid(), signal.SIGKILL)",
    "interrupted": "os.kill(os.getpid(), signal.SIGINT)",
    "wrong": "raise AssertionError",
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
@pytest.mark.parametrize("failing", FAILING.values(), ids=FAILING)
@pytest.mark.parametrize("left", [0, 5])
def test_processes_that_fail(root: Path, failing: str, left: int) -> None:
    wanted = alone(root)
    code = f"""
left, parent, compile_unit = [None] * {left}, os.getpid(), compiling.pipeline.compile_unit
def fail(*arguments):
    if os.getpid() != parent:
        if not left:
            {failing}
        left.pop()
    return compile_unit(*arguments)
compiling.pipeline.compile_unit = fail
assert main(['build']) == 0 and len(forked) == 2
"""
    run = subprocess.run(
        [sys.executable, "-c", OWN + code], cwd=root, capture_output=True, check=False
    )
    assert (run.returncode, run.stderr) == (0, b"")
    assert tree(root) == wanted[1]
    assert build(root).report == wanted[0]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
def test_processes_end_with_the_build_that_is_killed(root: Path) -> None:
    """They would hold its lock, and wait for ever."""
    wanted = alone(root)
    take = "workspace.Workspace._take = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
    process = subprocess.Popen(
        [sys.executable, "-c", OWN + take + "main(['build'])"],
        cwd=root,
        stdout=subprocess.PIPE,
    )
    # The end of this output comes with the end of the last process that could write it.
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    assert (build(root).report, tree(root)) == wanted


def test_batches_and_what_comes_of_them_can_be_pickled() -> None:
    sources = [SourceFile(path, text) for path, text in INPUTS.items() if "/_" in path]
    shared, problems = pipeline.compile_shared(sources, Project())
    assert not problems
    files = tuple(
        (f"tooldefs/tool{number}.toml", kind.format(number).encode())
        for number, kind in enumerate(KINDS)
    )
    batch = pipeline.Batch(files, Project(), shared, {}, {})
    copy = pickle.loads(pickle.dumps(batch))
    assert copy == batch
    units = pipeline.compile_batch(copy)
    assert [unit is None for unit in units] == [False, False, False, True, False, False]
    assert pickle.loads(pickle.dumps(units)) == units == pipeline.compile_batch(batch)
