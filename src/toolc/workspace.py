"""A project between builds: what its files came to, and what of that has to be made anew.

A build compiles what differs from the last one, joins it with what that one left, and plans. The
result is that of a build from nothing, byte for byte; only the work is less. What is kept stands in
memory while `toolc watch` runs, and in `.toolc_cache/` otherwise.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from toolc import cache, compiling, driver, files, pipeline
from toolc.cache import LineStore, StoreBroken
from toolc.compiling import Settings
from toolc.driver import Opened, Reader
from toolc.generate.header import text_digest
from toolc.kept import (
    KeptLines,
    KeptPieces,
    KeptTool,
    KeptUnit,
    Units,
    prompts_from,
    prompts_row,
    spooled,
)
from toolc.model.artifact import Action, Artifact, JoinedLines, Owner, Plan
from toolc.model.diagnostic import Diagnostic, Prompts, has_errors, in_order
from toolc.model.digest import text_sha256
from toolc.model.document import Document, Site, SourceFile
from toolc.model.piece import Piece, Unit
from toolc.model.project import CATALOG_FILE, DATA_FILES, Project
from toolc.model.shared import NOTHING_SHARED, Shared
from toolc.plan import Standing, changed_tools, make_plan, record_own_outputs, recorded_digests
from toolc.snapshot import (
    NO_STAT,
    Changes,
    Listing,
    Looked,
    Stat,
    State,
    is_older,
    list_folder,
    look,
    names_in,
    read_index,
    read_state,
    state_stat,
    write_state,
)
from toolc.table import FileTable, Known
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from concurrent.futures import Executor
    from typing import Any, TypeVar

    Call = TypeVar("Call", bound=Callable[..., Any])

    from toolc.generate.templates import Render

_KNOWN, _ALTERED, _UNSURE = 0, 1, 2
"""Of a file that is made of all tools: it is what the last build wrote; it is another for sure; it
may be another. The last of these that holds is what counts."""

_TICK = 20_000_000
"""Nanoseconds by which a file system's clock may be behind: what was written so shortly before it
was read may have been written again since, and look the same."""


_HIDDEN = b'"discoverable":true'
_PROMPT = b'"prompt":'
"""What the lines of hidden tools, and of tools with a prompt, have in the catalogue; within a text, the
quotes would be escaped."""


class Stages:
    """What is told when a stage of a build begins and ends, and how much it had to do.

    A stage lasts as long as its `with` block, but for those that begin within it. This object does
    nothing with it; `toolc build --profile` has one with a clock.
    """

    def __call__(self, name: str) -> Stages:
        return self

    def __enter__(self) -> None:
        return

    def __exit__(self, *_: object) -> None:
        return

    def timed(self, _name: str, call: Call) -> Call:
        """`call`, each time as a stage."""
        return call

    def count(self, what: str, number: int) -> None:
        return


class Built(NamedTuple):
    """What a build came to, and what writing it would change."""

    root: str
    project: Project
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]
    """The texts of the files in which there is something to show."""
    tools: int
    files: int
    plan: Plan
    changed: int
    """How many tools are new, or not what the last build wrote of them."""
    reasons: Mapping[str, str]
    """Why a file was compiled, for those that were."""
    prompts: Prompts = Prompts()
    """What came of the prompts, if they were asked; its diagnostics are among `diagnostics`."""


def open_workspace(
    root: str,
    *,
    use_cache: bool = True,
    clock: Callable[[], int],
    executor: Executor | None = None,
    stages: Stages | None = None,
    looked: Looked | None = None,
) -> tuple[Workspace, Changes | None, int]:
    """A project's workspace with what the last build left, where the disk has changed since (None:
    everything is to be looked at), and when that was found out: `clock` tells the time in ns.
    `looked` is what has been seen of it just now, if anything has."""
    workspace = Workspace(root, use_cache=use_cache, executor=executor, stages=stages)
    now = clock()
    return workspace, workspace.refresh(looked), now


class Workspace:
    """One project, with what is known of it. Not for several threads."""

    def __init__(
        self,
        root: str,
        *,
        use_cache: bool = True,
        executor: Executor | None = None,
        stages: Stages | None = None,
    ) -> None:
        """`executor` compiles the files; without one, this process does, and where there are very
        many of them, processes of its own."""
        self.root = root
        self._has_folder = cache.make_folder(root) if use_cache else cache.has_folder(root)
        """Whether there is a place for the lock and the journal."""
        self._is_kept = use_cache and self._has_folder
        """Whether the next build is to know what this one does."""
        self._executor = executor
        self._stages = stages or Stages()
        self._project = Project()
        self._number = 0
        self._store = LineStore()
        self._taken = 0
        self._state_stat = NO_STAT
        """What the file of the state was like that was read or written last."""
        self._is_overtaken = False
        """Whether another build has been at work since."""
        self.has_written = False
        """Whether the last commit moved anything to its place."""
        self._begin()

    def _begin(self) -> None:
        """Know nothing of the project."""
        self._units = Units(LineStore())
        self._inputs = FileTable()
        self._outputs = FileTable()
        self._folders: dict[str, Listing | None] = {}
        """The source folders, as they were listed last."""
        self._template_names: dict[str, Listing | None] = {}
        """The same of the folder of templates."""
        self._paths: tuple[str, ...] = ()
        self._shared_paths: tuple[str, ...] = ()
        self._prunes = True
        """Whether there may be inputs that nothing depends on any more."""
        self._search_problems: tuple[Diagnostic, ...] = ()
        self._pending: dict[str, tuple[Artifact, ...]] = {}
        """By definition: its tools' files, as long as they could not be written."""
        self._changed: dict[str, KeptTool | None] = {}
        """The tools that are not yet written as they are, and what was written of them, if anything
        was."""
        self._settings = ""
        self._shared_digests: dict[str, str] = {}
        self._data = self._package = _UNSURE
        """Whether the files that are made of all tools, the JSON ones and those of the package, are
        as the last build wrote them."""
        self._is_linked = False
        """Whether the tools' names are known to go together."""
        self._prompts: Prompts | None = None
        """What came of the prompts; None where they have to be asked anew."""
        self._is_vetted = False
        """Whether the paths of all outputs are known to go together, and with the inputs'."""
        self._looks_for_strays = True
        """Whether files may stand that nothing asks for any more."""
        self._is_first = True
        """Whether nothing is known of what the last build wrote."""
        self._made: dict[str, Artifact] = {}
        """What the last plan was made of, and those of its digests that are known."""
        self._digests: dict[str, str] = {}
        self._recorded: Mapping[str, tuple[str, ...]] = {}
        """The digests of the project's own outputs, as the last plan found them recorded."""
        self._standing_stats: dict[str, Stat] = {}
        self._pieces: KeptPieces | None = None
        """The tools of all units; None where they have to be gathered anew."""
        self._listed: dict[str, Listing | None] = {}
        """The folders of outputs, as they were listed last, as long as no build changed them."""

    # From one build to the next

    def refresh(self, looked: Looked | None = None) -> Changes | None:
        """Take what the last build left, and say where the disk has changed since; None where
        nothing can be taken, and so everything is to be looked at."""
        self._is_overtaken = False
        self._state_stat = state_stat(self.root)
        with self._stages("looking"):
            if not self._is_kept:
                looked = None
            elif looked is None or looked.root != self.root:
                state = read_state(self.root)
                looked = None if state is None else Looked(self.root, state, look(self.root, state))
            if looked is not None and self._load(looked.state):
                self._state_stat = looked.state.stat
                return looked.changes
        self._begin()
        return None

    def _load(self, state: State) -> bool:
        """Take what the last build left; whether it could be used."""
        self._begin()
        self._store.close()
        self._store = LineStore()
        try:
            index = marshal.loads(read_index(self.root, state) or b"")
            (number, identity, known, paths, folders, inputs, outputs, units, pieces, prompts) = (
                index
            )
            store = LineStore(cache.lines_place(self.root, number), identity)
            count, *columns = inputs
            read, written = state.files.split(count)
            self._inputs = FileTable(read, columns)
            self._outputs = FileTable(written, outputs)
            self._units = Units(store, units)
            self._pieces = None if pieces is None else KeptPieces(store, pieces)
        except (OSError, ValueError, EOFError, TypeError):
            return False
        self._number, self._store = number, store
        self._prompts = prompts_from(prompts)
        self._settings, self._shared_digests, *flags = known
        self._data, self._package = flags[:2]
        self._is_linked, self._is_vetted, self._looks_for_strays = flags[2:]
        self._is_first = False
        self._paths = tuple(paths.split("\0")) if paths else ()
        self._shared_paths = tuple(filter(pipeline.is_shared_file, self._paths))
        self._folders = {path: state.folders.get(path) for path in folders}
        self._listed = dict(state.folders)
        return True

    def save(self, built: Built) -> None:
        """Keep what is known for the next build. Whatever goes wrong, there is no cache then.

        What a build with errors came to is not kept: the state of the outputs is older than it.
        """
        if not self._is_kept or has_errors((*built.diagnostics, *built.plan.diagnostics)):
            return
        try:
            with self._stages("keeping"):
                self._save(built)
        except (OSError, ValueError, StoreBroken):
            self._is_kept = False

    def _save(self, built: Built) -> None:
        from toolc.report.summary import about_prompts, up_to_date

        self._compact()
        is_done = not (
            built.diagnostics
            or built.plan.diagnostics
            or self._pending
            or self._data
            or self._package
            or self._looks_for_strays
            or (self._units.hiding and self._prompts is None)
        )
        folders = {**self._folders, **self._template_names}
        for folder in _output_folders(built.project):
            if folder not in self._listed:
                self._listed[folder] = list_folder(os.path.join(self.root, folder))
            folders.setdefault(folder, self._listed[folder])
        index: tuple[Any, ...] = (
            self._number,
            self._store.identity,
            (
                self._settings,
                self._shared_digests,
                _UNSURE if self._pending else self._data,
                _UNSURE if self._pending else self._package,
                self._is_linked,
                self._is_vetted and not self._pending,
                self._looks_for_strays or bool(self._pending),
            ),
            "\0".join(self._paths),
            tuple(self._folders),
            (len(self._inputs), *self._inputs.row),
            self._outputs.row,
            self._units.without(self._pending).row(),
            None if self._pending else self._gathered().row(),
            prompts_row(self._prompts),
        )
        line = up_to_date(built.tools, built.files) if is_done else ""
        if is_done and built.prompts.number:
            line = f"{about_prompts(*built.prompts[:2])}\n{line}"
        state = State(built.project.path, line, folders, self._inputs.files + self._outputs.files)
        write_state(self.root, state, marshal.dumps(index))
        self._state_stat = state_stat(self.root)
        cache.remove_other_lines(self.root, self._number)

    def _begin_store(self) -> LineStore:
        """A new store, in the cache folder if that can be used."""
        while self._is_kept:
            self._number += 1
            try:
                return LineStore(cache.lines_place(self.root, self._number))
            except FileExistsError:
                continue
            except OSError:
                self._is_kept = False
        return LineStore()

    def _compact(self) -> None:
        """Leave behind the lines that nothing needs any more, if they are most of the store."""
        if self._store.size < 2 * (self._gathered().size + self._units.size) + 2**20:
            return
        old, self._store = self._store, self._begin_store()
        units, self._units = self._units, Units(self._store)
        for unit in units.values():
            moved = [
                tool._replace(
                    at=self._store.append(bytes(old.read(tool.at, tool.at + sum(tool.sizes))))
                )
                for tool in unit.tools
            ]
            self._units.put(unit._replace(tools=tuple(moved)), None)
        self._pieces = None
        old.close()

    def _gathered(self) -> KeptPieces:
        """The tools of all units."""
        if self._pieces is not None:
            return self._pieces
        pieces = KeptPieces.of(self._units, self._store)
        if (
            len(pieces) == self._units.tools
        ):  # otherwise two have the same name, and one is left out
            self._pieces = pieces
        return pieces

    @property
    def definitions(self) -> tuple[str, ...]:
        """The definition files that are tools', as they were found last."""
        return tuple(path for path in self._paths if path not in self._shared_paths)

    # What `watching` has to know

    @property
    def output_folders(self) -> tuple[str, ...]:
        """The folders in which outputs and handlers stand, as the last build had them."""
        return _output_folders(self._project)

    @property
    def handlers_folder(self) -> str:
        """Where the authors' handlers are; empty where there are none."""
        return self._project.python.handlers if self._project.python.enabled else ""

    def watched_folders(self) -> set[str]:
        """Every folder in which something may happen that matters; the project's own is empty."""
        folders = {path.rpartition("/")[0] for path in (*self._inputs, *self._outputs)}
        folders.update("" if folder == "." else folder for folder in self._folders)
        folders.update(self.output_folders)
        folders.update(source for source in self._project.sources if source not in self._inputs)
        folders.update(("", self._project.output, self._project.templates or ""))
        return folders

    @property
    def source_folders(self) -> Collection[str]:
        """The folders that were searched for definitions."""
        return self._folders.keys()

    @property
    def files_version(self) -> tuple[int, int]:
        """Another value after each change of which files a build reads and writes."""
        return self._inputs.version, self._outputs.version

    def linked_inputs(self) -> dict[str, list[str]]:
        """The inputs that are links, and those that lead nowhere, by the real place of the file."""
        links: dict[str, list[str]] = {}
        broken = (found.path for found in self._search_problems)
        for path in sorted({*self._inputs, *filter(None, broken)}):
            place = os.path.join(self.root, path)
            if os.path.islink(place):
                links.setdefault(os.path.realpath(place), []).append(path)
        return links

    def stat_of(self, path: str) -> Stat | None:
        """What an input or an output was like when it was last seen; None for any other file."""
        return self._inputs.stat(path) or self._outputs.stat(path)

    def look(self) -> Changes:
        """Compare the whole project with what was seen of it last."""
        folders = {**self._folders, **self._template_names}
        seen = self._inputs.files + self._outputs.files
        state = State("", "", folders, seen, (2**63, 0, 0, 0))
        changes = look(self.root, state)
        if self._search_problems or not self._inputs:
            changes.folders.add(".")  # something was not there, and may be now
        return changes

    def lock(self, waiting: Callable[[], None] = lambda: None) -> cache.Lock:
        """Keep other builds of the project from the disk, as long as the lock is held; `waiting` is
        called if one is at it. What a killed build left behind is removed."""
        lock = cache.Lock(self.root)
        if self._has_folder and lock.acquire(waiting):
            journal = cache.read_journal(self.root)
            files.remove_leftovers(self.root, journal.folders, journal.process)
        self._is_overtaken = self._is_kept and (
            lock.has_waited or state_stat(self.root) != self._state_stat
        )
        return lock

    # A build

    def build(
        self, opened: Opened, changes: Changes | None = None, *, force: bool = False, now: int = 0
    ) -> Built:
        """Compile what has to be compiled, and plan; nothing of the project's is written.

        `changes` is where the disk may differ from what the last build saw; None is anywhere. `now`
        is the time at which that was found out, in ns. Where another build has been at work since,
        what that one left is taken instead.
        """
        if self._is_overtaken:
            changes = self.refresh()
        try:
            return self._build(opened, changes, force=force, now=now)
        except StoreBroken:
            self._begin()
            return self._build(opened, None, force=force, now=now)

    def _build(self, opened: Opened, changes: Changes | None, *, force: bool, now: int) -> Built:
        self._taken = now
        for folder in list(self._listed) if changes is None else changes.folders:
            self._listed.pop(folder, None)
        project, stages = opened.project, self._stages
        reader = Reader(self.root, stages.timed("reading", files.read_input))
        self._project = project
        self._template_names = {
            folder: list_folder(os.path.join(self.root, folder))
            for folder in ([] if project.templates is None else [project.templates or "."])
        }
        overrides = driver.read_templates(self.root, project, reader)
        problems = [*opened.diagnostics, *reader.problems]
        reasons: dict[str, str] = {}
        if self._take_settings(project, overrides):
            changes = None
        render = driver.renderer(overrides)
        with stages("looking"):
            searched = self._find_sources(project, changes)
            problems += self._search_problems
            shared, found = self._read_shared(project, reader)
            problems += found
            if searched or len(self._paths) - len(self._shared_paths) != len(self._units):
                self._find_new(reasons)
            self._find_outdated(project, shared, reader, changes, reasons)
        with stages("compiling"):
            settings = Settings(project, shared, overrides, render)
            self._compile(tuple(reasons), settings, reader)
        with stages("joining"):
            self._note_inputs(opened, reader)
            diagnostics = self._link(reader, problems)
        stages.count("read", len(reader.inputs))
        stages.count("compiled", len(reasons))
        wanted = len(self._paths) - len(self._shared_paths)
        if not wanted and not has_errors(diagnostics):
            diagnostics = (*diagnostics, driver.no_tools(project))
        plan = Plan((), 0)
        if not has_errors(diagnostics):
            with stages("joining"):
                made, found = self._make(project, overrides, render)
            diagnostics = pipeline.without_repeats(in_order([*diagnostics, *found]))
            if not has_errors(diagnostics):
                with stages("planning"):
                    plan = self._plan(project, made, force=force)
        return Built(
            self.root,
            project,
            diagnostics,
            self._shown_sources(opened, (*diagnostics, *plan.diagnostics), reader),
            self._units.tools,
            wanted,
            plan,
            self._count_changed(plan, project),
            reasons,
        )

    def ask_prompts(self, built: Built) -> Built:
        """The same build with what comes of the prompts, where a tool is hidden.

        It takes a search for each, unless nothing has changed since they were asked last.
        """
        if not self._units.hiding or has_errors((*built.diagnostics, *built.plan.diagnostics)):
            return built
        reader = Reader(self.root)
        if self._prompts is None:
            try:
                with self._stages("asking"):
                    self._prompts = self._ask(built.project, reader)
            except StoreBroken:
                return built  # the next build compiles everything, and asks
        for path in {found.path for found in self._prompts.diagnostics}:
            reader.read(path)
        return built._replace(
            diagnostics=in_order((*built.diagnostics, *self._prompts.diagnostics)),
            sources={**built.sources, **reader.sources},
            prompts=self._prompts,
        )

    def _ask(self, project: Project, reader: Reader) -> Prompts:
        import json

        from toolc.check.discovery import Asked, check_prompts, searchable_of_entry

        pieces = self._gathered()
        entries = pieces.lines("entry")
        if not any(_PROMPT in entry for entry in entries):
            return Prompts()
        tools = []
        for wire, entry in zip(pieces.lines("wire"), entries, strict=True):
            ((_, facts),) = json.loads(b"{" + entry + b"}").items()
            tools.append(searchable_of_entry(json.loads(wire), facts))

        hidden: dict[str, KeptTool] = {}
        documents: dict[str, Document | None] = {}

        def place(asked: Asked) -> Site | None:
            if not hidden:
                units = [self._units[path] for path in self._units.hiding]
                hidden.update((tool.name, tool) for unit in units for tool in unit.tools)
            tool = hidden[asked.tool]
            if tool.path not in documents:
                reader.read(tool.path)
                documents[tool.path] = reader.document(tool.path)
            return driver.prompt_site(documents[tool.path], tool, asked)

        return check_prompts(tools, project.server.ranking, place)

    def _take_settings(self, project: Project, overrides: Mapping[str, str]) -> bool:
        """Whether the settings or templates are not those that everything was compiled with."""
        settings = text_sha256(repr((project, sorted(overrides.items()))))
        is_other = settings != self._settings
        if is_other:
            self._settings = settings
            self._pending.clear()
            self._is_vetted, self._is_first, self._looks_for_strays = False, True, True
            self._store.close()
            self._store = self._begin_store()
            self._units, self._pieces = Units(self._store), KeptPieces(self._store)
            self._outdate(_UNSURE, _UNSURE)
            self._is_linked = False
        return is_other

    def _find_sources(self, project: Project, changes: Changes | None) -> bool:
        """Search the sources again, if something may have come or gone; whether that was done."""
        if changes is not None and not self._search_problems:
            known = self._folders.keys() & changes.folders
            lost = (path for path in changes.files if path in self._inputs)
            if not known and all(os.path.isfile(os.path.join(self.root, path)) for path in lost):
                return False
        found = driver.find_sources(self.root, project)
        self._paths, self._search_problems = found.paths, found.problems
        self._shared_paths = tuple(filter(pipeline.is_shared_file, found.paths))
        self._prunes = True
        self._folders = dict(found.folders)
        return True

    def _read_shared(
        self, project: Project, reader: Reader
    ) -> tuple[Shared, tuple[Diagnostic, ...]]:
        """The shared definitions: there are few of them, and they are read each time."""
        if not self._shared_paths:
            return NOTHING_SHARED, ()
        known = len(reader.problems)
        sources = [
            source for path in self._shared_paths if (source := reader.read(path)) is not None
        ]
        shared, problems = pipeline.compile_shared(sources, project)
        return shared, (*reader.problems[known:], *problems)

    def _find_new(self, reasons: dict[str, str]) -> None:
        """Fill `reasons` with the definitions that nothing is kept of, and forget those that
        went."""
        wanted = set(self._paths).difference(self._shared_paths)
        for path in [path for path in self._units if path not in wanted]:
            self._forget(path)
        for path in self._paths:
            if path in wanted and path not in self._units:
                reasons[path] = (
                    "new" if path not in self._inputs else "not kept from the last build"
                )

    def _find_outdated(
        self,
        project: Project,
        shared: Shared,
        reader: Reader,
        changes: Changes | None,
        reasons: dict[str, str],
    ) -> None:
        """Fill `reasons` with the definitions that have to be compiled again."""
        changed = set(self._inputs) if changes is None else changes.files
        for path in changed:
            if path in self._units:
                reader.data(path)
                if reader.seen[path].digest != self._units[path].digest:
                    reasons[path] = "changed"
        self._follow_shared(shared, reader, reasons)
        self._follow_attachments(changed, reader, reasons)
        if changes is None or changes.folders & set(_output_folders(project)):
            self._looks_for_strays = True
        self._follow_outputs(project, changes, reasons)

    def _follow_shared(self, shared: Shared, reader: Reader, reasons: dict[str, str]) -> None:
        digests = pipeline.shared_digests(shared)
        # Findings name places in the shared files, wherever they move there.
        everything = "".join(
            reader.seen[path].digest for path in self._shared_paths if path in reader.seen
        )
        digests["*"] = text_sha256(everything) if everything else ""
        if digests == self._shared_digests:
            return
        before, self._shared_digests = self._shared_digests, digests
        for path in sorted(self._units.using | self._units.diagnosed):
            unit = self._units[path]
            names = (*unit.uses, "*") if unit.diagnostics else unit.uses
            for name in names:
                if digests.get(name) != before.get(name):
                    what = "the shared definitions" if name == "*" else name.replace(":", " ")
                    reasons.setdefault(path, f"{what} changed")

    def _follow_attachments(
        self, changed: Iterable[str], reader: Reader, reasons: dict[str, str]
    ) -> None:
        candidates = {path for path in changed if path not in self._units and path in self._inputs}
        if not candidates:
            return
        for path in sorted(self._units.attached):
            for attachment in self._units[path].attachments:
                if attachment in candidates:
                    if attachment not in reader.seen:
                        reader.data(attachment)
                    if reader.seen[attachment].digest != self._inputs[attachment].digest:
                        reasons.setdefault(path, f"{attachment} changed")

    def _follow_outputs(
        self, project: Project, changes: Changes | None, reasons: dict[str, str]
    ) -> None:
        """Where an output is missing or was edited, what it is made of has to be made again."""
        candidates = self._outputs if changes is None else changes.files
        lost = {path for path in candidates if path in self._outputs}
        standing = files.StandingFiles(self.root, lost)
        for path in list(lost):
            text = standing.get(path)
            known = self._outputs[path]
            if text is not None and text_digest(text) == known.digest:
                self._outputs[path] = known._replace(stat=self._trusted(standing.stats[path]))
                lost.discard(path)
            else:
                self._outputs.drop(path)
        handlers = project.python.handlers if project.python.enabled else None
        names: frozenset[str] | None = None
        if handlers is not None and (changes is None or handlers in changes.folders):
            names = frozenset(names_in(list_folder(os.path.join(self.root, handlers))))
            if "__init__.py" not in names:
                self._outdate(_KNOWN, _UNSURE)
        elif not lost:
            return
        for unit in self._units.values():
            for tool in unit.tools:
                for file in tool.files:
                    folder, _, name = file.rpartition("/")
                    if file in lost:
                        reasons.setdefault(unit.path, f"{file} is missing or was edited")
                        lost.discard(file)
                    elif names is not None and folder == handlers and name not in names:
                        reasons.setdefault(unit.path, f"{file} is missing")
        if lost:
            self._outdate(_UNSURE, _UNSURE)

    def _forget(self, path: str) -> None:
        for tool in self._units[path].tools:
            if self._pieces is not None:
                self._pieces.drop(tool.name)
        self._units.drop(path)
        self._pending.pop(path, None)
        self._outdate(_UNSURE, _UNSURE)
        self._is_linked, self._looks_for_strays = False, True

    def _outdate(self, data: int, package: int) -> None:
        if data:
            self._prompts = None
        self._data, self._package = max(self._data, data), max(self._package, package)

    # Compiling

    def _compile(self, paths: Sequence[str], settings: Settings, reader: Reader) -> None:
        spool = self._begin_spool() if len(paths) >= compiling.MANY else None
        units = compiling.compile_files(paths, settings, reader, self._executor)
        try:
            for unit in units:
                known = reader.seen.pop(unit.path)
                self._take(unit, known.digest, spool)
                self._note_input(unit.path, known)
        finally:
            units.close()  # and with it the processes, if there are any

    def _begin_spool(self) -> LineStore:
        """A store for texts that are to be written soon, and would fill the memory until then."""
        if self._is_kept:
            place = cache.lines_place(self.root, 0)
            try:
                if os.path.lexists(place):
                    os.unlink(place)
                return LineStore(place)
            except OSError:
                pass
        return LineStore()

    def _take(self, unit: Unit, digest: str, spool: LineStore | None) -> None:
        """Keep what a definition came to."""
        before = self._units.get(unit.path)
        old = {tool.name: tool for tool in before.tools} if before is not None else {}
        kept = tuple([self._keep(piece, old.get(piece.name)) for piece in unit.tools])
        if before is None or [tool[:4] for tool in before.tools] != [tool[:4] for tool in kept]:
            self._is_linked = False
        if before is None or len(old) != len(kept):
            self._outdate(_UNSURE, _UNSURE)
        hides = any(_HIDDEN in piece.lines.entry for piece in unit.tools)
        now = KeptUnit(
            unit.path, digest, kept, unit.diagnostics, unit.attachments, unit.uses, hides
        )
        if self._prompts is not None and any(
            found.path == unit.path for found in self._prompts.diagnostics
        ):
            self._prompts = None  # the prompts may stand elsewhere in the file
        self._units.put(now, before)
        self._gather(old, kept)
        if before is not None and before.attachments != unit.attachments:
            self._prunes = True
        artifacts = [artifact for piece in unit.tools for artifact in piece.artifacts]
        known = {file for tool in old.values() for file in tool.files}
        self._is_vetted = self._is_vetted and all(one.path in known for one in artifacts)
        if known and known - {one.path for one in artifacts}:
            self._looks_for_strays = True
        if artifacts:
            if spool is not None:
                artifacts = [spooled(artifact, spool) for artifact in artifacts]
            self._pending[unit.path] = tuple(artifacts)
        else:
            self._pending.pop(unit.path, None)

    def _gather(self, old: Mapping[str, KeptTool], kept: Sequence[KeptTool]) -> None:
        """Have a definition's tools in the place of those that it had."""
        if self._pieces is None:
            return
        for name in old.keys() - {tool.name for tool in kept}:
            self._pieces.drop(name)
        for tool in kept:
            if not self._pieces.put(tool) and tool.name not in old:
                self._pieces = None  # two tools of one name: linking will say so
                return

    def _keep(self, piece: Piece, before: KeptTool | None) -> KeptTool:
        old = None if before is None else self._read_lines(before)
        if before is not None and old == piece.lines:
            at = before.at
        else:
            at = self._store.append(b"".join(piece.lines))
            self._changed.setdefault(piece.name, before)
            if old is None:
                self._outdate(_UNSURE, _UNSURE)
            else:
                self._outdate(
                    _ALTERED if old[:3] != piece.lines[:3] else _KNOWN,
                    _UNSURE if old[3:] != piece.lines[3:] else _KNOWN,
                )
        return KeptTool(
            piece.name,
            piece.path,
            piece.pointer,
            piece.aliases,
            piece.tags,
            at,
            tuple(map(len, piece.lines)),
            tuple([artifact.path for artifact in piece.artifacts]),
        )

    def _read_lines(self, tool: KeptTool) -> tuple[bytes | bytearray, ...]:
        at, lines = tool.at, []
        for size in tool.sizes:
            lines.append(self._store.read(at, at + size))
            at += size
        return tuple(lines)

    def _note_inputs(self, opened: Opened, reader: Reader) -> None:
        """Remember every file that the build depends on, and no other."""
        for path, known in reader.seen.items():
            self._note_input(path, known)
        if opened.project.path:
            self._note_input(opened.project.path, Known(opened.stat))
        if self._prunes:
            self._prunes = False
            wanted = {*self._paths, *reader.seen, opened.project.path}
            for path in self._units.attached:
                wanted.update(self._units[path].attachments)
            for path in [path for path in self._inputs if path not in wanted]:
                self._inputs.drop(path)

    def _note_input(self, path: str, known: Known) -> None:
        self._is_vetted = self._is_vetted and path in self._inputs
        self._inputs[path] = known._replace(stat=self._trusted(known.stat))

    def _trusted(self, stat: Stat) -> Stat:
        """What a file is like, unless it is so new that a later change might not show."""
        return stat if is_older(stat, self._taken - _TICK) else NO_STAT

    # Linking and planning

    def _link(self, reader: Reader, problems: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
        units = self._units
        diagnosed = [units[path] for path in sorted(units.diagnosed)]
        found = [*problems, *(one for unit in diagnosed for one in unit.diagnostics)]
        if not self._is_linked:
            pieces = self._gathered()
            self._is_linked = len(pieces) == units.tools and not pipeline.may_clash(
                pieces.names, pieces.aliases
            )
        if self._is_linked:
            return pipeline.without_repeats(in_order(found)) if found else ()

        def document_of(path: str) -> Document | None:
            if path not in reader.sources:
                reader.read(path)
            return reader.document(path)

        _, diagnostics = pipeline.link(units.values(), document_of, problems)
        self._is_linked = len(diagnostics) == len(pipeline.without_repeats(found))
        return diagnostics

    def _make(
        self, project: Project, overrides: Mapping[str, str], render: Render
    ) -> tuple[list[Artifact], tuple[Diagnostic, ...]]:
        """The artefacts that are not known to stand, and what there is to say of all together."""
        from toolc.generate.project import project_artifacts

        pieces = self._gathered()
        diagnostics = tuple(driver.unused_templates(project, overrides))
        artifacts: tuple[Artifact, ...] = ()
        if project.outputs and (self._data or self._package):
            # A project's own templates see everything, and the catalogue what they come to.
            self._data = self._package = _UNSURE
        if self._data or self._package:
            artifacts, found = project_artifacts(
                pieces, project, render, data=bool(self._data), package=bool(self._package)
            )
            diagnostics += found
            artifacts = tuple(map(self._patched, artifacts))
            if any(isinstance(artifact.text, JoinedLines) for artifact in artifacts):
                self._store.load()
        of_tools = [one for path in sorted(self._pending) for one in self._pending[path]]
        return [*artifacts, *of_tools], diagnostics

    def _patched(self, artifact: Artifact) -> Artifact:
        """An artefact that is known to stand but for the lines of the changed tools: these are all
        that has to be made anew."""
        text, known = artifact.text, self._outputs.get(artifact.path)
        before = {name: tool for name, tool in self._changed.items() if tool is not None}
        if (
            self._data != _ALTERED
            or known is None
            or known.stat == NO_STAT
            or len(before) < len(self._changed)
            or not isinstance(text, JoinedLines)
            or not isinstance(text.lines, KeptLines)
        ):
            return artifact
        patches = text.lines.patches(text, before)
        return artifact._replace(
            text=files.PatchedFile(self.root, artifact.path, known.stat, patches, text)
        )

    def _plan(self, project: Project, made: Sequence[Artifact], *, force: bool) -> Plan:
        root, catalog = self.root, project.data_path(CATALOG_FILE)
        if self._package:
            asked = {artifact.path for artifact in made}
            asked.update(project.data_path(name) for name in DATA_FILES)
            if any(path not in asked for path in self._outputs):
                asked.update(
                    file
                    for unit in self._units.values()
                    for tool in unit.tools
                    for file in tool.files
                )
            for path in [path for path in self._outputs if path not in asked]:
                self._outputs.drop(path)
                self._looks_for_strays = True
        recorded: dict[str, tuple[str, ...]] = {}
        handlers: Mapping[str, str] = {}
        candidates: set[str] = set()
        journal = cache.read_journal(root)
        if self._looks_for_strays or project.outputs or journal.texts:
            text = files.read_standing(root, [catalog])[0].get(catalog, "")
            recorded = recorded_digests(text)
            for path, noted in journal.texts.items():
                recorded[path] = (*recorded.get(path, ()), *noted)
            found, handlers = driver.standing_package(root, project)
            candidates = {path for path in (*found, *recorded) if path not in self._outputs}
        standing = Standing(files.StandingFiles(root, candidates), self._inputs, handlers, recorded)
        # Of a file that is known to stand as it was written, a digest says all there is to know.
        made = record_own_outputs(made, standing, catalog, force=force)
        digests = {
            artifact.path: text_digest(artifact.text)
            for artifact in made
            if artifact.owner not in (Owner.HUMAN, Owner.DATA)
        }
        same = {
            path
            for path, digest in digests.items()
            if path in self._outputs and self._outputs[path].digest == digest
        }
        made = [artifact for artifact in made if artifact.path not in same]
        self._made = {artifact.path: artifact for artifact in made}
        self._digests = digests
        standing = standing._replace(
            settled=_Settled(self._outputs, self._made),
            altered={
                path: files.FileText(root, path)
                for path, artifact in self._made.items()
                if artifact.owner is Owner.DATA and path in self._outputs
                if self._data == _ALTERED
            },
            is_vetted=self._is_vetted,
        )
        plan = make_plan(made, standing, driver.output_folders(project), force=force)
        texts = standing.texts
        assert isinstance(texts, files.StandingFiles)
        if texts.problems:
            return Plan((), 0, tuple(texts.problems))
        self._recorded = recorded
        self._standing_stats = texts.stats
        return plan

    def _count_changed(self, plan: Plan, project: Project) -> int:
        if self._is_first or self._data == _UNSURE:
            return changed_tools(plan, project.data_path(CATALOG_FILE))
        return len(self._changed)

    def _shown_sources(
        self, opened: Opened, diagnostics: Iterable[Diagnostic], reader: Reader
    ) -> Mapping[str, SourceFile]:
        """The texts of the files that the diagnostics point into."""
        sources = {**opened.sources, **reader.sources}
        for found in diagnostics:
            for site in (found.site, *(related.site for related in found.related)):
                if site is not None and site.span is not None and site.path not in sources:
                    source = reader.read(site.path)
                    if source is not None:
                        sources[site.path] = source
        return sources

    # Writing

    def commit(self, built: Built) -> tuple[Diagnostic, ...]:
        """Write what a build planned; the diagnostics say what could not be done."""
        plan = built.plan
        if has_errors((*built.diagnostics, *plan.diagnostics)):
            if self._data:
                self._data = _UNSURE  # the next build may find it as it was
            return ()
        with self._stages("writing"):
            if plan.changes and self._has_folder:
                self._write_journal(plan)
            committed = files.commit(self.root, plan, driver.output_folders(built.project))
            if self._has_folder and not committed.problems:
                cache.remove_journal(self.root)
        self.has_written = bool(committed.stats)
        written = [change.path for change in plan.changes if change.after is not None]
        self._stages.count("written", len(committed.stats if committed.problems else written))
        self._record(plan, committed)
        return committed.problems

    def _write_journal(self, plan: Plan) -> None:
        """Note which texts may stand until the plan is carried out, whatever the catalogue says."""
        texts = dict(cache.read_journal(self.root).texts)
        for change in plan.changes:
            if change.owner is Owner.OUTPUT:
                made = () if change.after is None else (self._digests[change.path],)
                texts[change.path] = (*self._recorded.get(change.path, ()), *made)
        folders = {change.path.rpartition("/")[0] for change in plan.changes}
        cache.write_journal(self.root, texts, folders, os.getpid())

    def _record(self, plan: Plan, committed: files.Committed) -> None:
        """Remember what stands now, and what is still to be written."""
        left = {found.path for found in (*plan.diagnostics, *committed.problems)}
        for change in plan.changes:
            if change.after is None:
                self._outputs.drop(change.path)
            if change.action is not Action.UPDATE:
                self._listed.pop(change.path.rpartition("/")[0], None)
        for path, artifact in self._made.items():
            if artifact.owner is Owner.HUMAN:
                continue
            stat = committed.stats.get(path)
            if stat is None and path in self._standing_stats and path not in left:
                stat = self._trusted(self._standing_stats[path])
            if stat is None:
                left.add(path)
                continue
            self._outputs[path] = Known(stat, self._digests.get(path, ""), artifact.owner.value)
        self._looks_for_strays = bool(left)
        self._pending = {
            path: artifacts
            for path, artifacts in self._pending.items()
            if any(artifact.path in left for artifact in artifacts)
        }
        unwritten = {one.path for artifacts in self._pending.values() for one in artifacts}
        is_left = bool(left & self._made.keys() - unwritten)
        self._data = self._package = _UNSURE if is_left else _KNOWN
        self._is_vetted = True
        self._is_first = False
        self._changed.clear()
        self._made = {}


class _Settled(Collection[str]):
    """The outputs that a plan need not look at: all but those that are made anew."""

    def __init__(self, outputs: Collection[str], made: Collection[str]) -> None:
        self._outputs, self._made = outputs, made

    def __contains__(self, path: object) -> bool:
        return path in self._outputs and path not in self._made

    def __iter__(self) -> Iterator[str]:
        return (path for path in self._outputs if path not in self._made)

    def __len__(self) -> int:
        return len(self._outputs) - sum(path in self._outputs for path in self._made)


def _output_folders(project: Project) -> tuple[str, ...]:
    """The folders whose content a plan looks at."""
    python = project.python
    if not python.enabled:
        return ()
    return (python.folder, f"{python.folder}/contracts".lstrip("/"), python.handlers)
