"""A build that knows the last one gives what a build from nothing gives, whatever happened between."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolc.snapshot import is_up_to_date

from .conftest import build, tree

PLAIN = 'description = "{word}"\n[[parameters]]\nname = "{word}"\ntype = "string"\n'
WARNED = 'description = "{word}"\nwhatever = 1\n'
SHARED = (
    'description = "{word}"\n[[parameters]]\ninclude = "page"\n'
    '[[parameters]]\nname = "at"\ntype = "Place"\n'
    '[[parameters]]\nname = "{word}"\ntype = "int"\n'
)
ATTACHED = 'descriptionFile = "about.md"\n'
LIMITED = 'description = "{word}"\ntimeout = 5\naliases = ["old_{word}"]\n'
BROKEN = 'description = "{word}\n'
WRONG = 'description = "x"\n[[parameters]]\nname = "{word}"\ntype = "nothing"\n'
SEVERAL = (
    '[[tools]]\nname = "{word}_one"\ndescription = "1"\n'
    '[[tools]]\nname = "{word}_two"\ndescription = "2"\n'
)
TEXTS = [PLAIN, PLAIN, WARNED, SHARED, ATTACHED, LIMITED, BROKEN, WRONG, SEVERAL, ""]
NAMES = ["a", "b", "sub/a", "sub/c", "sub/deep/d", "E"]
WORDS = ["one", "two", "three"]

OPTIONS = [
    "",
    'namespace = "folder"\n',
    "[python]\nenabled = false\n",
    'revision = "2024-11-05"\n',
    'hoist = true\n[server]\nname = "other"\n',
    'templates = "templates"\n',
    'templates = "templates"\n[[outputs]]\ntemplate = "tools.md.j2"\npath = "docs/tools.md"\n'
    'per = "project"\n[[outputs]]\ntemplate = "tool.txt.j2"\npath = "docs/{name}.txt"\n',
]
TEMPLATES = {
    "tools.md.j2": "{{% for tool in tools %}}{{{{ tool.name }}}} {word}\n{{% endfor %}}",
    "tool.txt.j2": "{{{{ tool.name }}}} {word} {{{{ tools | length }}}}\n",
    "handler.py.j2": '"""{word}"""\n{{% extends "toolc/handler.py.j2" %}}',
    "init.py.j2": "{{{{ docstring }}}}\n# {word}\n",
}
SHARED_FILE = (
    '[types.Place]\ntype = "object"\n[[types.Place.properties]]\nname = "{word}"\ntype = "int"\n'
    '[[fragments.page.parameters]]\nname = "limit"\ntype = "int"\ndescription = "{word}"\n'
)

Step = Callable[[Path], None]


def write(path: str, text: str) -> Step:
    def step(root: Path) -> None:
        place = root / path
        if place.is_dir():
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")

    return step


def remove(path: str) -> Step:
    def step(root: Path) -> None:
        place = root / path
        if place.is_dir():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)

    return step


def rename(before: str, after: str) -> Step:
    def step(root: Path) -> None:
        if (root / before).exists() and not (root / after).exists():
            (root / after).parent.mkdir(parents=True, exist_ok=True)
            (root / before).rename(root / after)

    return step


def edit_output(number: int, edit: str) -> Step:
    """Do something to one of the generated files: which one, the number says."""

    def step(root: Path) -> None:
        outputs = [path for folder in ("generated", "docs") for path in (root / folder).rglob("*")]
        files = sorted(path for path in outputs if path.is_file())
        if not files:
            return
        path = files[number % len(files)]
        if edit == "delete":
            path.unlink()
        elif edit == "touch":
            path.touch()
        elif edit == "crlf":
            path.write_bytes(path.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
        else:
            path.write_text(path.read_text("utf-8") + "# mine\n", "utf-8")

    return step


def definitions() -> st.SearchStrategy[Step]:
    path = st.sampled_from(NAMES).map(lambda name: f"tooldefs/{name}.toml")
    text = st.tuples(st.sampled_from(TEXTS), st.sampled_from(WORDS))
    return st.builds(write, path, text.map(lambda pair: pair[0].replace("{word}", pair[1])))


PATHS = st.sampled_from(
    [f"tooldefs/{name}" for name in ("a.toml", "sub", "sub/deep", "sub/c.toml")]
)
STEPS = st.one_of(
    definitions(),
    definitions(),
    st.builds(remove, PATHS),
    st.builds(
        rename, PATHS, st.sampled_from(["tooldefs/moved.toml", "tooldefs/f/g", "tooldefs/_h"])
    ),
    st.builds(write, st.just("toolc.toml"), st.sampled_from(OPTIONS)),
    st.sampled_from(WORDS).map(
        lambda word: write("tooldefs/_s.toml", SHARED_FILE.format(word=word))
    ),
    st.just(remove("tooldefs/_s.toml")),
    st.builds(write, st.just("tooldefs/about.md"), st.sampled_from(["About.\n", "Else.\n"])),
    st.just(remove("tooldefs/about.md")),
    st.builds(
        lambda name, word: write(f"templates/{name}", TEMPLATES[name].format(word=word)),
        st.sampled_from(sorted(TEMPLATES)),
        st.sampled_from(WORDS),
    ),
    st.builds(
        edit_output, st.integers(0, 40), st.sampled_from(["delete", "touch", "crlf", "edit"])
    ),
)


class Round(NamedTuple):
    rests: bool
    """Whether there is a build first that finds nothing so new that it would look closer."""
    steps: list[Step]


ROUNDS = st.builds(
    Round, st.sampled_from([False, False, True]), st.lists(STEPS, min_size=1, max_size=3)
)


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(st.lists(ROUNDS, min_size=2, max_size=6))
def test_a_build_that_knows_the_last_is_a_build_from_nothing(rounds: list[Round]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root, other = Path(folder) / "project", Path(folder) / "cold"
        for path, text in {
            "toolc.toml": "",
            "templates/tools.md.j2": "x\n",
            "templates/tool.txt.j2": "y\n",
            "tooldefs/_s.toml": SHARED_FILE.format(word="one"),
            "tooldefs/about.md": "About.\n",
            "tooldefs/sub/c.toml": SHARED.format(word="one"),
            "tooldefs/a.toml": PLAIN.format(word="one"),
        }.items():
            write(path, text)(root)
        build(root)
        for rests, steps in rounds:
            if rests:
                time.sleep(0.03)
                build(root)
            for step in steps:
                step(root)
            shutil.rmtree(other, ignore_errors=True)
            shutil.copytree(root, other, ignore=shutil.ignore_patterns(".toolc_cache"))
            has_nothing_to_do = bool(is_up_to_date(str(root)))
            warm, cold = build(root), build(other, use_cache=False)
            assert warm.report == cold.report
            assert tree(root) == tree(other)
            if has_nothing_to_do:
                assert not warm.report
                assert warm.built is not None and not warm.built.plan.changes
