"""Renaming a tool: the author's files change in the letters of the name, and nowhere else."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from toolc.loader import load
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Pointer, SourceFile
from toolc.rename import (
    Renamed,
    alias_site,
    find_contract_imports,
    rename_definition,
    rename_handler,
)


class Definition(NamedTuple):
    path: str
    before: str
    after: str
    pointer: Pointer = ()
    new_path: str = ""


DEFINITIONS = {
    "toml: named by its stem": Definition(
        "defs/old.toml",
        '# About notes.\ntitle = "Old"  # a title\n\n[[parameters]]\nname = "old"\ntype = "int"\n',
        '# About notes.\naliases = ["old"]\ntitle = "Old"  # a title\n\n[[parameters]]\n'
        'name = "old"\ntype = "int"\n',
        new_path="defs/new.toml",
    ),
    "toml: only tables": Definition(
        "old.toml",
        '\n  [ui]\nresourceUri = "ui://x"\n',
        '\n  aliases = ["old"]\n  [ui]\nresourceUri = "ui://x"\n',
        new_path="new.toml",
    ),
    "toml: nothing but a comment": Definition(
        "defs/old.toml", "# to do\n", 'aliases = ["old"]\n# to do\n', new_path="defs/new.toml"
    ),
    "toml: a name of its own, and CRLF": Definition(
        "defs/file.toml",
        "name = 'old' # here\r\ntitle = \"old\"\r\n",
        'name = \'new\' # here\r\naliases = ["old"]\r\ntitle = "old"\r\n',
    ),
    "toml: aliases of several lines": Definition(
        "defs/file.toml",
        'name = "old"\naliases = [\n  "older", # the first\n]\n',
        'name = "new"\naliases = [\n  "older", "old", # the first\n]\n',
    ),
    "toml: an empty list of aliases": Definition(
        "defs/file.toml", 'name = "old"\naliases = [ ]\n', 'name = "new"\naliases = ["old" ]\n'
    ),
    "toml: the name comes back": Definition(
        "defs/file.toml",
        'name = "old"\naliases = ["new", "older"]\n',
        'name = "new"\naliases = ["old", "older"]\n',
    ),
    "toml: one of several tools": Definition(
        "defs/all.toml",
        '[[tools]]\nname = "other"\n\n[[tools]]\nname = "old"\n[tools.ui]\nresourceUri = "ui://x"\n',
        '[[tools]]\nname = "other"\n\n[[tools]]\nname = "new"\naliases = ["old"]\n[tools.ui]\n'
        'resourceUri = "ui://x"\n',
        ("tools", 1),
    ),
    "toml: an inline table": Definition(
        "defs/all.toml",
        'tools = [{ name = "old", title = "T" }]\n',
        'tools = [{ name = "new", aliases = ["old"], title = "T" }]\n',
        ("tools", 0),
    ),
    "yaml: named by its stem": Definition(
        "defs/old.yaml",
        "# About\ndescription: |\n  many\n  lines\ntitle: Old\n",
        '# About\naliases: ["old"]\ndescription: |\n  many\n  lines\ntitle: Old\n',
        new_path="defs/new.yaml",
    ),
    "yaml: plain name, block aliases": Definition(
        "defs/file.yml",
        "name: old # here\naliases:\n  - older # first\n  - 'oldest'\ntitle: x",
        "name: new # here\naliases:\n  - older # first\n  - 'oldest'\n  - 'old'\ntitle: x",
    ),
    "yaml: block aliases at the end of the file": Definition(
        "defs/file.yml", "name: old\naliases:\n- older", "name: new\naliases:\n- older\n- old"
    ),
    "yaml: flow aliases": Definition(
        "defs/file.yml",
        'name: "old"\naliases: [a, b]\n',
        'name: "new"\naliases: [a, b, old]\n',
    ),
    "yaml: one of several tools": Definition(
        "defs/all.yaml",
        "tools:\n  - name: other\n  - title: T\n    name: old\n",
        'tools:\n  - name: other\n  - title: T\n    name: new\n    aliases: ["old"]\n',
        ("tools", 1),
    ),
    "yaml: a list of tools, the name first": Definition(
        "defs/all.yaml",
        "tools:\n- name: old # here\n  title: T\n- name: other\n",
        'tools:\n- name: new # here\n  aliases: ["old"]\n  title: T\n- name: other\n',
        ("tools", 0),
    ),
    "yaml: the name ends the file": Definition(
        "defs/file.yaml", "title: T\nname: old", 'title: T\nname: new\naliases: ["old"]'
    ),
    "yaml: a flow mapping": Definition(
        "defs/all.yaml",
        "tools: [{name: old, title: T}]\n",
        'tools: [{name: new, aliases: ["old"], title: T}]\n',
        ("tools", 0),
    ),
    "json: named by its stem": Definition(
        "defs/old.json",
        '{\n\t"title": "Old",\n\t"x-note": 1.0\n}\n',
        '{\n\t"aliases": ["old"],\n\t"title": "Old",\n\t"x-note": 1.0\n}\n',
        new_path="defs/new.json",
    ),
    "json: on one line": Definition(
        "defs/file.json", '{"name":"old"}', '{"name":"new", "aliases": ["old"]}'
    ),
    "json: a line a key": Definition(
        "defs/file.json",
        '{\n  "title": "T",\n  "name": "old"\n}\n',
        '{\n  "title": "T",\n  "name": "new",\n  "aliases": ["old"]\n}\n',
    ),
    "json: empty": Definition(
        "defs/old.json", "{ }", '{"aliases": ["old"] }', new_path="defs/new.json"
    ),
    "json: other spellings": Definition(
        "defs/file.json",
        '{"Name": "old", "Aliases": []}',
        '{"Name": "new", "Aliases": ["old"]}',
    ),
}


def rename(case: Definition, old: str = "old", new: str = "new") -> Renamed | Diagnostic:
    document, _ = load(SourceFile(case.path, case.before))
    assert document is not None
    return rename_definition(document, case.pointer, old, new)


@pytest.mark.parametrize("name", DEFINITIONS)
def test_definition(name: str) -> None:
    case = DEFINITIONS[name]
    assert rename(case) == Renamed(case.new_path or case.path, case.after)


def test_the_place_of_the_alias() -> None:
    text = "tools:\n- name: x\n- name: new\n  Aliases:\n    - older\n    - old\n"
    document, _ = load(SourceFile("defs/all.yaml", text))
    assert document is not None
    site = alias_site(document, ("tools", 1), "old")
    assert site is not None
    assert site.span is not None
    assert text[slice(*site.span)] == "old"
    assert alias_site(document, ("tools", 1), "new") is None
    assert alias_site(document, ("tools", 0), "old") is None


@pytest.mark.parametrize("new", ["true", "1e3", "a.b", "-a", "null"])
def test_a_plain_yaml_name_is_quoted_where_it_must_be(new: str) -> None:
    renamed = rename(Definition("defs/file.yaml", "name: old\n", ""), new=new)
    assert isinstance(renamed, Renamed)
    assert f'name: "{new}"' in renamed.text


def test_a_namespace_is_not_written() -> None:
    document, _ = load(SourceFile("defs/notes/file.toml", 'name = "old"\n'))
    assert document is not None
    renamed = rename_definition(document, (), "notes_old", "notes_new", "notes_")
    assert renamed == Renamed("defs/notes/file.toml", 'name = "new"\naliases = ["notes_old"]\n')


def test_what_cannot_be_edited_is_refused() -> None:
    # The first key's value is an alias of YAML's, and the list it stands for belongs to two keys.
    text = "tags: &old [a]\naliases: *old\nname: old\n"
    refused = rename(Definition("defs/file.yaml", text, ""))
    assert isinstance(refused, Diagnostic)
    assert refused.code == "P607"
    assert refused.path == "defs/file.yaml"


HANDLER = '''"""Handler of `find_notes`. toolc wrote this once and never changes it again."""

from __future__ import annotations

from toolc_runtime import Context

from ..contracts.find_notes import (
    FindNotesParams,  # the arguments: find_notes
    FindNotesResult as Answer,
)

é = "é"; CACHE: dict[FindNotesParams, Answer] = {}


async def find_notes(params: FindNotesParams, context: Context) -> Answer:
    """Find notes; see find_notes."""
    if é and isinstance(params, FindNotesParams):  # FindNotesParams
        return await find_notes(params, context)
    raise NotImplementedError("find_notes")
'''

RENAMED = '''"""Handler of `search-all`. toolc wrote this once and never changes it again."""

from __future__ import annotations

from toolc_runtime import Context

from ..contracts.search_all_ import (
    SearchAllParams,  # the arguments: find_notes
    SearchAllResult as Answer,
)

é = "é"; CACHE: dict[SearchAllParams, Answer] = {}


async def search_all_(params: SearchAllParams, context: Context) -> Answer:
    """Find notes; see find_notes."""
    if é and isinstance(params, SearchAllParams):  # FindNotesParams
        return await search_all_(params, context)
    raise NotImplementedError("search-all")
'''


def test_handler() -> None:
    renamed = rename_handler("handlers/find_notes.py", HANDLER, "find_notes", "search-all")
    assert renamed == Renamed("handlers/search_all_.py", RENAMED)


def test_handler_and_back() -> None:
    renamed = rename_handler("handlers/search_all_.py", RENAMED, "search-all", "find_notes")
    assert renamed == Renamed("handlers/find_notes.py", HANDLER)


def test_handler_with_an_absolute_import_and_crlf() -> None:
    text = (
        "from generated.contracts.old import OldParams\r\n\r\ndef old(p, c): return OldParams\r\n"
    )
    assert rename_handler("old.py", text, "old", "new") == Renamed(
        "new.py",
        "from generated.contracts.new import NewParams\r\n\r\ndef new(p, c): return NewParams\r\n",
    )


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("def old(:\n", "not Python"),
        ("def old():\n    x = '\0'\n", "not Python"),
        ("other = 1\n", 'defines no function "old"'),
        ("def old(new, context): ...\n", 'the name "new"'),
        ("import new\ndef old(params, context): ...\n", 'the name "new"'),
        ("def old(params, context):\n    for old in params: ...\n", 'the name "old"'),
        ("def old(params, context): ...\ndef f():\n    global old\n", 'the name "old"'),
        ("from ..contracts import old\ndef old(params, context): ...\n", 'the name "old"'),
        ("import g.contracts.old\ndef old(params, context): ...\n", "as a module"),
        (
            "from ..contracts.old import OldParams\nOldParams = 1\ndef old(p, c): ...\n",
            'the name "OldParams"',
        ),
        (
            "from ..old.contracts.old import OldParams\ndef old(p, c): ...\n",
            "laid out so that mv cannot edit it",
        ),
    ],
)
def test_a_handler_that_mv_cannot_edit(text: str, part: str) -> None:
    refused = rename_handler("handlers/old.py", text, "old", "new")
    assert isinstance(refused, Diagnostic)
    assert refused.code == "P607"
    assert part in refused.message


@pytest.mark.parametrize(
    ("statement", "hint"),
    [
        (
            "from generated.contracts.a_pay import APayParams, APayResult as Paid",
            "change `generated.contracts.a_pay` to `generated.contracts.b_pay`, "
            "`APayParams` to `BPayParams`, `APayResult` to `BPayResult`",
        ),
        ("import x, generated.contracts.a_pay as c", "`generated.contracts.b_pay`"),
        ("from generated.contracts import a_pay", "`generated.contracts.b_pay`"),
        ("from ..contracts.a_pay import APayParams", "change `..contracts.a_pay` to `..contr"),
        ("from .contracts import (\n    a_pay,\n)", "`.contracts.a_pay` to `.contracts.b_pay`"),
    ],
)
def test_imports_of_the_contract(statement: str, hint: str) -> None:
    text = f"# é\nif True:\n    é = 1; {statement}\n"
    [found] = find_contract_imports(SourceFile("app/pay.py", text), "a_pay", "b_pay")
    assert found.code == "P608"
    assert found.site is not None
    assert found.site.span is not None
    assert text[slice(*found.site.span)] == statement
    assert hint in found.hint


@pytest.mark.parametrize(
    "text",
    [
        "from generated.contracts.a_payment import APaymentParams\n",
        "from generated.contracts import b\na_pay = 1\n",
        "from contracts import x\nfrom .a_pay import y\n",
        "from generated.contracts.a_pay import (\n",
        "# generated.contracts.a_pay\n",
    ],
)
def test_no_imports_of_the_contract(text: str) -> None:
    assert list(find_contract_imports(SourceFile("app/pay.py", text), "a_pay", "b_pay")) == []
