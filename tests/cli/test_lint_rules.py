"""Rules of a project's own, and settings that projects share."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolc.configured import _OWN_LETTERS

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

RULES = """from toolc.lint import Found, Kind, Rule, Severity


def find_unsigned(subject):
    if not subject.description.endswith("(ACME)"):
        yield Found(("description",), f'"{subject.name}" is not signed', "end it with (ACME)")


def find_lonely(index):
    if len(index.rows) == 1:
        yield Found(("name",), "a lonely tool", tool=index.rows[0].name)


RULES = (
    Rule(
        "TEAM1", "not-signed", Kind.DESIGN, Severity.WARNING, "a description without (ACME)",
        "Users look for it.", wrong="", right="", look=find_unsigned,
    ),
    Rule(
        "TEAM2", "lonely-tool", Kind.DESIGN, Severity.NOTE, "the only tool",
        "Two are better.", wrong="", right="", look_at_all=find_lonely,
    ),
)
"""


@pytest.fixture
def lint(project: Path, toolc: Toolc) -> Callable[..., Any]:
    """Lints the project of `toolc init` with these settings and further files."""
    plain = (project / "toolc.toml").read_text()

    def run(settings: str, *arguments: str, **files: str) -> Any:
        (project / "toolc.toml").write_text(f"{plain}\n[lint]\n{settings}\n")
        for name, text in files.items():
            path = project / name.replace("__", "/").replace("_py", ".py").replace("_toml", ".toml")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return toolc("lint", *arguments)

    return run


def codes(ran: Any) -> dict[str, str]:
    return {row["code"]: row["severity"] for row in json.loads(ran.out)["diagnostics"]}


def test_a_file_of_rules(lint: Callable[..., Any], project: Path) -> None:
    ran = lint('rules = ["rules.py"]', rules_py=RULES)
    assert ran.code == 1
    assert ran.out.startswith('tooldefs/greet.toml:5:15: warning[TEAM1]: "greet" is not signed\n')
    assert "\ntooldefs/greet.toml:5:15: note[TEAM2]: a lonely tool\n" in ran.out
    assert "= end it with (ACME)" in ran.out
    assert not [*project.rglob("*.pyc")]


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ('select = ["TEAM1"]', {"TEAM1": "warning"}),
        ('select = ["TEAM"]', {"TEAM1": "warning", "TEAM2": "note"}),
        ('ignore = ["not-signed"]', {"TEAM2": "note"}),
        ('levels = { TEAM = "error" }', {"TEAM1": "error", "TEAM2": "error"}),
        ('perFile = { "*" = ["TEAM"] }', {}),
    ],
)
def test_they_are_selected_as_others_are(
    lint: Callable[..., Any], settings: str, found: dict[str, str]
) -> None:
    ran = lint(f'rules = ["rules.py"]\n{settings}', "--format", "json", rules_py=RULES)
    assert codes(ran) == found


def test_they_are_suppressed_as_others_are(lint: Callable[..., Any]) -> None:
    ran = lint(
        'rules = ["rules.py"]\nignore = ["TEAM2"]',
        rules_py=RULES,
        tooldefs__greet_toml='# toolc: ignore[TEAM1] by hand\ndescription = "Greet somebody by name"\n'
        "readOnly = true\n",
    )
    assert ran.code == 0


def test_a_changed_rule_is_looked_at_anew(lint: Callable[..., Any]) -> None:
    settings = 'rules = ["rules.py"]\nselect = ["TEAM1"]'
    assert "is not signed" in lint(settings, rules_py=RULES).out
    assert "is unsigned" in lint(settings, rules_py=RULES.replace("not signed'", "unsigned'")).out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("RULES = (\n", "rules.py is no Python: '(' was never closed"),
        ("raise SystemExit(3)\n", "rules.py cannot be imported: SystemExit: 3"),
        ("import nothing_of_that_name\n", "rules.py cannot be imported: ModuleNotFoundError"),
        ("", "rules.py has no RULES"),
        ("RULES = 1\n", "RULES of rules.py is no tuple of rules"),
        ("RULES = (1,)\n", "RULES holds 1, which is no toolc.lint.Rule"),
        (RULES.replace("TEAM1", "DATA1"), "the code DATA1 begins with D; "),
        (RULES.replace("TEAM1", "T1"), "'T1' is no code: two or more capital letters"),
        (RULES.replace("TEAM2", "TEAM1"), "the code TEAM1 is given twice"),
        (RULES.replace("not-signed", "no-verb"), 'TEAM1: the name "no-verb" is that of D102'),
        (RULES.replace("not-signed", "signed"), "TEAM1: 'signed' is no name"),
        (RULES.replace("look=find_unsigned", "look=None"), "TEAM1 looks at nothing"),
        (RULES.replace("Severity.NOTE", "'note'"), "TEAM2: its severity is no toolc.lint.Severity"),
    ],
)
def test_rules_that_cannot_be_used(lint: Callable[..., Any], text: str, message: str) -> None:
    ran = lint('rules = ["rules.py"]', "--format", "json", rules_py=text)
    found = json.loads(ran.out)["diagnostics"][0]
    assert (ran.code, found["code"], found["path"]) == (1, "P612", "toolc.toml")
    assert message in found["message"]


def test_the_place_in_the_file_is_told(lint: Callable[..., Any]) -> None:
    ran = lint('rules = ["rules.py"]', rules_py=RULES.replace("TEAM2", "X2"))
    assert "toolc.toml:" in ran.out
    assert "rules.py:20:9: note: here" in ran.out


def test_a_rule_that_fails(lint: Callable[..., Any]) -> None:
    broken = RULES.replace("subject.description.endswith", "subject.nothing.endswith")
    ran = lint('rules = ["rules.py"]', rules_py=broken)
    assert ran.code == 2
    assert 'rules.py: the rule TEAM1 fails on "greet": AttributeError' in ran.err
    assert "rules.py:5)" in ran.err


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ('rules = "rules.py"', '"rules" takes a list of paths and of names of entry points'),
        ('rules = ["none.py"]', "none.py: the file "),
        ('rules = ["../rules.py"]', "lies outside the folder"),
        ('rules = ["team"]', "neither the path of a .py file nor an entry point"),
        ("extend = 1", '"extend" is the path of a TOML file'),
        ('extend = "https://example.com/lint.toml"', "none such"),
        ('extend = "none.toml"', "none.toml: the file "),
        ('extend = "nobodys_package:lint.toml"', 'no installed package "nobodys_package"'),
        ('extend = "a.toml"', "a.toml extends itself"),
    ],
)
def test_what_is_refused(lint: Callable[..., Any], settings: str, message: str) -> None:
    files = {"a_toml": 'extend = "b.toml"\n', "b_toml": 'extend = "a.toml"\n'}
    ran = lint(settings, "--format", "json", **files)
    found = json.loads(ran.out)["diagnostics"][0]
    assert (ran.code, found["code"]) == (1, "P612")
    assert message in found["message"] or message == "none such"


def test_a_link_to_somewhere_outside_is_refused(
    lint: Callable[..., Any], project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    other = tmp_path_factory.mktemp("other") / "rules.py"
    other.write_text("raise SystemExit")
    (project / "rules.py").symlink_to(other)
    assert "is a link to somewhere outside" in lint('rules = ["rules.py"]').out


# Sharing

SHARED = 'extendSelect = ["TEAM1"]\nignore = ["TEAM2"]\nlevels = { TEAM = "error" }\n'


@pytest.mark.parametrize(
    ("settings", "found"),
    [
        ("", {"TEAM1": "error"}),
        ('levels = { TEAM1 = "note" }', {"TEAM1": "note"}),
        ('extendSelect = ["TEAM2"]', {"TEAM1": "error", "TEAM2": "error"}),
        ('select = ["TEAM2"]', {"TEAM2": "error"}),
        ('ignore = ["TEAM1"]', {}),
    ],
)
def test_what_the_project_says_wins(
    lint: Callable[..., Any], settings: str, found: dict[str, str]
) -> None:
    ran = lint(
        f'extend = "shared/lint.toml"\n{settings}',
        "--format",
        "json",
        shared__lint_toml=f'rules = ["rules.py"]\n{SHARED}',
        shared__rules_py=RULES,
    )
    assert codes(ran) == found


def test_what_is_shared_may_name_the_same_rules(lint: Callable[..., Any]) -> None:
    own = 'extend = "shared.toml"\nrules = ["rules.py"]\nselect = ["TEAM1"]'
    ran = lint(own, "--format", "json", rules_py=RULES, shared_toml='rules = ["./rules.py"]\n')
    assert codes(ran) == {"TEAM1": "warning"}


def test_a_circle_by_a_link_is_refused(lint: Callable[..., Any], project: Path) -> None:
    (project / "again").symlink_to(project, target_is_directory=True)
    ran = lint('extend = "a.toml"', a_toml='extend = "again/a.toml"\n')
    assert "extends itself" in ran.out


def test_a_shared_file_is_held_to_the_rules_too(lint: Callable[..., Any]) -> None:
    ran = lint('extend = "shared.toml"', shared_toml='ignore = ["D999"]\n')
    assert ran.code == 1
    assert ran.out.startswith('shared.toml:1:11: error[P603]: "D999" means no rule')


def test_an_installed_package_shares_both(
    lint: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory, monkeypatch: Any
) -> None:
    site = tmp_path_factory.mktemp("site")
    package = site / "acme_lint"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "rules.py").write_text(RULES)
    (package / "lint.toml").write_text(f'rules = ["acme"]\n{SHARED}')
    metadata = site / "acme_lint-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: acme-lint\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[toolc.lint]\nacme = acme_lint.rules\n")
    monkeypatch.syspath_prepend(str(site))
    ran = lint('extend = "acme_lint:lint.toml"', "--format", "json")
    assert codes(ran) == {"TEAM1": "error"}
    assert codes(lint("", "--format", "json")) == {}, "what is not named says nothing"
    for name in ("acme_lint", "acme_lint.rules"):
        sys.modules.pop(name)


# The documentation

PAGE = Path(__file__).parents[2] / "docs" / "linting.md"


def block_of(head: str) -> str:
    """The block of the page that begins with this line, without its fences."""
    return PAGE.read_text(encoding="utf-8").partition(f"```{head}\n")[2].partition("```")[0]


def test_the_example_of_the_page(lint: Callable[..., Any], toolc: Toolc) -> None:
    page = PAGE.read_text(encoding="utf-8")
    settings = (
        page.partition("## Rules of your own")[2].partition("[lint]\n")[2].partition("```")[0]
    )
    ran = lint(
        settings,
        *("--select", "ACME", "--format", "concise"),
        lint_rules_py=block_of("python lint_rules.py"),
        tooldefs__find_notes_toml='description = "Find notes by their numbers"\n'
        '\n[[parameters]]\nname = "ids"\ntype = "array:string"\n',
    )
    said = block_of("text\n$ toolc lint --select ACME --format concise")
    assert ran.out.splitlines()[0] == said.strip()
    letters = f"{', '.join(_OWN_LETTERS[:-1])} and {_OWN_LETTERS[-1]}"
    assert letters in " ".join(page.split())
    assert toolc("explain", "acme1").out.startswith("# ACME1 unbounded-list\n")
    assert "ACME1" in toolc("explain").out
