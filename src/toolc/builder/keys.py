"""The one table of the metadata format's keys.

The reader takes its decisions from it, `docs/format.md` prints it, and whatever else describes the
format to people or editors is made from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from toolc.model.tool import KINDS
from toolc_runtime.light import NamedTuple


class Level(Enum):
    """The tables of the format, by the words that messages use for them.

    Each knows its keys: by their own spelling, by the folded one, and, for keys where that alone
    decides, by the one type of value that fits.
    """

    FILE = "file"
    TOOL = "tool"
    PARAMETER = "parameter"
    UI = "ui"
    ICON = "icon"
    VALUE = "value"
    EXAMPLE = "example"
    ERROR = "error"
    ANNOTATIONS = "annotations"
    EXECUTION = "execution"
    FRAGMENT = "fragment"

    known: Mapping[str, Key]
    folded: Mapping[str, Key]
    plain: Mapping[str, type]


class Kind(Enum):
    """What may stand behind a key, by the words that messages use for it."""

    STRING = "a string"
    BOOLEAN = "true or false"
    STRINGS = "a list of strings"
    NUMBER = "a number"
    POSITIVE = "a number above 0"
    COUNT = "a whole number, 0 or more"
    POSITIVE_COUNT = "a whole number, 1 or more"
    LIST = "a list"
    ANY = "any value"
    OBJECT = "a table (or a string of JSON text)"
    SCHEMA = "a JSON Schema: a table, or a string of JSON text"
    TABLE = "a table"
    TABLES = "a list of tables"
    BOOLEAN_OR_STRING = "true, false or a sentence"
    OPENNESS = 'true, false, "absent" or a type'


NULL_IS_A_VALUE = frozenset({"default", "const", "result", "value"})
"""Keys whose null is a value; on every other key of the format null is absence."""


class Key(NamedTuple):
    level: Level
    name: str
    kind: Kind
    meaning: str
    default: str = ""
    """As the documentation shows it; empty where absence is all there is to say."""
    core: bool = False
    """Known to the Go reference as well."""
    choices: tuple[str, ...] = ()
    table: Level | None = None
    """The level of the table or tables that stand behind this key."""
    applies: str = ""
    """For a JSON Schema keyword that constrains: `string`, `number`, `array` or `object`."""
    keyword: bool = False
    """A JSON Schema keyword of a parameter: goes into its schema by its own name."""


_T, _P = Level.TOOL, Level.PARAMETER


def _keyword(name: str, kind: Kind, meaning: str, applies: str = "") -> Key:
    return Key(_P, name, kind, meaning, applies=applies, keyword=True)


KEYS: tuple[Key, ...] = (
    # A file that holds several tools, or shared definitions
    Key(Level.FILE, "tools", Kind.TABLES, "Several tools in one file, each with a `name`", table=_T),
    Key(Level.FILE, "defaults", Kind.TABLE, "Keys that every tool of the file has unless it says otherwise", table=_T),
    Key(Level.FILE, "fragments", Kind.TABLE, "In a `_` file: named lists of parameters"),
    Key(Level.FILE, "types", Kind.TABLE, "In a `_` file: named types"),
    Key(Level.FRAGMENT, "parameters", Kind.TABLES, "The parameters that an `include` puts in its place", table=_P),
    # A tool: the core
    Key(_T, "description", Kind.STRING, "What the tool does, when to use it, and its limits", '""', core=True),
    Key(_T, "title", Kind.STRING, "A name for people", core=True),
    Key(_T, "keywords", Kind.STRINGS, "Search words for discovery; never on the wire", "none", core=True),
    Key(_T, "discoverable", Kind.BOOLEAN, "Found through `tool_search` instead of listed", "false", core=True),
    Key(_T, "readOnly", Kind.BOOLEAN, "The tool changes nothing (`readOnlyHint`)", core=True),
    Key(_T, "destructive", Kind.BOOLEAN, "It may destroy or overwrite (`destructiveHint`)", core=True),
    Key(_T, "idempotent", Kind.BOOLEAN, "Calling it again changes nothing more (`idempotentHint`)", core=True),
    Key(_T, "openWorld", Kind.BOOLEAN, "It reaches things outside the server (`openWorldHint`)", core=True),
    Key(_T, "ui", Kind.TABLE, "The MCP App that shows the result (`_meta.ui`)", core=True, table=Level.UI),
    Key(_T, "icons", Kind.TABLES, "Icons for lists of tools", "none", core=True, table=Level.ICON),
    Key(_T, "parameters", Kind.TABLES, "What the tool takes, in order", "none", core=True, table=_P),
    # A tool: the superset
    Key(_T, "name", Kind.STRING, "The tool's name", "the file's stem"),
    Key(_T, "tags", Kind.STRINGS, "Categories, for catalogues", "none"),
    Key(_T, "deprecated", Kind.BOOLEAN_OR_STRING, "Not to be used any more, or a sentence that says what to use", "false"),
    Key(_T, "kind", Kind.STRING, "What sort of answer to expect; reports speak of it", choices=KINDS),
    Key(_T, "budget", Kind.POSITIVE_COUNT, "The tokens that an answer may weigh; a server warns above it"),
    Key(_T, "extraParameters", Kind.STRING, "What happens to arguments that no parameter names", '"forbid"', choices=("forbid", "warn", "allow")),
    Key(_T, "additionalProperties", Kind.OPENNESS, "The root's `additionalProperties`, where `extraParameters` is not enough"),
    Key(_T, "taskSupport", Kind.STRING, "Whether the tool may run as a task (`execution.taskSupport`)", choices=("forbidden", "optional", "required")),
    Key(_T, "execution", Kind.TABLE, "MCP's own table for `taskSupport`", table=Level.EXECUTION),
    Key(_T, "output", Kind.TABLES, "What the tool answers, written like `parameters` (`outputSchema`)", table=_P),
    Key(_T, "inputSchema", Kind.SCHEMA, "A raw schema instead of `parameters`"),
    Key(_T, "outputSchema", Kind.SCHEMA, "A raw schema instead of `output`"),
    Key(_T, "root", Kind.OBJECT, "Further keywords for the root of `inputSchema`, as they stand"),
    Key(_T, "content", Kind.STRINGS, "The kinds of content in an answer", choices=("text", "image", "audio", "resource", "resource_link")),
    Key(_T, "errors", Kind.TABLES, "The tool's own error codes", "none", table=Level.ERROR),
    Key(_T, "examples", Kind.TABLES, "Prompts, calls and answers; checked against the schemas", "none", table=Level.EXAMPLE),
    Key(_T, "timeout", Kind.POSITIVE, "Seconds after which a call is given up"),
    Key(_T, "concurrency", Kind.POSITIVE_COUNT, "How many calls may run at once"),
    Key(_T, "rateLimit", Kind.STRING, 'How many calls in a span of time, like `"60/min"`'),
    Key(_T, "envelope", Kind.BOOLEAN, "Answers come in the standard envelope", "false"),
    Key(_T, "repair", Kind.STRING, "Whether a server mends arguments where no meaning changes", '"off"', choices=("off", "safe")),
    Key(_T, "aliases", Kind.STRINGS, "Names that the tool had before", "none"),
    Key(_T, "handler", Kind.STRING, 'An existing function, `"module:function"`, instead of a generated stub'),
    Key(_T, "descriptionFile", Kind.STRING, "A Markdown file beside this one that holds the description"),
    Key(_T, "descriptions", Kind.STRING, "The project's setting of the same name, for this tool", choices=("trim", "keep", "collapse")),
    Key(_T, "annotations", Kind.TABLE, "Further annotations, as they stand", table=Level.ANNOTATIONS),
    Key(_T, "meta", Kind.OBJECT, "The tool's `_meta`, as it stands"),
    Key(_T, "wire", Kind.OBJECT, "Further keys of the Tool object, verbatim"),
    # A parameter
    Key(_P, "name", Kind.STRING, "The parameter's name on the wire", core=True),
    Key(_P, "type", Kind.STRING, "Its type, like `array:int` or `string | null`", core=True),
    Key(_P, "description", Kind.STRING, "What it means", core=True),
    Key(_P, "required", Kind.BOOLEAN, "Whether a call must have it", "false", core=True),
    _keyword("default", Kind.ANY, "The value that stands in for an absent argument"),
    _keyword("enum", Kind.LIST, "The values it may have"),
    _keyword("const", Kind.ANY, "The one value it may have"),
    _keyword("minimum", Kind.NUMBER, "The least value", "number"),
    _keyword("maximum", Kind.NUMBER, "The greatest value", "number"),
    _keyword("exclusiveMinimum", Kind.NUMBER, "It must be above this", "number"),
    _keyword("exclusiveMaximum", Kind.NUMBER, "It must be below this", "number"),
    _keyword("multipleOf", Kind.POSITIVE, "It must be a multiple of this", "number"),
    _keyword("minLength", Kind.COUNT, "The least number of characters", "string"),
    _keyword("maxLength", Kind.COUNT, "The greatest number of characters", "string"),
    _keyword("pattern", Kind.STRING, "A regular expression that must match somewhere in it", "string"),
    _keyword("format", Kind.STRING, "A format like `date` or `uri`", "string"),
    _keyword("minItems", Kind.COUNT, "The least number of items", "array"),
    _keyword("maxItems", Kind.COUNT, "The greatest number of items", "array"),
    _keyword("uniqueItems", Kind.BOOLEAN, "No item twice", "array"),
    _keyword("minProperties", Kind.COUNT, "The least number of members", "object"),
    _keyword("maxProperties", Kind.COUNT, "The greatest number of members", "object"),
    _keyword("examples", Kind.LIST, "Values that show what is meant"),
    _keyword("title", Kind.STRING, "A name for people"),
    _keyword("deprecated", Kind.BOOLEAN, "Not to be used any more"),
    Key(_P, "nullable", Kind.BOOLEAN, "Null is allowed as well, in `enum` too", "false"),
    Key(_P, "nullDefault", Kind.BOOLEAN, "The default is null (TOML has no null)", "false"),
    Key(_P, "values", Kind.TABLES, "An `enum` whose values have meanings", table=Level.VALUE),
    Key(_P, "header", Kind.STRING, "The HTTP header that mirrors it (`x-mcp-header`)"),
    Key(_P, "properties", Kind.TABLES, "The members of the `object` in its type", table=_P),
    Key(_P, "items", Kind.TABLE, "Constraints on the elements of its `array:`", table=_P),
    Key(_P, "anyOf", Kind.TABLES, "Branches with keywords of their own, instead of `type`", table=_P),
    Key(_P, "additionalProperties", Kind.OPENNESS, "Whether the `object` in its type takes members that are not named"),
    Key(_P, "aliases", Kind.STRINGS, "Names that it had before", "none"),
    Key(_P, "identifier", Kind.STRING, "Its name in Python", "made from `name`"),
    Key(_P, "schema", Kind.SCHEMA, "A raw schema instead of `type`"),
    Key(_P, "include", Kind.STRING, "Alone in its table: the shared fragment that stands in this place"),
    # The small tables
    Key(Level.UI, "resourceUri", Kind.STRING, "The `ui://` resource", core=True),
    Key(Level.UI, "visibility", Kind.STRINGS, "Who may call the tool", core=True, choices=("model", "app")),
    Key(Level.ICON, "src", Kind.STRING, "An https: or data: URI", core=True),
    Key(Level.ICON, "mimeType", Kind.STRING, "Its media type", core=True),
    Key(Level.ICON, "sizes", Kind.STRINGS, 'Like `"48x48"`, or `"any"`', core=True),
    Key(Level.ICON, "theme", Kind.STRING, "The theme it is made for (`light` or `dark`)", core=True),
    Key(Level.VALUE, "value", Kind.ANY, "The value"),
    Key(Level.VALUE, "title", Kind.STRING, "A name for people"),
    Key(Level.VALUE, "description", Kind.STRING, "What it means"),
    Key(Level.EXAMPLE, "prompt", Kind.STRING, "What a person would say"),
    Key(Level.EXAMPLE, "arguments", Kind.OBJECT, "The call that answers it; checked against `inputSchema`"),
    Key(Level.EXAMPLE, "result", Kind.ANY, "Its answer; checked against `outputSchema`"),
    Key(Level.EXAMPLE, "exact", Kind.BOOLEAN, "Contract tests compare the answer, not only its shape", "false"),
    Key(Level.ERROR, "code", Kind.STRING, "The code, like `NOTE_LOCKED`"),
    Key(Level.ERROR, "description", Kind.STRING, "When it happens"),
    Key(Level.ANNOTATIONS, "title", Kind.STRING, "The annotation's own title"),
    Key(Level.ANNOTATIONS, "readOnlyHint", Kind.BOOLEAN, "As `readOnly`"),
    Key(Level.ANNOTATIONS, "destructiveHint", Kind.BOOLEAN, "As `destructive`"),
    Key(Level.ANNOTATIONS, "idempotentHint", Kind.BOOLEAN, "As `idempotent`"),
    Key(Level.ANNOTATIONS, "openWorldHint", Kind.BOOLEAN, "As `openWorld`"),
    Key(Level.EXECUTION, "taskSupport", Kind.STRING, "As `taskSupport`", choices=("forbidden", "optional", "required")),
)  # fmt: skip

RESERVED = frozenset({"rules", "config", "requires", "scopes", "elicit", "resources", "prompts"})
"""Tool keys kept for later versions of the format."""

OTHER_SPELLINGS: Mapping[tuple[Level, str], str] = {
    (Level.TOOL, "readonlyhint"): "readOnly",
    (Level.TOOL, "destructivehint"): "destructive",
    (Level.TOOL, "idempotenthint"): "idempotent",
    (Level.TOOL, "openworldhint"): "openWorld",
    (Level.PARAMETER, "xmcpheader"): "header",
}
"""Folded spellings that say a key of the format in MCP's own words."""

EQUAL_SPELLINGS = frozenset({"_meta", "x-mcp-header"})
"""Spellings that the format takes as equals of its own: no note."""


class Mistake(NamedTuple):
    """A key that is none, and what a value of the given kinds behind it means."""

    code: str
    message: str
    hint: str
    kinds: tuple[type, ...] = (object,)


_ELSEWHERE = "shared definitions go into a file of their own whose name begins with _"

MISTAKES: Mapping[tuple[Level, str], tuple[Mistake, ...]] = {
    (Level.TOOL, "tool"): (
        Mistake(
            "M106",
            "everything inside [tool] is lost: a definition's keys stand at the root of its file",
            "take the [tool] line away",
        ),
    ),
    (Level.TOOL, "parameter"): (
        Mistake(
            "M102",
            'unknown key "parameter"; did you mean "parameters"?',
            "write [[parameters]], once for each parameter",
        ),
    ),
    (Level.TOOL, "visibility"): (
        Mistake(
            "M108",
            '"visibility" belongs to the older dialect and has no effect',
            'take it away for "native", or write `discoverable = true` for "ondemand"',
            (str,),
        ),
        Mistake("M106", '"visibility" belongs to "ui"', "write it inside `ui`", (list,)),
    ),
    (Level.TOOL, "script"): (
        Mistake(
            "M108",
            '"script" belongs to the older dialect and has no effect',
            "take it away: the handler is a Python function of the tool's name, or name an "
            'existing one by `handler = "module:function"`',
        ),
    ),
    (Level.TOOL, "types"): (
        Mistake("M109", '"types" stands in the definition of a tool', _ELSEWHERE, (dict,)),
    ),
    (Level.TOOL, "fragments"): (
        Mistake("M109", '"fragments" stands in the definition of a tool', _ELSEWHERE, (dict,)),
    ),
}
"""Keys that other readers of such files had, or that people write by mistake."""


SYNONYMS: Mapping[Level, Mapping[str, str]] = {
    Level.TOOL: {
        "args": "parameters",
        "arguments": "parameters",
        "input": "parameters",
        "inputs": "parameters",
        "params": "parameters",
        "outputs": "output",
        "response": "output",
        "result": "output",
        "returns": "output",
    },
    Level.PARAMETER: {
        "allowed": "enum",
        "choices": "enum",
        "options": "enum",
        "desc": "description",
        "max": "maximum",
        "min": "minimum",
        "optional": "required",
        "regex": "pattern",
    },
}
"""What other tools call a key, folded -> the format's word for it."""


def fold(spelling: str) -> str:
    """What is left of a key when case, `_` and `-` do not count."""
    return spelling.casefold().replace("_", "").replace("-", "")


_PLAIN_TYPES = {Kind.STRING: str, Kind.BOOLEAN: bool, Kind.TABLE: dict}

for _level in Level:
    _level.known = {key.name: key for key in KEYS if key.level is _level}
    _level.folded = {fold(key.name): key for key in _level.known.values()}
    _level.plain = {
        key.name: _PLAIN_TYPES[key.kind]
        for key in _level.known.values()
        if key.kind in _PLAIN_TYPES and not key.choices
    }
