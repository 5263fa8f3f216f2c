"""Inputs drawn from public bug reports, groups B (generated code), C (loading) and E (hints), and the
right outcome of each. They are built on a real disk, and the package is imported in a process of its own
with warnings as errors."""

from __future__ import annotations

import json

from toolc.model.diagnostic import Severity

from .conftest import BuildCase

BIND = """
import json, dataclasses
from generated.contracts import {module} as contract
from toolc_runtime import ABSENT
params = contract.PARAMS.bind(json.loads({arguments!r}))
fields = [field.name for field in dataclasses.fields(params) if field.name != "extra"]
print(json.dumps({{
    "fields": fields,
    "values": [getattr(params, name) for name in fields if getattr(params, name) is not ABSENT],
}}))
"""


def test_b01_names_that_python_has_for_itself(build_case: BuildCase) -> None:
    case = build_case("b01-param-names")
    tool = case.manifest()["class"]
    names = list(tool["inputSchema"]["properties"])
    assert len(names) == 16
    values = {
        name: {"integer": 1, "boolean": True, "array": [name]}.get(schema["type"], name)
        for name, schema in tool["inputSchema"]["properties"].items()
    }
    script = BIND.format(module="class_", arguments=json.dumps(values))
    bound = case.run(script)
    assert len(set(bound["fields"])) == 16
    assert bound["values"] == list(values.values())
    assert all(name.isidentifier() for name in bound["fields"])
    assert "__debug__" not in bound["fields"] and "None" not in bound["fields"]


def test_b02_defaults_and_their_order(build_case: BuildCase) -> None:
    case = build_case("b02-default-order")
    (error,) = case.found(Severity.ERROR)
    assert error.startswith("tooldefs/tools.json:34:24: ") and '"near"' in error
    (warning,) = case.found(Severity.WARNING)
    assert "currency" in warning and "required" in warning
    assert not case.plan.changes
    text = (case.root / "tooldefs/tools.json").read_text("utf-8")
    (case.root / "tooldefs/tools.json").write_text(text.replace('"near"', '"up"'), "utf-8")
    case.build()
    assert list(case.manifest()["convert"]["inputSchema"]["properties"]) == [
        "currency", "amount", "tags", "mode", "active",
    ]  # fmt: skip
    script = """
import json
from generated.contracts.convert import PARAMS
first = PARAMS.bind({"amount": 1, "currency": "EUR"})
first.tags.append("b")
second = PARAMS.bind({"amount": 1, "currency": "EUR"})
print(json.dumps([second.tags, second.active is True, second.currency]))
"""
    assert case.run(script) == [["a"], True, "EUR"]


def test_b03_text_that_looks_like_code(build_case: BuildCase) -> None:
    case = build_case("b03-docstring")
    source = json.loads((case.root / "tooldefs/tools.json").read_text("utf-8"))["tools"][0]
    assert case.manifest()["grep"]["description"] == source["description"]
    script = """
import inspect, json
from generated.handlers.grep import grep
print(json.dumps(inspect.getdoc(grep)))
"""
    assert case.run(script) == source["description"]


def test_b04_names_that_differ_in_case(build_case: BuildCase) -> None:
    case = build_case("b04-case-collision")
    (warning,) = case.found(Severity.WARNING)
    assert "ban_user" in warning and "banUser" in warning
    assert set(case.manifest()) == {"ban_user", "banUser"}
    files = {path.name.casefold() for path in (case.root / "generated/handlers").glob("*.py")}
    assert len(files) == 3  # with __init__.py
    order = ["created_at", "-created_at", "Created At", "", "mro"]
    assert case.manifest()["ban_user"]["inputSchema"]["properties"]["order"]["enum"] == order
    arguments = json.dumps({"ban_type": "snake", "banType": "camel", "BanType": "pascal"})
    script = BIND.format(module="ban_user", arguments=arguments)
    bound = case.run(script)
    assert len(bound["fields"]) == 4
    assert bound["values"] == ["snake", "camel", "pascal", None]
    before = {path: path.read_bytes() for path in (case.root / "generated").rglob("*.py")}
    case.build()
    assert not case.plan.changes
    assert before == {path: path.read_bytes() for path in (case.root / "generated").rglob("*.py")}
    contract = (case.root / "generated/contracts/ban_user.py").read_text("utf-8")
    for value in order:
        assert f'"{value}"' in contract


def test_c01_yaml_booleans(build_case: BuildCase) -> None:
    case = build_case("c01-yaml-booleans")
    schema = case.manifest()["set_country"]["inputSchema"]
    assert schema["properties"]["country"]["enum"] == ["no", "se", "dk"]
    assert list(schema["properties"]) == ["country", "on"]
    assert schema["required"] == ["country", "on"]


def test_c02_duplicate_keys(build_case: BuildCase) -> None:
    case = build_case("c02-duplicate-keys")
    assert [error.partition(": ")[0] for error in case.found(Severity.ERROR)] == [
        "tooldefs/a.yaml:4:5",
        "tooldefs/a.yaml:9:9",
        "tooldefs/b.json:1:109",
        "tooldefs/c.toml:4:1",
    ]
    firsts = []
    for found in case.result.diagnostics:
        (first,) = found.related
        assert first.site.span is not None
        firsts.append(case.result.sources[found.path].line_column(first.site.span.start)[0])
    assert firsts == [3, 8, 1, 3]
    assert not (case.root / "generated").exists()


def test_c03_yaml_lookalikes(build_case: BuildCase) -> None:
    case = build_case("c03-yaml-lookalikes")
    errors = case.found(Severity.ERROR)
    assert ["0755" in errors[0], "01" in errors[1], "08" in errors[2]] == [True] * 3
    (comment,) = case.found(Severity.WARNING)
    assert comment.startswith("tooldefs/tools.yaml:15:34: #1 as an example")
    path = case.root / "tooldefs/tools.yaml"
    text = path.read_text("utf-8")
    for wrong, right in [("0755", '"0755"'), ("01, 08", '"01", "08"'), ("issue #1", "issue 1")]:
        text = text.replace(wrong, right)
    path.write_text(text, "utf-8")
    case.build()
    errors = case.found(Severity.ERROR)
    assert any("note" in error and "null" in error for error in errors) or any(
        "note" in warning and "null" in warning for warning in case.found(Severity.WARNING)
    )
    # What YAML 1.1 would have made a date, a number of seconds and an octal are texts.
    properties = case.manifest()["plan"]["inputSchema"]["properties"]
    assert properties["day"]["default"] == "2024-01-01"
    assert properties["at"]["default"] == "12:30"
    assert properties["code"]["enum"] == ["01", "08", 1000.0, "1_000"]


def test_e01_hints_are_the_authors_own(build_case: BuildCase) -> None:
    """The part of it that a build decides; the warnings that it asks for are a linter's."""
    case = build_case("e01-annotations")
    (error,) = case.found(Severity.ERROR)
    assert error.startswith("tooldefs/tools.toml:28:16: ")
    assert '"readOnlyHint" must be true or false, not "true"' in error
    assert not case.plan.changes
    path = case.root / "tooldefs/tools.toml"
    path.write_text(path.read_text("utf-8").replace('"true"', "false"), "utf-8")
    case.build()
    assert case.found(Severity.ERROR) == []
    annotations = {name: tool.get("annotations") for name, tool in case.manifest().items()}
    assert annotations == {
        "delete_user": {"readOnlyHint": True, "destructiveHint": True},
        "get_user": {"readOnlyHint": False},
        "list_users": None,
    }
