from __future__ import annotations

import pytest

from toolc.generate.templates import TemplateProblem, environment, template_diagnostic


def builtin() -> dict[str, str]:
    return {
        "greeting.j2": "{% block who %}Hello {{ name }}\n{% endblock %}",
        "other.j2": "other",
        "contract.py.j2": "pass",
        "tool.ts.j2": "",
    }


def test_a_template_lays_out_and_escapes_nothing() -> None:
    assert environment({}, builtin)("greeting.j2", {"name": "<&>{{ x }}"}) == "Hello <&>{{ x }}\n"


def test_an_override_replaces_and_may_extend_what_it_replaces() -> None:
    extended = '{% extends "toolc/greeting.j2" %}{% block who %}{{ super() }}Bye\n{% endblock %}'
    render = environment({"greeting.j2": extended}, builtin)
    assert render("greeting.j2", {"name": "Ada"}) == "Hello Ada\nBye\n"
    assert render("other.j2", {}) == "other"


def test_line_ends_of_a_template_are_no_matter() -> None:
    assert environment({"a": "one\r\ntwo\r\n"}, dict)("a", {}) == "one\ntwo\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("one\n{{ missing }}", 2, "'missing' is undefined"),
        ("{% for %}", 1, "Expected an expression, got 'end of statement block'"),
        ("\n{{ 1 / 0 }}", 2, "division by zero"),
        (
            "{{ ''.__class__.__mro__ }}",
            1,
            "access to attribute '__class__' of 'str' object is unsafe.",
        ),
        ("{{ items.append(1) }}", 1, "access to attribute 'append' of 'list' object is unsafe."),
        ("{{ 'a' + 1 }}", 1, 'can only concatenate str (not "int") to str'),
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", 1, "maximum recursion depth exceeded"),
        ('\n{% include "nowhere.j2" %}', 2, 'there is no template "nowhere.j2"'),
    ],
)
def test_a_template_that_cannot_be_used_is_a_problem_with_a_place(
    text: str, line: int | None, message: str
) -> None:
    with pytest.raises(TemplateProblem) as caught:
        environment({"mine.j2": text}, builtin)("mine.j2", {"items": []})
    assert caught.value.line == line
    assert caught.value.message.startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\nclas {{ name }}: ...\n", 'invalid syntax, line 2: "clas Ada: ..."'),
        ("{{ '(' }}", "'(' was never closed, line 1: \"(\""),
        ("x = '\0'", "source code string cannot contain null bytes"),
        ("x = 1\nfrom __future__ import annotations\n", "from __future__ imports must occur"),
        ("return 1\n", "'return' outside function, line 1"),
    ],
)
def test_an_override_that_makes_no_python_is_a_problem(text: str, message: str) -> None:
    with pytest.raises(TemplateProblem) as caught:
        environment({"contract.py.j2": text}, builtin)("contract.py.j2", {"name": "Ada"})
    assert caught.value.template == "contract.py.j2"
    assert caught.value.message.startswith(f"what it makes is not Python: {message}")
    # What is no override of generated Python may hold anything.
    for name in ("mine.py.j2", "tool.ts.j2"):
        environment({name: text}, builtin)(name, {"name": "Ada"})


def test_a_missing_template_is_named() -> None:
    with pytest.raises(TemplateProblem) as caught:
        environment({}, builtin)("gone.j2", {})
    finding = template_diagnostic(caught.value, "templates")
    assert finding.code == "P606"
    assert finding.message == 'template "gone.j2": there is no template "gone.j2"'
    assert finding.path == "templates/gone.j2"
