"""From a project on the disk to a build of it, and back: reads, compiles, plans, commits."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence

from toolc import files, pipeline
from toolc.loader import SUFFIXES, decode, load
from toolc.model.artifact import Artifact, Plan
from toolc.model.codes import CODES
from toolc.model.diagnostic import Diagnostic, Prompts, has_errors, in_order
from toolc.model.digest import bytes_sha256
from toolc.model.document import Document, Pointer, Site, SourceFile
from toolc.model.findings import Findings
from toolc.model.piece import PieceList
from toolc.model.project import CATALOG_FILE, DATA_FILES, Project
from toolc.model.tool import Tool
from toolc.plan import Standing, is_within, make_plan, record_own_outputs, recorded_digests
from toolc.snapshot import NO_STAT, Stat, stat_of
from toolc.table import Known
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any, Protocol

    from toolc.check.discovery import Asked
    from toolc.generate.templates import Render

    class Placed(Protocol):
        """What says where a tool is defined."""

        @property
        def path(self) -> str: ...
        @property
        def pointer(self) -> Pointer: ...


class Opened(NamedTuple):
    """A project's folder and settings; with errors among the diagnostics, not to be built."""

    root: str
    project: Project
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]
    stat: Stat = NO_STAT
    """What the project file was like before it was read."""


class Build(NamedTuple):
    """All that a project came to, before any of it is written."""

    root: str
    project: Project
    tools: tuple[Tool, ...]
    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]
    """The texts that were read, by path, for showing where a problem is."""
    files: int
    """How many definition files there are."""
    inputs: tuple[str, ...]
    """Every file that the result depends on."""
    artifacts: tuple[Artifact, ...]
    """Empty where there are errors: a failed build writes nothing."""


def open_project(start: str, project_path: str | None = None) -> Opened:
    """The project at `project_path` (a project file, or its folder), else the nearest one above
    the folder `start`; `start` itself, with the defaults, where there is none."""
    if project_path is None:
        found = files.find_project(start)
        if found is None:
            return Opened(os.path.abspath(start), Project(), (), {})
        root, name = found.root, found.path
    else:
        target = os.path.abspath(os.path.join(start, project_path))
        if os.path.isdir(target):
            root, name = target, files.project_file(target) or files.PROJECT_FILE
        else:
            root, name = os.path.split(target)
    return _read_project(root, name)


def has_changed(opened: Opened) -> bool:
    """Whether the project file is not as it was when it was read."""
    path = opened.project.path
    return bool(path) and stat_of(os.path.join(opened.root, path)) != opened.stat


def _read_project(root: str, name: str) -> Opened:
    from toolc.builder.project import read_project

    seen, data = files.read_input(root, name)
    if isinstance(data, Diagnostic):
        return Opened(root, Project(), (_unusable(root, data),), {})
    source, problems = decode(name, data)
    if source is None:
        return Opened(root, Project(), problems, {})
    sources = {name: source}
    # Whatever it is called, a project file is TOML.
    document, problems = load(
        SourceFile(name if name.endswith(".toml") else f"{name}.toml", source.text)
    )
    if document is None:
        return Opened(root, Project(), problems, sources)
    pointer = ("tool", "toolc") if name == files.PYPROJECT_FILE else ()
    project, found = read_project(document, pointer)
    found += _shadowing(project, name)
    if not has_errors(found):
        findings = Findings(document)
        _check_outputs(project, pointer, findings)
        _check_templates(root, project, pointer, findings)
        found += tuple(findings)
    # An empty project file is a project: every setting has a default.
    kept = tuple(problem for problem in problems if problem.code != "L111")
    return Opened(root, project, (*kept, *found), sources, seen)


def _shadowing(project: Project, name: str) -> tuple[Diagnostic, ...]:
    """A generated package that hides one which Python, toolc or the server itself imports."""
    roots = {
        project.python.package.partition(".")[0],
        project.python.handlers_package.partition(".")[0],
    }
    hidden = sorted(roots & (sys.stdlib_module_names | {"mcp", "toolc", "toolc_runtime"}))
    return tuple(
        Diagnostic(
            "P603",
            CODES["P603"].severity,
            f'the package "{root}" would hide the one that is imported under this name already',
            Site(name),
            "choose another `package`, or another folder of handlers",
        )
        for root in hidden
        if project.python.enabled
    )


def _check_outputs(project: Project, pointer: Pointer, findings: Findings) -> None:
    """Refuse outputs that the next build would read as definitions."""
    hint = "choose a folder that is outside the sources, or below them in one that begins with `_`"
    if _is_definition(project.data_path(DATA_FILES[0]), project):
        message = f'what is written to "{project.output}" would be read as definitions'
        findings.add("P603", message, (*pointer, "output"), hint=hint)
    for at, output in enumerate(project.outputs):
        if _is_definition(output.path.replace("{name}", "name"), project):
            message = f'the output "{output.path}" would be read as a definition'
            findings.add("P603", message, (*pointer, "outputs", at, "path"), hint=hint)


def _is_definition(path: str, project: Project) -> bool:
    """Whether a search of the project's sources would find `path`, if it were there."""
    skip = _not_sources(project)
    for source in project.sources:
        if not path.endswith(SUFFIXES) or not is_within(path, source):
            continue
        at, parts = source, path.removeprefix(source).strip("/").split("/")
        for part in parts:
            at = f"{at}/{part}" if at else part
            is_hidden = part.startswith("." if at == path else ("_", "."))
            if is_hidden or at in skip:
                break
        else:
            return True
    return False


def _check_templates(root: str, project: Project, pointer: Pointer, findings: Findings) -> None:
    """Refuse a folder of templates, and templates of outputs, that are not there."""
    folder = project.templates or ""
    if not os.path.isdir(os.path.join(root, folder)):
        message = f'the folder of templates "{folder}" is not there'
        hint = "create it, or leave `templates` out"
        findings.add("P603", message, (*pointer, "templates"), hint=hint)
        return
    for at, output in enumerate(project.outputs):
        if not os.path.isfile(os.path.join(root, folder, output.template)):
            place = f'the folder "{folder}"' if folder else "the project's folder"
            message = f'there is no template "{output.template}" in {place}'
            hint = "write it, or name another one"
            findings.add("P606", message, (*pointer, "outputs", at, "template"), hint=hint)


def _unusable(root: str, problem: Diagnostic) -> Diagnostic:
    """What keeps a file from being read, said of the project file."""
    hint = problem.hint
    if not os.path.lexists(os.path.join(root, problem.path)):
        hint = "name a toolc.toml, or a pyproject.toml with [tool.toolc]"
    message = problem.message.replace("the file", "the project file", 1)
    return Diagnostic("P601", CODES["P601"].severity, message, problem.site, hint)


class Reader:
    """Reads the files of one build, each once, and remembers what it read."""

    def __init__(
        self,
        root: str,
        read_input: Callable[[str, str], tuple[Stat, bytes | Diagnostic]] = files.read_input,
    ) -> None:
        self.root = root
        self._read_input = read_input
        self.sources: dict[str, SourceFile] = {}
        self.inputs: list[str] = []
        self.problems: list[Diagnostic] = []
        self.seen: dict[str, Known] = {}

    def fresh(self) -> Reader:
        """One that reads the same, and knows nothing yet."""
        return Reader(self.root, self._read_input)

    def take(self, seen: Mapping[str, Known]) -> None:
        """Know what another reader of the same build has seen."""
        self.inputs.extend(seen)
        self.seen.update(seen)

    def data(self, path: str) -> bytes | Diagnostic:
        """A file's bytes, or what is wrong with it; either is part of what the build depends on."""
        self.inputs.append(path)
        seen, data = self._read_input(self.root, path)
        known = data.message.encode() if isinstance(data, Diagnostic) else data
        self.seen[path] = Known(seen, bytes_sha256(known))
        return data

    def read(self, path: str) -> SourceFile | None:
        """A text of the project's; what is wrong with it is noted."""
        data = self.data(path)
        if isinstance(data, Diagnostic):
            self.problems.append(data)
            return None
        source, problems = decode(path, data)
        self.problems.extend(problems)
        if source is not None:
            self.sources[path] = source
        return source

    def read_attachment(self, path: str) -> tuple[str, str]:
        """As `ReadAttachment`: the finding belongs to the definition that names the file."""
        data = self.data(path)
        if isinstance(data, Diagnostic):
            return "", data.message.removeprefix("the file ")
        source, problems = decode(path, data)
        if source is None:
            return "", problems[0].message.removeprefix("the file ")
        return source.text.replace("\r\n", "\n"), ""

    def document(self, path: str) -> Document | None:
        source = self.sources.get(path)
        return None if source is None else load(source)[0]


def find_definitions(root: str, project: Project) -> tuple[str, ...]:
    """The definition files of a project, shared ones among them, as far as they can be found."""
    return find_sources(root, project).paths


def find_sources(root: str, project: Project) -> files.FoundSources:
    return files.find_sources(root, project.sources, SUFFIXES, _not_sources(project))


def compile_project(root: str, project: Project, only: Sequence[str] = ()) -> Build:
    """Read and compile the project in the folder `root`; `only` names the definition files that
    are wanted (paths relative to `root`), all of them where it is empty. Writes nothing."""
    reader = Reader(root)
    paths, problems, _ = find_sources(root, project)
    reader.problems.extend(problems)
    shared_paths = [path for path in paths if pipeline.is_shared_file(path)]
    wanted = [path for path in paths if path not in shared_paths and (not only or path in only)]
    shared_sources = [source for path in shared_paths if (source := reader.read(path)) is not None]
    shared, shared_problems = pipeline.compile_shared(shared_sources, project)
    compiled = [
        pipeline.compile_file(source, project, shared, reader.read_attachment)
        for path in wanted
        if (source := reader.read(path)) is not None
    ]
    tools, found = pipeline.link(compiled, reader.document, (*reader.problems, *shared_problems))
    program = pipeline.Program(tools, found)
    diagnostics = list(program.diagnostics)
    if not wanted and not only and not has_errors(diagnostics):
        diagnostics.append(no_tools(project))
    artifacts: tuple[Artifact, ...] = ()
    if not has_errors(diagnostics):
        artifacts, found = _generate(root, project, program.tools, reader)
        diagnostics.extend(found)
    return Build(
        root,
        project,
        program.tools,
        in_order(diagnostics),
        reader.sources,
        len(wanted),
        tuple(dict.fromkeys([*reader.inputs, *([project.path] if project.path else [])])),
        () if has_errors(diagnostics) else artifacts,
    )


def _generate(
    root: str, project: Project, tools: tuple[Tool, ...], reader: Reader
) -> tuple[tuple[Artifact, ...], tuple[Diagnostic, ...]]:
    from toolc.generate.project import make_piece, project_artifacts

    known = len(reader.problems)
    overrides = read_templates(root, project, reader)
    unreadable = tuple(reader.problems[known:])
    if unreadable:
        return (), unreadable
    render = renderer(overrides)
    made = [make_piece(tool, project, render) for tool in tools]
    found = [diagnostic for _, diagnostics in made for diagnostic in diagnostics]
    pieces = PieceList([piece for piece, _ in made])
    artifacts, diagnostics = project_artifacts(pieces, project, render)
    of_tools = [artifact for piece in pieces.pieces for artifact in piece.artifacts]
    diagnostics = (*unused_templates(project, overrides), *found, *diagnostics)
    return (*artifacts, *of_tools), pipeline.without_repeats(diagnostics)


def ask_prompts(build: Build) -> Prompts:
    """What comes of the prompts among the examples, where a tool is hidden: a search for each."""
    if has_errors(build.diagnostics):
        return Prompts()

    from toolc.check.discovery import check_prompts, searchable

    tools = {tool.name: tool for tool in build.tools}

    def place(asked: Asked) -> Site | None:
        tool = tools[asked.tool]
        source = build.sources.get(tool.path)
        return prompt_site(None if source is None else load(source)[0], tool, asked)

    return check_prompts(
        [searchable(tool) for tool in build.tools], build.project.server.ranking, place
    )


def prompt_site(document: Document | None, tool: Placed, asked: Asked) -> Site | None:
    """Where a prompt of a tool stands in the tool's document."""
    if document is None:
        return Site(tool.path) if tool.path else None
    return document.site((*tool.pointer, "examples", asked.example, "prompt"))


def no_tools(project: Project) -> Diagnostic:
    where = ", ".join(project.sources)
    return Diagnostic(
        "P605",
        CODES["P605"].severity,
        f"there is no definition in {where}",
        hint="`toolc new NAME` writes one",
    )


def _not_sources(project: Project) -> list[str]:
    """What may lie among the sources and is none: outputs, templates, the project file."""
    python = project.python
    places = [project.output, python.folder, python.handlers, project.templates, project.path]
    if not project.output:
        places += DATA_FILES
    return [place for place in places if place]


# Templates


def read_templates(root: str, project: Project, reader: Reader) -> dict[str, str]:
    """The project's own templates by name: those in its folder, which may override built-in ones,
    and those that its outputs name, relative to that folder or, where it has none, to the root."""
    folder = f"{project.templates}/" if project.templates else ""
    names = {output.template for output in project.outputs}
    if project.templates is not None:
        found = files.list_folder(root, project.templates or ".", ".j2")
        names.update(path.rpartition("/")[2] for path in found)
    texts: dict[str, str] = {}
    for name in sorted(names):
        source = reader.read(folder + name)
        if source is not None:
            texts[name] = source.text.replace("\r\n", "\n")
    return texts


def unused_templates(project: Project, overrides: Mapping[str, str]) -> Iterator[Diagnostic]:
    """A warning for each of the project's templates that has no effect: most likely, its name is
    meant to be a built-in one's."""
    if not overrides:
        return

    from toolc.generate.builtin import BUILTIN

    used = {*BUILTIN, *(output.template for output in project.outputs)}
    for name in overrides:
        if name in used or any(name in overrides[other] for other in overrides if other != name):
            continue  # the last: another one includes, imports or extends it

        from difflib import get_close_matches

        near = get_close_matches(name, BUILTIN, 1)
        yield Diagnostic(
            "P609",
            CODES["P609"].severity,
            f'nothing uses the template "{name}"'
            + (f'; did you mean "{near[0]}"?' if near else ""),
            Site(f"{project.templates}/{name}" if project.templates else name),
            "name it in an output or in another template, or like the built-in one that it is to "
            f"override: {', '.join(BUILTIN)}",
        )


def renderer(overrides: Mapping[str, str]) -> Render:
    """A renderer over the built-in templates and a project's own, loaded when it is first used."""
    made: list[Render] = []

    def render(name: str, values: Mapping[str, Any]) -> str:
        if not made:
            # A project without Python and without templates never gets here.
            from toolc.generate.templates import environment

            made.append(environment(overrides, read_builtin_templates))
        return made[0](name, values)

    return render


def read_builtin_templates() -> dict[str, str]:
    """The templates that come with toolc: inside the package, or beside it in a checkout."""
    package = os.path.dirname(os.path.abspath(__file__))
    folder = os.path.join(package, "templates")
    if not os.path.isdir(folder):
        folder = os.path.join(os.path.dirname(os.path.dirname(package)), "templates")
    texts = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith(".j2"):
            with open(os.path.join(folder, name), encoding="utf-8", newline="") as file:
                texts[name] = file.read().replace("\r\n", "\n")
    return texts


# Plans


def output_folders(project: Project) -> tuple[str, ...]:
    """The folders that a build of the project may write to; `.` is all of it."""
    folders = [project.output]
    if project.python.enabled:
        folders += [project.python.folder, project.python.handlers]
    for output in project.outputs:
        folders.append(output.path.partition("{")[0].rpartition("/")[0])
    return tuple(dict.fromkeys(folder or "." for folder in folders))


def plan_build(build: Build, *, force: bool = False) -> Plan:
    """What committing a build would change on the disk; nothing is written."""
    if has_errors(build.diagnostics):
        return Plan((), 0)
    project, root = build.project, build.root
    catalog = project.data_path(CATALOG_FILE)
    recorded = recorded_digests(files.read_standing(root, [catalog])[0].get(catalog, ""))
    found, handlers = standing_package(root, project)
    paths = {*(artifact.path for artifact in build.artifacts), *recorded, *found}
    texts, problems = files.read_standing(root, sorted(paths))
    if has_errors(problems):
        return Plan((), 0, problems)
    standing = Standing(texts, build.inputs, handlers, recorded)
    artifacts = record_own_outputs(build.artifacts, standing, catalog, force=force)
    return make_plan(artifacts, standing, output_folders(project), force=force)


def standing_package(root: str, project: Project) -> tuple[list[str], dict[str, str]]:
    """The modules that stand in the generated package, and from a contract's path to its handler's,
    where there is one."""
    python = project.python
    if not python.enabled:
        return [], {}
    contracts = files.list_folder(root, f"{python.folder}/contracts", ".py")
    names = {path.rpartition("/")[2] for path in files.list_folder(root, python.handlers, ".py")}
    handlers = {
        contract: f"{python.handlers}/{name}"
        for contract in contracts
        if (name := contract.rpartition("/")[2]) in names
    }
    return [*files.list_folder(root, python.folder, ".py"), *contracts], handlers


def commit(build: Build, plan: Plan) -> tuple[Diagnostic, ...]:
    """Write what a plan says; the diagnostics say what could not be done."""
    return files.commit(build.root, plan, output_folders(build.project)).problems
