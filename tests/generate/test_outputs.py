"""A project's own artefacts: templates over tools, in the sandbox."""

from __future__ import annotations

import pytest

from toolc import api
from toolc.generate.outputs import output_artifacts, output_digests
from toolc.generate.templates import environment
from toolc.model.artifact import Artifact, Owner
from toolc.model.diagnostic import Diagnostic
from toolc.model.project import Output, Project

from .conftest import builtin_templates, pieces_of

TOOLS = [
    api.build_tool("greet", {"description": "Say {{ 7*7 }} \u2028 </script>", "parameters": []}),
    api.build_tool(
        "count", {"parameters": [{"name": "from", "type": "int", "required": True}], "tags": ["a"]}
    ),
]


def render(template: str, per: str, path: str) -> tuple[list[Artifact], list[Diagnostic]]:
    project = Project(outputs=(Output("t.j2", path, per),), templates="mine")
    pieces, _ = pieces_of(TOOLS, project, environment({}, builtin_templates))
    artifacts, diagnostics = output_artifacts(
        pieces, project, environment({"t.j2": template}, dict)
    )
    return list(artifacts), list(diagnostics)


def test_once_a_tool() -> None:
    artifacts, diagnostics = render("{{ tool.name }}/{{ tools | length }}", "tool", "x/{name}.txt")
    assert not diagnostics
    assert artifacts == [
        Artifact("x/count.txt", "count/2\n", Owner.OUTPUT),
        Artifact("x/greet.txt", "greet/2\n", Owner.OUTPUT),
    ]


def test_once_a_project() -> None:
    template = "{% for tool in tools %}{{ json(tool.parameters) }}{% endfor %} {{ server.name }}"
    (artifact,), diagnostics = render(template, "project", "all.txt")
    assert not diagnostics
    assert artifact.text == (
        '[{"name":"from","identifier":"from_","required":true,"schema":{"type":"integer"}}][]'
        " toolc-server\n"
    )


def test_a_definitions_text_is_no_template() -> None:
    artifacts, _ = render("{{ tool.description }}", "tool", "{name}")
    assert artifacts[1].text == "Say {{ 7*7 }} \u2028 </script>\n"


@pytest.mark.parametrize(
    "template",
    [
        "{{ tool.nothing }}",
        "{{ missing() }}",
        "{% for %}",
        "{{ tool.__class__.__mro__ }}",
        "{{ ''.__class__ }}",
        "{{ 1 / 0 }}",
        "{% include '/etc/passwd' %}",
        "{% for n in range(10 ** 9) %}x{% endfor %}",
        "{{ json.__globals__ }}",
    ],
)
def test_a_template_that_fails_is_a_finding_once(template: str) -> None:
    artifacts, diagnostics = render(template, "tool", "{name}")
    assert not artifacts
    (found,) = diagnostics
    assert found.code == "P606"
    assert found.path == "mine/t.j2"


def test_digests_do_not_count_line_ends() -> None:
    one, _ = render("a\r\nb", "project", "x")
    two, _ = render("a\nb", "project", "x")
    assert output_digests(one) == output_digests(two)
