"""The rules of ownership and of output paths, a row each."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolc.generate.header import stamp, text_digest
from toolc.generate.manifest import catalog_text, manifest_artifacts
from toolc.model.artifact import Action, Artifact, Owner, read_text
from toolc.model.diagnostic import Diagnostic, Severity
from toolc.model.piece import PieceList
from toolc.model.project import Project
from toolc.plan import (
    Standing,
    changed_tools,
    conflict_sides,
    make_plan,
    path_fault,
    record_own_outputs,
    recorded_digests,
)
from toolc.report.changes import describe, kept_files, unified_diff
from toolc.report.summary import Summary, sentences

PATH = "out/a.py"
OLD = stamp("old = 1\n")
NEW = stamp("new = 1\n")
EDITED = OLD.replace("old", "mine")
OWN = "somebody's = 'own'\n"
CONFLICT = (
    "<<<<<<< HEAD\n"
    + NEW.partition("\n")[0]
    + "\n||||||| base\n# gone\n=======\n"
    + OLD.partition("\n")[0]
    + "\n>>>>>>> branch\nmerged = 1\n"
)


class Rule(NamedTuple):
    owner: Owner
    standing: str | None
    action: Action | None
    codes: tuple[str, ...] = ()
    force: bool = False
    text: str = NEW
    recorded: str | None = None
    """The text whose digest the last build recorded."""


CREATE, UPDATE = Action.CREATE, Action.UPDATE

RULES = {
    "data: new": Rule(Owner.DATA, None, CREATE),
    "data: same": Rule(Owner.DATA, NEW, None),
    "data: same but CRLF": Rule(Owner.DATA, NEW.replace("\n", "\r\n"), None),
    "data: whatever it holds": Rule(Owner.DATA, "<<<<<<< HEAD\n", UPDATE),
    "code: new": Rule(Owner.CODE, None, CREATE),
    "code: same": Rule(Owner.CODE, NEW, None),
    "code: same but CRLF": Rule(Owner.CODE, NEW.replace("\n", "\r\n"), None),
    "code: older": Rule(Owner.CODE, OLD, UPDATE),
    "code: older and CRLF": Rule(Owner.CODE, OLD.replace("\n", "\r\n"), UPDATE),
    "code: empty": Rule(Owner.CODE, "\n", UPDATE),
    "code: edited": Rule(Owner.CODE, EDITED, None, ("G703",)),
    "code: edited, forced": Rule(Owner.CODE, EDITED, UPDATE, force=True),
    "code: edited back to what it should be": Rule(Owner.CODE, NEW, None),
    "code: no header": Rule(Owner.CODE, OWN, None, ("G703",)),
    "code: no header, forced": Rule(Owner.CODE, OWN, None, ("G703",), force=True),
    "code: a merge conflict of two builds": Rule(Owner.CODE, CONFLICT, UPDATE),
    "code: a merge conflict in another's file": Rule(
        Owner.CODE, "<<<<<<< a\n1\n=======\n2\n>>>>>>> b\n", None, ("G703",)
    ),
    "output: new": Rule(Owner.OUTPUT, None, CREATE),
    "output: same": Rule(Owner.OUTPUT, "new", None, text="new"),
    "output: older": Rule(Owner.OUTPUT, "old\r\n", UPDATE, recorded="old\n"),
    "output: edited": Rule(Owner.OUTPUT, "mine", None, ("G703",), recorded="old"),
    "output: edited, forced": Rule(Owner.OUTPUT, "mine", UPDATE, force=True, recorded="old"),
    "output: not recorded": Rule(Owner.OUTPUT, "mine", None, ("G703",)),
    "output: not recorded, forced": Rule(Owner.OUTPUT, "mine", None, ("G703",), force=True),
    "output: a merge conflict": Rule(Owner.OUTPUT, CONFLICT, UPDATE, recorded="old"),
    "human: new": Rule(Owner.HUMAN, None, CREATE),
    "human: written": Rule(Owner.HUMAN, "mine", None),
    "human: written, forced": Rule(Owner.HUMAN, "mine", None, force=True),
    "human: empty": Rule(Owner.HUMAN, "", None),
}


@pytest.mark.parametrize("name", RULES)
def test_who_may_write(name: str) -> None:
    rule = RULES[name]
    standing = Standing(
        texts={} if rule.standing is None else {PATH: rule.standing},
        digests={} if rule.recorded is None else {PATH: (text_digest(rule.recorded),)},
    )
    plan = make_plan([Artifact(PATH, rule.text, rule.owner)], standing, ["out"], force=rule.force)
    assert [change.action for change in plan.changes] == ([rule.action] if rule.action else [])
    assert [(found.code, found.path) for found in plan.diagnostics] == [
        (code, PATH) for code in rule.codes
    ]
    assert all(found.severity is Severity.WARNING for found in plan.diagnostics)
    assert plan.unchanged == (0 if rule.action or rule.codes else 1)
    for change in plan.changes:
        assert (change.before, change.after) == (rule.standing, rule.text)


class Stale(NamedTuple):
    standing: str
    goes: bool
    codes: tuple[tuple[str, str], ...] = ()
    force: bool = False
    handler: bool = False
    recorded: str | None = None


STALE = {
    "as generated": Stale(OLD, True),
    "as generated, CRLF": Stale(OLD.replace("\n", "\r\n"), True),
    "edited": Stale(EDITED, False, (("G703", PATH),)),
    "edited, forced": Stale(EDITED, False, (("G703", PATH),), force=True),
    "somebody's own": Stale(OWN, False),
    "somebody's own, forced": Stale(OWN, False, force=True),
    "its handler stands": Stale(OLD, False, (("G704", "handlers/a.py"),), handler=True),
    "its handler stands, forced": Stale(
        OLD, False, (("G704", "handlers/a.py"),), True, handler=True
    ),
    "an output as recorded": Stale("old", True, recorded="old"),
    "an output, edited": Stale("mine", False, (("G703", PATH),), recorded="old"),
    "an output, edited, forced": Stale("mine", False, (("G703", PATH),), True, recorded="old"),
    "an output that was never toolc's": Stale("mine", False),
}


@pytest.mark.parametrize("name", STALE)
def test_what_no_artefact_stands_for(name: str) -> None:
    case = STALE[name]
    standing = Standing(
        texts={PATH: case.standing},
        handlers={PATH: "handlers/a.py"} if case.handler else {},
        digests={PATH: [text_digest(case.recorded)]} if case.recorded is not None else {},
    )
    plan = make_plan([], standing, ["out"], force=case.force)
    assert [change.action for change in plan.changes] == [Action.DELETE] * case.goes
    assert tuple((found.code, found.path) for found in plan.diagnostics) == case.codes


def test_an_input_is_never_stale() -> None:
    assert make_plan([], Standing({PATH: OLD}, inputs=[PATH]), ["out"]).changes == ()


@pytest.mark.parametrize(
    ("path", "fault"),
    [
        ("out/a.py", ""),
        ("out/a..b/c", ""),
        ("out/.hidden", ""),
        ("out/検索.ts", ""),
        ("out", ""),
        ("/etc/passwd", "absolute"),
        ("C:/a", "absolute"),
        ("c:a", "absolute"),
        ("out/../../a", "`..`"),
        ("out//a", "empty part"),
        ("./out/a", "empty part"),
        ("out/", "empty part"),
        ("", "empty part"),
        ("out\\..\\a", "not every file system"),
        ("out/a\0b", "not every file system"),
        ("out/a\nb", "not every file system"),
        ("out/a:b", "not every file system"),
        ("out/con", 'holds "con"'),
        ("out/LPT1.ts", 'holds "LPT1.ts"'),
        ("out/nul.tar.gz", 'holds "nul.tar.gz"'),
        ("out/a.", 'holds "a."'),
        ("out/a /b", 'holds "a "'),
        ("out/console.ts", ""),
        ("out-old/a.py", "outside"),
        ("other/a.py", "outside"),
        ("Out/a.py", "outside"),
    ],
)
def test_paths(path: str, fault: str) -> None:
    assert fault in path_fault(path, ["out"])
    assert bool(path_fault(path, ["out"])) == bool(fault)
    plan = make_plan([Artifact(path, "", Owner.OUTPUT)], Standing(), ["out"])
    assert [found.code for found in plan.diagnostics] == ["G702"] * bool(fault)
    assert len(plan.changes) == (not fault)


def test_the_whole_project_as_a_folder() -> None:
    assert path_fault("a.py", ["."]) == ""
    assert path_fault("../a.py", ["."]) != ""


@pytest.mark.parametrize(
    ("paths", "collides"),
    [
        (["out/a", "out/b"], False),
        (["out/a", "out/a"], True),
        (["out/a.ts", "out/A.ts"], True),
        (["out/é", "out/e\u0301"], True),
        (["out/straße", "out/STRASSE"], True),
        (["out/a/b", "out/a"], True),
        (["out/A", "out/a/b"], True),
        (["out/a/b", "out/a/c"], False),
        (["out/in.toml"], True),
        (["out/IN.toml"], True),
    ],
)
def test_collisions(paths: list[str], collides: bool) -> None:
    artifacts = [Artifact(path, "", Owner.OUTPUT) for path in paths]
    plan = make_plan(artifacts, Standing(inputs=["out/in.toml"]), ["out"])
    assert [found.code for found in plan.diagnostics] == ["G701"] * collides
    assert len(plan.changes) == (0 if collides else len(paths))


def test_with_an_error_nothing_changes_and_all_is_said() -> None:
    artifacts = [
        Artifact("out/fine", "", Owner.DATA),
        Artifact("/a", "", Owner.DATA),
        Artifact("b", "", Owner.DATA),
    ]
    plan = make_plan(artifacts, Standing({"out/old.py": OLD}), ["out"])
    assert plan.changes == ()
    assert [found.code for found in plan.diagnostics] == ["G702", "G702"]


def test_order() -> None:
    artifacts = [Artifact(f"out/{name}", "", Owner.DATA) for name in "cab"]
    plan = make_plan(artifacts, Standing({"out/z.py": OLD, "out/y.py": OLD}), ["out"])
    assert [change.path for change in plan.changes] == [
        "out/c",
        "out/a",
        "out/b",
        "out/y.py",
        "out/z.py",
    ]


def test_conflict_sides() -> None:
    text = "a\r\n<<<<<<< x\r\n1\r\n=======\r\n2\r\n>>>>>>> y\r\nb\r\n"
    assert conflict_sides(text) == ("a\n1\nb\n", "a\n2\nb\n")
    assert conflict_sides("a\n=======\nb\n") is None
    assert conflict_sides("text with <<<<<<< inside a line\n") is None


@given(st.lists(st.sampled_from(["<<<<<<< a", "||||||| b", "=======", ">>>>>>> c", "x"])))
def test_any_mess_of_conflict_markers_is_read(lines: list[str]) -> None:
    sides = conflict_sides("\n".join(lines))
    assert sides is None or all(isinstance(side, str) for side in sides)


@pytest.mark.parametrize(
    ("catalog", "recorded"),
    [
        ("", {}),
        ("[]", {}),
        ('{"files": []}', {}),
        ('{"files": {"a": "1"}}', {"a": ("1",)}),
        (
            '{"files": {\n<<<<<<< x\n"a": "1"\n=======\n"a": "2"\n>>>>>>> y\n}}',
            {"a": ("1", "2")},
        ),
    ],
)
def test_recorded_digests(catalog: str, recorded: dict[str, tuple[str, ...]]) -> None:
    assert recorded_digests(catalog) == recorded


class Recording(NamedTuple):
    standing: str | None
    recorded: str | None
    """The text whose digest the last build recorded, and the one that this build records."""
    records: str | None
    force: bool = False


RECORDINGS = {
    "new": Recording(None, None, "new"),
    "as it should be": Recording("new\r\n", None, "new\n"),
    "older": Recording("old", "old", "new"),
    "edited": Recording("mine", "old", "old"),
    "edited, forced": Recording("mine", "old", "new", force=True),
    "never toolc's": Recording("mine", None, None),
    "never toolc's, forced": Recording("mine", None, None, force=True),
}


@pytest.mark.parametrize("name", RECORDINGS)
def test_what_is_recorded_of_an_output(name: str) -> None:
    case = RECORDINGS[name]
    text = "new\n" if case.records == "new\n" else "new"
    artifacts = [
        *manifest_artifacts(
            PieceList([]), Project(output="out"), {"out/b": "1", PATH: text_digest(text)}
        ),
        Artifact("out/b", "b", Owner.OUTPUT),
        Artifact(PATH, text, Owner.OUTPUT),
    ]
    standing = Standing(
        texts={} if case.standing is None else {PATH: case.standing},
        digests={} if case.recorded is None else {PATH: [text_digest(case.recorded)]},
    )
    made = record_own_outputs(artifacts, standing, "out/catalog.json", force=case.force)
    assert [artifact.path for artifact in made] == [artifact.path for artifact in artifacts]
    recorded = recorded_digests(
        next(read_text(one.text) for one in made if one.path == "out/catalog.json")
    )
    assert recorded.get(PATH, ()) == (() if case.records is None else (text_digest(case.records),))
    assert "out/b" in recorded


def catalog(**tools: int) -> str:
    """A catalogue of tools with these digests."""
    lines = [f'"{name}": {{"digest":"{digest}"}}'.encode() for name, digest in tools.items()]
    return read_text(catalog_text(lines, Project(), {}))


@pytest.mark.parametrize(
    ("before", "after", "changed"),
    [
        (None, catalog(a=1, b=2), 2),
        (catalog(a=1, b=2), catalog(a=1, b=3, c=4), 2),
        (catalog(a=1, b=2), catalog(a=1), 0),
        ("<<<<<<< HEAD", catalog(a=1), 1),
        (catalog(a=1), catalog(a=1), 0),
    ],
)
def test_changed_tools(before: str | None, after: str, changed: int) -> None:
    texts = {} if before is None else {"out/catalog.json": before}
    artifacts = [Artifact("out/catalog.json", after, Owner.DATA)]
    plan = make_plan(artifacts, Standing(texts), ["out"])
    assert changed_tools(plan, "out/catalog.json") == changed


def test_a_plan_as_people_read_it() -> None:
    artifacts = [
        Artifact("out/new.json", "{}\n", Owner.DATA),
        Artifact("out/same.json", "x", Owner.DATA),
        Artifact("out/old.json", "a\nb\u2028c\nend", Owner.DATA),
    ]
    standing = Standing(
        {"out/same.json": "x", "out/old.json": "a\nb\u2028c\nfin\n", "out/gone.py": OLD}
    )
    plan = make_plan(artifacts, standing, ["out"])
    assert describe(plan) == "create  out/new.json\nupdate  out/old.json\ndelete  out/gone.py\n"
    assert unified_diff(plan) == (
        "--- /dev/null\n+++ b/out/new.json\n@@ -0,0 +1 @@\n+{}\n"
        "--- a/out/old.json\n+++ b/out/old.json\n"
        "@@ -1,3 +1,3 @@\n a\n b\u2028c\n-fin\n+end\n\\ No newline at end of file\n"
        "--- a/out/gone.py\n+++ /dev/null\n"
        f"@@ -1,2 +0,0 @@\n-{OLD.splitlines()[0]}\n-old = 1\n"
    )


def test_what_is_kept_is_said_beside_the_changes() -> None:
    artifacts = [Artifact(PATH, NEW, Owner.CODE), Artifact("out/new.json", "x\n", Owner.DATA)]
    plan = make_plan(artifacts, Standing({PATH: EDITED, "out/gone.py": EDITED}), ["out"])
    assert kept_files(plan) == (PATH, "out/gone.py")
    assert describe(plan) == f"create  out/new.json\nkeep    {PATH}\nkeep    out/gone.py\n"
    assert unified_diff(plan).endswith(f"+x\n# kept: {PATH}\n# kept: out/gone.py\n")
    for verb, words in [("wrote", "wrote out/new.json (new)"), ("would write", "would write")]:
        (said,) = sentences(Summary(1, 1, 5, verb, 1).with_plan(plan), plan.diagnostics)
        assert said.startswith(f"1 tool from 1 file: 1 changed; {words}"), said
        assert said.endswith(f"kept {PATH}, out/gone.py in 5 ms; 2 warnings"), said
    kept = make_plan(artifacts[:1], Standing({PATH: EDITED}), ["out"])
    (said,) = sentences(Summary(1, 1, 5, "would write").with_plan(kept), kept.diagnostics)
    assert said == f"1 tool from 1 file: nothing to write; kept {PATH} in 5 ms; 1 warning"


def test_a_diagnostic_says_what_to_do() -> None:
    plan = make_plan([Artifact(PATH, NEW, Owner.CODE)], Standing({PATH: EDITED}), ["out"])
    (found,) = plan.diagnostics
    assert isinstance(found, Diagnostic)
    assert found.message == "edited by hand, so it was kept"
    assert "toolc build --force" in found.hint
