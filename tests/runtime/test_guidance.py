"""What a model reads of arguments that do not fit, and of a tool that is not there."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp import Client
from mcp.shared.exceptions import MCPError

from toolc import build_tool
from toolc.model.tool import Tool
from toolc_runtime import Arguments, Context, ToolError, create_server
from toolc_runtime.facts import NO_FACTS, ServedExample, ServedFacts, facts_of_tool
from toolc_runtime.testing import make_context
from toolc_runtime.tool import Implementation, ServedTool

CONTEXT = make_context()


def echo(params: Arguments, context: Context) -> str:
    return json.dumps(dict(params))


def of_schema(schema: Any, facts: ServedFacts = NO_FACTS) -> ServedTool:
    """A tool that answers with its arguments, as they reach a handler without defaults."""
    wire = {"name": "t", "inputSchema": schema}
    return ServedTool(wire, lambda: Implementation(lambda given: Arguments(given, {}), echo), facts)


def defined(text: str) -> ServedTool:
    """The same from a definition."""
    tool = build_tool("find_notes", text)
    return of_schema(tool.to_wire()["inputSchema"], facts_of_tool(tool.facts))


def call(tool: ServedTool, arguments: dict[str, Any]) -> dict[str, Any]:
    return anyio.run(tool.call, arguments, CONTEXT)


def refused(tool: ServedTool, arguments: dict[str, Any]) -> dict[str, Any]:
    result = call(tool, arguments)
    assert result["isError"] is True
    (content,) = result["content"]
    told: dict[str, Any] = json.loads(content["text"])["error"]
    return told


def taken(tool: ServedTool, arguments: dict[str, Any]) -> tuple[Any, list[str]]:
    """What reached the handler, and the warnings of the answer."""
    result = call(tool, arguments)
    assert "isError" not in result, result
    first, *rest = [content["text"] for content in result["content"]]
    assert all(text.startswith("warning: ") for text in rest)
    return json.loads(first), [text.removeprefix("warning: ") for text in rest]


FIND_NOTES = """
[[parameters]]
name = "words"
type = "array:string"
description = "Words that must all occur"
required = true
minItems = 1

[[parameters]]
name = "limit"
type = "int"
default = 20
maximum = 50

[[parameters]]
name = "api_token"
type = "string"
minLength = 20

[[parameters]]
name = "place"
type = "object"
[[parameters.properties]]
name = "city"
type = "string"
required = true
[[parameters.properties]]
name = "radius"
type = "int"

[[examples]]
prompt = "the latest"
arguments = { words = ["a"] }

[[examples]]
prompt = "about the dentist"
arguments = { words = ["dentist"], limit = 5, api_token = "xxxxxxxxxxxxxxxxxxxx" }
"""

WORDS = {"type": "array", "items": {"type": "string"}, "minItems": 1}
LIMIT = {"type": "integer", "default": 20, "maximum": 50}
HINT = {"required": ["words"], "optional": ["limit", "api_token", "place"]}
PLACE = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "radius": {"type": "integer"}},
    "required": ["city"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (
            {"word": "dentist"},
            {
                "code": "MISSING_REQUIRED",
                "message": 't needs "words"; unknown "word": did you mean "words"?',
                "details": {
                    "missing": ["words"],
                    "unknown": [{"name": "word", "did_you_mean": "words"}],
                },
                "schema_hint": {
                    **HINT,
                    "parameters": {"words": WORDS},
                    "example": {"words": ["a"]},
                },
            },
        ),
        (
            {"limit": "ten"},
            {
                "code": "MISSING_REQUIRED",
                "message": 't needs "words"; limit: expected an integer, got the string "ten"',
                "details": {
                    "missing": ["words"],
                    "invalid": [
                        {"parameter": "limit", "expected": "an integer", "got": 'the string "ten"'}
                    ],
                },
                "schema_hint": {
                    **HINT,
                    "parameters": {"words": WORDS, "limit": LIMIT},
                    "example": {"words": ["dentist"], "limit": 5},
                },
            },
        ),
        (
            {"words": "dentist", "limit": "ten"},
            {
                "code": "INVALID_INPUT",
                "message": 't: words: expected an array, got the string "dentist"; '
                'limit: expected an integer, got the string "ten"',
                "details": {
                    "invalid": [
                        {
                            "parameter": "words",
                            "expected": "an array",
                            "got": 'the string "dentist"',
                        },
                        {"parameter": "limit", "expected": "an integer", "got": 'the string "ten"'},
                    ]
                },
                "suggestion": 'for example {"words":["dentist"],"limit":5}',
            },
        ),
        (
            {"words": ["a"], "api_token": "hunter2"},
            {
                "code": "INVALID_INPUT",
                "message": "t: api_token: expected at least 20 characters, got a string",
                "details": {
                    "invalid": [
                        {
                            "parameter": "api_token",
                            "expected": "at least 20 characters",
                            "got": "a string",
                        }
                    ]
                },
            },
        ),
        (
            {"words": ["a"], "place": {"town": 1, "raduis": 2}},
            {
                "code": "MISSING_REQUIRED",
                "message": 't needs "place.city"; unknown "place.town"; '
                'unknown "place.raduis": did you mean "radius"?',
                "details": {
                    "missing": ["place.city"],
                    "unknown": [
                        {"name": "place.town", "did_you_mean": None},
                        {"name": "place.raduis", "did_you_mean": "radius"},
                    ],
                },
                "schema_hint": {
                    **HINT,
                    "parameters": {"place": PLACE},
                    "example": {"words": ["a"]},
                },
            },
        ),
    ],
)
def test_what_is_said_of_arguments_that_do_not_fit(arguments: Any, error: Any) -> None:
    assert refused(defined(FIND_NOTES), arguments) == error


def closed(*required: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


TREE: dict[str, Any] = {
    **closed("node", node={"$ref": "#/$defs/node"}),
    "$defs": {"node": closed("name", name={"type": "string"}, next={"$ref": "#/$defs/node"})},
}


def test_a_schema_hint_expands_references_as_far_as_there_is_room() -> None:
    hint = refused(of_schema(TREE), {})["schema_hint"]
    told = hint["parameters"]["node"]
    assert told["properties"]["name"] == {"type": "string"}
    assert told["properties"]["next"]["required"] == ["name"]
    assert "$ref" not in json.dumps(hint)


def test_a_schema_hint_never_is_large() -> None:
    wide = closed(**{f"a_long_name_of_a_property_{n}": {"type": "string"} for n in range(200)})
    many = {"type": "string", "enum": [f"option {n}" for n in range(1000)]}
    hint = refused(of_schema(closed("wide", "many", wide=wide, many=many)), {})["schema_hint"]
    assert hint["parameters"] == {"wide": {"type": "object"}, "many": {"type": "string"}}


@pytest.mark.parametrize(
    ("schema", "suggestion"),
    [
        ({"type": "integer", "examples": [7]}, 'for example {"n":7}'),
        ({"type": "integer", "default": 3}, 'for example {"n":3}'),
        ({"type": "object", "examples": [{"password": "p", "a": 1}]}, 'for example {"n":{"a":1}}'),
        ({"type": "array", "default": ["x" * 300]}, None),
        ({"type": "integer"}, None),
    ],
)
def test_a_short_example_where_one_is_known(schema: Any, suggestion: str | None) -> None:
    told = refused(of_schema(closed(n=schema)), {"n": "x"})
    assert told.get("suggestion") == suggestion


def test_nested_names_are_looked_for_behind_references_unions_and_lists() -> None:
    stop = closed("city", city={"type": "string"}, zip_code={"type": "string"})
    schema = {
        **closed(stops={"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/stop"}]}}),
        "$defs": {"stop": stop},
    }
    stops = [{"city": "Delft"}, {"city": "Leiden", "zipcode": "2311"}]
    assert refused(of_schema(schema), {"stops": stops})["details"] == {
        "unknown": [{"name": "stops[1].zipcode", "did_you_mean": "zip_code"}]
    }


def test_keys_below_a_secret_looking_name_are_not_repeated() -> None:
    inner = closed(user={"type": "integer"})
    schema = closed(credentials=inner, secrets={"additionalProperties": {"type": "integer"}})
    told = refused(
        of_schema(schema),
        {"credentials": {"hunter2": 1, "user": "hunter2"}, "secrets": {"hunter2": "hunter2"}},
    )
    assert "hunter2" not in json.dumps(told)
    assert [row["parameter"] for row in told["details"]["invalid"]] == [
        "credentials.user",
        'secrets["***"]',
    ]
    unreadable = refused(of_schema(schema), {"secrets": {"hunter2": float("nan")}})
    assert "hunter2" not in json.dumps(unreadable)


def test_long_names_are_cut() -> None:
    told = refused(of_schema(closed()), {"n" * 10_000: 1})
    assert len(json.dumps(told)) < 1000


OPEN = {
    "type": "object",
    "properties": {"words": {"type": "string"}, "limit": {"type": "integer"}},
    "required": ["words"],
    "additionalProperties": True,
}
WARN = ServedFacts(extra_parameters="warn")


@pytest.mark.parametrize(
    ("facts", "arguments", "warnings"),
    [
        (WARN, {"words": "a"}, []),
        (
            WARN,
            {"words": "a", "lmit": 3, "zz": 1},
            [
                'unknown parameter "lmit" ignored; did you mean "limit"?',
                'unknown parameter "zz" ignored',
            ],
        ),
        (ServedFacts(extra_parameters="allow"), {"words": "a", "lmit": 3}, []),
    ],
)
def test_an_open_tool_lets_unknown_arguments_pass(
    facts: ServedFacts, arguments: Any, warnings: list[str]
) -> None:
    assert taken(of_schema(OPEN, facts), arguments) == (arguments, warnings)


def test_of_many_unknown_arguments_some_are_named() -> None:
    many = {f"unknown {place}": 1 for place in range(1000)}
    _, warnings = taken(of_schema(OPEN, WARN), {"words": "a", **many})
    assert len(warnings) == 21
    assert warnings[-1] == "and 980 more of this kind"


def test_what_else_is_wrong_with_the_arguments_of_an_open_tool() -> None:
    told = refused(of_schema(OPEN, WARN), {"words": "a", "lmit": 3, "limit": "x"})
    assert told["message"] == 't: limit: expected an integer, got the string "x"'


RENAMED = """
extraParameters = "EXTRA"

[[parameters]]
name = "from"
type = "string | int"
maximum = 9
aliases = ["since", "changed_after"]

[[parameters]]
name = "key"
type = "string"
maxLength = 3
aliases = ["password"]
""".replace("maximum = 9\n", "")


def renamed(extra: str) -> ServedTool:
    return defined(RENAMED.replace("EXTRA", extra))


@pytest.mark.parametrize("extra", ["forbid", "warn", "allow"])
@pytest.mark.parametrize(
    ("arguments", "meant", "warnings"),
    [
        ({"from": "a"}, {"from": "a"}, []),
        ({"since": "a"}, {"from": "a"}, ['"since" is the old name of "from"']),
        (
            {"password": "a", "changed_after": 1},
            {"key": "a", "from": 1},
            ['"password" is the old name of "key"', '"changed_after" is the old name of "from"'],
        ),
    ],
)
def test_old_names_of_parameters(extra: str, arguments: Any, meant: Any, warnings: Any) -> None:
    assert taken(renamed(extra), arguments) == (meant, warnings)


@pytest.mark.parametrize(
    ("raised", "code"),
    [(ToolError("NOT_FOUND", "no note"), "NOT_FOUND"), (RuntimeError(), "INTERNAL_ERROR")],
)
def test_how_arguments_were_taken_is_told_of_a_call_that_failed(
    raised: Exception, code: str
) -> None:
    def fail(params: Any, context: Context) -> None:
        raise raised

    facts = ServedFacts(parameter_aliases={"terms": "words"}, repair="safe")
    wire: dict[str, Any] = {"name": "t", "inputSchema": closed(words={"type": "integer"})}
    tool = ServedTool(wire, lambda: Implementation(dict, fail), facts)
    told = refused(tool, {"terms": "1"})
    assert told["code"] == code
    assert told["warnings"] == [
        '"terms" is the old name of "words"',
        "words: digits in a string, taken as an integer",
    ]
    assert "warnings" not in refused(tool, {"words": 1})


@pytest.mark.parametrize("extra", ["forbid", "warn", "allow"])
@pytest.mark.parametrize(
    ("arguments", "faults"),
    [
        ({"since": "a", "from": "b"}, ['since: expected its present name "from" alone, got both']),
        (
            {"since": "a", "changed_after": "a"},
            ['changed_after: expected its present name "from" alone, got both'],
        ),
        (
            {"from": "a", "since": "a", "key": 5},
            [
                'since: expected its present name "from" alone, got both',
                "key: expected a string, got the number 5",
            ],
        ),
        ({"password": "hunter2"}, ["password: expected at most 3 characters, got a value"]),
        ({"since": []}, ["since: expected a string or an integer, got an array of 0 items"]),
    ],
)
def test_a_name_of_a_parameter_and_its_old_one(
    extra: str, arguments: Any, faults: list[str]
) -> None:
    told = refused(renamed(extra), arguments)
    assert told["code"] == "INVALID_INPUT"
    assert told["message"] == "t: " + "; ".join(faults)


def test_an_old_name_that_is_a_present_one_again_means_that() -> None:
    facts = ServedFacts(parameter_aliases={"limit": "words"})
    arguments = {"words": "a", "limit": 3, "further": 1}
    assert taken(of_schema(OPEN, facts), arguments) == (arguments, [])


SENTINEL = "hunter2"
_values = st.recursive(
    st.just(SENTINEL) | st.just(SENTINEL + "!") | st.just(f'["{SENTINEL}"]') | st.just([SENTINEL]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from([SENTINEL, "user", "note"]), inner, max_size=2)
    ),
    max_leaves=4,
)
_schemas: st.SearchStrategy[Any] = st.sampled_from(
    [
        {"type": "integer"},
        {"type": "string", "maxLength": 3},
        {"enum": ["a", "b"]},
        {"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]},
        closed("user", user={"type": "integer"}),
        {"additionalProperties": {"type": "integer"}},
        {"propertyNames": {"maxLength": 2}},
        {"minItems": 3},
    ]
)


@given(
    name=st.sampled_from(["password", "apiKey", "auth-token", "pin"]),
    old=st.sampled_from(["secret", "key"]),
    by_old_name=st.booleans(),
    schema=_schemas,
    value=_values,
    repair=st.sampled_from(["off", "safe"]),
    extra=st.sampled_from(["forbid", "warn", "allow"]),
)
def test_no_answer_repeats_a_secret_looking_arguments_value(
    name: str,
    old: str,
    by_old_name: bool,
    schema: Any,
    value: Any,
    repair: str,
    extra: str,
) -> None:
    example = ServedExample("p", {name: SENTINEL, "n": {name: SENTINEL}})
    facts = ServedFacts(
        repair=repair,
        extra_parameters=extra,
        examples=(example,),
        parameter_aliases={old: name},
    )
    whole = {**closed("n", **{name: schema, "n": {"type": "integer"}})}
    whole["additionalProperties"] = extra != "forbid"
    result = call(of_schema(whole, facts), {old if by_old_name else name: value})
    assert SENTINEL not in json.dumps(result)


def tools(*names: str) -> list[Tool]:
    return [Tool(name, {"type": "object"}) for name in names]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize(
    ("name", "message", "suggestions"),
    [
        (
            "FindNote",
            'Unknown tool: FindNote; did you mean "find_notes"?; similar: "find_files"',
            {"did_you_mean": "find_notes", "similar_tools": ["find_notes", "find_files"]},
        ),
        (
            "get_weather",
            'Unknown tool: get_weather; similar: "weather_lookup"',
            {"similar_tools": ["weather_lookup"]},
        ),
        ("zz", "Unknown tool: zz", None),
    ],
)
def test_an_unknown_tool_names_the_near_ones_to_a_client(
    mode: Any, name: str, message: str, suggestions: Any
) -> None:
    served = tools("find_notes", "find_files", "weather_lookup")
    handlers: dict[str, Callable[..., Any]] = {tool.name: echo for tool in served}

    async def talk() -> tuple[MCPError, Any]:
        async with Client(create_server(served, handlers), mode=mode) as client:
            with pytest.raises(MCPError) as caught:
                await client.call_tool(name, {})
            return caught.value, await client.call_tool("execute_tool", {"name": name})

    error, through_execute_tool = anyio.run(talk)
    expected = {"code": "UNKNOWN_TOOL", "message": message}
    if suggestions is not None:
        expected["suggestions"] = suggestions
    assert (error.code, error.message) == (-32602, message)
    assert error.data == {"error": expected}
    told = json.loads(through_execute_tool.content[0].text)["error"]
    assert told == {**expected, "suggestion": "call tool_search for the names of tools"}
