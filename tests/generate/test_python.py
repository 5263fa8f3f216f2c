"""The generated package: its golden files, its files' names and owners, and hostile text in it."""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from toolc.generate.header import stamped_digest_is_valid
from toolc.generate.templates import Render, environment
from toolc.model.artifact import Owner, read_text
from toolc.model.document import JsonObject, JsonValue
from toolc.model.project import Project, PythonTarget
from toolc.model.tool import Facts, Tool
from toolc.pipeline import compile_project

from .conftest import Contract, Run, builtin_templates, python_artifacts
from .test_pytext import ANY_TEXT, documented

GOLDEN = Path(__file__).resolve().parent / "golden"

FIND_NOTES = Tool(
    "find_notes",
    {
        "type": "object",
        "properties": {
            "words": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Words that must all occur, in any order",
                "minItems": 1,
                "maxItems": 10,
            },
            "limit": {
                "type": "integer",
                "description": "How many notes to return",
                "default": 20,
                "minimum": 1,
                "maximum": 50,
            },
            "from": {
                "type": "string",
                "description": "Only notes changed on or after this day, like 2026-11-29",
                "format": "date",
            },
        },
        "required": ["words"],
        "additionalProperties": False,
    },
    description="Find notes that contain all the given words. At most 50 notes.",
    output_schema={
        "type": "object",
        "properties": {
            "notes": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {"id": {"type": "string"}, "preview": {"type": "string"}},
                    "required": ["id"],
                },
            }
        },
        "required": ["notes"],
    },
    path="tooldefs/find_notes.toml",
)

PLACE: JsonObject = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "post-code": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}
PLAN_TRIP = Tool(
    "planTrip",
    {
        "type": "object",
        "properties": {
            "to": PLACE,
            "via": {"type": "array", "items": PLACE, "maxItems": 3},
            "party": {
                "type": "object",
                "properties": {
                    "adults": {"type": "integer", "default": 1, "minimum": 1},
                    "children": {"type": "integer", "default": 0},
                },
                "additionalProperties": False,
                "default": {"adults": 2},
            },
            "class": {"enum": ["first", "second", None], "description": "Of the train\n\nor boat."},
            "after": {"$ref": "#"},
        },
        "required": ["to"],
        "additionalProperties": True,
    },
    output_schema={"type": "array", "items": {"type": "object", "properties": {"from": PLACE}}},
    facts=Facts(
        types={
            ("inputSchema", "properties", "to"): "Place",
            ("inputSchema", "properties", "via", "items"): "Place",
            ("outputSchema", "items", "properties", "from"): "Place",
        }
    ),
    path="tooldefs/trips.yaml",
)


TREES = compile_project(
    {
        "tooldefs/_trees.toml": """
[types.Folder]
type = "object"
properties = [
  { name = "name", type = "string", required = true },
  { name = "inside", type = "array:Folder" },
  { name = "parent", type = "Folder | null" },
  { name = "by-name", type = "map:Folder" },
  { name = "owner", type = "object", properties = [{ name = "home", type = "Folder" }] },
]
[types.Ask]
type = "object"
properties = [{ name = "reply", type = "Reply" }]
[types.Reply]
type = "object"
properties = [{ name = "ask", type = "Ask | string" }]
additionalProperties = "Ask"
""",
        "tooldefs/plant.toml": """
parameters = [{ name = "folder", type = "Folder" }, { name = "ask", type = "Ask" }]
output = [{ name = "folder", type = "Folder" }, { name = "reply", type = "Reply" }]
""",
        "tooldefs/reply.toml": 'parameters = [{ name = "to", type = "Reply" }]',
    },
    Project(),
).tools
"""Of shared types that contain themselves, directly and by way of each other."""


def texts_of(render: Render, *tools: Tool, target: PythonTarget | None = None) -> dict[str, str]:
    project = Project(python=target or PythonTarget())
    artifacts, diagnostics = python_artifacts(tools, project, render)
    assert diagnostics == ()
    return {artifact.path: read_text(artifact.text) for artifact in artifacts}


@pytest.mark.parametrize(
    ("path", "golden"),
    [
        ("generated/contracts/find_notes.py", "find_notes.contract"),
        ("generated/handlers/find_notes.py", "find_notes.handler"),
        ("generated/contracts/plan__trip.py", "plan_trip.contract"),
        ("generated/contracts/_types.py", "types"),
        ("generated/handler_types.py", "handler_types"),
        ("generated/server.py", "server"),
        ("generated/__main__.py", "main"),
    ],
)
def test_golden_files(render: Render, path: str, golden: str) -> None:
    text = texts_of(render, FIND_NOTES, PLAN_TRIP)[path]
    assert text == (GOLDEN / f"{golden}.txt").read_text("utf-8")


def test_each_file_has_its_owner_and_the_code_its_header(render: Render) -> None:
    own = Tool("own", {"type": "object"}, facts=Facts(handler="notes.search:find"))
    artifacts, _ = python_artifacts([PLAN_TRIP, own, FIND_NOTES], Project(), render)
    owners = {artifact.path: artifact.owner for artifact in artifacts}
    code = ["__init__", "__main__", "server", "handler_types", "contracts/__init__"]
    code += ["contracts/_types", "contracts/find_notes", "contracts/own", "contracts/plan__trip"]
    human = ["handlers/__init__", "handlers/find_notes", "handlers/plan__trip"]
    assert owners == (
        {f"generated/{name}.py": Owner.CODE for name in code}
        | {f"generated/{name}.py": Owner.HUMAN for name in human}
    )
    for artifact in artifacts:
        expected = True if artifact.owner is Owner.CODE else None
        assert stamped_digest_is_valid(read_text(artifact.text)) is expected


def test_the_order_of_the_tools_is_no_matter(render: Render) -> None:
    one = texts_of(render, FIND_NOTES, PLAN_TRIP)
    assert texts_of(render, PLAN_TRIP, FIND_NOTES) == one


def test_a_tool_s_files_depend_on_that_tool_alone(render: Render) -> None:
    alone, both = texts_of(render, FIND_NOTES), texts_of(render, FIND_NOTES, PLAN_TRIP)
    for path in ("generated/contracts/find_notes.py", "generated/handlers/find_notes.py"):
        assert alone[path] == both[path]


def test_a_template_may_lay_the_pairs_out_itself() -> None:
    template = """{{ docstring }}

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
{% for imports, assignment in pairs %}
{% for section in imports %}
    {{ section }}

{% endfor %}
    {{ assignment }}
{% if not loop.last %}

{% endif %}
{% endfor %}
"""
    render = environment({"handler_types.py.j2": template}, builtin_templates)
    own = Tool("own", {"type": "object"}, facts=Facts(handler="notes.search:find"))
    path = "generated/handler_types.py"
    built_in = environment({}, builtin_templates)
    assert texts_of(render, FIND_NOTES, own)[path] == texts_of(built_in, FIND_NOTES, own)[path]


@pytest.mark.parametrize(
    ("target", "handler", "line"),
    [
        (PythonTarget(), "generated/handlers", "from ..contracts.find_notes import"),
        (
            PythonTarget(True, "app.gen", "src/app/gen", "handlers", "handlers"),
            "handlers",
            "from app.gen.contracts.find_notes import",
        ),
        (
            PythonTarget(True, "gen", "gen", "gen/impl/handlers", "gen.impl.handlers"),
            "gen/impl/handlers",
            "from ...contracts.find_notes import",
        ),
        (
            PythonTarget(True, "gen", "gen", "gen", "gen"),
            "gen",
            "from .contracts.find_notes import",
        ),
        (
            PythonTarget(True, "gen", "", "tools", "tools"),
            "tools",
            "from gen.contracts.find_notes import",
        ),
    ],
)
def test_handlers_lie_where_the_project_wants_them(
    render: Render, target: PythonTarget, handler: str, line: str
) -> None:
    texts = texts_of(render, FIND_NOTES, target=target)
    assert line in " ".join(texts[f"{handler}/find_notes.py"].split())
    folder = f"{target.folder}/" if target.folder else ""
    assert f"{folder}contracts/find_notes.py" in texts
    assert f"{handler}/__init__.py" in texts


def test_shared_types_may_contain_themselves(render: Render, run: Run) -> None:
    types = run(texts_of(render, *TREES)["generated/contracts/_types.py"])
    leaf, home = {"name": "leaf"}, {"name": "home"}
    value = {"name": "top", "inside": [leaf], "parent": leaf, "by-name": {"a": leaf}}
    bound = types.PARAMS_Folder.bind({**value, "owner": {"home": home}})
    assert isinstance(bound, types.Folder)
    for nested in (bound.inside[0], bound.parent, bound.by_name_["a"]):
        assert nested == types.Folder(name="leaf")
    assert bound.owner.home == types.Folder(name="home")
    ask = types.PARAMS_Ask.bind({"reply": {"ask": {"reply": {"ask": "why"}}, "more": {}}})
    assert ask.reply.ask.reply.ask == "why"
    assert ask.reply.extra == {"more": types.Ask()}


@pytest.mark.parametrize(
    ("folder", "output", "way"),
    [
        ("generated", "generated", "Path(__file__).resolve().parent, argv"),
        ("src/app", "generated", 'Path(__file__).resolve().parent / "../../generated", argv'),
        ("gen/python", "gen", 'Path(__file__).resolve().parent / "..", argv'),
    ],
)
def test_the_server_finds_its_manifest(render: Render, folder: str, output: str, way: str) -> None:
    project = Project(output=output, python=PythonTarget(folder=folder))
    artifacts, _ = python_artifacts([FIND_NOTES], project, render)
    texts = {artifact.path: read_text(artifact.text) for artifact in artifacts}
    assert way in " ".join(texts[f"{folder}/server.py"].split())


def test_an_identifier_that_cannot_be_had_is_said(render: Render) -> None:
    facts = Facts(identifiers={("inputSchema", "properties", "from"): "class"})
    schema: JsonObject = {"type": "object", "properties": {"from": {"type": "string"}}}
    tool = Tool("t", schema, facts=facts, path="tooldefs/t.toml")
    _, (found,) = python_artifacts([tool], Project(), render)
    assert (found.code, found.path, found.tool) == ("M210", "tooldefs/t.toml", "t")
    assert '"from"' in found.message
    assert '"class"' in found.message
    assert "`from_`" in found.hint


def test_a_template_that_fails_is_said_once() -> None:
    render = environment({"contract.py.j2": "{{ nothing }}"}, builtin_templates)
    project = Project(templates="templates")
    _, (found,) = python_artifacts([FIND_NOTES, PLAN_TRIP], project, render)
    assert (found.code, found.path) == ("P606", "templates/contract.py.j2")


def test_defaults_are_made_anew_for_each_call(contract: Contract, run: Run) -> None:
    tags: JsonObject = {"type": "array", "items": {"type": "string"}, "default": ["a"]}
    amount: JsonObject = {"type": "number", "default": 1}
    schema: JsonObject = {
        "type": "object",
        "properties": {
            "currency": {"type": "string", "default": "USD"},
            "amount": amount,
            "tags": tags,
        },
        "required": ["amount"],
    }
    params = run(contract(Tool("convert", schema))).PARAMS
    params.bind({"amount": 2}).tags.append("b")
    again = params.bind({"amount": 3})
    assert (again.currency, again.amount, again.tags) == ("USD", 3, ["a"])


def test_every_awkward_name_arrives(contract: Contract, run: Run) -> None:
    wires = ["from", "class", "cik-A", "1st", "_id", "__token", "self", "int", "list", "None"]
    wires += ["__debug__", "match", "model_config", "schema", "json", "ctx", "extra", "ABSENT"]
    schema: JsonObject = {
        "type": "object",
        "properties": {wire: {"type": "integer"} for wire in wires},
        "required": ["from"],
    }
    module = run(contract(Tool("class", schema)))
    bound = module.PARAMS.bind({wire: number for number, wire in enumerate(wires)})
    held = {name: getattr(bound, name) for name in bound.__slots__}
    assert list(held.values()) == list(range(len(wires)))
    assert set(module.ClassParams.__annotations__.values()) == {"int", "int | None"}


def hostile_tool(text: str, key: str) -> Tool:
    """A tool with a text wherever a definition takes one."""
    value: JsonValue = {"type": "string", "description": text, "default": text, "pattern": text}
    nested: JsonObject = {"type": "object", "properties": {key: value}, "description": text}
    closed: JsonValue = {"enum": [text, "other"], "title": text}
    properties: dict[str, JsonValue] = {key: value, f"{key}2": closed, "nested": nested}
    properties["list"] = {"type": "array", "items": closed, "default": [text]}
    properties["map"] = {"type": "object", "default": {text: [text]}}
    return Tool(
        "hostile",
        {"type": "object", "properties": properties},
        title=text,
        description=text,
        output_schema={"type": "object", "properties": {key: closed, "nested": nested}},
        path=text,
    )


def skeleton(source: str) -> str:
    """A module's tree without its texts: what the text must not be able to change."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


@given(text=ANY_TEXT)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_changes_the_code_around_it(
    contract: Contract, handler: Contract, run: Run, text: str
) -> None:
    hostile, tame = hostile_tool(text, "p"), hostile_tool("tame", "p")
    if text and text != "other":
        assert skeleton(contract(hostile)) == skeleton(contract(tame))
    assert skeleton(handler(hostile)) == skeleton(handler(tame))
    bound = run(contract(hostile)).PARAMS.bind({"nested": {}})
    assert bound.p == text
    assert bound.nested.p == text
    assert (bound.list_, bound.map) == ([text], {text: [text]})
    (function,) = [
        node for node in ast.parse(handler(hostile)).body if isinstance(node, ast.AsyncFunctionDef)
    ]
    assert (ast.get_docstring(function) or "") == (
        documented(text.strip()) or "Handler of `hostile`."
    )


@given(key=ANY_TEXT)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_name_is_out_of_reach(contract: Contract, run: Run, key: str) -> None:
    tool = hostile_tool("text", key)
    module = run(contract(tool))
    assert [type(node).__name__ for node in ast.parse(contract(tool)).body][-1] == "Assign"
    bound = module.PARAMS.bind({key: "a", f"{key}2": "other", "nested": {key: "b"}})
    values = [getattr(bound, name) for name in bound.__slots__]
    assert values.count("a") == (key != "nested")
    assert values.count("other") == (f"{key}2" != "nested")
    if key != "nested":
        (inner,) = (
            value
            for value in values
            if inspect.isclass(type(value)) and hasattr(value, "__slots__")
        )
        assert getattr(inner, inner.__slots__[0]) == "b"


def test_braces_percent_and_dollar_signs_are_no_template(handler: Contract) -> None:
    text = (
        'Match \\d+ in C:\\new\\table or "quoted".\n'
        'Second line: """triple""" and \\N and \\u12 and {braces} and {{x}} and %s and $name.\n'
        'Ends with a quote "'
    )
    source = handler(Tool("grep", {"type": "object"}, description=text))
    (function,) = [
        node for node in ast.parse(source).body if isinstance(node, ast.AsyncFunctionDef)
    ]
    assert ast.get_docstring(function) == text


def test_hash_seeds_change_nothing(tmp_path: Path) -> None:
    script = tmp_path / "generate.py"
    script.write_text(
        "import hashlib, sys\n"
        f"sys.path.insert(0, {str(Path(__file__).resolve().parents[2])!r})\n"
        "from tests.generate.conftest import builtin_templates\n"
        "from tests.generate.test_python import FIND_NOTES, PLAN_TRIP, texts_of\n"
        "from toolc.generate.templates import environment\n"
        "texts = texts_of(environment({}, builtin_templates), FIND_NOTES, PLAN_TRIP)\n"
        "print(hashlib.sha256(repr(texts).encode()).hexdigest())\n",
        "utf-8",
    )
    digests = [
        subprocess.run(
            [sys.executable, str(script)],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    ]
    assert digests[0] == digests[1] != ""


@pytest.mark.parametrize(
    ("target", "folders"),
    [
        (PythonTarget(), ["generated"]),
        (PythonTarget(handlers="handlers", handlers_package="handlers"), ["generated", "handlers"]),
    ],
    ids=["inside", "beside"],
)
def test_linters_and_type_checkers_are_content(
    render: Render, tmp_path: Path, target: PythonTarget, folders: list[str]
) -> None:
    for path, text in texts_of(render, FIND_NOTES, PLAN_TRIP, *TREES, target=target).items():
        place = tmp_path / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, "utf-8")
    for arguments in (
        ["ruff", "format", "--isolated", "--diff", "."],
        ["ruff", "check", "--isolated", "--extend-select", "I", "."],
        ["mypy", "--strict", "--config-file=", "--cache-dir", str(tmp_path / "cache"), *folders],
    ):
        run = subprocess.run(
            [sys.executable, "-m", *arguments], cwd=tmp_path, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stdout + run.stderr


def test_an_envelope_is_no_matter_of_the_handler(contract: Contract) -> None:
    enveloped = FIND_NOTES._replace(facts=Facts(envelope=True))
    assert enveloped.to_wire() != FIND_NOTES.to_wire()
    assert contract(enveloped) == contract(FIND_NOTES)
