"""Handler of `fill_template`."""

from __future__ import annotations

import re

from toolc_runtime import Context, ToolError

from ..contracts.fill_template import FillTemplateParams, FillTemplateResult

LONGEST_TEXT = 100_000
"""Characters of an answer."""

_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


async def fill_template(params: FillTemplateParams, context: Context) -> FillTemplateResult:
    """Fill the placeholders of a template with the call's further arguments."""
    values = {name: _written(value) for name, value in params.extra.items()}
    named = [match[1] for match in _PLACEHOLDER.finditer(params.template) if match[1] is not None]
    missing = [name for name in dict.fromkeys(named) if name not in values]
    if missing:
        raise ToolError(
            "MISSING_VALUE",
            "the template needs " + ", ".join(f'"{name}"' for name in missing),
            details={"missing": missing},
            suggestion="give each as an argument of the call",
        )
    length = len(params.template) + sum(len(values[name]) for name in named)
    if length > LONGEST_TEXT:
        raise ToolError("TOO_LARGE", f"the text would have about {length} characters")
    return {
        "text": _PLACEHOLDER.sub(
            lambda match: match[0][0] if match[1] is None else values[match[1]], params.template
        )
    }


def _written(value: str | float | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
