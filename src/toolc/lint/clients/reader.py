"""Profiles from their files: the ones that come with toolc, and a project's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cache
from typing import TypeVar

from toolc.builder.words import nearest, quoted
from toolc.lint.clients.kinds import KINDS, Field
from toolc.lint.clients.profile import Blast, Certainty, Effect, Limit, Profile
from toolc.loader import load
from toolc.model.diagnostic import Diagnostic
from toolc.model.document import Document, JsonObject, JsonValue, Pointer, SourceFile
from toolc.model.findings import Findings
from toolc_runtime.light import NamedTuple

_T = TypeVar("_T")
_E = TypeVar("_E", bound=Enum)

ALL = "all"
SUFFIX = ".toml"
UNUSABLE = "P611"
"""The code of whatever is wrong with a profile."""

_BLASTS = {blast.name.lower(): blast for blast in Blast}

_PROFILE_KEYS = ("title", "about", "extends", "limit")
_LIMIT_KEYS = (
    "kind", "blast", "effect", "looks", "certainty", "source", "date", "until", "note",
)  # fmt: skip


class UnknownClient(ValueError):  # noqa: N818
    """A name of no client; the text is what to say of it."""


class Loaded(NamedTuple):
    """Profiles, and what is wrong with those that could not be read."""

    profiles: tuple[Profile, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]
    """The texts that the diagnostics point into."""


def load_clients(names: Iterable[str], read: Callable[[str], SourceFile | None]) -> Loaded:
    """The profiles that these names mean, each once: clients' names, `all` for every one that comes
    with toolc, and paths of profiles, which end in `.toml`.

    `read` is asked for the text of such a file, and answers None where there is none.
    UnknownClient for a name that means nothing.
    """
    profiles: dict[str, Profile] = {}
    found: list[Diagnostic] = []
    sources: dict[str, SourceFile] = {}
    for name in names:
        if name == ALL:
            profiles.update((own, built_in(own)) for own in built_in_names())
        elif is_path(name):
            source = read(name)
            if source is None:
                raise UnknownClient(f"there is no profile {name}")
            sources[source.path] = source
            profile, problems = read_profile(source)
            found += problems
            if profile is not None:
                profiles[profile.name] = profile
        else:
            profiles[name] = built_in(name)
    return Loaded(tuple(profiles.values()), tuple(found), sources)


def is_path(name: str) -> bool:
    """Whether a client's name is the path of a profile."""
    return name.endswith(SUFFIX)


@cache
def built_in_names() -> tuple[str, ...]:
    """The clients that toolc has a profile of."""
    from importlib.resources import files

    rows = [row.name for row in files(__package__).iterdir() if row.name.endswith(SUFFIX)]
    return tuple(sorted(name.removesuffix(SUFFIX) for name in rows))


@cache
def built_in(name: str) -> Profile:
    """One of them; UnknownClient for any other name."""
    if name not in built_in_names():
        meant = nearest(name, built_in_names())
        hint = f'; "{meant}" is one' if meant else "; `toolc clients` lists them"
        raise UnknownClient(f'"{name}" is no client{hint}')
    profile, problems = read_profile(built_in_source(name))
    assert profile is not None, problems
    return profile


def built_in_source(name: str) -> SourceFile:
    """The text of a profile that comes with toolc."""
    from importlib.resources import files

    path = f"{name}{SUFFIX}"
    return SourceFile(path, files(__package__).joinpath(path).read_text("utf-8"))


def read_profile(source: SourceFile) -> tuple[Profile | None, tuple[Diagnostic, ...]]:
    """The profile in a TOML text, named after its file; None with what is wrong with it."""
    document, problems = load(source)
    if document is None:
        return None, problems
    findings = Findings(document)
    name = source.path.rpartition("/")[2].removesuffix(SUFFIX)
    profile = _Reader(document, findings).profile(name)
    return None if findings.has_errors else profile, (*problems, *findings)


class _Reader:
    """Reads one document; what it does not take, it reports and leaves out."""

    def __init__(self, document: Document, findings: Findings) -> None:
        self._document = document
        self._findings = findings

    def profile(self, name: str) -> Profile:
        raw = self._document.value
        assert isinstance(raw, dict)  # as every TOML document is
        self._refuse_unknown(raw, (), _PROFILE_KEYS, "of a profile")
        limits: list[Limit] = []
        extends = self._strings(raw, (), "extends")
        for at, other in enumerate(extends):
            try:
                limits += built_in(other).limits
            except UnknownClient as error:
                self._wrong(str(error), ("extends", at))
        rows = raw.get("limit", [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self._wrong('"limit" is a list of tables, each `[[limit]]`', ("limit",))
            rows = []
        for at, row in enumerate(rows):
            assert isinstance(row, dict)
            limit = self._limit(row, ("limit", at))
            if limit is not None:
                limits.append(limit)
        title, about = self._text(raw, (), "title"), self._text(raw, (), "about", "")
        return Profile(name, title, about, tuple(limits), extends)

    def _limit(self, row: JsonObject, pointer: Pointer) -> Limit | None:
        name = self._text(row, pointer, "kind")
        kind = KINDS.get(name)
        if kind is None:
            if name:
                meant = nearest(name, KINDS)
                hint = f'perhaps "{meant}"' if meant else "the kinds are " + ", ".join(KINDS)
                self._wrong(f'"{name}" is no kind of limit', (*pointer, "kind"), hint)
            return None
        own = [field.name for field in kind.fields]
        self._refuse_unknown(row, pointer, (*_LIMIT_KEYS, *own), f'of a limit of "{name}"')
        values = {
            field.name: value
            for field in kind.fields
            if (value := self._value(row, pointer, field)) is not None
        }
        return Limit(
            name,
            values,
            self._choice(row, pointer, "blast", _BLASTS),
            self._choice(row, pointer, "effect", _by_value(Effect)),
            self._choice(row, pointer, "certainty", _by_value(Certainty)),
            self._link(row, pointer),
            self._month(row, pointer, "date"),
            self._text(row, pointer, "looks", ""),
            self._month(row, pointer, "until") if "until" in row else "",
            self._text(row, pointer, "note", ""),
        )

    def _value(self, row: JsonObject, pointer: Pointer, field: Field) -> JsonValue:
        """What a row says of one of its kind's fields; None where it says nothing or a wrong thing."""
        if field.name not in row and not field.is_required:
            return None
        if field.form == "count":
            return self._count(row, pointer, field.name)
        if field.form == "texts":
            texts = self._strings(row, pointer, field.name, is_required=True)
            for at, text in enumerate(texts):
                if field.choices and text not in field.choices:
                    self._no_choice(text, (*pointer, field.name, at), field.choices)
            return list(texts)
        text = self._text(row, pointer, field.name)
        if field.choices and text and text not in field.choices:
            self._no_choice(text, (*pointer, field.name), field.choices)
        if field.form == "pattern":
            try:
                re.compile(text)
            except re.error as error:
                message = f'"{field.name}" is no regular expression: {error}'
                self._wrong(message, (*pointer, field.name))
                return ""
        return text

    def _count(self, row: JsonObject, pointer: Pointer, key: str) -> int:
        value = row.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
        self._wrong_or_missing(row, pointer, key, "a number of 0 or more")
        return 0

    def _text(self, row: JsonObject, pointer: Pointer, key: str, without: str | None = None) -> str:
        value = row.get(key, without)
        if isinstance(value, str) and (value or key not in row):
            return value
        self._wrong_or_missing(row, pointer, key, "a text")
        return ""

    def _strings(
        self, row: JsonObject, pointer: Pointer, key: str, *, is_required: bool = False
    ) -> tuple[str, ...]:
        value = row.get(key, None if is_required else [])
        if isinstance(value, list) and all(isinstance(text, str) for text in value):
            return tuple(map(str, value))
        self._wrong_or_missing(row, pointer, key, "a list of texts")
        return ()

    def _choice(self, row: JsonObject, pointer: Pointer, key: str, choices: Mapping[str, _T]) -> _T:
        text = self._text(row, pointer, key)
        if text and text not in choices:
            self._no_choice(text, (*pointer, key), tuple(choices))
        return choices.get(text) or next(iter(choices.values()))

    def _link(self, row: JsonObject, pointer: Pointer) -> str:
        text = self._text(row, pointer, "source")
        if text and not re.fullmatch(r"https?://\S+", text):
            self._wrong('"source" is a link to who says so', (*pointer, "source"))
        return text

    def _month(self, row: JsonObject, pointer: Pointer, key: str) -> str:
        text = self._text(row, pointer, key)
        if text and not re.fullmatch(r"\d{4}-(0[1-9]|1[0-2])", text):
            self._wrong(f'"{key}" is a month like "2026-09"', (*pointer, key))
        return text

    def _refuse_unknown(
        self, row: JsonObject, pointer: Pointer, known: tuple[str, ...], where: str
    ) -> None:
        for key in row:
            if key not in known:
                meant = nearest(key, known)
                hint = f'perhaps "{meant}"' if meant else "the keys are " + ", ".join(known)
                self._findings.add(
                    UNUSABLE, f'unknown key "{key}" {where}', (*pointer, key), key=True, hint=hint
                )

    def _no_choice(self, text: str, pointer: Pointer, choices: tuple[str, ...]) -> None:
        self._wrong(f'"{text}" is none of {", ".join(choices)}', pointer)

    def _wrong_or_missing(self, row: JsonObject, pointer: Pointer, key: str, expected: str) -> None:
        if key in row:
            self._wrong(f'"{key}" is {expected}, not {quoted(row[key])}', (*pointer, key))
        else:
            self._wrong(f'"{key}" is missing, {expected}', pointer)

    def _wrong(self, message: str, pointer: Pointer, hint: str = "") -> None:
        self._findings.add(UNUSABLE, message, pointer, hint=hint)


def _by_value(choices: type[_E]) -> dict[str, _E]:
    return {str(choice.value): choice for choice in choices}
