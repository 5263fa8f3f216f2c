"""The project file -> Project. Raw configuration goes no further than this module."""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Mapping

from toolc.builder.settings import SETTINGS
from toolc.builder.words import nearest, quoted
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Document, JsonObject, JsonValue, Pointer
from toolc.model.findings import Findings
from toolc.model.project import Output, Project, PythonTarget, ServerInfo
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

TABLES = ("python", "server")
PACKAGE = r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*"
CLASS = r"([\w.]+):([A-Za-z_]\w*)"

_KINDS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "string": ("a string", lambda value: isinstance(value, str)),
    "choice": ("a string", lambda value: isinstance(value, str)),
    "path": ("a path inside the project", lambda value: isinstance(value, str)),
    "paths": (
        "a list of paths inside the project",
        lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
    ),
    "package": (
        'a dotted package name, like "server.generated"',
        lambda value: isinstance(value, str) and _is_package(value),
    ),
    "class": (
        'a class in a module, like "app:App"',
        lambda value: isinstance(value, str) and _is_class(value),
    ),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "table": ("a table", lambda value: isinstance(value, dict)),
    "tables": (
        "a list of tables",
        lambda value: isinstance(value, list) and all(isinstance(item, dict) for item in value),
    ),
}


def read_project(
    document: Document, pointer: Pointer = ()
) -> tuple[Project, tuple[Diagnostic, ...]]:
    """The settings of a project file, or of `[tool.toolc]` at `pointer`; defaults where it is silent.

    Unknown keys are errors here: a misspelled setting would change what is built in silence.
    """
    findings = Findings(document)
    raw: JsonValue = document.value
    for part in pointer:
        raw = raw.get(str(part)) if isinstance(raw, dict) else None
    if raw is None and pointer:
        table = ".".join(str(part) for part in pointer)
        findings.add(
            "P601",
            f"there is no [{table}] in it",
            (),
            hint=f"add the table [{table}], empty if need be",
        )
        return Project(), tuple(findings)
    if not isinstance(raw, dict):
        findings.add("P603", f"the project's settings must be a table, not {quoted(raw)}", pointer)
        return Project(), tuple(findings)
    root = _read_table(raw, "", pointer, findings)
    python = _read_table(root.pop("python", {}), "python", (*pointer, "python"), findings)
    server = _read_table(root.pop("server", {}), "server", (*pointer, "server"), findings)
    outputs = _outputs(root.pop("outputs", []), (*pointer, "outputs"), findings)
    sources = tuple(_clean(path) for path in root.pop("sources", ["tooldefs"]))
    for name in ("output", "templates"):
        if name in root:
            root[name] = _clean(root[name])
    output = root.get("output", "generated")
    described = _server(server, (*pointer, "server"), findings)
    target = _python(python, output, (*pointer, "python"), findings)
    project = Project(
        **root,
        sources=sources,
        python=target._replace(app=described.app),
        server=described,
        outputs=outputs,
        path=document.source.path if document.source is not None else "",
    )
    return project, tuple(findings)


def _read_table(raw: JsonValue, table: str, pointer: Pointer, findings: Findings) -> dict[str, Any]:
    """The settings of one table, by their field names; what is wrong is reported and left out."""
    if not isinstance(raw, dict):
        findings.add("P603", f'"{table}" must be a table, not {quoted(raw)}', pointer)
        return {}
    known = {setting.name: setting for setting in SETTINGS if setting.table == table}
    values: dict[str, Any] = {}
    for name, value in raw.items():
        place = (*pointer, name)
        if not table and name in TABLES:
            values[name] = value
            continue
        setting = known.get(name)
        if setting is None:
            names = [*known, *(TABLES if not table else ())]
            near = nearest(name, names)
            elsewhere = _other_place(name, table, pointer[:-1] if table else pointer)
            findings.add(
                "P602",
                f'unknown setting "{name}"' + (f'; did you mean "{near}"?' if near else ""),
                place,
                key=True,
                hint=elsewhere or "the settings are " + ", ".join(names),
            )
            continue
        words, fits = _KINDS[setting.kind]
        if not fits(value):
            findings.add("P603", f'"{name}" must be {words}, not {quoted(value)}', place)
        elif setting.choices and value not in setting.choices:
            findings.add(
                "P603",
                f'"{name}" is {quoted(value)}',
                place,
                hint="it can be " + ", ".join(f'"{choice}"' for choice in setting.choices),
            )
        elif setting.kind in ("path", "paths") and not _stay_inside(value, place, findings):
            continue
        else:
            values[setting.field or name] = value
    return values


def _other_place(name: str, table: str, root: Pointer) -> str:
    """Where a setting belongs that stands in the wrong table; empty where none has the name.

    `root` is the way to the settings in their file.
    """
    for setting in SETTINGS:
        if setting.name == name and setting.table != table:
            way = [str(part) for part in root] + ([setting.table] if setting.table else [])
            if not way:
                return f'"{name}" belongs above the first table of the file'
            return f'"{name}" belongs below [{".".join(way)}]'
    return ""


def _stay_inside(value: Any, place: Pointer, findings: Findings) -> bool:
    """Refuse a path that leads out of the project: absolute, by `..`, or with a drive letter."""
    inside = True
    paths: list[str] = [value] if isinstance(value, str) else value
    for path in paths:
        parts = path.replace("\\", "/").split("/")
        if not path or path.startswith(("/", "\\")) or ".." in parts or ":" in parts[0]:
            findings.add(
                "P603",
                f'the path "{path}" is not inside the project',
                place,
                hint="write it relative to the project file, without ..",
            )
            inside = False
    return inside


def _clean(path: str) -> str:
    """A path in POSIX form without `.` parts; the project's own folder is the empty string."""
    return "/".join(part for part in path.replace("\\", "/").split("/") if part not in ("", "."))


def _python(
    values: dict[str, Any], output: str, pointer: Pointer, findings: Findings
) -> PythonTarget:
    """Where the package lies: in `output` where that ends like its name, else below the root."""
    if not values.get("enabled", True):
        return PythonTarget(enabled=False)
    package: str = values.get("package") or output.rpartition("/")[2] or "generated"
    if not _is_package(package):
        findings.add(
            "P603",
            f'"{package}" is no name for a Python package',
            (*pointer, "package"),
            hint='name one: [python] package = "…"',
        )
        package = "generated"
    as_path = package.replace(".", "/")
    tail_of_output = output == as_path or output.endswith("/" + as_path)
    folder = output if tail_of_output else as_path
    import_root = folder[: len(folder) - len(as_path)]
    handlers = _clean(values.get("handlers", f"{folder}/handlers"))
    dotted = handlers.removeprefix(import_root).replace("/", ".")
    if not handlers.startswith(import_root) or not _is_package(dotted):
        findings.add(
            "P603",
            f'the handlers in "{handlers}" cannot be imported beside the package "{package}"',
            (*pointer, "handlers"),
            hint=f'put them below "{import_root or "."}", in folders that are Python names',
        )
        dotted = f"{package}.handlers"
    return PythonTarget(True, package, folder, handlers, dotted)


def _is_package(dotted: str) -> bool:
    """Whether `dotted` can be imported: Python names, none of them a keyword."""
    return re.fullmatch(PACKAGE, dotted, re.ASCII) is not None and not any(
        keyword.iskeyword(part) for part in dotted.split(".")
    )


def _is_class(path: str) -> bool:
    parts = re.fullmatch(CLASS, path, re.ASCII)
    return parts is not None and _is_package(parts[1]) and not keyword.iskeyword(parts[2])


def _server(values: dict[str, Any], pointer: Pointer, findings: Findings) -> ServerInfo:
    for name in ("name", "version"):
        if values.get(name) == "":
            findings.add("P603", f'"{name}" is empty', (*pointer, name))
            del values[name]
    for name, (required, allowed) in ROWS.items():
        rows = values.pop(name, [])
        for at, row in enumerate(rows):
            _check_row(row, required, allowed, (*pointer, name, at), findings)
        values[name] = tuple(rows)
    for at, transport in enumerate(values["transports"]):
        _check_transport(transport, (*pointer, "transports", at), findings)
    if "ui_dir" in values:
        values["ui_dir"] = _clean(values["ui_dir"])
    ttl, scope = _cache(values.pop("cache", {}), (*pointer, "cache"), findings)
    return ServerInfo(**values, cache_ttl_ms=ttl, cache_scope=scope)


ROWS: Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "tags": (("name",), ("description",)),
    "icons": (("src",), ("mimeType", "sizes", "theme")),
    "transports": (("type",), ("url", "command", "args", "env", "security")),
}
"""The tables of [server]'s lists: the texts that each must have, and what else it may."""

TRANSPORTS = {"streamable-http": "url", "sse": "url", "stdio": "command"}
"""A transport's type, and how it says where the server is."""


def _check_row(
    row: JsonObject,
    required: tuple[str, ...],
    allowed: tuple[str, ...],
    place: Pointer,
    findings: Findings,
) -> None:
    for name in required:
        value = row.get(name)
        if not isinstance(value, str) or not value:
            findings.add("P603", f'it needs a text "{name}"', place)
    for name in row:
        if name not in required and name not in allowed:
            findings.add("P602", f'unknown setting "{name}"', (*place, name), key=True)


def _check_transport(transport: JsonObject, place: Pointer, findings: Findings) -> None:
    kind = transport.get("type")
    if kind not in TRANSPORTS:
        findings.add(
            "P603",
            f'"type" is {quoted(kind)}',
            (*place, "type"),
            hint="it can be " + ", ".join(f'"{name}"' for name in TRANSPORTS),
        )
    elif not isinstance(transport.get(TRANSPORTS[str(kind)]), str):
        findings.add("P603", f'a {kind} transport needs "{TRANSPORTS[str(kind)]}"', place)


def _cache(cache: JsonObject, pointer: Pointer, findings: Findings) -> tuple[int | None, str]:
    """How long clients may keep the list: milliseconds, or None; and for whom."""
    for name in cache:
        if name not in ("ttlMs", "scope"):
            findings.add("P602", f'unknown setting "{name}"', (*pointer, name), key=True)
    ttl, scope = cache.get("ttlMs"), cache.get("scope", "public")
    if ttl is not None and (type(ttl) is not int or ttl < 0):
        findings.add("P603", '"ttlMs" must be a whole number of milliseconds', (*pointer, "ttlMs"))
        ttl = None
    if scope not in ("public", "private"):
        findings.add("P603", '"scope" is "public" or "private"', (*pointer, "scope"))
        scope = "public"
    return ttl, str(scope)


def _outputs(rows: list[JsonObject], pointer: Pointer, findings: Findings) -> tuple[Output, ...]:
    outputs = []
    for at, row in enumerate(rows):
        place = (*pointer, at)
        values = {name: row.get(name) for name in ("template", "path", "per")}
        for name in row:
            if name not in values:
                findings.add("P602", f'unknown setting "{name}"', (*place, name), key=True)
        per = row.get("per", "tool")
        template, path = values["template"], values["path"]
        if (
            not isinstance(template, str)
            or not isinstance(path, str)
            or per not in ("tool", "project")
        ):
            findings.add(
                "P603",
                'an output needs a `template`, a `path`, and `per` as "tool" or "project"',
                place,
            )
        elif per == "tool" and "{name}" not in path:
            findings.add(
                "P603",
                f'the path "{path}" is the same for every tool',
                (*place, "path"),
                hint="put {name} in it",
            )
        elif per == "project" and "{name}" in path:
            findings.add(
                "P603",
                f'the path "{path}" has no tool to take {{name}} from',
                (*place, "path"),
                hint='write a path without {name}, or per = "tool" for a file of each tool',
            )
        elif _stay_inside([template, path], place, findings):
            outputs.append(Output(_clean(template), _clean(path), str(per)))
    return tuple(outputs)
