"""What a project asks of the linter: its own settings, those that it shares with others, and the rules
that are not toolc's own.

A file of rules and an entry point are code. They run where `[lint] rules` names them, and nowhere else.
"""

from __future__ import annotations

import os
import posixpath
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from importlib.machinery import ModuleSpec
from types import ModuleType

from toolc.driver import Opened
from toolc.files import PROJECT_FILE, is_within, read_bytes
from toolc.lint.rule import Found, Kind, Rule, Set
from toolc.lint.selection import ALL, select
from toolc.lint.settings import LintSettings, read_settings
from toolc.lint.table import RULES
from toolc.loader import decode, load
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic, Related, Severity, has_errors
from toolc.model.digest import text_sha256
from toolc.model.document import Document, JsonObject, Pointer, Site, SourceFile, Span
from toolc.model.findings import Findings
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any

GROUP = "toolc.lint"
"""The group of entry points that give rules."""

UNUSABLE = "P612"
"""The code of whatever is wrong with rules, or with what is shared."""

_OWN_LETTERS = "".join(sorted({code[0] for code in (*CODES, *(rule.code for rule in RULES))}))

_CODE = re.compile(r"[A-Z]{2,}[0-9]{1,4}")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)+")
_IN_PACKAGE = re.compile(r"([A-Za-z_]\w+):(.+)")


class Configuration(NamedTuple):
    """All that decides what a lint of a project says."""

    table: tuple[Rule, ...] = RULES
    """toolc's rules, and behind them those that the project adds."""
    base: tuple[Rule, ...] | None = None
    """The rules that speak by what the project extends; None where it extends nothing."""
    settings: LintSettings = LintSettings()
    """The project's own; its levels, files and clients with what it extends."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """With errors among them the project is not to be linted."""
    sources: dict[str, SourceFile] = {}  # noqa: RUF012
    """The texts that the diagnostics point into."""
    digest: str = ""
    """Of the code and the settings that are not the project file's; empty where there are none."""


class RuleFailed(Exception):  # noqa: N818
    """A project's own rule that raised; the text says which, where, and on what."""


def configure(opened: Opened) -> Configuration:
    """Read `[lint]` of the project file and what it extends, and import the rules that they name."""
    document, pointer = project_document(opened)
    if document is None or not opened.project.lint:
        return Configuration()
    return _Configuring(opened).run(document, (*pointer, "lint"), opened.project.lint)


def project_document(opened: Opened) -> tuple[Document | None, Pointer]:
    """The project file, and the way in it to the project's settings."""
    source = opened.sources.get(opened.project.path)
    document = None if source is None else load(source)[0]
    is_own = source is not None and source.path.endswith(PROJECT_FILE)
    return document, () if is_own else ("tool", "toolc")


class _Base(NamedTuple):
    """A folder that shared files and rules lie in: nothing outside it is read."""

    folder: str
    shown: str = ""
    """What stands before the paths of its files in messages."""


class _Layer(NamedTuple):
    """One file's settings."""

    findings: Findings
    pointer: Pointer
    said: JsonObject
    base: _Base
    path: str
    """Of the file, from the base's folder."""

    @property
    def place(self) -> str:
        return os.path.realpath(os.path.join(self.base.folder, self.path))

    def refuse(self, place: Pointer, message: str, *related: Related, hint: str = "") -> None:
        way = (*self.pointer, *place)
        self.findings.add(UNUSABLE, message, way, hint=hint, related=related)


class _Refused(ValueError):  # noqa: N818
    """What cannot be used; the text says why, `site` perhaps where."""

    def __init__(self, message: str, site: Site | None = None) -> None:
        super().__init__(message)
        self.site = site


class _Configuring:
    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._sources: dict[str, SourceFile] = {}
        self._problems: list[Diagnostic] = []
        self._digests: list[str] = []
        self._rules: dict[str, Rule] = {}
        self._imported: set[str] = set()
        self._names = {rule.name: rule.code for rule in RULES}

    def run(self, document: Document, pointer: Pointer, said: JsonObject) -> Configuration:
        base = _Base(os.path.realpath(self._opened.root))
        own = _Layer(Findings(document), pointer, said, base, self._opened.project.path)
        layers = self._layers(own)
        for layer in layers:
            self._import_rules(layer)
        problems = [*self._problems, *(one for layer in layers for one in layer.findings)]
        table = (*RULES, *self._rules.values())
        if has_errors(problems):
            return Configuration(diagnostics=tuple(problems), sources=self._sources)
        merged, lower = LintSettings(), None
        for layer in layers:
            lower = None if layer is layers[0] else _chosen(table, merged, lower)
            settings = read_settings(layer.said, layer.pointer, layer.findings, table)
            merged = settings._replace(
                levels={**merged.levels, **settings.levels},
                per_file=(*merged.per_file, *settings.per_file),
                clients=settings.clients or merged.clients,
            )
            problems += layer.findings
        digest = text_sha256(repr(self._digests)) if self._digests else ""
        return Configuration(table, lower, merged, tuple(problems), self._sources, digest)

    # What is extended

    def _layers(self, own: _Layer) -> list[_Layer]:
        """The project's settings and all that they extend, the farthest first."""
        layers = [own]
        seen = {own.place}
        while "extend" in layers[0].said:
            layer = layers[0]
            try:
                further = self._extended(layer)
                if further.place in seen:
                    shown = further.base.shown + further.path
                    raise _Refused(f"{shown} extends itself, by way of what it extends")
            except _Refused as error:
                layer.refuse(("extend",), str(error))
                break
            seen.add(further.place)
            layers.insert(0, further)
        return layers

    def _extended(self, layer: _Layer) -> _Layer:
        text = layer.said["extend"]
        if not isinstance(text, str) or not text.endswith(".toml"):
            raise _Refused(
                '"extend" is the path of a TOML file, or "package:path" of an installed one'
            )
        if (parts := _IN_PACKAGE.fullmatch(text)) is not None:
            base, path = _package_base(parts[1]), _inside("", parts[2])
        else:
            base, path = layer.base, _inside(layer.path, text)
        data = _read(base, path)
        shown = base.shown + path
        self._digests.append(f"{shown} {text_sha256(repr(data))}")
        source, problems = decode(shown, data)
        document, further = (None, ()) if source is None else load(source)
        self._problems += (*problems, *further)
        if source is not None:
            self._sources[shown] = source
        if document is None or not isinstance(document.value, dict):
            raise _Refused(f"{shown} cannot be read")
        return _Layer(Findings(document), (), document.value, base, path)

    # Rules

    def _import_rules(self, layer: _Layer) -> None:
        named = layer.said.get("rules", [])
        if not isinstance(named, list) or not all(isinstance(text, str) for text in named):
            layer.refuse(("rules",), '"rules" takes a list of paths and of names of entry points')
            return
        for at, text in enumerate(map(str, named)):
            place = ("rules", at)
            is_file = text.endswith(".py")
            try:
                whole = layer.base.shown + _inside(layer.path, text) if is_file else text
                if whole in self._imported:
                    continue  # what is extended may name it as well
                self._imported.add(whole)
                if is_file:
                    self._add(layer, place, *self._from_file(layer, text))
                else:
                    self._add(layer, place, *self._from_entry_point(text))
            except _Refused as error:
                related = () if error.site is None else (Related("here", error.site),)
                layer.refuse(place, str(error), *related)

    def _from_file(self, layer: _Layer, text: str) -> tuple[object, str]:
        """The value of RULES in a file, and the file's path in messages."""
        path = _inside(layer.path, text)
        data = _read(layer.base, path)
        shown = layer.base.shown + path
        self._digests.append(f"{shown} {text_sha256(repr(data))}")
        self._sources[shown] = source = SourceFile(shown, data.decode("utf-8", "replace"))
        place = os.path.join(layer.base.folder, path)
        module = ModuleType(f"toolc_rules_{len(self._digests)}")
        module.__file__ = place
        sys.modules[module.__name__] = module  # as dataclasses in it ask for
        try:
            # Compiled here rather than imported: nothing is written beside the file.
            exec(compile(data, place, "exec"), module.__dict__)
        except SyntaxError as error:
            said = f"{shown} is no Python: {error.msg}"
            raise _Refused(said, _line_site(source, error.lineno or 1)) from None
        except (Exception, SystemExit) as error:
            lines = [line for path, line in _steps_to(error) if path == place]
            site = _line_site(source, lines[-1]) if lines else None
            raise _Refused(f"{shown} cannot be imported: {_said(error)}", site) from None
        return _rules_of(module, shown), shown

    def _from_entry_point(self, name: str) -> tuple[object, str]:
        from importlib.metadata import entry_points

        found = [*entry_points(group=GROUP, name=name)]
        if not found:
            known = ", ".join(sorted(row.name for row in entry_points(group=GROUP))) or "none"
            raise _Refused(
                f'"{name}" is neither the path of a .py file nor an entry point of "{GROUP}"; '
                f"installed: {known}"
            )
        point = found[0]
        try:
            loaded = point.load()
        except (Exception, SystemExit) as error:
            raise _Refused(f'the entry point "{name}" cannot be loaded: {_said(error)}') from None
        version = "" if point.dist is None else f"{point.dist.name} {point.dist.version}"
        self._digests.append(f"{name} {version} {_code_digest(point.module)}")
        shown = f'the entry point "{name}"'
        return (_rules_of(loaded, shown) if isinstance(loaded, ModuleType) else loaded), shown

    def _add(self, layer: _Layer, place: Pointer, rules: object, shown: str) -> None:
        if not isinstance(rules, (tuple, list)):
            layer.refuse(place, f"RULES of {shown} is no tuple of rules")
            return
        for rule in rules:
            message = self._wrong_with(rule)
            if message:
                site = _code_site(self._sources.get(shown), rule)
                related = () if site is None else (Related("here", site),)
                layer.refuse(place, f"{shown}: {message}", *related)
                continue
            self._rules[rule.code] = _guarded(rule, shown)
            self._names[rule.name] = rule.code

    def _wrong_with(self, rule: Any) -> str:
        """What is wrong with a rule; empty where nothing is."""
        if not isinstance(rule, Rule):
            return f"RULES holds {rule!r:.60}, which is no toolc.lint.Rule"
        code, name = rule.code, rule.name
        if not _CODE.fullmatch(str(code)):
            return f"{code!r} is no code: two or more capital letters, and a number"
        if code[0] in _OWN_LETTERS:  # `D` selects whatever begins with it
            return (
                f"the code {code} begins with {code[0]}; {', '.join(_OWN_LETTERS)} are toolc's own"
            )
        if code in self._rules:
            return f"the code {code} is given twice"
        if not _NAME.fullmatch(str(name)):
            return f"{code}: {name!r} is no name: two or more small words with hyphens between"
        if name in self._names or name in _SELECTORS:
            return f'{code}: the name "{name}" is that of {self._names.get(name, "a selector")}'
        for field, kind in (("kind", Kind), ("severity", Severity), ("set", Set)):
            if not isinstance(getattr(rule, field), kind):
                return f"{code}: its {field} is no toolc.lint.{kind.__name__}"
        if rule.look_for is not None or rule.look_for_all is not None:
            return f"{code}: only toolc's own rules look for clients"
        if not (callable(rule.look) or callable(rule.look_at_all)):
            return f"{code} looks at nothing: give it `look` or `look_at_all`"
        return ""


_SELECTORS = frozenset({ALL, *(kind.value for kind in Kind), *(row.value for row in Set)})


def _chosen(
    table: tuple[Rule, ...], settings: LintSettings, base: tuple[Rule, ...] | None
) -> tuple[Rule, ...]:
    return select(
        table,
        select=settings.select,
        extend=settings.extend_select,
        ignore=settings.ignore,
        base=base,
    )


def _inside(start: str, text: str) -> str:
    """A path that is written in the file `start`, from the base's folder; refused where it leads
    outside of that."""
    path = posixpath.normpath(posixpath.join(posixpath.dirname(start), text))
    if posixpath.isabs(path) or os.path.isabs(path) or path.split("/")[0] == "..":
        raise _Refused(f'"{text}" lies outside the folder of the project or package that names it')
    return path


def _read(base: _Base, path: str) -> bytes:
    place = os.path.realpath(os.path.join(base.folder, path))
    if not is_within(place, base.folder):
        raise _Refused(f"{base.shown}{path} is a link to somewhere outside")
    data = read_bytes(base.folder, path)
    if isinstance(data, Diagnostic):
        raise _Refused(f"{base.shown}{path}: {data.message}")
    return data


def _package_base(name: str) -> _Base:
    """The folder of an installed package, which is not imported."""
    spec = _spec(name)
    folders = [] if spec is None else [*(spec.submodule_search_locations or ())]
    if not folders:
        raise _Refused(f'there is no installed package "{name}"')
    return _Base(os.path.realpath(folders[0]), f"{name}/")


def _spec(name: str) -> ModuleSpec | None:
    from importlib.util import find_spec

    try:
        return find_spec(name)
    except (ImportError, ValueError):
        return None


def _code_digest(module: str) -> str:
    """What the code of a module's whole package is like: a change of any file of it shows."""
    spec = _spec(module.partition(".")[0])
    if spec is None:
        return ""
    rows: list[tuple[str, int, int]] = []
    for folder in spec.submodule_search_locations or ():
        for at, _, names in os.walk(folder):
            rows += (_stat_row(os.path.join(at, name)) for name in names if name.endswith(".py"))
    if not rows and spec.origin and os.path.isfile(spec.origin):
        rows.append(_stat_row(spec.origin))
    return text_sha256(repr(sorted(rows)))


def _stat_row(path: str) -> tuple[str, int, int]:
    status = os.stat(path)
    return path, status.st_size, status.st_mtime_ns


def _rules_of(module: ModuleType, shown: str) -> object:
    try:
        return module.RULES
    except AttributeError:
        raise _Refused(f"{shown} has no RULES") from None


def _steps_to(error: BaseException) -> list[tuple[str, int]]:
    """The files and lines of the calls that led to an error, the innermost last."""
    steps, at = [], error.__traceback__
    while at is not None:
        steps.append((at.tb_frame.f_code.co_filename, at.tb_lineno))
        at = at.tb_next
    return steps


def _guarded(rule: Rule, shown: str) -> Rule:
    """The rule, whose failures say that they are its own."""

    def guard(look: Callable[[Any], Iterator[Found]], of: Callable[[Any], str]) -> Any:
        def guarded(subject: Any) -> Iterator[Found]:
            try:
                yield from look(subject)
            except Exception as error:
                path, line = _steps_to(error)[-1]
                raise RuleFailed(
                    f"{shown}: the rule {rule.code} fails on {of(subject)}: {_said(error)} "
                    f"({path}:{line})"
                ) from error

        return guarded

    return rule._replace(
        look=rule.look and guard(rule.look, lambda subject: f'"{subject.name}"'),
        look_at_all=rule.look_at_all and guard(rule.look_at_all, lambda _: "all tools together"),
    )


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}".removesuffix(": ")


def _code_site(source: SourceFile | None, rule: Any) -> Site | None:
    """Where a file of rules writes a rule's code."""
    code = getattr(rule, "code", None)
    if source is None or not isinstance(code, str):
        return None
    written: Iterable[int] = (source.text.find(quote + code + quote) for quote in "\"'")
    start = max(written)
    return None if start < 0 else Site(source.path, Span(start, start + len(code) + 2))


def _line_site(source: SourceFile, number: int) -> Site:
    lines = source.text.splitlines(keepends=True)[:number]
    end = sum(map(len, lines))
    line = lines[-1] if lines else ""
    start = end - len(line.lstrip())
    return Site(source.path, Span(start, max(start, end - len(line) + len(line.rstrip()))))
