"""A build that is killed, wherever, leaves nothing that the next one does not put right."""

from __future__ import annotations

import random
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from toolc.snapshot import is_up_to_date

from .conftest import build, tree
from .killer import Killer

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGKILL on Windows")

INPUTS = {
    "toolc.toml": 'templates = "mine"\n'
    '[[outputs]]\ntemplate = "tool.txt.j2"\npath = "texts/{name}.txt"\n'
    '[[outputs]]\ntemplate = "all.md.j2"\npath = "ALL.md"\nper = "project"\n',
    "mine/tool.txt.j2": "{{ tool.name }}: {{ tool.description }}\n",
    "mine/all.md.j2": "{% for tool in tools %}{{ tool.name }}: {{ tool.description }}\n{% endfor %}",
    "tooldefs/_shared.toml": '[types.Place]\ntype = "object"\n'
    '[[types.Place.properties]]\nname = "town"\ntype = "string"\n',
    "tooldefs/find.toml": 'description = "Find."\n'
    'parameters = [{ name = "at", type = "Place", required = true }]\n',
    "tooldefs/greet.toml": 'description = "Greet."\n'
    'parameters = [{ name = "who", type = "string" }]\n',
    "tooldefs/wave.toml": 'description = "Wave."\n',
}

Step = Callable[[Path], None]


def change(path: str, before: str, after: str) -> Step:
    def step(root: Path) -> None:
        text = (root / path).read_text("utf-8")
        assert before in text
        (root / path).write_text(text.replace(before, after), "utf-8")

    return step


def write(path: str, text: str) -> Step:
    def step(root: Path) -> None:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")

    return step


def rename(before: str, after: str) -> Step:
    def step(root: Path) -> None:
        (root / before).rename(root / after)

    return step


def remove(path: str) -> Step:
    return lambda root: (root / path).unlink()


class Case(NamedTuple):
    before: tuple[Step, ...] | None
    """What is done after a first build; None where there is none."""
    after: tuple[Step, ...] = ()
    """What is done between the killed build and the next one."""
    stride: int = 2
    """Which calls a build is killed at: every n-th."""


EDITS = (
    change("tooldefs/greet.toml", "Greet.", "Welcome."),
    change("tooldefs/_shared.toml", '"town"', '"city"'),
    write("tooldefs/count.toml", 'description = "Count."\n'),
)
RENAMED = (rename("tooldefs/greet.toml", "tooldefs/welcome.toml"),)
TEMPLATES = (
    change("mine/all.md.j2", "{{ tool.name }}:", "{{ tool.name }} -"),
    change("mine/tool.txt.j2", "{{ tool.name }}:", "{{ tool.name }} -"),
)
BY_HAND = (
    write("generated/handlers/greet.py", "# mine\n"),
    change("generated/contracts/greet.py", "Contract of", "My contract of"),
    change("texts/wave.txt", "Wave.", "My waving."),
)

CASES = {
    "the first build": Case(None, stride=1),
    "the first build, and edits": Case(None, TEMPLATES),
    "edits": Case(EDITS),
    "edits, and further ones": Case(EDITS, TEMPLATES, stride=1),
    "edits, and back again": Case(
        (change("tooldefs/greet.toml", "Greet.", "Welcome."),),
        (change("tooldefs/greet.toml", "Welcome.", "Greet."),),
    ),
    "a rename": Case(RENAMED),
    "a rename, and edits": Case(RENAMED, TEMPLATES),
    "another template": Case(TEMPLATES),
    "outputs in another place": Case((change("toolc.toml", "texts/{name}", "docs/{name}"),)),
    "outputs in another place, and back again": Case(
        (change("toolc.toml", "texts/{name}", "docs/{name}"),),
        (change("toolc.toml", "docs/{name}", "texts/{name}"),),
    ),
    "a tool less": Case((remove("tooldefs/wave.toml"), remove("generated/handlers/wave.py"))),
    "edits by hand": Case((*BY_HAND, *EDITS), TEMPLATES, stride=1),
}


def begin(root: Path, case: Case) -> Path:
    """A project that has something to build."""
    for path, text in INPUTS.items():
        write(path, text)(root)
    if case.before is not None:
        build(root)
        for step in case.before:
            step(root)
    return root


class End(NamedTuple):
    report: str
    tree: dict[str, bytes]


def finish(root: Path, case: Case) -> End:
    for step in case.after:
        step(root)
    return End(build(root).report, tree(root))


@pytest.fixture(scope="module")
def killer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Killer]:
    with Killer(begin(tmp_path_factory.mktemp("first"), Case(None))) as started:
        yield started


def assert_whole(root: Path, before: dict[str, bytes], after: dict[str, bytes]) -> None:
    """Every file that stands after a kill is as it was, or as it was to become."""
    for path, data in tree(root).items():
        if not re.fullmatch(r"\..+\.\d+\.tmp", path.rpartition("/")[2]):
            assert data in (before.get(path), after.get(path)), path


def assert_clean(root: Path) -> None:
    """Nothing lies about that no build asked for."""
    assert not list(root.rglob("*.tmp"))
    names = {path.name for path in (root / ".toolc_cache").iterdir()}
    assert len(names) == 5, names
    assert names > {".gitignore", "CACHEDIR.TAG", "lock", "state"}


@pytest.mark.parametrize("name", CASES)
def test_killed_at_a_call(name: str, tmp_path: Path, killer: Killer) -> None:
    case = CASES[name]
    before = tree(begin(tmp_path / "whole", case))
    build(tmp_path / "whole")
    after = tree(tmp_path / "whole")
    wanted = finish(begin(tmp_path / "wanted", case), case)
    calls, is_killed = 0, True
    while is_killed:
        root = begin(tmp_path / str(calls), case)
        is_killed = killer.build(root, calls=calls)
        assert_whole(root, before, after)
        assert finish(root, case) == wanted, f"killed at call {calls}"
        assert_clean(root)
        assert not (is_up_to_date(str(root)) and wanted.report)
        shutil.rmtree(root)
        calls += case.stride
    assert calls > 40


@pytest.mark.parametrize("seed", range(25))
def test_killed_again_and_again(seed: int, tmp_path: Path, killer: Killer) -> None:
    """With edits between, so that what stands comes from several builds."""
    chance = random.Random(seed)
    root, words = begin(tmp_path / "killed", Case(())), "Greet."
    for number in range(6):
        killer.build(root, calls=chance.randrange(100))
        change("tooldefs/greet.toml", words, f"Greet {number}.")(root)
        words = f"Greet {number}."
    ended = finish(root, Case(None))
    wanted = begin(tmp_path / "wanted", Case(()))
    change("tooldefs/greet.toml", "Greet.", words)(wanted)
    assert ended == finish(wanted, Case(None))
    assert_clean(root)


@pytest.mark.parametrize("name", ["the first build", "edits", "edits by hand"])
def test_killed_at_any_time(name: str, tmp_path: Path, killer: Killer) -> None:
    case = CASES[name]
    before = tree(begin(tmp_path / "whole", case))
    build(tmp_path / "whole")
    after = tree(tmp_path / "whole")
    wanted = finish(begin(tmp_path / "wanted", case), case)
    for number in range(20):
        root = begin(tmp_path / str(number), case)
        killer.build(root, seconds=random.uniform(0, 0.04))
        assert_whole(root, before, after)
        assert finish(root, case) == wanted
        assert_clean(root)


def test_what_is_put_right_is_what_a_build_from_nothing_gives(
    tmp_path: Path, killer: Killer
) -> None:
    case = CASES["edits, and further ones"]
    root = begin(tmp_path / "killed", case)
    assert killer.build(root, calls=50)
    ended = finish(root, case)
    cold = tmp_path / "cold"
    for folder in ("tooldefs", "mine", "generated/handlers"):
        shutil.copytree(root / folder, cold / folder)
    shutil.copy(root / "toolc.toml", cold)
    assert finish(cold, Case(None)) == ended
