"""The documentation, held to what it says: its examples run, its tables are current, its links lead
somewhere.

How an example is written, in `docs/*.md` and `README.md`. A fenced block says on its first line,
behind the language, what it is:

- ```` ```toml tooldefs/greet.toml ````: a file of a project in memory. Without a path, a `toml`
  block is `tooldefs/example.toml`. `toolc.toml` is the project file. Several files together are one
  project; files of one stem in several notations are one project each, all with the same outcome.
- ```` ```json = tool ````: what the files come to: the one tool, `tools` (the list of all), or a part
  of either: `= tool/inputSchema/properties/limit`. Keys stand in the same order.
- ```` ```text = report ````, or in another format of `toolc check`: what is said of the files, whole.
  Of files without a report nothing is said.
- ```` ```python = generated/contracts/greet.py ````, in any language: a file that the build writes.
- ```` ```python ````: runs. The blocks of a page are one program; it runs in a folder that holds all
  the files of the page, built.
- ```` ```text = output ````: what the Python block before it printed.

`UPDATE_GOLDENS=1 pytest tests/docs` writes reports, built files and output anew; read them like code.

The next file behind an outcome, or behind a heading, begins another example. Blocks in any other
form, and those behind a comment `<!-- not run: why -->`, are for the eye only. A table whose head is
a key of `ROW_CHECKS` is checked row by row.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import tomli

from toolc import driver, pipeline
from toolc.builder.project import read_project
from toolc.generate.names import attribute_name, module_name
from toolc.loader import SUFFIXES, load
from toolc.model.artifact import read_text
from toolc.model.diagnostic import Diagnostic, has_errors
from toolc.model.document import SourceFile
from toolc.model.project import Project
from toolc.pipeline import Program
from toolc.report import renderer

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

_FENCE = re.compile(r"^(`{3,})([a-z]+)?[ ]?([^\n`]*)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_NOT_RUN = re.compile(r"<!-- not run: [^\n]*-->\n*\Z")
_HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
_NAMED = re.compile(r"[\w./-]+\.[a-z0-9]+")
_DEFAULT_PATH = "tooldefs/example.toml"


class Block(NamedTuple):
    page: Path
    start: int
    """The 1-based line of its fence."""
    number: int
    """Which fence of the page it is, from 0."""
    language: str
    target: str
    """A file's path, `= what`, or nothing."""
    text: str

    @property
    def place(self) -> str:
        return f"{self.page.name}:{self.start}"

    @property
    def outcome(self) -> str:
        return self.target.removeprefix("= ") if self.target.startswith("= ") else ""

    @property
    def is_program(self) -> bool:
        return self.language == "python" and not self.target

    @property
    def file(self) -> str:
        if self.language == "toml" and not self.target:
            return _DEFAULT_PATH
        return self.target if _NAMED.fullmatch(self.target) else ""


@dataclass
class Example:
    """Files, and what the page says that they come to."""

    place: str
    files: dict[str, str] = field(default_factory=dict)
    outcomes: list[Block] = field(default_factory=list)

    def variants(self) -> Iterator[dict[str, str]]:
        """The projects that the files make: one, or one for each notation of the one file."""
        stems = {path.rpartition(".")[0] for path in self.files}
        if len(stems) == 1 and all(path.endswith(SUFFIXES) for path in self.files):
            yield from ({path: text} for path, text in self.files.items())
        else:
            yield self.files


def blocks_of(page: Path) -> Iterator[Block | None]:
    """The fenced blocks of a page in their order; None for a heading."""
    text = page.read_text(encoding="utf-8")
    position = 0
    for number, fence in enumerate(_FENCE.finditer(text)):
        if _HEADING.search(text, position, fence.start()):
            yield None
        position = fence.end()
        if not _NOT_RUN.search(text, 0, fence.start()):
            start = text.count("\n", 0, fence.start()) + 1
            yield Block(page, start, number, fence[2] or "", fence[3].strip(), fence[4])


def agree(block: Block, text: str) -> None:
    """The page's block must be `text`, or becomes it where goldens are updated."""
    if os.environ.get("UPDATE_GOLDENS") and block.text != text:
        page = block.page.read_text(encoding="utf-8")
        start, end = list(_FENCE.finditer(page))[block.number].span(4)
        block.page.write_text(page[:start] + text + page[end:], encoding="utf-8", newline="\n")
    else:
        assert text == block.text, block.place


def examples_of(page: Path) -> list[Example]:
    examples: list[Example] = []
    is_new = True
    for block in blocks_of(page):
        if block is None:
            is_new = True
            continue
        assert not block.target or block.file or block.outcome, f"{block.place}: {block.target}"
        if block.file:
            if is_new or examples[-1].outcomes:
                examples.append(Example(block.place))
            is_new = False
            examples[-1].files[block.file] = block.text
        elif block.outcome and block.outcome != "output":
            assert examples, f"{block.place}: there is nothing that could come to this"
            examples[-1].outcomes.append(block)
    return examples


EXAMPLES = [
    pytest.param(example, id=example.place) for page in PAGES for example in examples_of(page)
]


class Compiled(NamedTuple):
    project: Project
    program: Program
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]


def compile_files(files: Mapping[str, str]) -> Compiled:
    """The project in memory that `files` are; the project file is one of them, or all defaults."""
    sources = {path: SourceFile(path, text) for path, text in files.items()}
    project = Project()
    problems: tuple[Diagnostic, ...] = ()
    if "toolc.toml" in sources:
        document, problems = load(sources["toolc.toml"])
        assert document is not None
        project, found = read_project(document)
        problems = (*problems, *found)
    definitions = {path: text for path, text in files.items() if path != "toolc.toml"}
    program = pipeline.compile_project(definitions, project)
    return Compiled(project, program, (*problems, *program.diagnostics), sources)


def build_in(folder: Path, files: Mapping[str, str]) -> driver.Build:
    """A build of `files`, laid out in `folder`; nothing of what it generates is written."""
    for path, text in {"toolc.toml": "", **files}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8", newline="\n")
    opened = driver.open_project(str(folder), str(folder))
    assert not opened.diagnostics
    build = driver.compile_project(opened.root, opened.project)
    assert not has_errors(build.diagnostics), build.diagnostics
    return build


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_comes_to_what_the_page_says(example: Example, tmp_path: Path) -> None:
    for files in example.variants():
        compiled = compile_files(files)
        reports = [block for block in example.outcomes if block.outcome == "report"]
        assert reports or not compiled.diagnostics, compiled.diagnostics
        for block in reports:
            agree(block, renderer(block.language)(compiled.diagnostics, compiled.sources))
        for block in example.outcomes:
            if block.outcome.partition("/")[0] in ("tool", "tools"):
                check_tools(block, compiled)
            elif block.outcome != "report":
                built = {
                    one.path: read_text(one.text) for one in build_in(tmp_path, files).artifacts
                }
                agree(block, built[block.outcome])


def check_tools(block: Block, compiled: Compiled) -> None:
    head, *way = block.outcome.split("/")
    value: Any = [tool.to_dict(compiled.project.revision) for tool in compiled.program.tools]
    if head == "tool":
        (value,) = value
    for part in way:
        value = value[part]
    # As texts, since the order of keys is part of what a page shows.
    assert json.dumps(value, indent=1) == json.dumps(json.loads(block.text), indent=1), block.place


PYTHON_PAGES = [
    page for page in PAGES if any(block and block.is_program for block in blocks_of(page))
]

_BEHIND_A_BLOCK = "\x1e"


@pytest.mark.parametrize("page", PYTHON_PAGES, ids=lambda page: page.name)
def test_python_examples_run(page: Path, tmp_path: Path) -> None:
    blocks = [block for block in blocks_of(page) if block is not None]
    build = build_in(tmp_path, {block.file: block.text for block in blocks if block.file})
    assert not driver.commit(build, driver.plan_build(build))
    program = tmp_path / f"{page.name}.py"
    program.write_text(program_of(page), encoding="utf-8")
    run = subprocess.run(
        [sys.executable, "-W", "error", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0, run.stderr
    printed = iter(run.stdout.split(f"{_BEHIND_A_BLOCK}\n"))
    text = ""
    for block in blocks:
        if block.is_program:
            text = next(printed)
        elif block.outcome == "output":
            agree(block, text)


def program_of(page: Path) -> str:
    """A page's Python blocks as one program, in which each line stands where it does in the page."""
    text = page.read_text(encoding="utf-8")
    lines = [""] * text.count("\n")
    for block in blocks_of(page):
        if block is not None and block.is_program:
            rows = block.text.splitlines()
            end = block.start + len(rows)
            lines[block.start : end] = rows
            lines[end] = f"print({_BEHIND_A_BLOCK!r})"
    return "\n".join(lines) + "\n"


# Tables, row by row


def check_type(cells: list[str]) -> None:
    """A type of the grammar, and the schema that a parameter of it has."""
    text, schema = cells
    compiled = compile_files({"t.json": json.dumps({"parameters": [{"name": "p", "type": text}]})})
    (tool,) = compiled.program.tools
    properties: Any = tool.input_schema["properties"]
    assert json.dumps(properties["p"]) == json.dumps(json.loads(schema)), text


def check_yaml(cells: list[str]) -> None:
    """What a text in YAML means in JSON."""
    document, _ = load(SourceFile("t.yaml", f"value: {cells[0]}\n"))
    assert document is not None
    value: Any = document.value
    assert json.dumps(value["value"]) == json.dumps(json.loads(cells[1])), cells[0]


def check_parameter(cells: list[str]) -> None:
    assert attribute_name(cells[0]) == cells[1]


def check_tool_name(cells: list[str]) -> None:
    assert module_name(cells[0]) == cells[1]


ROW_CHECKS: Mapping[tuple[str, ...], Callable[[list[str]], None]] = {
    ("type", "schema"): check_type,
    ("in YAML", "means"): check_yaml,
    ("parameter", "in Python"): check_parameter,
    ("tool", "module and function"): check_tool_name,
}
"""A table's head -> the check of one of its rows; cells that are code come without the backticks."""


def tables_of(page: Path) -> Iterator[tuple[tuple[str, ...], list[list[str]]]]:
    """The tables of a page: head and rows, of the columns that `ROW_CHECKS` knows."""
    outside = _FENCE.sub("", page.read_text(encoding="utf-8"))
    for table in re.findall(r"(?:^\|.*\|\n)+", outside, re.MULTILINE):
        head, _, *rows = (
            [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            for line in table.splitlines()
        )
        yield (
            tuple(head),
            [
                [cell.replace(r"\|", "|").removeprefix("`").removesuffix("`") for cell in row]
                for row in rows
            ],
        )


def checked_rows() -> Iterator[Any]:
    for page in PAGES:
        for head, rows in tables_of(page):
            for known, check in ROW_CHECKS.items():
                if head[: len(known)] == known:
                    for row in rows:
                        yield pytest.param(check, row[: len(known)], id=f"{page.name}-{row[0]}")


@pytest.mark.parametrize(("check", "cells"), list(checked_rows()))
def test_a_row_says_what_is(check: Callable[[list[str]], None], cells: list[str]) -> None:
    check(cells)


# What is made from the code, and links


def tables_module() -> Any:
    spec = importlib.util.spec_from_file_location("docs_tables", ROOT / "docs" / "tables.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_tables_from_the_code_are_current() -> None:
    stale = tables_module().stale_pages()
    assert not stale, "run `python docs/tables.py`"


def test_every_table_of_the_code_is_somewhere() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    missing = [name for name in tables_module().TABLES if f"<!-- table: {name} -->" not in text]
    assert not missing


def test_the_architecture_page_has_the_layers_of_the_import_contract() -> None:
    pyproject = tomli.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contract = pyproject["tool"]["importlinter"]["contracts"][0]
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert "\n".join(contract["layers"]) in page


_LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors_of(page: Path) -> set[str]:
    """The anchors that GitHub gives to a page's headings."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    for link in _LINK.findall(text):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if anchor and target.suffix == ".md":
            assert anchor in anchors_of(target), link
