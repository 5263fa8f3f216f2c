"""Every diagnostic that the compiler can give: code, severity, whose rule it is, what it is about.

Codes are forever: a retired one is never given to something else. The first letter is the stage:
L loading, M metadata, S schemas and the MCP specification, R revisions, P the project file,
G generating and ownership.
"""

from __future__ import annotations

from enum import Enum

from toolc.model.diagnostic import Severity
from toolc_runtime.light import NamedTuple

_ERROR, _WARNING, _NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


class Basis(Enum):
    """Whose rule a diagnostic speaks for; the kinds never look alike in a report."""

    NOTATION = "notation"
    """TOML, YAML or JSON itself, or what the format takes from them."""
    FORMAT = "format"
    """The tool metadata format."""
    SPECIFICATION = "specification"
    """MCP, or JSON Schema."""
    CLIENT = "client"
    """What some clients do, whatever the specification allows."""
    POLICY = "policy"
    """toolc's own decision, where the specification would allow more."""
    PROJECT = "project"
    """The project file, templates and generated files."""


class Code(NamedTuple):
    code: str
    severity: Severity
    basis: Basis
    title: str


_TABLE = (
    # Loading
    Code("L101", _ERROR, Basis.NOTATION, "a file cannot be read"),
    Code("L102", _ERROR, Basis.NOTATION, "a file is not UTF-8"),
    Code("L103", _ERROR, Basis.NOTATION, "a NUL or a lone surrogate in a text"),
    Code("L104", _ERROR, Basis.NOTATION, "a syntax error"),
    Code("L105", _ERROR, Basis.NOTATION, "a key stands twice"),
    Code("L106", _ERROR, Basis.NOTATION, "a value that JSON cannot hold"),
    Code("L107", _ERROR, Basis.NOTATION, "a number with a leading zero"),
    Code("L108", _ERROR, Basis.NOTATION, "a YAML construct that the format does not take"),
    Code("L109", _ERROR, Basis.POLICY, "a document past the limits of size or depth"),
    Code("L110", _WARNING, Basis.NOTATION, "text behind ` #` was read as a comment"),
    Code("L111", _WARNING, Basis.FORMAT, "an empty file"),
    # Metadata: keys and values
    Code("M101", _WARNING, Basis.FORMAT, "an unknown key"),
    Code("M102", _ERROR, Basis.FORMAT, "an unknown key that resembles a known one"),
    Code("M103", _NOTE, Basis.FORMAT, "a spelling of a key that other readers ignore"),
    Code("M104", _ERROR, Basis.FORMAT, "one key in two spellings, or a hint given twice"),
    Code("M105", _ERROR, Basis.FORMAT, "a value of the wrong kind"),
    Code("M106", _ERROR, Basis.FORMAT, "a key swallowed by the table above it"),
    Code("M107", _ERROR, Basis.FORMAT, "a construct of the older dialect"),
    Code("M108", _WARNING, Basis.FORMAT, "a key of the older dialect that has no effect"),
    Code("M109", _ERROR, Basis.FORMAT, "keys that exclude each other"),
    Code("M110", _WARNING, Basis.FORMAT, "a key reserved for later"),
    Code("M111", _ERROR, Basis.FORMAT, "a value outside its choices or bounds"),
    Code("M112", _ERROR, Basis.FORMAT, "a required key is missing"),
    Code("M113", _ERROR, Basis.FORMAT, "a description file cannot be used"),
    # Metadata: parameters and types
    Code("M201", _ERROR, Basis.FORMAT, "an unknown type"),
    Code("M202", _ERROR, Basis.FORMAT, "a parameter twice"),
    Code("M203", _ERROR, Basis.FORMAT, "a parameter without a name"),
    Code("M204", _ERROR, Basis.FORMAT, "a default, enum or const that its schema refuses"),
    Code("M205", _ERROR, Basis.FORMAT, "a keyword that does not fit its type"),
    Code("M206", _ERROR, Basis.FORMAT, "an unknown shared fragment"),
    Code("M207", _ERROR, Basis.FORMAT, "an example that its schema refuses"),
    Code("M208", _ERROR, Basis.FORMAT, "shared definitions that go round in a circle"),
    Code("M209", _WARNING, Basis.FORMAT, "a required parameter with a default"),
    Code("M210", _ERROR, Basis.FORMAT, "an identifier that cannot be used"),
    Code("M211", _ERROR, Basis.FORMAT, "a shared name defined twice"),
    Code("M212", _WARNING, Basis.FORMAT, "bounds that no value can meet"),
    Code("M213", _WARNING, Basis.FORMAT, "a format that resembles a known one"),
    Code("M214", _WARNING, Basis.FORMAT, "a default that, filled in, holds itself"),
    # Metadata: tools
    Code("M301", _ERROR, Basis.POLICY, "a tool name outside the recommended characters or length"),
    Code("M302", _ERROR, Basis.FORMAT, "a tool twice"),
    Code("M303", _ERROR, Basis.POLICY, "a reserved tool name"),
    Code("M304", _WARNING, Basis.CLIENT, "tool names that differ only in case or `_`, `-`, `.`"),
    Code("M305", _ERROR, Basis.FORMAT, "a `ui` that hosts refuse"),
    Code("M306", _WARNING, Basis.SPECIFICATION, "a `ui` URI that does not begin with ui://"),
    Code("M307", _ERROR, Basis.SPECIFICATION, "an icon's `src`, `sizes` or `theme`"),
    Code("M308", _WARNING, Basis.PROJECT, "task support that a generated server does not have"),
    # Schemas
    Code("S401", _ERROR, Basis.SPECIFICATION, "a schema that its dialect's metaschema refuses"),
    Code("S402", _ERROR, Basis.SPECIFICATION, "a `$ref` that leaves the document or goes nowhere"),
    Code("S403", _ERROR, Basis.SPECIFICATION, "a `$ref` in a circle with no schema between"),
    Code("S404", _ERROR, Basis.SPECIFICATION, "an `x-mcp-header` that breaks the rules"),
    Code("S405", _ERROR, Basis.SPECIFICATION, "an input schema whose root is not an object"),
    Code("S406", _WARNING, Basis.SPECIFICATION, "a null default that its schema refuses"),
    Code(
        "S407",
        _WARNING,
        Basis.SPECIFICATION,
        "a schema dialect that toolc does not know, read as 2020-12",
    ),
    Code(
        "S408",
        _ERROR,
        Basis.SPECIFICATION,
        "a pattern that the engine of the servers cannot compile",
    ),
    Code("S409", _WARNING, Basis.CLIENT, "an answer that the official Python client refuses"),
    Code("S410", _ERROR, Basis.SPECIFICATION, "a Tool object without an input schema"),
    # Revisions
    Code("R501", _NOTE, Basis.SPECIFICATION, "something that the chosen revision cannot hold"),
    # The project
    Code("P601", _ERROR, Basis.PROJECT, "a project file that cannot be used"),
    Code("P602", _ERROR, Basis.PROJECT, "an unknown key in the project file"),
    Code("P603", _ERROR, Basis.PROJECT, "a value in the project file"),
    Code("P604", _ERROR, Basis.PROJECT, "a source that is not there"),
    Code("P605", _WARNING, Basis.PROJECT, "a project without tools"),
    Code("P606", _ERROR, Basis.PROJECT, "a template that cannot be used"),
    Code("P607", _ERROR, Basis.PROJECT, "a tool that cannot be renamed"),
    Code("P608", _WARNING, Basis.PROJECT, "code that imports the contract of a renamed tool"),
    Code("P609", _WARNING, Basis.PROJECT, "a template that nothing uses"),
    Code("P610", _WARNING, Basis.PROJECT, "a hidden tool that its own prompt does not find"),
    Code("P611", _ERROR, Basis.PROJECT, "a client's profile that cannot be used"),
    Code(
        "P612", _ERROR, Basis.PROJECT, "rules or shared settings of the linter that cannot be used"
    ),
    # Generating
    Code("G701", _ERROR, Basis.PROJECT, "two outputs at one path, or an output over an input"),
    Code("G702", _ERROR, Basis.PROJECT, "an output outside its folder"),
    Code("G703", _WARNING, Basis.PROJECT, "a generated file edited by hand"),
    Code("G704", _WARNING, Basis.PROJECT, "a handler whose tool is gone"),
    Code("G705", _ERROR, Basis.PROJECT, "an output that cannot be written"),
    Code("G706", _ERROR, Basis.PROJECT, "a handler that is still a stub"),
    Code("G707", _ERROR, Basis.PROJECT, "a handler that does not fit its contract"),
)

CODES = {row.code: row for row in _TABLE}
