"""What an author keeps as it is."""

from __future__ import annotations

import pytest

from .conftest import Lint

SHORT = 'description = "Find notes"'


def codes(lint: Lint, path: str, text: str) -> list[str]:
    return [one.code for one in lint({path: text}) if one.code in ("D001", "D201", "D204")]


@pytest.mark.parametrize(
    ("path", "text", "left"),
    [
        ("a.toml", f"{SHORT}\n", ["D204"]),
        ("a.toml", f"{SHORT}  # toolc: ignore[D204] it is\n", []),
        ("a.toml", f"# toolc: ignore[D204] it is\n{SHORT}\n", []),
        ("a.toml", f"# toolc: ignore[D204]\n\n# and more\n{SHORT}\n", []),
        ("a.toml", f"#toolc:ignore[ D202 , D204 ]\n{SHORT}\n", ["D001"]),
        ("a.toml", f'# toolc: ignore[D204]\ntitle = "A"\n{SHORT}\n', ["D001", "D204"]),
        ("a.toml", f"{SHORT}  # toolc: ignore[D201]\n", ["D204", "D001"]),
        ("a.toml", f"{SHORT}  # toolc: ignore[NONE]\n", ["D204", "D001"]),
        ("a.toml", f"{SHORT}  # toolc: ignore[D999]\n", ["D204", "D001"]),
        ("a.toml", f"{SHORT}  # toolc: ignore[short-description]\n", ["D204", "D001"]),
        ("a.toml", f"{SHORT}  # toolc: ignore[ACME1]\n", ["D204"]),
        ("a.toml", f"{SHORT}  # toolc: ignore\n", ["D204", "D001"]),
        ("a.toml", f"{SHORT}  # toolc: ignore[]\n", ["D204", "D001"]),
        ("a.toml", f"{SHORT}  # toolc: ignored here\n", ["D204"]),
        ("a.toml", 'description = """\nFind notes\n"""  # toolc: ignore[D204]\n', []),
        ("a.yaml", 'description: "Find\n  notes"  # toolc: ignore[D204]\n', []),
        (
            "a.yaml",
            'description: Find notes\ntitle: "A"  # toolc: ignore[D204]\n',
            ["D204", "D001"],
        ),
        ("a.toml", 'description = "# toolc: ignore[D204]"\n', []),
        ("a.toml", 'title = """\n# toolc: ignore[D201]\n"""\n', ["D201"]),
        ("a.toml", '# toolc: ignore[D201] it has none\ntitle = "A"\n', []),
        ("a.yaml", "description: Find notes  # toolc: ignore[D204]\n", []),
        ("a.yaml", "# toolc: ignore[D204]\ndescription: Find notes\n", []),
        ("a.yaml", "title: |\n  # toolc: ignore[D201]\n  A\n", ["D201"]),
        ("a.json", '{"description": "Find notes", "x-toolc-ignore": ["D204"]}', []),
        ("a.json", '{"description": "Find notes", "x-toolc-ignore": {"D204": "it is"}}', []),
        ("a.json", '{"description": "Find notes", "x-toolc-ignore": ["D201"]}', ["D204", "D001"]),
        ("a.json", '{"description": "Find notes", "x-toolc-ignore": "D204"}', []),
    ],
)
def test_suppressions(lint_sources: Lint, path: str, text: str, left: list[str]) -> None:
    assert codes(lint_sources, f"tooldefs/{path}", text) == left


def test_one_tool_of_several(lint_sources: Lint) -> None:
    text = (
        f'[[tools]]\nname = "find_a"\n{SHORT}  # toolc: ignore[D204]\n'
        f'[[tools]]\nname = "find_b"\n{SHORT} # as above\n'
    )
    found = [one for one in lint_sources({"tooldefs/a.toml": text}) if one.code == "D204"]
    assert [one.tool for one in found] == ["find_b"]
