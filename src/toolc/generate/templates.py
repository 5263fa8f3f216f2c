"""The templates: the built-in ones as functions, a project's own in a sandboxed Jinja2."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

from toolc.generate.builtin import BUILTIN
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Site
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from jinja2 import Environment

Render: TypeAlias = "Callable[[str, Mapping[str, Any]], str]"
"""A template's name and the values for its slots, to text. Raises TemplateProblem."""

_FAILURES = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What an expression in a template can come to, beside Jinja2's own errors."""

BUILTIN_PREFIX = "toolc/"
"""Before a built-in template's name: the built-in one, whatever overrides it."""


class TemplateProblem(Exception):  # noqa: N818
    """A template that cannot be used: it is not there, does not parse, or fails as it runs."""

    def __init__(self, template: str, line: int | None, message: str) -> None:
        super().__init__(f"{template}: {message}")
        self.template = template
        self.line = line
        """1-based; None where there is no line to name."""
        self.message = message


def environment(
    overrides: Mapping[str, str], read_builtin: Callable[[], Mapping[str, str]]
) -> Render:
    """A renderer over the built-in templates and a project's `overrides`, name to text.

    A built-in template that nothing overrides is a function of `BUILTIN`; Jinja2 is loaded for the
    others, and `read_builtin` called, when the first of them is used. An override may extend the
    template that it replaces: `{% extends "toolc/contract.py.j2" %}`. Nothing is escaped, for the
    values are code already; an undefined name is a problem, and so is whatever the sandbox
    refuses, and an override of a `.py.j2` that makes no Python.
    """

    @cache
    def jinja() -> Environment:
        return _jinja(overrides, read_builtin())

    def render(name: str, values: Mapping[str, Any]) -> str:
        if name in BUILTIN and name not in overrides:
            return BUILTIN[name](values)
        from jinja2 import TemplateError

        try:
            text = jinja().get_template(name).render(values)
        except (TemplateError, *_FAILURES) as error:
            raise _problem(name, error) from error
        if name in BUILTIN and name.endswith(".py.j2"):
            _require_python(name, text)
        return text

    return render


def _jinja(overrides: Mapping[str, str], builtin: Mapping[str, str]) -> Environment:
    # 71 ms: most projects have no templates of their own.
    from jinja2 import DictLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    texts = {BUILTIN_PREFIX + name: text for name, text in builtin.items()}
    return ImmutableSandboxedEnvironment(
        loader=DictLoader({**texts, **builtin, **overrides}),
        undefined=StrictUndefined,
        autoescape=False,
        keep_trailing_newline=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _require_python(name: str, text: str) -> None:
    """TemplateProblem where a template made a text that Python cannot compile."""
    try:
        # To code, which says more than a tree; and trees made in several threads break on 3.11.
        compile(text, name, "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        line, message = 0, str(error)
        if isinstance(error, SyntaxError):
            line, message = error.lineno or 0, error.msg
        lines = text.split("\n")
        place = f', line {line}: "{lines[line - 1].strip()}"' if 0 < line <= len(lines) else ""
        raise TemplateProblem(
            name, None, f"what it makes is not Python: {message}{place}"
        ) from error


def _problem(name: str, error: Exception) -> TemplateProblem:
    from jinja2 import TemplateNotFound, TemplateSyntaxError

    if isinstance(error, TemplateSyntaxError):
        return TemplateProblem(error.name or name, error.lineno, error.message or "a syntax error")
    # Jinja rewrites tracebacks to the templates' own lines: the innermost such is the place.
    line, place = None, error.__traceback__
    while place is not None:
        if place.tb_frame.f_code.co_filename == "<template>":
            line = place.tb_lineno
        place = place.tb_next
    if isinstance(error, TemplateNotFound):
        return TemplateProblem(name, line, f'there is no template "{error.name}"')
    return TemplateProblem(name, line, str(error) or type(error).__name__)


def template_diagnostic(problem: TemplateProblem, folder: str | None) -> Diagnostic:
    """A template's problem as a finding; `folder` is where a project keeps its own templates."""
    line = f" line {problem.line}" if problem.line is not None else ""
    return Diagnostic(
        "P606",
        CODES["P606"].severity,
        f'template "{problem.template}"{line}: {problem.message}',
        Site(f"{folder}/{problem.template}") if folder is not None else None,
        "mend the template; the names it can use are in docs/project.md of toolc",
    )
