"""Old names of members of nested objects: a call by them is taken as one by the present ones."""

from __future__ import annotations

import json
from typing import Any

import anyio
import pytest

import toolc
from toolc.generate.manifest import catalog_entry, project_wire
from toolc.model.project import Project
from toolc_runtime import Arguments
from toolc_runtime.facts import facts_from_entry, facts_of_tool
from toolc_runtime.testing import make_context
from toolc_runtime.tool import Implementation, ServedTool

SHARED = """
[types.Stop]
type = "object"
properties = [
  { name = "city", type = "string", required = true, aliases = ["town"] },
  { name = "next", type = "Stop", aliases = ["then"] },
]

[types.Flat]
type = "object"
properties = [{ name = "city", type = "string", aliases = ["town"] }]
"""

CITY = '[{ name = "city", type = "string", aliases = ["town"] }]'

NESTED = f"""
[[parameters]]
name = "place"
type = "object"
aliases = ["spot"]
properties = {CITY}

[[parameters]]
name = "stops"
type = "array:object"
properties = {CITY}

[[parameters]]
name = "named"
type = "map:Flat"

[[parameters]]
name = "either"
anyOf = [
  {{ type = "object", properties = {CITY} }},
  {{ type = "object", properties = [{{ name = "code", type = "int", aliases = ["number"] }}] }},
]

[[parameters]]
name = "maybe"
type = "object"
nullable = true
properties = {CITY}

[[parameters]]
name = "way"
type = "Stop"

[[parameters]]
name = "open"
type = "object"
additionalProperties = true
properties = {CITY}

[[parameters]]
name = "password"
type = "object"
properties = [{{ name = "text", type = "string", maxLength = 3, aliases = ["secret_text"] }}]
"""


PLAIN = Project()


def build(project: Project = PLAIN) -> toolc.Tool:
    sources = {"tooldefs/_shared.toml": SHARED, "tooldefs/t.toml": NESTED}
    (tool,) = toolc.build_project(sources, project)
    return tool


def served(tool: toolc.Tool) -> ServedTool:
    """It answers with the arguments that reach a handler."""
    wire = tool.to_wire()
    code = Implementation(
        lambda given: Arguments(given, {}), lambda params, context: json.dumps(dict(params))
    )
    return ServedTool(wire, lambda: code, facts_of_tool(tool.facts))


def call(tool: ServedTool, arguments: dict[str, Any]) -> list[str]:
    result: Any = anyio.run(tool.call, arguments, make_context())
    return [block["text"] for block in result["content"]]


@pytest.mark.parametrize("hoist", [False, True])
@pytest.mark.parametrize(
    ("sent", "meant", "warnings"),
    [
        ({"place": {"city": "a"}}, {"place": {"city": "a"}}, []),
        ({"place": {"town": "a"}}, {"place": {"city": "a"}}, ["place.town/city"]),
        ({"spot": {"town": "a"}}, {"place": {"city": "a"}}, ["spot/place", "place.town/city"]),
        (
            {"stops": [{"town": "a"}, {"city": "b"}, {"town": "c"}]},
            {"stops": [{"city": "a"}, {"city": "b"}, {"city": "c"}]},
            ["stops[0].town/city", "stops[2].town/city"],
        ),
        (
            {"named": {"town": {"town": "a"}}},
            {"named": {"town": {"city": "a"}}},
            ["named.town.town/city"],
        ),
        ({"either": {"town": "a"}}, {"either": {"city": "a"}}, ["either.town/city"]),
        ({"either": {"number": 1}}, {"either": {"code": 1}}, ["either.number/code"]),
        ({"maybe": {"town": "a"}}, {"maybe": {"city": "a"}}, ["maybe.town/city"]),
        ({"maybe": None}, {"maybe": None}, []),
        (
            {"way": {"town": "a", "then": {"town": "b"}}},
            {"way": {"city": "a", "next": {"city": "b"}}},
            ["way.town/city", "way.then/next", "way.next.town/city"],
        ),
        ({"open": {"town": "a", "x": 1}}, {"open": {"city": "a", "x": 1}}, ["open.town/city"]),
        ({"open": {"x": {"town": "a"}}}, {"open": {"x": {"town": "a"}}}, []),
    ],
)
def test_old_names(hoist: bool, sent: Any, meant: Any, warnings: list[str]) -> None:
    told, *rest = call(served(build(Project(hoist=hoist))), sent)
    assert json.loads(told) == meant
    expected = [warning.split("/") for warning in warnings]
    assert rest == [f'warning: "{old}" is the old name of "{present}"' for old, present in expected]


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (
            {"place": {"town": "a", "city": "b"}},
            't: place.town: expected its present name "city" alone, got both',
        ),
        ({"stops": [{"town": 5}]}, "t: stops[0].town: expected a string, got the number 5"),
        ({"spot": {"town": 5}}, "t: spot.town: expected a string, got the number 5"),
        (
            {"password": {"secret_text": "hunter2"}},
            "t: password.secret_text: expected at most 3 characters, got a value",
        ),
    ],
)
def test_what_is_wrong_is_told_by_the_names_that_were_sent(sent: Any, message: str) -> None:
    (told,) = call(served(build()), sent)
    assert json.loads(told)["error"]["message"] == message


@pytest.mark.parametrize("hoist", [False, True])
def test_the_catalogue_has_them(hoist: bool) -> None:
    project = Project(hoist=hoist)
    tool = build(project)
    entry = json.loads(json.dumps(catalog_entry(project_wire(tool, "2026-07-28"), project)))
    assert facts_from_entry(entry) == facts_of_tool(tool.facts)
    assert {"at": ["properties", "place"], "names": {"town": "city"}} in entry["nestedAliases"]
