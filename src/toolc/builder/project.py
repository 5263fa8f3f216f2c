"""The project file -> Project. Raw configuration goes no further than this module."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from toolc.builder.settings import SETTINGS
from toolc.builder.tables import nearest, quoted
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Document, JsonObject, JsonValue, Pointer
from toolc.model.findings import Findings
from toolc.model.project import Output, Project, PythonTarget, ServerInfo

_TABLES = ("python", "server")
_PACKAGE = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)

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
        lambda value: isinstance(value, str) and _PACKAGE.fullmatch(value) is not None,
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
        raw = raw[part]  # type: ignore[index]
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
    project = Project(
        **root,
        sources=sources,
        python=_python(python, output, (*pointer, "python"), findings),
        server=_server(server, (*pointer, "server"), findings),
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
        if not table and name in _TABLES:
            values[name] = value
            continue
        setting = known.get(name)
        if setting is None:
            near = nearest(name, [*known, *(_TABLES if not table else ())])
            findings.add(
                "P602",
                f'unknown setting "{name}"' + (f'; did you mean "{near}"?' if near else ""),
                place,
                key=True,
                hint="the settings are " + ", ".join(known),
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
    package: str = values.get("package") or output.rpartition("/")[2] or "generated"
    if not _PACKAGE.fullmatch(package):
        findings.add(
            "P603",
            f'the output folder "{output}" is no name for a Python package',
            pointer,
            hint='name one: [python] package = "…"',
        )
        package = "generated"
    as_path = package.replace(".", "/")
    tail_of_output = output == as_path or output.endswith("/" + as_path)
    folder = output if tail_of_output else as_path
    import_root = folder[: len(folder) - len(as_path)]
    handlers = _clean(values.get("handlers", f"{folder}/handlers"))
    dotted = handlers.removeprefix(import_root).replace("/", ".")
    if not handlers.startswith(import_root) or not _PACKAGE.fullmatch(dotted):
        findings.add(
            "P603",
            f'the handlers in "{handlers}" cannot be imported beside the package "{package}"',
            (*pointer, "handlers"),
            hint=f'put them below "{import_root or "."}", in folders that are Python names',
        )
        dotted = f"{package}.handlers"
    return PythonTarget(values.get("enabled", True), package, folder, handlers, dotted)


def _server(values: dict[str, Any], pointer: Pointer, findings: Findings) -> ServerInfo:
    cache = values.pop("cache", {})
    for name in ("icons", "transports", "tags"):
        if name in values:
            values[name] = tuple(values[name])
    if "ui_dir" in values:
        values["ui_dir"] = _clean(values["ui_dir"])
    ttl, scope = cache.get("ttlMs"), cache.get("scope", "public")
    unknown = [name for name in cache if name not in ("ttlMs", "scope")]
    for name in unknown:
        findings.add("P602", f'unknown setting "{name}"', (*pointer, "cache", name), key=True)
    if ttl is not None and (type(ttl) is not int or ttl < 0):
        findings.add(
            "P603", '"ttlMs" must be a whole number of milliseconds', (*pointer, "cache", "ttlMs")
        )
        ttl = None
    if scope not in ("public", "private"):
        findings.add("P603", '"scope" is "public" or "private"', (*pointer, "cache", "scope"))
        scope = "public"
    return ServerInfo(**values, cache_ttl_ms=ttl, cache_scope=scope)


def _outputs(rows: list[JsonObject], pointer: Pointer, findings: Findings) -> tuple[Output, ...]:
    outputs = []
    for at, row in enumerate(rows):
        place = (*pointer, at)
        values = {name: row.get(name) for name in ("template", "path", "per")}
        for name in row:
            if name not in values:
                findings.add("P602", f'unknown setting "{name}"', (*place, name), key=True)
        per = values["per"] or "tool"
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
        elif _stay_inside([template, path], place, findings):
            outputs.append(Output(_clean(template), _clean(path), str(per)))
    return tuple(outputs)
