"""`toolc lint` and `toolc explain`, as their users meet them."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolc import linting, pipeline

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

WRONG = 'description = "Find notes"\n'


@pytest.fixture
def wrong(project: Path) -> Path:
    """The project of `toolc init`, with a tool of which something is said."""
    (project / "tooldefs/find_notes.toml").write_text(WRONG)
    return project


def test_a_new_project_has_nothing_to_mend(project: Path, toolc: Toolc) -> None:
    ran = toolc("lint")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith("1 tool from 1 file: no errors in ")


def test_programs_learn_what_can_be_mended(wrong: Path, toolc: Toolc) -> None:
    text = f'{WRONG}read_only = true\nkeywords = ["note"]\n'
    (wrong / "tooldefs/find_notes.toml").write_text(text)
    for _ in ("anew", "as it is kept"):
        ran = toolc("lint", "--select", "D202,D601", "--format", "json")
        fixes = {row["code"]: row["fix"] for row in json.loads(ran.out)["diagnostics"]}
        assert fixes["D202"] is None
        assert fixes["M103"]["safe"] is True
        assert fixes["D601"] == {"title": "take the keywords away", "safe": False}


def test_a_finding_and_what_to_do_about_it(wrong: Path, toolc: Toolc) -> None:
    ran = toolc("lint")
    assert ran.code == 1
    assert ran.out.startswith(
        "tooldefs/find_notes.toml:1:15: warning[D202]: "
        'the description of "find_notes" only repeats its name\n'
        "  |\n"
        '1 | description = "Find notes"\n'
        "  |               ^^^^^^^^^^^^\n"
        "  = say what the name does not:"
    )
    assert ran.out.splitlines()[-1].endswith("; 2 warnings")


@pytest.mark.parametrize(
    ("options", "code", "found"),
    [
        ((), 1, {"D202", "D204"}),
        (("--exit-zero",), 0, {"D202", "D204"}),
        (("--ignore", "D2"), 0, set()),
        (("--ignore", "D202,short-description"), 0, set()),
        (("--select", "D204"), 1, {"D204"}),
        (("--extend-select", "D502"), 1, {"D202", "D204", "D502"}),
        (("tooldefs/greet.toml",), 0, set()),
    ],
)
def test_options(
    wrong: Path, toolc: Toolc, options: tuple[str, ...], code: int, found: set[str]
) -> None:
    ran = toolc("lint", "--format", "json", *options)
    assert (ran.code, ran.err) == (code, "")
    assert {row["code"] for row in json.loads(ran.out)["diagnostics"]} == found


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ('ignore = ["D202"]', {"D204": "warning"}),
        ('levels = { D2 = "note" }', {"D202": "note", "D204": "note"}),
        ('perFile = { "tooldefs/f*" = ["D2"] }', {}),
        ('select = ["D204"]', {"D204": "warning"}),
    ],
)
def test_settings(wrong: Path, toolc: Toolc, settings: str, found: dict[str, str]) -> None:
    with (wrong / "toolc.toml").open("a") as file:
        file.write(f"\n[lint]\n{settings}\n")
    rows = json.loads(toolc("lint", "--format", "json").out)["diagnostics"]
    assert {row["code"]: row["severity"] for row in rows} == found


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ('slect = ["D2"]', 'P602]: unknown setting "slect"'),
        ('select = ["D999"]', 'P603]: "D999" means no rule'),
        ("select = 1", 'P603]: "select" takes a list of texts'),
        ('levels = { D2 = "grave" }', 'P603]: "levels" are "error", "warning" and "note"'),
        ('perFile = ["D2"]', 'P603]: "perFile" must be a table'),
    ],
)
def test_settings_that_mean_nothing(wrong: Path, toolc: Toolc, settings: str, said: str) -> None:
    with (wrong / "toolc.toml").open("a") as file:
        file.write(f"\n[lint]\n{settings}\n")
    ran = toolc("lint")
    assert ran.code == 1
    assert "toolc.toml:1" in ran.out
    assert said in ran.out


def test_errors_of_definitions_are_said_beside_what_is_found_of_others(
    wrong: Path, toolc: Toolc
) -> None:
    (wrong / "tooldefs/other.toml").write_text("description = 1\n")
    rows = json.loads(toolc("lint", "--format", "json").out)["diagnostics"]
    assert [row["code"] for row in rows] == ["D202", "D204", "M105"]


def test_what_a_build_has_said_is_not_said_again(wrong: Path, toolc: Toolc) -> None:
    (wrong / "tooldefs/greet.toml").write_text(
        'description = "Find notes of the last days"\n'
        '[[parameters]]\nname = "days"\ntype = "int"\nminimum = 3\nmaximum = 2\n'
        '[[parameters]]\nname = "since"\ntype = "string"\nformat = "datetime"\n'
    )
    rows = json.loads(toolc("lint", "--format", "json").out)["diagnostics"]
    assert [row["code"] for row in rows if row["code"][0] == "M"] == ["M212", "M213"]
    assert not [row for row in rows if row["code"] in ("D316", "D319")]


def test_statistics(wrong: Path, toolc: Toolc) -> None:
    assert toolc("lint", "--statistics").out == "     1  D202\n     1  D204\n"


def test_a_manifest(wrong: Path, toolc: Toolc) -> None:
    assert toolc("build").code == 0
    ran = toolc("lint", "generated/manifest.json", "--format", "concise")
    assert ran.code == 1
    assert ran.out.startswith("generated/manifest.json:2:")
    path = wrong / "generated/manifest.json"
    assert toolc("lint", str(path), "--format", "concise").out.startswith(f"{path}:2:")
    assert "warning[D202]: the description of" in ran.out


def test_misuse(wrong: Path, toolc: Toolc) -> None:
    (wrong / "other.json").write_text("[]")
    for arguments, said in [
        (("--select", "D999"), '"D999" means no rule; `toolc explain` lists them'),
        (("nowhere.toml",), '"nowhere.toml" is not there'),
        (("other.json",), '"other.json" holds no tools: neither a manifest nor a list of tools'),
        (("other.json", "tooldefs"), "definitions and other documents cannot be linted in one run"),
    ]:
        assert toolc("lint", *arguments) == (2, "", f"toolc: {said}\n")


def test_explain(toolc: Toolc) -> None:
    ran = toolc("explain", "D202")
    assert ran.code == 0
    assert ran.out.startswith("# D202 description-repeats-name\n\nA description only repeats")
    assert toolc("explain", "description-repeats-name").out == ran.out
    assert toolc("explain", "m204").out.startswith("# M204\n\nA default, enum or const that its")
    assert "D202  description-repeats-name" in toolc("explain").out
    assert toolc("explain", "D20") == (
        2,
        "",
        'toolc: "D20" is no code and no rule; did you mean "D201"?\n',
    )


class TestKept:
    """What was said of a file is kept, and said again without a look at it."""

    @pytest.fixture
    def linted(self, wrong: Path, toolc: Toolc, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """The files that are compiled from now on; all have been before."""
        compiled: list[str] = []
        compile_file = pipeline.compile_file

        def note(source: Any, *arguments: Any) -> Any:
            compiled.append(source.path)
            return compile_file(source, *arguments)

        monkeypatch.setattr(linting, "_TICK", -(10**12))  # files are old enough to be relied on
        toolc("lint")
        monkeypatch.setattr(pipeline, "compile_file", note)
        return compiled

    def test_nothing_has_changed(self, toolc: Toolc, linted: list[str]) -> None:
        first, again = toolc("lint", "--format", "json"), toolc("lint", "--format", "json")
        assert linted == []
        assert json.loads(first.out)["diagnostics"] == json.loads(again.out)["diagnostics"]
        assert [row["line"] for row in json.loads(again.out)["diagnostics"]] == [1, 1]

    @pytest.mark.parametrize(
        ("path", "text", "compiled"),
        [
            ("tooldefs/find_notes.toml", WRONG + "title = 'x'\n", ["find_notes"]),
            ("tooldefs/new.toml", 'description = "Say one thing"\n', ["new"]),
            ("tooldefs/_types.toml", '[types.Id]\ntype = "string"\n', ["find_notes", "greet"]),
            ("toolc.toml", '[lint]\nignore = ["D2"]\n', ["find_notes", "greet"]),
        ],
    )
    def test_what_has_changed_is_compiled(
        self,
        wrong: Path,
        toolc: Toolc,
        linted: list[str],
        path: str,
        text: str,
        compiled: list[str],
    ) -> None:
        (wrong / path).write_text(text)
        toolc("lint")
        assert linted == [f"tooldefs/{name}.toml" for name in compiled]

    def test_a_file_that_a_definition_names(
        self, wrong: Path, toolc: Toolc, linted: list[str]
    ) -> None:
        (wrong / "tooldefs/about.md").write_text("Find notes that contain a word")
        (wrong / "tooldefs/find_notes.toml").write_text('descriptionFile = "about.md"\n')
        assert toolc("lint").code == 0
        (wrong / "tooldefs/about.md").write_text("Find notes")
        assert "D204" in toolc("lint").out
        assert linted == ["tooldefs/find_notes.toml"] * 2

    def test_a_cache_that_is_broken_is_none(
        self, wrong: Path, toolc: Toolc, linted: list[str]
    ) -> None:
        (wrong / ".toolc_cache/lint").write_bytes(b"nonsense")
        assert toolc("lint").code == 1
        assert len(linted) == 2

    def test_it_is_cleaned_away(self, wrong: Path, toolc: Toolc, linted: list[str]) -> None:
        assert (wrong / ".toolc_cache/lint").exists()
        toolc("clean")
        assert not (wrong / ".toolc_cache/lint").exists()


OURS = """title = "Our client"

[[limit]]
kind = "instructions-length"
most = 10
blast = "server"
effect = "cut"
certainty = "H"
source = "https://example.com/limits"
date = "2026-10"
"""


def test_what_clients_refuse_is_said_of_those_that_are_named(project: Path, toolc: Toolc) -> None:
    (project / "tooldefs/find.notes.toml").write_text(
        'name = "find.notes"\n' + (project / "tooldefs/greet.toml").read_text()
    )
    assert toolc("lint", "--select", "client").code == 0
    ran = toolc("lint", "--select", "client", "--client", "openai,claude-desktop")
    assert ran.code == 1
    assert ran.out.startswith(
        "tooldefs/find.notes.toml:1:8: warning[C101]: every request is refused by openai "
    )
    assert "the whole server is refused by claude-desktop" in ran.out
    assert '"find.notes" (the specification allows it)\n' in ran.out


@pytest.mark.parametrize("name", ["toolc.toml", "pyproject.toml"])
def test_clients_of_the_project(name: str, project: Path, toolc: Toolc) -> None:
    """A profile of its own among them; a finding on a setting stands where the setting does."""
    table = "" if name == "toolc.toml" else "tool.toolc."
    (project / "toolc.toml").unlink()
    (project / name).write_text(
        f'[{table}server]\nname = "notes"\ninstructions = "Find a note first."\n\n'
        f'[{table}lint]\nselect = ["client"]\nclients = ["clients/ours.toml"]\n'
    )
    (project / "clients").mkdir()
    (project / "clients/ours.toml").write_text(OURS)
    ran = toolc("lint")
    assert ran.code == 1
    assert ran.out.startswith(
        f"{name}:3:16: warning[C106]: the whole server loses the end of its text in ours "
        "(10 at most): the server's instructions have 18 characters;"
    )
    assert toolc("lint", "--client", "openai").code == 0
    (project / "clients/ours.toml").write_text(OURS.replace("most = 10", 'most = "10"'))
    ran = toolc("lint")
    assert ran.code == 1
    assert ran.out.startswith('clients/ours.toml:5:8: error[P611]: "most" is a number of 0 or more')


def test_a_client_that_is_none(project: Path, toolc: Toolc) -> None:
    ran = toolc("lint", "--client", "opnai")
    assert (ran.code, ran.out) == (2, "")
    assert '"opnai" is no client; "openai" is one' in ran.err


FAULTY = """
import json
import sys

SAID = "%s one note by its number"
HINTS = {"readOnlyHint": "yes", "openWorldHint": None}
TOOLS = [
    {
        "name": "get_note",
        "description": SAID % "Get",
        "inputSchema": {"type": "object"},
        "annotations": HINTS,
    },
    {"name": "find_note", "description": SAID % "Find"},
]
ANSWERS = {
    "initialize": {
        "protocolVersion": "2025-06-18",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "faulty", "version": "1"},
    },
    "tools/list": {"tools": TOOLS},
}
for line in sys.stdin:
    message = json.loads(line)
    if "id" in message:
        answer = {"jsonrpc": "2.0", "id": message["id"]}
        if message["method"] in ANSWERS:
            answer["result"] = ANSWERS[message["method"]]
        else:
            answer["error"] = {"code": -32601, "message": "unknown"}
        print(json.dumps(answer), flush=True)
"""


class TestServer:
    def test_a_command(self, wrong: Path, toolc: Toolc, spawn: Callable[..., Any]) -> None:
        (wrong / "handlers/find_notes.py").write_text(
            "def find_notes(params, context): return ''\n"
        )
        assert toolc("build").code == 0
        command = shlex.join([sys.executable, "-m", "generated"])
        ran = spawn("lint", "--server", command, cwd=wrong)
        assert ran.returncode == 1
        assert ran.stdout.decode().startswith(
            'tool "find_notes" /description: warning[D202]: the description of "find_notes" only'
        )
        assert spawn("lint", "--server", command, "--ignore", "D2", cwd=wrong).returncode == 0

    @pytest.mark.parametrize(
        ("server", "said"),
        [
            ("nothing-of-this-name", "toolc: --server: no list of tools: "),
            ("http://127.0.0.1:9/mcp", "toolc: --server: no list of tools: "),
            ("", "no list of tools: "),
        ],
    )
    def test_none(self, folder: Path, toolc: Toolc, server: str, said: str) -> None:
        ran = toolc("lint", "--server", server or " ")
        assert (ran.code, ran.out) == (2, "")
        assert said in ran.err

    def test_tools_that_no_client_would_take(self, folder: Path, spawn: Callable[..., Any]) -> None:
        (folder / "server.py").write_text(FAULTY)
        command = f"{sys.executable} server.py"
        ran = spawn("lint", "--server", command, "--format", "json", cwd=folder)
        rows = json.loads(ran.stdout)["diagnostics"]
        assert {(row["tool"], row["code"]) for row in rows} == {
            ("get_note", "M105"),
            ("get_note", "D404"),
            ("find_note", "S410"),
        }

    def test_one_that_speaks_of_something_else(
        self, folder: Path, spawn: Callable[..., Any]
    ) -> None:
        ran = spawn("lint", "--server", f"{sys.executable} -c 'print(1)'", cwd=folder)
        assert (ran.returncode, ran.stdout) == (2, b"")
        assert ran.stderr == b"toolc: --server: no list of tools: Connection closed\n"


OWN = """
import os, signal
from toolc import linting
from toolc.cli.main import main
linting.MANY, linting._BATCH = 10, 4
os.cpu_count = lambda: 2
forked, fork, parent = [], os.fork, os.getpid()
os.fork = lambda: forked.append(fork()) or forked[-1]
lint_file = linting._Run._lint_file
def at_work(self, path):
    if os.getpid() != parent and path.endswith("t5.toml"):
        {}
    return lint_file(self, path)
linting._Run._lint_file = at_work
code = main(["lint", "--format", "json"])
assert code == 1 and len(forked) == 2
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked")
@pytest.mark.parametrize("failing", ["pass", "os.kill(os.getpid(), signal.SIGKILL)", "1 / 0"])
def test_many_files_are_linted_side_by_side(wrong: Path, toolc: Toolc, failing: str) -> None:
    """The same is said, whatever becomes of the processes, and kept."""
    for number in range(20):
        text = f'description = "Find notes {number}"\nread_only = true\n'
        (wrong / f"tooldefs/t{number}.toml").write_text(text)
    (wrong / "tooldefs/t7.toml").write_text("description = 3\n# toolc: ignore[D204]\n")
    (wrong / "tooldefs/t8.toml").write_bytes(b'description = "\xff"\n')
    (wrong / "tooldefs/t9.toml").write_text("description = ")
    alone = json.loads(toolc("lint", "--format", "json").out)["diagnostics"]
    shutil.rmtree(wrong / ".toolc_cache")
    command = [sys.executable, "-W", "error", "-c", OWN.format(failing)]
    ran = subprocess.run(command, cwd=wrong, capture_output=True, check=False, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert json.loads(ran.stdout)["diagnostics"] == alone
    assert {row["code"] for row in alone} > {"D001", "D202", "L102", "M103"}
    assert json.loads(toolc("lint", "--format", "json").out)["diagnostics"] == alone
