"""`toolc lint` as an editor: --fix, --unsafe-fixes, --diff and --add-ignores."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

Tree = Callable[[Path], dict[str, str]]

BEFORE = (
    b"\xef\xbb\xbf# About\r\n"
    b"description = 'Find all notes that contain a word'  # what\r\n"
    b"read_only = true # so\r\n"
    b"\r\n"
    b"[[parameters]]\r\n"
    b"name = 'word'\r\n"
    b"type = 'string'\r\n"
    b"description = 'What they hold'\r\n"
    b"required = true\r\n"
    b"default = 'x' # why"
)
SAFE = BEFORE.replace(b"read_only", b"readOnly")
UNSAFE = SAFE.replace(b"default = 'x' # why", b"# why")


@pytest.fixture
def definition(folder: Path) -> Path:
    """A project of one definition, with a note that is mended safely and a warning that is not."""
    (folder / "tooldefs").mkdir()
    (folder / "toolc.toml").touch()
    path = folder / "tooldefs/find_notes.toml"
    path.write_bytes(BEFORE)
    return path


def test_safe_fixes(definition: Path, toolc: Toolc) -> None:
    ran = toolc("lint", "--fix")
    assert definition.read_bytes() == SAFE
    assert ran.code == 1, "the warning is left"
    assert ran.out.startswith('tooldefs/find_notes.toml: mended M103 (write "readOnly")\n')
    assert "warning[M209]" in ran.out
    assert "note[M103]" not in ran.out
    assert ran.out.endswith("can be mended: 1 by `toolc lint --fix --unsafe-fixes`\n")


def test_unsafe_fixes(definition: Path, toolc: Toolc) -> None:
    ran = toolc("lint", "--fix", "--unsafe-fixes")
    assert definition.read_bytes() == UNSAFE
    assert ran.code == 0, ran.out
    assert "mended M209 (take the default away)\n" in ran.out
    assert toolc("lint", "--fix", "--unsafe-fixes", "--diff") == (0, "", "")


def test_a_run_without_them_says_what_can_be_mended(definition: Path, toolc: Toolc) -> None:
    for _ in range(2):  # the second time from what is kept
        ran = toolc("lint")
        assert ran.code == 1
        assert definition.read_bytes() == BEFORE
        assert ran.out.endswith(
            "can be mended: 1 by `toolc lint --fix`, 1 by `toolc lint --fix --unsafe-fixes`\n"
        )


@pytest.mark.parametrize(
    ("arguments", "after"),
    [
        (("--diff",), SAFE),
        (("--fix", "--diff"), SAFE),
        (("--diff", "--unsafe-fixes"), UNSAFE),
        (("--diff", "--add-ignores"), None),
    ],
    ids=str,
)
def test_a_diff_is_a_patch(
    definition: Path,
    toolc: Toolc,
    tree: Tree,
    arguments: tuple[str, ...],
    after: bytes | None,
) -> None:
    files = tree(definition.parent)
    ran = toolc("lint", *arguments)
    assert ran.code == 1
    assert tree(definition.parent) == files, "nothing is written"
    applied = subprocess.run(
        ["git", "apply", "-p1", "-"],
        input=ran.out.encode(),
        cwd=definition.parents[1],
        capture_output=True,
        check=False,
    )
    assert applied.returncode == 0, applied.stderr
    if after is not None:
        assert definition.read_bytes() == after
    else:
        assert toolc("lint").code == 0


def test_a_patch_of_nothing(definition: Path, toolc: Toolc) -> None:
    definition.write_bytes(UNSAFE)
    assert toolc("lint", "--diff") == (0, "", "")


def test_ignoring(definition: Path, toolc: Toolc) -> None:
    assert toolc("build").code == 0
    ran = toolc("lint", "--add-ignores")
    assert ran.code == 0
    assert definition.read_bytes() == BEFORE.replace(
        b"read_only", b"# toolc: ignore[M103]\r\nread_only"
    ).replace(b"default", b"# toolc: ignore[M209]\r\ndefault")
    ran = toolc("lint", "--format", "concise")
    assert ran.code == 0
    assert ran.out.count("\n") == 1, "nothing but the summary"
    assert toolc("build", "--check").code == 0, "the tools are the same"


def test_ignoring_in_all_notations(definition: Path, toolc: Toolc) -> None:
    folder = definition.parent
    (folder / "_shared.yaml").write_text("types:\n  Id:\n    type: string\n    max_length: 9\n")
    (folder / "get_note.json").write_text(
        '{\n  "description": "TODO",\n  "parameters": [\n'
        '    {"name": "id", "type": "Id", "description": "Lorem ipsum"}\n  ]\n}\n'
    )
    (folder / "add_note.yaml").write_text(
        "description: >\n  Add\nparameters:\n  - name: text\n    type: string\n"
        "    description: |\n      TBD: the text\n"
    )
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert toolc("build").code == 0
    ran = toolc("lint", "--add-ignores", "--select", "all")
    assert ran.code == 0, ran.out
    assert all(path.read_bytes() != before[path.name] for path in folder.iterdir())
    assert toolc("lint", "--select", "all", "--format", "concise").out.count("\n") == 1
    assert toolc("build", "--check").code == 0, "the tools are the same"
    # Whoever mends what is ignored is rid of the suppressions.
    (folder / "add_note.yaml").write_text(
        (folder / "add_note.yaml").read_text().replace("TBD: the text", "What is added")
    )
    assert toolc("lint", "--fix", "--select", "all").code == 0
    assert "D203" not in (folder / "add_note.yaml").read_text()


def test_only_some_files(definition: Path, toolc: Toolc) -> None:
    other = definition.with_name("get_note.toml")
    other.write_text('description = "Fetch one note by its id"\nread_only = true\n')
    assert toolc("lint", "--fix", str(other)).code == 0
    assert "readOnly" in other.read_text()
    assert definition.read_bytes() == BEFORE


def test_a_definition_with_an_error(definition: Path, toolc: Toolc) -> None:
    """What the compiler knows is mended; the linter's rules speak when that is done."""
    definition.write_text('descripton = "Find\u200b the notes of one day"\n', encoding="utf-8")
    ran = toolc("lint", "--fix")
    assert ran.code == 1
    assert "error[M102]" in ran.out
    assert toolc("lint", "--fix", "--unsafe-fixes").code == 0
    assert definition.read_text(encoding="utf-8") == 'description = "Find the notes of one day"\n'


def test_an_error_is_not_ignored(definition: Path, toolc: Toolc) -> None:
    definition.write_text('descripton = "x"\n')
    assert toolc("lint", "--add-ignores").code == 1
    assert definition.read_text() == 'descripton = "x"\n'


def test_a_file_that_cannot_be_written(definition: Path, toolc: Toolc, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.toml"
    definition.rename(outside)
    definition.symlink_to(outside)
    ran = toolc("lint", "--fix")
    assert "error[G702]" in ran.out
    assert ran.code == 1
    assert outside.read_bytes() == BEFORE


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("--unsafe-fixes",), "--unsafe-fixes goes with --fix or --diff"),
        (("--add-ignores", "--unsafe-fixes"), "--unsafe-fixes goes with --fix or --diff"),
        (("--fix", "--add-ignores"), "two runs"),
        (("--fix", "list.json"), "only definitions are edited"),
    ],
)
def test_wrong_requests(
    definition: Path, toolc: Toolc, arguments: tuple[str, ...], part: str
) -> None:
    (definition.parents[1] / "list.json").write_text('{"tools": [{"name": "a"}]}')
    ran = toolc("lint", *arguments)
    assert ran.code == 2
    assert part in ran.err
    assert definition.read_bytes() == BEFORE


def test_a_suppression_is_one_of_its_own_file(definition: Path, toolc: Toolc) -> None:
    """It says nothing of what stands at the same offset of a file that is shared, and the shared
    file's own do."""
    shared = definition.with_name("_shared.toml")
    text = '[types.Id]\ntype = "string"\ndescription = "TODO"\n'
    shared.write_text(text)
    definition.write_text(
        f"# toolc: ignore[D203] {'x' * 60}\n"
        'description = "Find notes of one id"\n[[parameters]]\nname = "id"\ntype = "Id"\n'
    )
    ran = toolc("lint", "--format", "concise")
    assert "tooldefs/_shared.toml:3:15: warning[D203]" in ran.out
    assert "tooldefs/find_notes.toml:1:17: warning[D001]" in ran.out
    assert toolc("lint", "--fix").code == 1
    assert toolc("lint", "--add-ignores").code == 0
    assert shared.read_text() == text.replace("desc", "# toolc: ignore[D203]\ndesc")
