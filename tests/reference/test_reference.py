"""The golden vectors of the Go reference: the same outcome, or a difference that is documented."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

from toolc import pipeline
from toolc.loader import decode, load, load_value
from toolc.model.diagnostic import Diagnostic, Severity, has_errors
from toolc.model.document import Document
from toolc.model.project import Project
from toolc.model.tool import Tool

HERE = Path(__file__).parent
DIFFERENCES = HERE.parents[1] / "docs" / "reference-differences.md"
AS_REFERENCE = Project(descriptions="collapse")

Vector = dict[str, Any]


def read_vectors(name: str) -> list[Vector]:
    vectors: list[Vector] = json.loads((HERE / name).read_text("utf-8"))
    return vectors


METADATA = read_vectors("metadata-vectors.json")
TEXTS = read_vectors("text-vectors.json")


def documented_differences() -> dict[str, str]:
    """Vector -> class, from the tables of the documentation."""
    rows = re.findall(
        r"^\| (\w+) \| (refused|understood|superset) \| .+ \|$",
        DIFFERENCES.read_text("utf-8"),
        re.M,
    )
    assert len(rows) == len(dict(rows)), "a vector stands twice in the documentation"
    return dict(rows)


def build(document: Document | None, name: str) -> tuple[Tool | None, list[Diagnostic]]:
    if document is None:
        return None, []
    read = pipeline.read_document(document, name, AS_REFERENCE)
    diagnostics = list(read.diagnostics)
    tool = None
    for metadata in read.tools:
        tool, found = pipeline.compile_metadata(metadata, AS_REFERENCE)
        diagnostics.extend(found)
    return tool, diagnostics


def compile_vector(vector: Vector) -> tuple[Tool | None, list[Diagnostic]]:
    if "base64" in vector:
        source, problems = decode("t." + vector["format"], base64.b64decode(vector["base64"]))
        if source is None:
            return None, list(problems)
        document, found = load(source)
        problems = (*problems, *found)
    else:
        document, problems = load_value(vector["metadata"])
    tool, diagnostics = build(document, vector["tool_name"])
    return tool, [*problems, *diagnostics]


def outcome_class(vector: Vector) -> tuple[str, list[Diagnostic]]:
    """`equal`, or the class of the difference between toolc's outcome and the reference's."""
    tool, diagnostics = compile_vector(vector)
    assert (tool is None) == has_errors(diagnostics)
    expected = vector.get("expected_tool")
    if vector.get("nondeterministic"):
        return ("refused" if tool is None else "understood"), diagnostics
    if tool is None:
        return ("equal" if expected is None else "refused"), diagnostics
    if expected is None:
        return "superset", diagnostics
    same = (
        tool.to_dict() == expected
        and tool.facts.discoverable == vector["expected_discoverable"]
        and (
            not tool.facts.discoverable
            or list(tool.facts.keywords) == (vector["expected_keywords"] or [])
        )
    )
    if same:
        return "equal", diagnostics
    return "understood", diagnostics


@pytest.mark.parametrize("vector", METADATA + TEXTS, ids=lambda vector: vector["name"])
def test_outcome_is_the_references_or_documented(vector: Vector) -> None:
    actual, diagnostics = outcome_class(vector)
    assert actual == documented_differences().get(vector["name"], "equal"), diagnostics


def test_documented_differences_are_of_known_vectors() -> None:
    assert documented_differences().keys() <= {vector["name"] for vector in METADATA + TEXTS}


def test_every_refusal_says_what_to_do() -> None:
    for vector in METADATA + TEXTS:
        if documented_differences().get(vector["name"]) == "refused":
            _, diagnostics = compile_vector(vector)
            errors = [found for found in diagnostics if found.severity is Severity.ERROR]
            assert any(error.hint or error.related for error in errors), vector["name"]
