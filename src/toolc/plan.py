"""What a build would do to the disk: artefacts compared with what stands there. Nothing is written.

Who may change a file decides (`Owner`), and the files themselves say whose they are: a generated
module carries a digest of its own text, so that a clone, a merge or a CRLF checkout is never taken
for an edit by hand. Only a project's own outputs, which have no room for a header, have their
digests in the catalogue.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set

from toolc.generate.header import stamped_digest_is_valid, text_digest
from toolc.model.artifact import Action, Artifact, Change, Owner, Plan, Text, encode, read_text
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic, has_errors
from toolc.model.document import Site
from toolc_runtime.light import NamedTuple


class Standing(NamedTuple):
    """What stands on the disk, as far as a plan has to know it. Paths as in `Artifact.path`."""

    texts: Mapping[str, str] = {}
    """Of every artefact's path where a file stands, and of every other file that an earlier build
    may have written."""
    inputs: Collection[str] = ()
    """What the build read: sources, shared files, attachments, templates, the project file."""
    handlers: Mapping[str, str] = {}
    """From a contract's path to its handler's, for the handlers that stand."""
    digests: Mapping[str, Sequence[str]] = {}
    """What the last build recorded of the project's own outputs: `recorded_digests`."""
    settled: Collection[str] = ()
    """Further artefacts' paths: these stand as they should."""
    altered: Mapping[str, Text] = {}
    """toolc's data files that stand as the last build wrote them, and now have another text."""
    is_vetted: bool = False
    """Whether the last plan had the same paths, of artefacts and of inputs, and found no fault."""


def make_plan(
    artifacts: Sequence[Artifact],
    standing: Standing,
    folders: Collection[str],
    *,
    force: bool = False,
) -> Plan:
    """The changes that make the disk agree with `artifacts`, in their order, deletions last.

    `folders` are the only ones that may be written to, relative to the project (`.` is all of
    it). `force` also replaces generated files that were edited by hand; it never touches a
    handler nor a file that toolc did not write, and deletes nothing that was edited. With an error
    among the diagnostics there are no changes.
    """
    others: Set[str] = standing.texts.keys()
    if not standing.is_vetted or others:
        paths = [*(artifact.path for artifact in artifacts), *standing.settled]
        others = others - set(paths) - set(standing.inputs)
    if not standing.is_vetted:
        refusals = (*_path_faults(paths, folders), *_collisions(paths, standing.inputs))
        if has_errors(refusals):
            return Plan((), 0, refusals)
    changes: list[Change] = []
    diagnostics: list[Diagnostic] = []
    unchanged = len(standing.settled)
    for artifact in artifacts:
        if artifact.path in standing.altered:
            before_text = standing.altered[artifact.path]
            changes.append(
                Change(Action.UPDATE, artifact.path, before_text, artifact.text, artifact.owner)
            )
            continue
        before = standing.texts.get(artifact.path)
        if before is None:
            changes.append(
                Change(Action.CREATE, artifact.path, None, artifact.text, artifact.owner)
            )
        elif artifact.owner is Owner.HUMAN or _same_text(before, read_text(artifact.text)):
            unchanged += 1
        else:
            verdict = _may_rewrite(artifact, before, standing, force)
            if verdict.diagnostic is not None:
                diagnostics.append(verdict.diagnostic)
            if verdict.allowed:
                changes.append(
                    Change(Action.UPDATE, artifact.path, before, artifact.text, artifact.owner)
                )
    for path in sorted(others):
        verdict = _may_delete(path, standing)
        if verdict.diagnostic is not None:
            diagnostics.append(verdict.diagnostic)
        if verdict.allowed:
            owner = Owner.OUTPUT if path in standing.digests else Owner.CODE
            changes.append(Change(Action.DELETE, path, standing.texts[path], None, owner))
    return Plan(tuple(changes), unchanged, tuple(diagnostics))


def record_own_outputs(
    artifacts: Sequence[Artifact], standing: Standing, catalog_path: str, *, force: bool = False
) -> Sequence[Artifact]:
    """`artifacts`, whose catalogue then records only those of the project's outputs that are
    toolc's: written by this build, or standing with the very text.

    Of a file that stays as it is, what the last build recorded stays. A file that toolc never wrote
    is not recorded, and so no later build takes it for a stale output.
    """
    digests: dict[str, str] = {}
    is_any_kept = False
    for artifact in artifacts:
        if artifact.owner is not Owner.OUTPUT:
            continue
        path = artifact.path
        before = standing.texts.get(path)
        if (
            before is None
            or _same_text(before, read_text(artifact.text))
            or _may_rewrite(artifact, before, standing, force).allowed
        ):
            digests[path] = text_digest(read_text(artifact.text))
            continue
        is_any_kept = True
        for digest in standing.digests.get(path, ())[:1]:
            digests[path] = digest
    if not is_any_kept:
        return artifacts

    from toolc.generate.manifest import with_recorded_files

    return [
        artifact._replace(text=with_recorded_files(artifact.text, digests))
        if artifact.path == catalog_path
        else artifact
        for artifact in artifacts
    ]


def changed_tools(plan: Plan, catalog_path: str) -> int:
    """How many tools are new, or have another entry in the catalogue than the last build wrote."""
    for change in plan.changes:
        if change.path == catalog_path and change.after is not None:
            if not change.before:
                return sum(chunk.count(_ENTRY.encode()) for chunk in encode(change.after))
            before = {*_entries(change.before)}
            after = _entries(change.after)
            return sum(line not in before for line in after)
    return 0


_ENTRY = '": {"digest":"'
"""What stands once in a tool's line of a catalogue. Inside a text, quotes would be escaped."""


def _entries(catalog: Text) -> list[str]:
    """The lines of a catalogue that are a tool's."""
    lines = read_text(catalog).split("\n")
    return [line.rstrip(",\r") for line in lines if _ENTRY in line]


def _catalog_table(text: str, key: str) -> dict[str, object]:
    """One table of a catalogue; empty where the text holds none, whatever it is."""
    if not text:  # as in a first build, which so needs no `json`
        return {}

    import json

    try:
        catalog = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    table = catalog.get(key) if isinstance(catalog, dict) else None
    return table if isinstance(table, dict) else {}


# Whose a standing file is.


class _Verdict(NamedTuple):
    allowed: bool
    diagnostic: Diagnostic | None = None


_KEPT_EDITED = (
    "edited by hand, so it was kept",
    "move the edit into the definition or a template; `toolc build --force` writes the file anew",
)
_KEPT_FOREIGN = (
    "not written by toolc, so it was kept",
    "move or delete it, or have toolc write elsewhere: it has a file of its own for this place",
)
_KEPT_STALE = (
    "no definition asks for it any more, but it was edited by hand, so it was kept",
    "delete it when nothing in it is needed any more",
)
_KEPT_ORPHAN = (
    "its tool is gone; it was kept, and so was its contract",
    "delete it when nothing in it is needed any more; `toolc clean --orphans` deletes mere stubs",
)


def _finding(code: str, path: str, words: tuple[str, str]) -> Diagnostic:
    message, hint = words
    return Diagnostic(code, CODES[code].severity, message, Site(path), hint)


def _may_rewrite(artifact: Artifact, before: str, standing: Standing, force: bool) -> _Verdict:
    """Whether a file that stands with another text may be replaced."""
    path = artifact.path
    # An empty file holds nothing that could be lost.
    if artifact.owner is Owner.DATA or not before.strip():
        return _Verdict(True)
    is_own = is_own_text(path, artifact.owner, before, standing)
    if is_own or (is_own is False and force):
        return _Verdict(True)
    return _Verdict(
        False, _finding("G703", path, _KEPT_FOREIGN if is_own is None else _KEPT_EDITED)
    )


def _may_delete(path: str, standing: Standing) -> _Verdict:
    """Whether a file that no artefact stands for any more may go."""
    owner = Owner.OUTPUT if path in standing.digests else Owner.CODE
    is_own = is_own_text(path, owner, standing.texts[path], standing)
    if is_own is None:
        return _Verdict(False)
    if path in standing.handlers:
        return _Verdict(False, _finding("G704", standing.handlers[path], _KEPT_ORPHAN))
    if is_own:
        return _Verdict(True)
    return _Verdict(False, _finding("G703", path, _KEPT_STALE))


def is_own_text(path: str, owner: Owner, text: str, standing: Standing) -> bool | None:
    """Whether a text is toolc's to the letter; None where it was never toolc's at all.

    A file with git's conflict markers in it is nobody's text. If toolc wrote both sides it is
    toolc's, since a rebuild is how such a conflict is resolved.
    """
    sides = conflict_sides(text)
    if owner is Owner.OUTPUT:
        recorded = standing.digests.get(path)
        if recorded is None:
            return None
        return sides is not None or text_digest(text) in recorded
    if sides is not None and all(stamped_digest_is_valid(side) is not None for side in sides):
        return True
    return stamped_digest_is_valid(text)


def _same_text(one: str, other: str) -> bool:
    """Equal but for line ends: a checkout with CRLF is no change."""
    return one == other or one.replace("\r\n", "\n") == other.replace("\r\n", "\n")


def recorded_digests(catalog_text: str) -> dict[str, tuple[str, ...]]:
    """From a catalog's `files`: path -> digests. Both sides' where the catalog is in a conflict.

    Whatever cannot be read comes to nothing recorded: the files are then kept.
    """
    found: dict[str, tuple[str, ...]] = {}
    for text in conflict_sides(catalog_text) or (catalog_text,):
        for path, digest in _catalog_table(text, "files").items():
            found[path] = (*found.get(path, ()), str(digest))
    return found


def conflict_sides(text: str) -> tuple[str, str] | None:
    """A file that git left in a conflict, as either side has it; None where there is no conflict.

    The base that `merge.conflictStyle = diff3` writes between the sides is left out of both.
    """
    if "<<<<<<< " not in text:
        return None
    sides: tuple[list[str], list[str]] = ([], [])
    into: tuple[list[str], ...] = sides
    conflicts = 0
    for line in text.replace("\r\n", "\n").split("\n"):
        if line.startswith("<<<<<<< "):
            into = sides[:1]
            conflicts += 1
        elif line.startswith("||||||| ") and into == sides[:1]:
            into = ()
        elif line == "=======" and len(into) < 2:
            into = sides[1:]
        elif line.startswith(">>>>>>> ") and len(into) < 2:
            into = sides
        else:
            for side in into:
                side.append(line)
    return ("\n".join(sides[0]), "\n".join(sides[1])) if conflicts else None


# Where an artefact may go.

_UNPORTABLE = frozenset('<>:"|?*\\\x7f').union(map(chr, range(0x20)))
_RESERVED_NAMES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{digit}" for port in ("com", "lpt") for digit in "0123456789¹²³"]
)
"""Device names of Windows, which has them with any suffix too."""


def _path_faults(paths: Iterable[str], folders: Collection[str]) -> Iterator[Diagnostic]:
    hint = "output paths stay inside " + " or ".join(f"`{folder}`" for folder in folders)
    sound: set[str] = set()
    for path in paths:
        folder, _, name = path.rpartition("/")
        if folder not in sound and folder and not path_fault(folder, folders):
            sound.add(folder)
        fault = _part_fault(name) if folder in sound else path_fault(path, folders)
        if fault:
            words = (f'the output path "{path}" {fault}', hint)
            yield _finding("G702", path, words)


def path_fault(path: str, folders: Collection[str]) -> str:
    """What is wrong with a path for an output, as the rest of a sentence; empty where nothing is.

    The rules are those of all file systems together, so that a project builds alike on each.
    """
    if path.startswith("/") or (path[1:2] == ":" and path[0].isascii() and path[0].isalpha()):
        return "is absolute"
    for part in path.split("/"):
        fault = _part_fault(part)
        if fault:
            return fault
    if not any(is_within(path, folder) for folder in folders):
        return "is outside the folders that this project writes to"
    return ""


def _part_fault(part: str) -> str:
    if part == "..":
        return "leaves its folder with `..`"
    if part in ("", "."):
        return "has an empty part"
    if not _UNPORTABLE.isdisjoint(part):
        return "holds a character that not every file system can store"
    if part.endswith((".", " ")) or part.partition(".")[0].lower() in _RESERVED_NAMES:
        return f'holds "{part}", a name that Windows reserves or changes'
    return ""


def is_within(path: str, folder: str) -> bool:
    """Whether a POSIX path is `folder` or lies below it, compared by whole parts: `out-old/a` is
    not within `out`. Both are relative to the same place; `.` holds everything."""
    return folder in ("", ".") or path == folder or path.startswith(folder.rstrip("/") + "/")


def _collisions(paths: Sequence[str], inputs: Iterable[str]) -> Iterator[Diagnostic]:
    """Two artefacts that are one file on some file system, or that would overwrite an input."""
    sources = {_folded(path): path for path in inputs}
    folders = _parents(paths)
    taken: dict[str, str] = {}
    for path in paths:
        folded = _folded(path)
        if folded in sources:
            message = f'the output "{path}" would overwrite "{sources[folded]}", which is read'
            yield _finding("G701", path, (message, "write it to another folder"))
        other = taken.get(folded) or folders.get(folded)
        taken[folded] = path
        if other is None:
            continue
        message = f'two outputs have the path "{path}"'
        if other != path:
            message = f'the outputs "{other}" and "{path}" cannot stand side by side'
        hint = "give them paths that differ in more than case, or rename a tool"
        yield _finding("G701", path, (message, hint))


def _parents(paths: Iterable[str]) -> dict[str, str]:
    """From every folder that the paths need, folded, to the first path that needs it."""
    parents: dict[str, str] = {}
    for path in paths:
        folder = _folded(path).rpartition("/")[0]
        while folder and folder not in parents:
            parents[folder] = path
            folder = folder.rpartition("/")[0]
    return parents


def _folded(path: str) -> str:
    """One key for all the paths that some file system takes for the same file."""
    if path.isascii():
        return path.lower()

    import unicodedata

    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())
