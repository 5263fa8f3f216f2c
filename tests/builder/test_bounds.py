"""Definitions from strangers: their size, depth and time are bounded, and they say so."""

from __future__ import annotations

import json

import pytest

from toolc import pipeline
from toolc.model.project import Project


def codes(files: dict[str, str]) -> set[str]:
    return {found.code for found in pipeline.compile_project(files, Project()).diagnostics}


def chain(count: int, row: str) -> str:
    """Shared types `A0` to `A<count>`, each made of the one before it."""
    rows = [f"[types.A{n}]\n{row.replace('BEFORE', f'A{n - 1}')}\n" for n in range(1, count + 1)]
    return "[types.A0]\ntype = 'int'\n" + "".join(rows)


USES_LAST = "parameters = [{ name = 'a', type = 'A%d' }]"


@pytest.mark.parametrize(
    ("count", "row"),
    [
        (400, "type = 'array:BEFORE'"),
        (
            40,
            "type = 'object'\nproperties = [{name='a',type='BEFORE'},{name='b',type='BEFORE'}]",
        ),
        (400, "anyOf = [{ type = 'BEFORE' }, { type = 'string' }]"),
    ],
    ids=["a long chain", "two of each", "a chain of unions"],
)
def test_shared_types_in_each_other(count: int, row: str) -> None:
    assert codes({"_s.toml": chain(count, row), "t.toml": USES_LAST % count}) == {"L109"}


def test_fragments_in_each_other() -> None:
    rows = [f"[fragments.F{n}]\nparameters = [{{ include = 'F{n - 1}' }}]\n" for n in range(1, 400)]
    text = "".join(reversed(rows)) + "[fragments.F0]\nparameters = []\n"
    assert codes({"_s.toml": text, "t.toml": "parameters = [{ include = 'F399' }]"}) == {"L109"}


def test_types_in_a_circle_through_another() -> None:
    text = "[types.A]\ntype = 'B'\n[types.B]\ntype = 'A | null'\n"
    assert codes({"_s.toml": text, "t.toml": "parameters = [{ name = 'a', type = 'A' }]"}) == {
        "M208"
    }


def test_parameters_in_parameters() -> None:
    row: dict[str, object] = {"name": "a", "type": "int"}
    for _ in range(60):
        row = {"name": "a", "type": "object", "properties": [row]}
    assert "L109" in codes({"t.json": json.dumps({"parameters": [row]})})


def test_findings_of_one_file_are_bounded() -> None:
    text = json.dumps({f"key{number}": 1 for number in range(5_000)})
    program = pipeline.compile_project({"t.json": text}, Project())
    assert len(program.diagnostics) == pipeline.MOST_DIAGNOSTICS + 1
    assert any("4500 more findings" in found.message for found in program.diagnostics)


@pytest.mark.parametrize("key", ["timeout", "budget"])
def test_numbers_of_many_digits(key: str) -> None:
    assert codes({"t.json": f'{{"{key}": 1{"0" * 400}}}'}) == set()
    text = f'{{"parameters": [{{"name": "a", "type": "int", "multipleOf": 1{"0" * 400}}}]}}'
    assert codes({"t.json": text}) == set()


def test_one_name_many_times_in_one_file() -> None:
    text = json.dumps({"tools": [{"name": "same"}] * 300})
    program = pipeline.compile_project({"t.json": text}, Project())
    assert [found.code for found in program.diagnostics] == ["M302"] * 299
