"""What a handler returns, beside its data: metadata, warnings, next steps, and the envelope."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp_types import CallToolResult, TextContent

from toolc_runtime import Result, ToolError, audio, detail, image, link, resource
from toolc_runtime.envelope import envelope_schema
from toolc_runtime.jsonvalue import NotJsonError
from toolc_runtime.rendering import OutputError, render
from toolc_runtime.revision import project
from toolc_runtime.validation import compile_schema

COUNT: dict[str, Any] = {
    "type": "object",
    "properties": {"n": {"type": "integer"}},
    "required": ["n"],
}

WHOLE = Result(
    {"n": 1},
    content=["more"],
    meta={"trace": "a"},
    metadata={"total": 9},
    warnings=["old"],
    next_steps="call read_note",
    complete=False,
)


def answer(
    returned: Any, schema: Any = None, *, envelope: bool = False, warnings: tuple[str, ...] = ()
) -> dict[str, Any]:
    output = envelope_schema(schema) if envelope else schema
    result = render(
        returned,
        output_schema=output,
        output=None if output is None else compile_schema(output),
        revision="2026-07-28",
        envelope=envelope,
        warnings=warnings,
    )
    assert result.pop("resultType") == "complete"
    return result


def texts(result: dict[str, Any]) -> list[str]:
    return [block["text"] for block in result["content"]]


def test_without_an_envelope_all_else_comes_behind_the_data() -> None:
    result = answer(WHOLE, COUNT, warnings=("mended",))
    assert result["structuredContent"] == {"n": 1}
    assert texts(result) == [
        '{"n":1}',
        "more",
        "warning: mended",
        "warning: old",
        "next: call read_note",
    ]
    assert result["_meta"] == {"total": 9, "complete": False, "trace": "a"}


def test_with_an_envelope_all_is_in_it() -> None:
    result = answer(WHOLE, COUNT, envelope=True, warnings=("mended",))
    whole = {
        "data": {"n": 1},
        "metadata": {"total": 9, "complete": False},
        "errors": [],
        "warnings": ["mended", "old"],
        "next_steps": "call read_note",
    }
    assert result["structuredContent"] == whole
    assert result["_meta"] == {"trace": "a"}
    text, more = texts(result)
    assert more == "more"
    del whole["errors"]
    assert json.loads(text) == whole


@pytest.mark.parametrize(
    ("returned", "text"),
    [
        ({"n": 1}, '{"data":{"n":1}}'),
        ("hi", '{"data":"hi"}'),
        ([], '{"data":[]}'),
        (None, '{"data":null}'),
        (Result(None, next_steps=""), '{"data":null}'),
        (Result(1, warnings="one"), '{"data":1,"warnings":["one"]}'),
    ],
)
def test_the_text_of_an_envelope_is_without_what_is_empty(returned: Any, text: str) -> None:
    result = answer(returned, envelope=True)
    assert texts(result) == [text]
    validator = compile_schema(envelope_schema(None))
    assert validator.is_valid(json.loads(text))
    assert {"data", "metadata", "errors", "warnings"} <= result["structuredContent"].keys()


PARTLY = Result(
    {"n": 1},
    warnings=["old"],
    errors=[
        ToolError("NOT_FOUND", 'no note "n9"', details={"id": "n9"}, suggestion="list first"),
        ToolError("TIMEOUT", "\ud800", details={1}),
    ],
)
FAILURES = [
    {
        "code": "NOT_FOUND",
        "message": 'no note "n9"',
        "details": {"id": "n9"},
        "suggestion": "list first",
    },
    {"code": "TIMEOUT", "message": "?"},
]


def test_what_failed_in_part_is_told_beside_the_rest() -> None:
    result = answer(PARTLY, COUNT, envelope=True)
    assert "isError" not in result
    assert result["structuredContent"]["errors"] == FAILURES
    assert json.loads(texts(result)[0])["errors"] == FAILURES

    result = answer(PARTLY, COUNT)
    assert "isError" not in result
    assert result["structuredContent"] == {"n": 1}
    first, *errors, last = texts(result)
    assert (first, last) == ('{"n":1}', "warning: old")
    assert [json.loads(error.removeprefix("error: ")) for error in errors] == FAILURES


def test_blocks_stand_beside_an_envelope() -> None:
    result = answer([image(b"\0", "image/png")], envelope=True)
    assert result["content"][0]["text"] == '{"data":null}'
    assert result["content"][1]["type"] == "image"


def test_the_data_of_an_envelope_are_held_to_their_schema() -> None:
    with pytest.raises(OutputError):
        answer({"n": "one"}, COUNT, envelope=True)


@pytest.mark.parametrize(
    "returned",
    [
        Result(None, warnings=["\ud800"]),
        Result(None, next_steps="\ud800"),
        Result(None, metadata={"at": {1}}),
        Result(None, meta={"at": {1}}),
    ],
)
@pytest.mark.parametrize("envelope", [True, False])
def test_what_is_beside_the_data_must_be_json_too(returned: Any, envelope: bool) -> None:
    with pytest.raises(NotJsonError):
        answer(returned, envelope=envelope)


def test_warnings_of_the_runtime_follow_a_result_of_the_sdk() -> None:
    given = CallToolResult(content=[TextContent(type="text", text="a")])
    assert texts(answer(given, warnings=("mended",))) == ["a", "warning: mended"]


@pytest.mark.parametrize(
    ("data", "inside"),
    [
        (None, {}),
        (True, {}),
        ({"type": "array", "items": {"$ref": "#/$defs/t"}, "$defs": {"t": {}}},
         {"type": "array", "items": {"$ref": "#/properties/data/$defs/t"}, "$defs": {"t": {}}}),
    ],
)  # fmt: skip
def test_the_schema_of_an_envelope(data: Any, inside: Any) -> None:
    schema: Any = envelope_schema(data)
    assert schema["properties"]["data"] == inside
    assert schema["required"] == ["data"]


def test_an_envelope_is_the_same_in_every_revision() -> None:
    wire: Any = {"name": "t", "inputSchema": {"type": "object"}}
    wire["outputSchema"] = envelope_schema({"type": "array"})
    assert project(wire, "2025-11-25")[0] == project(wire, "2026-07-28")[0] == wire


@pytest.mark.parametrize(
    ("block", "wire"),
    [
        (image(b"\0", "image/png"), {"type": "image", "data": "AA==", "mimeType": "image/png"}),
        (audio(b"\0", "audio/wav"), {"type": "audio", "data": "AA==", "mimeType": "audio/wav"}),
        (
            resource("notes://7", "Milk", "text/plain"),
            {
                "type": "resource",
                "resource": {"uri": "notes://7", "mimeType": "text/plain", "text": "Milk"},
            },
        ),
        (
            resource("notes://7", b"\0"),
            {"type": "resource", "resource": {"uri": "notes://7", "blob": "AA=="}},
        ),
        (
            link("notes://7", "seven", description="A note", mime="text/plain"),
            {
                "type": "resource_link",
                "uri": "notes://7",
                "name": "seven",
                "description": "A note",
                "mimeType": "text/plain",
            },
        ),
    ],
)
def test_content_blocks(block: Any, wire: Any) -> None:
    assert answer(block)["content"] == [wire]
    assert answer(Result("a", content=[block]))["content"][1] == wire


ITEMS = [
    {"id": "a", "title": "A", "text": "…", "score": 0.8},
    {"id": "b", "title": "B", "text": "…", "score": 0.4},
    {"id": "c", "text": "…", "score": 0.5},
    {"id": "d", "title": "D", "text": "…", "score": 0.39},
]


def test_detail_by_score() -> None:
    assert detail(ITEMS, high=0.8, low=0.4, summary=("id", "title")) == [
        ITEMS[0],
        {"id": "b", "title": "B"},
        {"id": "c"},
        {"id": "d"},
    ]


def test_detail_by_functions() -> None:
    words = ["long", "longer", "longest"]
    made = detail(
        words, score=len, high=7, low=5, summary=lambda word: word[:3], key=lambda word: word[0]
    )
    assert made == ["l", "lon", "longest"]
    with pytest.raises(ValueError, match=r"low \(2\) is above high \(1\)"):
        detail(words, score=len, high=1, low=2, summary="id")
