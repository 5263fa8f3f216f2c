"""Reading a generated folder, and the pages in it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from toolc_runtime.package import PackageError, load_package
from toolc_runtime.pages import LARGEST_PAGE, page_path, page_uris, read_page
from toolc_runtime.server import Catalog

TOOL: dict[str, Any] = {"name": "a", "inputSchema": {"type": "object"}}
ENTRY = {"handler": "somewhere:a"}
CATALOG: dict[str, Any] = {"format": 1, "revision": "2026-07-28", "tools": {"a": ENTRY}}


def write(folder: Path, catalog: Any, manifest: Any) -> Path:
    for name, value in (("catalog.json", catalog), ("manifest.json", manifest)):
        if value is not None:
            text = value if isinstance(value, str) else json.dumps(value)
            (folder / name).write_text(text, encoding="utf-8")
    return folder


def test_a_folder_with_the_least_in_it(tmp_path: Path) -> None:
    package = load_package(write(tmp_path, CATALOG, {"tools": [TOOL]}))
    assert package.facts.name == "toolc-server"
    assert [tool.name for tool in package.tools] == ["a"]
    assert Catalog(package.tools).find("a") is package.tools[0]


def laid_out(folder: Path, **tools: Any) -> Path:
    """A folder as a build writes it; a tool is its default and its keywords."""

    def line(value: Any) -> str:
        return json.dumps(value, separators=(",", ":"))

    def tool(name: str, default: Any) -> str:
        properties = {"a": {"default": default}}
        return line({"name": name, "inputSchema": {"type": "object", "properties": properties}})

    def row(name: str, words: list[str]) -> str:
        return f"{line(name)}: {line({'handler': f'own_{name}:f', 'keywords': words})}"

    listed = ",\n".join(tool(name, default) for name, (default, _) in tools.items())
    rows = ",\n".join(row(name, words) for name, (_, words) in tools.items())
    head = '{"format": 1, "revision": "2026-07-28",\n"server": {"name":"s"},\n"tools": {\n'
    (folder / "manifest.json").write_text('{"tools": [\n' + listed + "\n]}\n", "utf-8")
    (folder / "catalog.json").write_text(head + rows + '\n},\n"files": {}}\n', "utf-8")
    return folder


BEFORE: dict[str, Any] = {"a": (1, []), "b": (2, ["x"]), "c": (3, [])}


@pytest.mark.parametrize(
    ("now", "same"),
    [
        (BEFORE, "abc"),
        ({**BEFORE, "b": (True, ["x"])}, "ac"),
        ({**BEFORE, "a": (1.0, [])}, "bc"),
        ({**BEFORE, "b": (2, ["y"])}, "ac"),
        ({"a": (1, []), "c": (3, []), "d": (1, [])}, "ac"),
        ({}, ""),
    ],
)
def test_a_folder_is_loaded_again_as_from_nothing(tmp_path: Path, now: Any, same: str) -> None:
    first = load_package(laid_out(tmp_path, **BEFORE))
    before = load_package(tmp_path, before=first)
    laid_out(tmp_path, **now)
    again, whole = load_package(tmp_path, before=before), load_package(tmp_path)
    assert [json.dumps(tool.wire) for tool in again.tools] == [
        json.dumps(tool.wire) for tool in whole.tools
    ]
    assert [tool.facts for tool in again.tools] == [tool.facts for tool in whole.tools]
    assert again.facts == whole.facts
    assert set(again.modules) >= set(whole.modules)
    kept = [tool.name for tool in again.tools if tool in before.tools]
    assert kept == list(same)


@pytest.mark.parametrize(
    "catalog", [CATALOG, {**CATALOG, "tools": {"b": ENTRY, "a": ENTRY}}, "<<<<<<< ours"]
)
def test_another_layout_is_no_reason_to_load_something_else(tmp_path: Path, catalog: Any) -> None:
    first = load_package(laid_out(tmp_path, **BEFORE))
    before = load_package(tmp_path, before=first)
    write(tmp_path, catalog, {"tools": [TOOL]})
    if isinstance(catalog, str):
        with pytest.raises(PackageError, match="is no JSON"):
            load_package(tmp_path, before=before)
    else:
        (tool,) = load_package(tmp_path, before=before).tools
        assert tool.wire == TOOL


@pytest.mark.parametrize(
    ("server", "ranking"), [({}, "reference"), ({"ranking": "toolc"}, "toolc")]
)
def test_the_ranking(tmp_path: Path, server: Any, ranking: str) -> None:
    catalog = {**CATALOG, "server": server}
    package = load_package(write(tmp_path, catalog, {"tools": [TOOL]}))
    assert package.facts.ranking == ranking


def test_what_the_manifests_revision_lacks_comes_from_the_catalog(tmp_path: Path) -> None:
    entry = {**ENTRY, "unprojected": {"title": "A", "annotations": None}}
    catalog = {**CATALOG, "revision": "2025-03-26", "tools": {"a": entry}}
    tool = {**TOOL, "annotations": {"title": "A"}, "x-vendor": None}
    (served,) = load_package(write(tmp_path, catalog, {"tools": [tool]})).tools
    assert served.wire == {**TOOL, "title": "A", "x-vendor": None}


@pytest.mark.parametrize(("aliases", "read"), [(["b", 3, "c"], ("b", "c")), ("b", ()), (None, ())])
def test_old_names_come_from_the_catalog(
    tmp_path: Path, aliases: Any, read: tuple[str, ...]
) -> None:
    catalog = {**CATALOG, "tools": {"a": {**ENTRY, "aliases": aliases}}}
    (served,) = load_package(write(tmp_path, catalog, {"tools": [TOOL]})).tools
    assert served.facts.aliases == read


def test_none_of_its_code_is_imported(tmp_path: Path) -> None:
    load_package(write(tmp_path, CATALOG, {"tools": [TOOL]}))
    assert "somewhere" not in sys.modules


@pytest.mark.parametrize(
    ("catalog", "manifest", "message"),
    [
        (CATALOG, None, "manifest.json is not there: run `toolc build`"),
        (CATALOG, "<<<<<<< ours", "manifest.json is no JSON"),
        (CATALOG, "[]", "manifest.json holds no object"),
        ({**CATALOG, "format": 2}, {"tools": []}, "has the format 2; this toolc_runtime reads format 1"),
        ({**CATALOG, "revision": "2030-01-01"}, {"tools": []}, "revision '2030-01-01', which this"),
        ({**CATALOG, "tools": []}, {"tools": []}, "holds no tools: run `toolc build`"),
        ({**CATALOG, "tools": {}}, {"tools": [TOOL]}, "do not belong together (tool 'a')"),
        ({**CATALOG, "tools": {"a": {}}}, {"tools": [TOOL]}, "tool 'a' has no handler"),
        (CATALOG, {"tools": [{"name": "a"}]}, "tool 'a' has no input schema"),
        (CATALOG, {"tools": [3]}, "do not belong together (tool None)"),
    ],
)  # fmt: skip
def test_a_folder_that_is_not_in_order(
    tmp_path: Path, catalog: Any, manifest: Any, message: str
) -> None:
    write(tmp_path, catalog, manifest)
    with pytest.raises(PackageError) as caught:
        load_package(tmp_path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("tools", "message"),
    [
        ([TOOL, TOOL], "two tools are named 'a'"),
        ([{**TOOL, "description": "\ud800"}], "tool 'a': description: text with a lone surrogate"),
    ],
)
def test_tools_that_cannot_be_served(tmp_path: Path, tools: Any, message: str) -> None:
    package = load_package(write(tmp_path, CATALOG, {"tools": tools}))
    with pytest.raises(PackageError, match=message):
        Catalog(package.tools)


@pytest.fixture
def pages(tmp_path: Path) -> Path:
    folder = tmp_path / "pages"
    (folder / "notes").mkdir(parents=True)
    (folder / "notes" / "list.html").write_text("<p>é", encoding="utf-8")
    (folder / "top.html").write_text("top", encoding="utf-8")
    (tmp_path / "secret.html").write_text("hunter2", encoding="utf-8")
    (folder / "out.html").symlink_to(tmp_path / "secret.html")
    (folder / "up").symlink_to(tmp_path, target_is_directory=True)
    (folder / "alias.html").symlink_to(folder / "top.html")
    (folder / "loop.html").symlink_to(folder / "loop.html")
    (folder / "latin.html").write_bytes(b"\xe9")
    return folder


@pytest.mark.parametrize(
    ("uri", "text"),
    [
        ("ui://notes/list.html", "<p>é"),
        ("ui://notes/list", "<p>é"),
        ("ui://notes/list.html?x=../..#y", "<p>é"),
        ("ui://top", "top"),
        ("ui://top/", "top"),
        ("ui://alias.html", "top"),
        ("ui://%74op", "top"),
        ("ui://none.html", None),
        ("ui://notes", None),
        ("ui://", None),
        ("ui://../secret.html", None),
        ("ui://notes/../../secret.html", None),
        ("ui://%2e%2e/secret.html", None),
        ("ui://..%2fsecret.html", None),
        ("ui://..\\secret.html", None),
        ("ui:///etc/passwd", None),
        ("ui://c:/secret.html", None),
        ("ui://a%00b", None),
        ("ui://out.html", None),
        ("ui://up/secret.html", None),
        ("ui://loop.html", None),
        ("ui://latin.html", None),
        ("ui://" + "a" * 5000, None),
    ],
)
def test_pages_are_read_from_their_folder_and_from_nowhere_else(
    pages: Path, uri: str, text: str | None
) -> None:
    assert read_page(uri, pages) == text


def test_a_page_has_a_largest_size(pages: Path) -> None:
    with (pages / "big.html").open("wb") as file:
        file.truncate(LARGEST_PAGE + 1)
    assert read_page("ui://big.html", pages) is None


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in folders")
def test_a_pipe_is_no_page(pages: Path) -> None:
    os.mkfifo(pages / "pipe.html")
    assert page_path("ui://pipe.html", pages) is None


def test_only_declared_pages_count() -> None:
    wires: list[dict[str, Any]] = [
        {"_meta": {"ui": {"resourceUri": uri}}}
        for uri in ("ui://b", "ui://a", "ui://a", "https://example.org", 3)
    ]
    assert page_uris([*wires, {}, {"_meta": {"ui": 3}}, {"_meta": None}]) == ("ui://a", "ui://b")
