"""What starting costs, and how `toolc` behaves whatever its streams are like."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from toolc.cli import build
from toolc.cli.main import COMMANDS
from toolc.cli.options import Option, parse_any, parse_switches
from toolc.loader.toml import FEW

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

Spawn = Callable[..., "subprocess.CompletedProcess[bytes]"]

Tree = Callable[[Path], dict[str, str]]


HEAVY = {
    "argparse",
    "asyncio",
    "dataclasses",
    "jinja2",
    "json",
    "jsonschema",
    "jsonschema_rs",
    "logging",
    "mcp_types",
    "pathlib",
    "pydantic",
    "toml_rs",
    "tomli",
    "watchfiles",
    "yaml",
}

REPORT = """
import sys
before = set(sys.modules)
from toolc.cli.main import main
code = main(sys.argv[1:])
print(*sorted(set(sys.modules) - before), file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.parametrize("argument", ["--version", "--help"])
def test_version_and_help_import_nothing_heavy(argument: str, tmp_path: Path, spawn: Spawn) -> None:
    ran = spawn(argument, cwd=tmp_path, code=REPORT)
    assert ran.returncode == 0
    assert HEAVY & set(ran.stderr.decode().split()) == set()


def test_a_command_imports_what_it_needs(tmp_path: Path, spawn: Spawn) -> None:
    assert spawn("init", cwd=tmp_path).returncode == 0
    ran = spawn("check", cwd=tmp_path, code=REPORT)
    assert ran.returncode == 0, ran.stdout
    imported = set(ran.stderr.decode().split())
    assert "tomli" in imported
    assert {"asyncio", "jsonschema", "mcp_types", "pydantic", "yaml"} & imported == set()


PLAIN = """
description = "Say hello"

[[parameters]]
name = "name"
type = "string"
description = "Who is greeted"
"""

NEEDLESS = HEAVY - {"tomli"} | {
    "contextlib",
    "difflib",
    "hashlib",
    "inspect",
    "pickle",
    "shutil",
    "threading",
    "toolc.builder.keys",
    "toolc.builder.metadata",
    "toolc.builder.tables",
    "toolc.check.tool",
    "toolc.generate.outputs",
    "toolc.generate.pytypes",
    "toolc.generate.templates",
    "toolc.model.metadata",
    "toolc.report.github",
    "toolc.report.json",
    "toolc_runtime.jsonvalue",
    "typing",
    "unicodedata",
    "urllib",
}
"""What a build of a plain definition, without Python, can do without."""


@pytest.mark.parametrize("command", ["build", "check"])
def test_a_plain_build_imports_little(command: str, tmp_path: Path, spawn: Spawn) -> None:
    (tmp_path / "toolc.toml").write_text("[python]\nenabled = false\n")
    (tmp_path / "tooldefs").mkdir()
    (tmp_path / "tooldefs/greet.toml").write_text(PLAIN)
    ran = spawn(command, cwd=tmp_path, code=REPORT)
    assert ran.returncode == 0, ran.stdout
    imported = set(ran.stderr.decode().split())
    assert "tomli" in imported
    assert NEEDLESS & imported == set()


ELSEWHERE = {
    "argparse",
    "concurrent",
    "multiprocessing",
    "toolc.builder.shared",
    "toolc.generate.outputs",
    "toolc.loader.toml_errors",
    "toolc.loader.toml_places",
    "toolc.report.github",
    "toolc.report.json",
    "toolc.cleaning",
}
"""What only a first build, a mistake, or a project of another kind could need."""


@pytest.mark.parametrize("enabled", ["false", "true"])
def test_a_build_of_one_changed_definition_imports_little(
    enabled: str, tmp_path: Path, spawn: Spawn
) -> None:
    (tmp_path / "toolc.toml").write_text(f"[python]\nenabled = {enabled}\n")
    (tmp_path / "tooldefs").mkdir()
    for name in ("greet", "part"):
        (tmp_path / f"tooldefs/{name}.toml").write_text(PLAIN)
    assert spawn("build", cwd=tmp_path).returncode == 0
    (tmp_path / "tooldefs/part.toml").write_text(PLAIN.replace("hello", "goodbye"))
    ran = spawn("build", cwd=tmp_path, code=REPORT)
    assert b"1 changed, 1 up to date" in ran.stdout
    imported = set(ran.stderr.decode().split())
    needed = {"toolc.generate.pytypes", "toolc.generate.templates"} if enabled == "true" else set()
    assert (NEEDLESS | ELSEWHERE) & imported == needed


FAST = [(FEW - 10, "", False), (FEW + 10, "", True), (FEW + 10, "tomli", False)]


@pytest.mark.skipif(find_spec("toml_rs") is None, reason="needs pip install 'toolc[fast]'")
@pytest.mark.parametrize(("count", "parser", "is_fast"), FAST)
def test_many_files_are_worth_another_parser(
    count: int, parser: str, is_fast: bool, tmp_path: Path, spawn: Spawn
) -> None:
    (tmp_path / "toolc.toml").write_text("[python]\nenabled = false\n")
    (tmp_path / "tooldefs").mkdir()
    for number in range(count):
        (tmp_path / f"tooldefs/greet_{number}.toml").write_text(PLAIN)
    ran = spawn("check", cwd=tmp_path, code=REPORT, TOOLC_TOML=parser)
    assert ran.returncode == 0, ran.stdout
    assert ("toolc.loader.toml_fast" in ran.stderr.decode().split()) is is_fast


def test_jinja_is_for_a_project_s_own_templates_alone(tmp_path: Path, spawn: Spawn) -> None:
    assert spawn("init", cwd=tmp_path).returncode == 0
    for template in (None, "mine.j2"):
        if template:
            (tmp_path / template).write_text("{{ server.name }}")
            with (tmp_path / "toolc.toml").open("a") as file:
                file.write(
                    f'[[outputs]]\ntemplate = "{template}"\npath = "o.md"\nper = "project"\n'
                )
        ran = spawn("build", cwd=tmp_path, code=REPORT)
        assert ran.returncode == 0, ran.stdout
        assert ("jinja2" in ran.stderr.decode().split()) is bool(template)


def test_version_and_help(toolc: Toolc) -> None:
    assert toolc("--version") == (0, "toolc 0.1.0\n", "")
    helped = toolc("--help")
    assert helped.code == 0
    assert "  build       compile the definitions" in helped.out
    assert toolc() == (2, "", helped.out)
    assert "--dry-run" in toolc("build", "--help").out


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["biuld"], "unknown command 'biuld'; did you mean 'build'?"),
        (["frobnicate"], "unknown command 'frobnicate'; `toolc --help` lists them"),
        (["--quiet", "build"], "options of a command stand behind its name"),
        (["build", "--chekc"], "unrecognized arguments: --chekc"),
        (["build", "--format", "xml"], "invalid choice: 'xml'"),
        (["new"], "required: NAME"),
        (["search"], "give either a QUERY or `--examples`"),
        (["search", "x", "--max-results", "0"], "--max-results: '0' is no number of tools"),
        (["search", "x", "--max-results", "few"], "--max-results: 'few' is no number of tools"),
        (["show", "x", "--revision", "2020-01-01"], "invalid choice: '2020-01-01'"),
        (["test", "--json=1"], "ignored explicit argument '1'"),
        (["build", "--project", "nowhere"], "--project: 'nowhere' is not there"),
    ],
)
def test_wrong_usage(toolc: Toolc, folder: Path, arguments: list[str], part: str) -> None:
    ran = toolc(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert part in ran.err
    assert "Traceback" not in ran.err


def switches(command: str) -> list[tuple[Option, ...]]:
    """No switch of a command, each of them, and all."""
    options: tuple[Option, ...] = import_module(f"toolc.cli.{command}").OPTIONS
    each = [option for option in options if option.is_switch]
    return [(), *((option,) for option in each), tuple(each)]


@pytest.mark.parametrize("command", COMMANDS)
def test_switches_mean_what_argparse_says(command: str) -> None:
    options = import_module(f"toolc.cli.{command}").OPTIONS
    if any(option.is_argument and not option.number for option in options):
        assert parse_switches(options, []) is None
        return
    for given in switches(command):
        for at in (0, -1):
            arguments = [option.names[at] for option in given]
            assert parse_switches(options, arguments) == parse_any(command, "", options, arguments)


@pytest.mark.parametrize(
    "arguments", [["--diff=1"], ["-h"], ["--format", "json"], ["--", "--diff"], ["--dif"], [""]]
)
def test_whatever_is_no_switch_is_argparse_s(arguments: list[str]) -> None:
    assert parse_switches(build.OPTIONS, arguments) is None


@pytest.mark.parametrize(
    "arguments",
    [
        ["build"],
        ["check"],
        ["new", "x"],
        ["show"],
        ["search", "x"],
        ["mv", "a", "b"],
        ["clean"],
        ["serve"],
        ["test"],
    ],
    ids=" ".join,
)
def test_no_project(folder: Path, toolc: Toolc, arguments: list[str], tree: Tree) -> None:
    message = "toolc: no toolc.toml here or above; run `toolc init`\n"
    assert toolc(*arguments) == (2, "", message)
    assert tree(folder) == {}


def raising(exception: str) -> str:
    return f"""
import sys
from toolc.cli import build
from toolc.cli.main import main
def run(options):
    raise {exception}
build.run = run
sys.exit(main(["build"]))
"""


def test_what_the_machine_refuses_is_one_line(tmp_path: Path, spawn: Spawn) -> None:
    ran = spawn(cwd=tmp_path, code=raising("OSError(28, 'No space left on device', 'a.txt')"))
    assert (ran.returncode, ran.stderr) == (2, b"toolc: a.txt: No space left on device\n")


def test_an_interruption_is_quiet(tmp_path: Path, spawn: Spawn) -> None:
    ran = spawn(cwd=tmp_path, code=raising("KeyboardInterrupt"))
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, b"", b"")


def test_a_bug_is_not_hidden(tmp_path: Path, spawn: Spawn) -> None:
    ran = spawn(cwd=tmp_path, code=raising("ZeroDivisionError('a bug')"))
    assert b"Traceback" in ran.stderr


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.run(
        [sys.executable, "-m", "toolc", "--help"],
        stdout=writer,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    os.close(writer)
    assert (process.returncode, process.stderr) == (141, b"")


def test_a_closed_stdout_is_no_crash(tmp_path: Path) -> None:
    process = subprocess.run(
        ["sh", "-c", '"$0" -m toolc --help >&-', sys.executable],
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        timeout=60,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, b"")


def test_a_terminal_that_knows_ascii_only(tmp_path: Path, spawn: Spawn) -> None:
    ran = spawn("--help", cwd=tmp_path, PYTHONIOENCODING="ascii:strict")
    assert ran.returncode == 0
    assert b"OPTION\\u2026" in ran.stdout


def test_ctrl_c_in_a_long_build(tmp_path: Path, spawn: Spawn) -> None:
    # The child signals itself in the middle of compiling. Where this run ignores SIGINT, as in the
    # background of a shell, the child would too.
    (tmp_path / "toolc.toml").touch()
    code = f"""
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from toolc import workspace
from toolc.cli.main import main
workspace.Workspace.build = lambda *_, **__: os.kill(os.getpid(), {int(signal.SIGINT)})
sys.exit(main(["build"]))
"""
    ran = spawn(cwd=tmp_path, code=code)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, b"", b"")


def test_the_module_runs_as_a_script(tmp_path: Path) -> None:
    ran = subprocess.run(
        [Path(sys.executable).parent / "toolc", "--version"],
        capture_output=True,
        cwd=tmp_path,
        check=False,
    )
    assert ran.stdout == b"toolc 0.1.0\n"
