"""Group A of the same inputs: definitions that MCP allows, and that clients refuse or mangle. What
becomes of each is the specification's word; what the linter says of clients is said of those that
were asked for."""

from __future__ import annotations

import json
from typing import Any

import pytest

from toolc.model.codes import CODES, Basis
from toolc.model.diagnostic import Diagnostic, Severity
from toolc.model.document import pointer_text

from .conftest import BuildCase, CaseProject

CALL = """
import json
from pathlib import Path
from toolc_runtime.testing import ToolCaller
with ToolCaller(Path("generated")) as caller:
    answers = [caller.call(name, arguments) for name, arguments in json.loads({calls!r})]
print(json.dumps([[answer.is_error, (answer.error or {{}}).get("code"), answer.data] for answer in answers]))
"""


def answers(case: CaseProject, *calls: tuple[str, dict[str, Any]]) -> Any:
    """What the built server answers: whether it is an error, its code, the structured content."""
    return case.run(CALL.format(calls=json.dumps(calls)))


def places(found: tuple[Diagnostic, ...]) -> list[tuple[str, str]]:
    """The tool and the pointer of each finding."""
    return [(one.tool, pointer_text(one.pointer or ())) for one in found]


def at(found: tuple[Diagnostic, ...], tool: str, pointer: str) -> Diagnostic:
    """The only finding at a place."""
    (one,) = [
        one for one in found if (one.tool, pointer_text(one.pointer or ())) == (tool, pointer)
    ]
    return one


def is_clean(case: CaseProject) -> bool:
    """Whether nothing is said in the specification's name, and no error at all."""
    of_specification = [
        one
        for one in case.result.diagnostics
        if one.severity is Severity.ERROR or CODES[one.code].basis is Basis.SPECIFICATION
    ]
    return not of_specification


def test_a01_branches_at_the_root(build_case: BuildCase) -> None:
    case = build_case("a01-root-anyof")
    assert is_clean(case)
    assert len(case.manifest()["check_coverage"]["inputSchema"]["anyOf"]) == 2
    found = case.of_clients("claude-api", "claude-code", "openai")
    (one,) = found
    assert places(found) == [("check_coverage", "/inputSchema/anyOf")]
    assert one.message == (
        "every request is refused by claude-api and openai (HTTP 400), this tool is missing in "
        'claude-code (nothing is logged): "anyOf" at the root of the input schema'
    )
    assert one.hint.startswith("make the parameters optional") and "handler check" in one.hint
    assert case.of_clients("claude-desktop", "gemini-json-schema") == ()
    only_project = {"project": "notes"}
    (answer,) = answers(case, ("check_coverage", only_project))
    assert answer[0] is True and answer[1] != "NOT_IMPLEMENTED"


def test_a02_bare_structures(build_case: BuildCase) -> None:
    case = build_case("a02-bare-structures")
    assert is_clean(case)
    schema = case.manifest()["get_time"]["inputSchema"]
    assert schema["type"] == "object" and schema.get("properties", {}) == {}
    names = ("openai", "vscode", "windsurf", "fireworks", "moonshot")
    found = case.of_clients(*names)
    assert sorted(places(found)) == [
        ("get_time", "/inputSchema"),
        ("tag_many", "/inputSchema/properties/tags"),
        ("tag_many", "/inputSchema/properties/value"),
    ]
    tags = at(found, "tag_many", "/inputSchema/properties/tags")
    assert tags.message == (
        "every request is refused by openai (HTTP 400), every request is refused by windsurf "
        '(Cascade stops), this tool is refused by vscode: an array without items in "tags"'
    )
    value = at(found, "tag_many", "/inputSchema/properties/value")
    assert "fireworks (HTTP 500)" in value.message and "moonshot (HTTP 400)" in value.message
    assert "openai" in at(found, "get_time", "/inputSchema").message
    contract = (case.root / "generated/contracts/tag_many.py").read_text("utf-8")
    assert "tags: list[Any]" in contract and "value: Any" in contract


def test_a03_dots_and_underscores(build_case: BuildCase) -> None:
    case = build_case("a03-dots-vs-underscore")
    assert is_clean(case)
    assert set(case.manifest()) == {"calendar.read", "calendar_read"}
    handlers = {path.name for path in (case.root / "generated/handlers").glob("c*.py")}
    assert len(handlers) == 2
    found = case.of_clients("claude-desktop", "openai", "copilot-cli")
    assert places(found) == [("calendar.read", "/name")]
    assert found[0].message == (
        'every request is refused by openai and copilot-cli (only letters, digits, "_" and "-"; '
        'HTTP 400), the whole server is refused by claude-desktop (only letters, digits, "_" and '
        '"-"; nothing loads): the name "calendar.read"'
    )
    assert found[0].hint.startswith('name it "calendar_read"')
    (warning,) = case.found(Severity.WARNING)
    assert '"calendar.read"' in warning and '"calendar_read"' in warning
    (merged,) = case.of_clients("vscode")
    assert 'both become "calendar_read"' in merged.message
    assert [related.message for related in merged.related] == ['"calendar.read"']


def test_a04_lengths(build_case: BuildCase) -> None:
    case = build_case(
        "a04-lengths", '[server]\nname = "atlassian-rovo-mcp-server-cloud"\nversion = "1.0.0"\n'
    )
    assert is_clean(case)
    create, delete = (
        f"{verb}ConfluencePageWithAttachmentsAndPermissions" for verb in ("create", "delete")
    )
    long_name = "awslabs_cloudwatch_get_telemetry_evaluation_status_for_organization"
    found = case.of_clients("all")
    names = {one.tool: one.message for one in found if one.code == "C102"}
    assert set(names) == {create, delete, long_name}
    assert "every request is refused by bedrock (64 at most;" in names[long_name]
    assert "the whole server is refused by claude-desktop (64 at most;" in names[long_name]
    for client in ("openai", "gemini", "vertex"):
        assert client in names[long_name]
    for name in (create, delete):
        assert "this tool is missing in cursor (59 at most, and 80 with " in names[name]
        assert '(64 at most, and 87 with "mcp__atlassian-rovo-mcp-server-cloud__"' in names[name]
        assert "bedrock" not in names[name]
    (clash,) = [one for one in found if one.code == "C103"]
    assert clash.tool == delete and f'"{create}" and "{delete}" both become' in clash.message
    assert "this tool takes another's place in gemini-cli" in clash.message
    (described,) = [one for one in found if one.code == "C105"]
    assert (described.tool, pointer_text(described.pointer or ())) == (create, "/description")
    assert "every request is refused by openai and openai-strict (1,024 at most;" in (
        described.message
    )
    assert "loses the end of its text in claude-code (2,048 at most;" in described.message
    assert described.message.endswith(
        'it ends with "… for records. IMPORTANT: never pass private pages."'
    )
    assert {one.code for one in found} >= {"C102", "C103", "C105"}
    assert all(one.severity is not Severity.ERROR for one in found)


def test_a05_keys_of_properties(build_case: BuildCase) -> None:
    case = build_case("a05-property-keys")
    assert is_clean(case)
    schema = case.manifest()["list_calls"]["inputSchema"]
    source = json.loads((case.root / "tooldefs/tools.json").read_text("utf-8"))
    assert schema == source["tools"][0]["inputSchema"]
    (case.root / "generated/handlers/list_calls.py").write_text(
        "import dataclasses\n\n\nasync def list_calls(params, context):\n"
        "    return {'given': list(map(str, dataclasses.astuple(params)[:5]))}\n",
        "utf-8",
    )
    keys = list(schema["properties"])
    given: dict[str, Any] = {keys[0]: "a", keys[1]: "b", keys[2]: ["c"], keys[3]: "d", keys[4]: "e"}
    ((is_error, _, data),) = answers(case, ("list_calls", given))
    assert not is_error and data == {"given": ["a", "b", "['c']", "d", "e"]}
    for client in ("claude-api", "claude-code", "gemini"):
        found = case.of_clients(client)
        keys_found = {
            one.pointer[2] for one in found if one.pointer and one.code in ("C130", "C131")
        }
        assert keys_found == set(keys)
        assert all(one.message.startswith("every request is refused by") for one in found)
    lengths = [one for one in case.of_clients("claude-api") if one.code == "C131"]
    assert [one.pointer and one.pointer[2] for one in lengths] == [keys[4]]


def test_a06_gemini_and_strict(build_case: BuildCase) -> None:
    case = build_case("a06-gemini-subset")
    assert not case.found(Severity.ERROR) and is_clean(case)
    source = json.loads((case.root / "tooldefs/tools.json").read_text("utf-8"))
    assert case.manifest()["fetch_page"]["inputSchema"] == source["tools"][0]["inputSchema"]
    found = case.of_clients("gemini")
    way = "/inputSchema/properties"
    assert sorted(pointer for _, pointer in places(found)) == [
        "/inputSchema/additionalProperties",
        f"{way}/level/enum",
        f"{way}/max_length/exclusiveMaximum",
        f"{way}/max_length/exclusiveMinimum",
        f"{way}/mode/enum",
        f"{way}/note/type",
        f"{way}/url/format",
    ]
    assert "`parametersJsonSchema`" in at(found, "fetch_page", f"{way}/note/type").hint
    assert case.of_clients("gemini-json-schema") == ()
    strict = case.of_clients("openai-strict")
    assert sorted(places(strict)) == [
        ("fetch_page", f"{way}/max_length"),
        ("fetch_page", f"{way}/url/format"),
    ]
    assert "and in 3 more places" in at(strict, "fetch_page", f"{way}/max_length").message


def test_a07_an_older_dialect(build_case: BuildCase) -> None:
    case = build_case("a07-draft07")
    assert is_clean(case)
    tool = case.manifest()["list_dirs"]
    assert tool["inputSchema"]["$schema"] == "http://json-schema.org/draft-07/schema#"
    (one,) = case.of_clients("claude-code")
    assert places((one,)) == [("list_dirs", "/outputSchema/$schema")]
    assert one.message.startswith("this tool fails when it is called by claude-code (only 2020-12;")
    (case.root / "generated/handlers/list_dirs.py").write_text(
        "async def list_dirs(params, context):\n    return {'dirs': [params.pair[0]]}\n", "utf-8"
    )
    wrong, right = answers(
        case, ("list_dirs", {"pair": ["a", "b"]}), ("list_dirs", {"pair": ["a", 1]})
    )
    assert wrong[0] is True
    assert right == [False, None, {"dirs": ["a"]}]


@pytest.mark.parametrize(
    "name",
    [
        "a01-root-anyof", "a02-bare-structures", "a03-dots-vs-underscore", "a04-lengths",
        "a05-property-keys", "a06-gemini-subset", "a07-draft07",
    ],
)  # fmt: skip
def test_nothing_is_said_of_clients_unless_they_are_asked_for(
    name: str, build_case: BuildCase
) -> None:
    assert build_case(name).of_clients() == ()
