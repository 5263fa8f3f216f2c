"""Figures as lines of a table, and as JSON."""

from __future__ import annotations

import json

from figure import Figure

# Fixed, so that each row can be printed as soon as it is measured; negative: to the left.
_COLUMNS = {
    "row": -15,
    "what": -52,
    "unit": -8,
    "toolc": 9,
    "beside": 9,
    "which is": -28,
    "ratio": 8,
    "goal": 9,
    "": -7,
}


def _line(*cells: str) -> str:
    widths = _COLUMNS.values()
    pairs = zip(cells, widths, strict=True)
    fitted = (cell.ljust(-width) if width < 0 else cell.rjust(width) for cell, width in pairs)
    return "  ".join(fitted).rstrip()


def head() -> str:
    """The two lines above the figures."""
    return _line(*_COLUMNS) + "\n" + _line(*("-" * abs(width) for width in _COLUMNS.values()))


def table_lines(row: str, figure: Figure, *, judge: bool) -> str:
    """A figure's line, and its note below it; no verdict unless `judge`."""
    goal = ""
    if figure.goal is not None:
        bound = ">=" if figure.is_speedup else "<="
        goal = f"{bound} {figure.goal:g}{'' if figure.beside is None else 'x'}"
    verdict = {True: "met", False: "not met", None: ""}[figure.met] if judge else ""
    ratio = "" if figure.ratio is None else f"{figure.ratio:.2f}x"
    measured = figure.value is not None or figure.beside is not None
    line = _line(
        row,
        figure.what,
        figure.unit if measured else "",
        _number(figure.value),
        _number(figure.beside),
        figure.name,
        ratio,
        goal,
        verdict if measured else "-",
    )
    notes = figure.note.splitlines()
    return "\n".join([line, *(f"{'':17}{note}" for note in notes)])


def json_line(row: str, figure: Figure, *, judge: bool) -> str:
    """All of a figure as an object on one line; null for what was not measured, and for `met`
    unless `judge`."""
    fields = figure._asdict() | {"ratio": figure.ratio, "met": figure.met if judge else None}
    return json.dumps({"row": row, **fields})


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 1000 else f"{value:,.1f}" if value >= 10 else f"{value:.3f}"
