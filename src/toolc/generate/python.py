"""A project's tools to its Python package: contracts, handlers to fill in, and a server.

One tool's two files depend on that tool alone; the module of shared types and the one that pairs
handlers with contracts are the only ones made of several tools. The templates lay out; what goes
into their slots is finished code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache

from toolc.generate.header import stamp
from toolc.generate.layout import assignment, broken, class_heading, from_import, signature
from toolc.generate.manifest import relative_path
from toolc.generate.names import class_name, module_name
from toolc.generate.parameters import IdentifierFault
from toolc.generate.pymodule import Definition, Module
from toolc.generate.pytext import docstring, literal
from toolc.generate.pytypes import read_arguments, read_result, read_shared_types
from toolc.generate.templates import Render, TemplateProblem, template_diagnostic
from toolc.generate.wording import describe_property
from toolc.model.artifact import Artifact, Owner
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import JsonValue, Site
from toolc.model.jsontext import compact
from toolc.model.piece import Pieces
from toolc.model.project import Project, PythonTarget
from toolc.model.tool import Facts, Tool
from toolc_runtime.light import NamedTuple

_TYPING = ("Any", "Literal", "NotRequired", "Protocol", "TypeAlias", "TypedDict", "cast")
_RUNTIME = ("ABSENT", "Absent", "Context", "Each", "Either", "Later", "Record", "Reply", "Values")
"""In the order that import sorters want: constants, classes, functions."""

_CONTRACT_USES = frozenset(["Awaitable", "Context", "Protocol", "Record", "Reply"])
"""What every contract imports."""

_HANDLER = r"([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*):([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)"


class ClassText(NamedTuple):
    """One class for the templates; what is no class statement is the kind `assignment`."""

    kind: str
    heading: str
    docstring: str
    lines: tuple[str, ...]


class ProtocolText(NamedTuple):
    heading: str
    docstring: str
    call: str


_BETWEEN = "\n\n    "


class PairText(NamedTuple):
    """What pairs one tool's handler with its contract, to stand indented by four spaces."""

    imports: tuple[str, ...]
    assignment: str

    @property
    def text(self) -> str:
        """All of it, indented."""
        return "    " + _BETWEEN.join((*self.imports, self.assignment))

    @classmethod
    def of(cls, text: str) -> PairText:
        """The pair whose `text` this is."""
        *imports, assignment = text[4:].split(_BETWEEN)
        return cls(tuple(imports), assignment)


class Pairs:
    """All pairs, of their texts; made for a template that looks at each."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    def __len__(self) -> int:
        return len(self._texts)

    def __getitem__(self, at: int) -> PairText:
        return PairText.of(self._texts[at])


class ToolFiles(NamedTuple):
    """What one tool comes to in the Python package, whatever other tools there are."""

    artifacts: tuple[Artifact, ...]
    """Its contract and, where its author has none, the stub of its handler."""
    pair: str
    """Its part in handler_types.py; empty where its handler cannot be imported."""
    types: str
    """What the module of the shared types needs of it, as JSON; empty where it uses none."""
    diagnostics: tuple[Diagnostic, ...]


def tool_files(tool: Tool, project: Project, render: Render) -> ToolFiles:
    """The files of one tool. With a template that fails they are not complete."""
    target = project.python
    name = f"{module_name(tool.name)}.py"
    artifacts: list[Artifact] = []
    try:
        text, faults = contract_text(tool, render)
        artifacts.append(_code(target.folder, f"contracts/{name}", text))
        if tool.facts.handler is None:
            text = handler_text(tool, target, render)
            artifacts.append(Artifact(_path(target.handlers, name), text, Owner.HUMAN))
        diagnostics = _fault_diagnostics(faults, tool)
    except TemplateProblem as problem:
        diagnostics = [template_diagnostic(problem, project.templates)]
    pair = _pair(tool, target)
    return ToolFiles(
        tuple(artifacts),
        "" if pair is None else pair.text,
        _shared_types_line(tool),
        tuple(diagnostics),
    )


def package_files(
    pieces: Pieces, project: Project, render: Render
) -> tuple[tuple[Artifact, ...], tuple[Diagnostic, ...]]:
    """The files that no single tool makes. With a template that fails they are not complete."""
    target = project.python
    artifacts: list[Artifact] = []
    diagnostics: list[Diagnostic] = []
    try:
        pairs = [line.decode() for line in pieces.lines("pair") if line]
        for name, text in _package_texts(pairs, project, render):
            artifacts.append(_code(target.folder, name, text))
        shared = read_shared_types(_typed_tool(line) for line in pieces.lines("types") if line)
        if shared is not None:
            diagnostics += _fault_diagnostics(shared.faults, None)
            text = shared_types_text(shared, render)
            artifacts.append(_code(target.folder, "contracts/_types.py", text))
        if target.handlers != target.folder:
            text = render("init.py.j2", {"docstring": docstring("The tools' handlers.", 0)})
            artifacts.append(Artifact(_path(target.handlers, "__init__.py"), text, Owner.HUMAN))
    except TemplateProblem as problem:
        diagnostics.append(template_diagnostic(problem, project.templates))
    return tuple(artifacts), tuple(diagnostics)


def _shared_types_line(tool: Tool) -> str:
    facts = tool.facts
    if not facts.types:
        return ""
    tables: list[JsonValue] = [
        [[list(at), name] for at, name in table.items()]
        for table in (facts.types, facts.identifiers)
    ]
    return compact([tool.name, tool.input_schema, tool.output_schema, *tables])


def _typed_tool(line: bytes | bytearray) -> Tool:
    """As much of a tool as `_shared_types_line` says of it."""
    import json

    name, input_schema, output_schema, types, identifiers = json.loads(line)
    facts = Facts(
        types={tuple(at): name for at, name in types},
        identifiers={tuple(at): name for at, name in identifiers},
    )
    return Tool(name, input_schema, output_schema=output_schema, facts=facts)


def _code(folder: str, name: str, text: str) -> Artifact:
    return Artifact(_path(folder, name), stamp(text), Owner.CODE)


def _path(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def contract_text(tool: Tool, render: Render) -> tuple[str, Sequence[IdentifierFault]]:
    """A tool's contract, without its header, and the Python names that could not be had."""
    name = class_name(tool.name)
    module = Module()
    read_arguments(tool, f"{name}Params", module)
    returns = "Any"
    if tool.output_schema is not None:
        returns = f"{name}Result"
        read_result(tool, returns, module)
    else:
        module.uses.add("Any")
    module.uses |= _CONTRACT_USES
    origin = f" from {tool.path}" if tool.path else ""
    title = f"Contract of `{tool.name}`, written by toolc{origin}."
    reply = f"Reply[{returns}]"
    call = signature(
        "def __call__",
        ("self", f"params: {name}Params", "context: Context", "/"),
        f"{reply} | Awaitable[{reply}]",
        ": ...",
        4,
    )
    values = {
        "docstring": docstring(f"{title} Edit the definition, not this file.", 0),
        "imports": _imports(module),
        "classes": [_class_text(definition, tool.name) for definition in module.definitions],
        "protocols": [
            ProtocolText(
                class_heading(name, "Protocol"),
                docstring(f"Handler of `{tool.name}`; sync or async.", 4),
                call,
            )
        ],
        "shapes": _shape_lines(module),
    }
    return render("contract.py.j2", values), module.faults


def handler_text(tool: Tool, target: PythonTarget, render: Render) -> str:
    """The stub of a tool's handler, which is its author's as soon as it is written."""
    name = module_name(tool.name)
    class_ = class_name(tool.name)
    returns = f"{class_}Result" if tool.output_schema is not None else "str"
    imported = [f"{class_}Params"]
    if tool.output_schema is not None:
        imported.append(returns)
    app = _app_type(target, {"Context", *imported})
    context = f"Context[{app.name}]" if app else "Context"
    parameters = (f"params: {class_}Params", f"context: {context}")
    title = f"Handler of `{tool.name}`."
    description = (tool.description or "").strip()
    values = {
        "module_docstring": docstring(
            f"{title} toolc wrote this once and never changes it again.", 0
        ),
        "imports": [
            from_import("toolc_runtime", ["Context"]),
            *_own_imports(app, f"{_contracts_from_handlers(target)}.{name}", imported),
        ],
        "signature": signature(f"async def {name}", parameters, returns, ":", 0),
        "docstring": docstring(description or title, 4),
        "failure": broken(f"NotImplementedError({literal(tool.name)})", 4, len("raise ")),
    }
    return render("handler.py.j2", values)


class _AppType(NamedTuple):
    module: str
    name: str


def _app_type(target: PythonTarget, taken: Set[str]) -> _AppType | None:
    """The type of `context.app` in a stub; None without an application, and where a stub has another
    use for the name of its class."""
    module, _, name = target.app.partition(":")
    return _AppType(module, name) if name and name not in taken else None


def _own_imports(app: _AppType | None, contract: str, names: Sequence[str]) -> list[str]:
    """The sections of imports from the project itself, as import sorters want them."""
    of_contract = from_import(contract, names)
    if app is None:
        return [of_contract]
    of_app = from_import(app.module, [app.name])
    if contract.startswith("."):
        return [of_app, of_contract]
    pair = sorted([(app.module, of_app), (contract, of_contract)])
    return ["\n".join(line for _, line in pair)]


def shared_types_text(module: Module, render: Render) -> str:
    """The module of the shared types, without its header."""
    title = "The shared types, written by toolc. Edit the definitions, not this file."
    values = {
        "docstring": docstring(title, 0),
        "imports": _imports(module),
        "classes": [_class_text(definition, "") for definition in module.definitions],
        "protocols": [],
        "shapes": _shape_lines(module),
    }
    return render("contract.py.j2", values)


def handler_types_text(pairs: Sequence[str], render: Render) -> str:
    """The module that pairs each handler with its Protocol, without its header."""
    title = "Each handler beside its contract: a type checker shows what no longer fits."
    values = {
        "docstring": docstring(title, 0),
        "pairs": Pairs(pairs),
        "body": "\n\n".join(pairs),
    }
    return render("handler_types.py.j2", values)


def _package_texts(
    pairs: Sequence[str], project: Project, render: Render
) -> Iterable[tuple[str, str]]:
    """The package's own modules, by their names in its folder."""
    target = project.python
    server = project.server.name
    way = relative_path(target.folder, project.output)
    folder = "Path(__file__).resolve().parent" + (f" / {literal(way)}" if way != "." else "")
    call = broken(f"toolc_runtime.main({folder}, argv)", 4, len("return "))

    def init(text: str) -> str:
        return render("init.py.j2", {"docstring": docstring(text, 0)})

    main = f"`python -m {target.package}` serves the tools; `--help` lists the options."
    yield "__init__.py", init(f"The package of `{server}`, written by toolc.")
    yield "__main__.py", render("main.py.j2", {"docstring": docstring(main, 0)})
    serving = {"docstring": docstring(f"The server `{server}`, written by toolc.", 0)}
    yield "server.py", render("server.py.j2", {**serving, "call": call})
    yield "handler_types.py", handler_types_text(pairs, render)
    yield "contracts/__init__.py", init("What each handler gets and gives, written by toolc.")


def _class_text(definition: Definition, tool: str) -> ClassText:
    kind, name = definition.kind, definition.name
    if kind == "record":
        lines = [
            assignment(field.identifier, field.annotation, field.default, 4)
            for field in definition.fields
        ]
        if definition.further:
            lines.append(assignment("extra", definition.further, "field(default_factory=dict)", 4))
        text = docstring(_record_words(definition, tool), 4)
        return ClassText("dataclass", name, text, tuple(lines))
    if kind == "typed_dict":
        lines = [assignment(field.wire, field.annotation, "", 4) for field in definition.fields]
        return ClassText("TypedDict", class_heading(name, "TypedDict"), "", tuple(lines))
    if kind == "typed_dict_call":
        keys = [f"{literal(field.wire)}: {field.annotation}" for field in definition.fields]
        call = f"TypedDict({literal(name)}, {{{', '.join(keys)}}})"
        return ClassText("assignment", name, "", (assignment(name, "", call, 0),))
    return ClassText("assignment", name, "", (assignment(name, "TypeAlias", definition.alias, 0),))


def _record_words(definition: Definition, tool: str) -> str:
    """The docstring of a parameter class: what it is, and what its types do not say."""
    path = definition.path
    if not tool:
        words = f"`{path}` among the shared types."
    elif path:
        words = f"`{path}` in the arguments of `{tool}`."
    else:
        words = f"Arguments of `{tool}`, valid against its schema, defaults applied."
    attributes = []
    for field in definition.fields:
        text = describe_property(field.schema, field.wire, field.identifier)
        if text:
            attributes.append((field.identifier, text))
    if definition.further:
        attributes.append(("extra", "Whatever else was sent, by its name on the wire."))
    if not attributes:
        return words
    lines = [f"    {name}: " + text.replace("\n", "\n        ") for name, text in attributes]
    return "\n".join([words, "", "Attributes:", *lines])


def _shape_lines(module: Module) -> list[str]:
    return [
        assignment(constant, annotation if constant in module.ahead else "", expression, 0)
        for constant, annotation, expression in module.shapes
    ]


def _imports(module: Module) -> Sequence[str]:
    """The import sections of a contract or of the shared types."""
    return _import_sections(frozenset(module.imported()), bool(module.shapes))


@lru_cache(maxsize=256)  # most contracts import the same
def _import_sections(uses: frozenset[str], has_records: bool) -> Sequence[str]:
    """The import sections of a module, in their usual order; records are dataclasses."""
    sections = []
    standard = []
    if "Awaitable" in uses:
        standard.append("from collections.abc import Awaitable")
    if has_records:
        names = ["dataclass", "field"] if "field" in uses else ["dataclass"]
        standard.append(from_import("dataclasses", names))
    typing = [name for name in _TYPING if name in uses]
    if typing:
        standard.append(from_import("typing", typing))
    if standard:
        sections.append("\n".join(standard))
    runtime = [name for name in _RUNTIME if name in uses]
    if runtime:
        sections.append(from_import("toolc_runtime", runtime))
    if "_types" in uses:
        sections.append(from_import(".", ["_types"]))
    return sections


def _pair(tool: Tool, target: PythonTarget) -> PairText | None:
    """A tool's two imports, in sections as import sorters want them, and what compares them."""
    name = module_name(tool.name)
    contract = from_import(".contracts", [f"{name} as contract_{name}"], 4)
    function = name
    package = _handlers_from_package(target)
    handler = from_import(package, [f"{name} as handler_{name}"], 4)
    if tool.facts.handler is not None:
        own = re.fullmatch(_HANDLER, tool.facts.handler, re.ASCII)
        if own is None:
            return None
        handler, function = f"import {own[1]} as handler_{name}", own[2]
        sections = [handler, contract]
    elif package.startswith("."):
        both = [handler, contract] if package < ".contracts" else [contract, handler]
        sections = ["\n    ".join(both)]
    else:
        sections = [handler, contract]
    annotation = f"contract_{name}.{class_name(tool.name)}"
    line = assignment(f"pair_{name}", annotation, f"handler_{name}.{function}", 4)
    return PairText(tuple(sections), line)


def _is_inside(target: PythonTarget) -> bool:
    """Whether the handlers are part of the generated package, and so import relatively."""
    return f"{target.handlers_package}.".startswith(f"{target.package}.")


@lru_cache(maxsize=1)
def _handlers_from_package(target: PythonTarget) -> str:
    if not _is_inside(target):
        return target.handlers_package
    return target.handlers_package[len(target.package) :] or "."


@lru_cache(maxsize=1)
def _contracts_from_handlers(target: PythonTarget) -> str:
    if not _is_inside(target):
        return f"{target.package}.contracts"
    depth = target.handlers_package[len(target.package) :].count(".")
    return f"{'.' * (depth + 1)}contracts"


def _fault_diagnostics(faults: Iterable[IdentifierFault], tool: Tool | None) -> list[Diagnostic]:
    return [
        Diagnostic(
            "M210",
            CODES["M210"].severity,
            f'parameter "{fault.wire}" asks for the Python name "{fault.asked}", '
            "which is reserved, taken or no identifier",
            Site(tool.path) if tool is not None and tool.path else None,
            f"choose another `identifier`, or none: it would then be `{fault.given}`",
            tool=tool.name if tool is not None else "",
        )
        for fault in faults
    ]
