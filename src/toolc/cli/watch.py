"""`toolc watch`: build again whenever something changes, until somebody ends it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace

from toolc import driver
from toolc.cli import UsageError
from toolc.cli.command import Command
from toolc.cli.console import Console
from toolc.cli.main import MISUSED
from toolc.cli.options import COLOR, PROJECT, QUIET, STRICT, Option
from toolc.cli.served import ServedProcess
from toolc.cli.session import find_project
from toolc.cli.watched import Aside, Display, Event, make_display
from toolc.files import PROJECT_FILE, project_file
from toolc.model.diagnostic import Diagnostic, Severity, has_errors
from toolc.model.project import Project
from toolc.snapshot import Changes
from toolc.watching import ProjectGone, Watcher, WatchProblem, mute_file_system
from toolc.workspace import Workspace, open_workspace

OPTIONS = (
    Option(("--exec",), "start this command after each good build, in place of the last", "CMD"),
    Option(("--serve",), "run the generated server over HTTP, and reload it after each good build"),
    Option(("--port",), "the port of that server", "PORT"),
    Option(("--poll",), "look at the files again and again, where the system does not tell"),
    Option(("--clear",), "clear the terminal before each report"),
    Option(("--json",), "print an event a line, as JSON"),
    PROJECT,
    COLOR,
    QUIET,
    STRICT,
)

_GRACE = 0.06
"""Seconds for which an error is held back: what is half written then is mostly whole by then."""


def run(options: SimpleNamespace) -> int:
    options.format = "text"
    if options.port and not options.serve:
        raise UsageError("--port needs `--serve`")
    display = make_display(options)
    opened = find_project(options)
    command = None
    if options.exec:
        command = Command(options.exec, opened.root, to_stderr=options.json)
    watching = _Watching(opened, _named_file(options), display, command, is_strict=options.strict)
    if options.serve:
        watching.server_options = ("--transport", "http")
        if options.port:
            watching.server_options += ("--port", options.port)
    return _watch(watching, poll=options.poll)


def serve(options: SimpleNamespace, server_options: tuple[str, ...]) -> int:
    """Run the generated server with these options of its own, and watch; over stdio, the server's
    exit code.

    What is shown goes to stderr, since a client may listen on stdout.
    """
    opened = find_project(options)
    watching = _Watching(
        opened, _named_file(options), Aside(Console(options)), None, is_strict=False
    )
    watching.server_options = server_options
    watching.serves_at_once = True
    watching.ends_with_server = options.transport != "http"
    return _watch(watching, poll=False)


def _named_file(options: SimpleNamespace) -> str:
    """The name of the project file, if the user named one."""
    named = options.project and os.path.isfile(options.project)
    return os.path.basename(options.project) if named else ""


def _watch(watching: _Watching, *, poll: bool) -> int:
    """Run a watch to its end; the exit code."""
    for number in _ENDS:
        signal.signal(number, _end)
    try:
        kind = "" if poll else mute_file_system(watching.opened.root)
        watching.start(poll=poll or bool(kind), why=kind)
        return watching.go_on()
    finally:
        for number in _ENDS:
            signal.signal(number, signal.SIG_IGN)
        if watching.command is not None:
            watching.command.stop()
        if watching.served is not None:
            watching.served.stop()
        watching.display.end()


_ENDS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""What ends a watch: Ctrl-C, a polite request, and a terminal that is closed."""


def _end(*_: object) -> None:
    raise KeyboardInterrupt


@contextmanager
def _whole() -> Iterator[None]:
    """Something that is not to be ended halfway: a signal waits until it is done."""
    came: list[int] = []
    for number in _ENDS:
        signal.signal(number, lambda *_: came.append(1))
    try:
        yield
    finally:
        for number in _ENDS:
            signal.signal(number, _end)
    if came:
        raise KeyboardInterrupt


class _Watching:
    """One run: the workspace, and what has been said of it."""

    def __init__(
        self,
        opened: driver.Opened,
        project_name: str,
        display: Display,
        command: Command | None,
        *,
        is_strict: bool,
    ) -> None:
        """`project_name` is the project file's, if the user named one."""
        self.opened, self.display, self.command = opened, display, command
        self.project_name = project_name
        self.project_path = opened.project.path
        self.is_strict = is_strict
        self.workspace: Workspace
        self.shown: tuple[Diagnostic, ...] = ()
        """What was found by the build that was reported last."""
        self.is_broken = False
        self.is_command_old = True
        """Whether the command was started before something was written, or not at all."""
        self.server_options: tuple[str, ...] | None = None
        """The options of the server that is to run; None where none is."""
        self.serves_at_once = False
        """Whether the server starts with what was built last, where the first build is broken."""
        self.ends_with_server = False
        """Whether the server has one client, over stdio: when it ends, as that may have left, so does
        the watch."""
        self.served: ServedProcess | None = None
        self.served_project: Project | None = None
        """The settings with which it was started."""

    def start(self, *, poll: bool, why: str) -> None:
        """The first build, which may find that there is nothing to do."""
        self.workspace, changes, now = open_workspace(self.opened.root, clock=time.time_ns)
        self.watcher = Watcher(self.workspace, poll=poll)
        event = self.build(changes, now)
        self.display.ready(event, self.opened.project.sources, poll=poll, why=why)
        self.tell(event, is_first=True)

    def go_on(self) -> int:
        while True:
            try:
                return self.follow()
            except WatchProblem as problem:
                if self.watcher.poll or isinstance(problem, ProjectGone):
                    self.display.problem(str(problem))
                    return MISUSED
                self.display.problem(f"{problem}; looking at the files again and again instead")
                self.watcher.poll = True

    def follow(self) -> int:
        """Build after each change, until the server ends; its exit code. An error waits for a moment
        before it is told: the next event may be the rest of the file."""
        held: Event | None = None
        until = 0.0
        for noticed in self.watcher:
            if not self.display.has_reader():
                raise BrokenPipeError
            if self.command is not None and (code := self.command.ended()) is not None:
                self.display.ended(self.command.text, code)
            if self.served is not None and (code := self.served.ended()) is not None:
                if self.ends_with_server:
                    return code if code >= 0 else 128 - code
                self.display.ended("the server", code, "the next change starts it anew")
            if noticed.changes is not None:
                self.watcher.settle(noticed.changes)
                if noticed.changes:
                    event = self.build(noticed.changes, time.time_ns())
                    held, until = event, time.monotonic() + (_GRACE if event.is_broken else 0)
            if self.served is not None and self.served.has_new_application():
                self.serve_anew("its application has changed")
            elif noticed.is_code and self.served is not None:
                self.reload(self.served)
            if held is not None and time.monotonic() >= until:
                self.tell(held)
                held = None
        raise AssertionError("a watcher never ends by itself")

    def build(self, changes: Changes | None, now: int) -> Event:
        """Build what changed, and write it."""
        started = time.perf_counter()
        root = self.opened.root
        if changes is not None and (self.project_path in changes.files or "." in changes.folders):
            changes = self.reopen(changes)
        found: tuple[Diagnostic, ...] = self.opened.diagnostics
        if has_errors(found):
            return Event(root, found, self.opened.sources, None, _since(started), is_broken=True)
        has_written = False
        with self.workspace.lock():
            built = self.workspace.build(self.opened, changes, now=now)
            found = (*built.diagnostics, *built.plan.diagnostics)
            with _whole():
                if not has_errors(found):
                    problems = self.workspace.commit(built)
                    found = (*found, *problems)
                    has_written = bool(built.plan.changes) and (
                        self.workspace.has_written or not problems
                    )
                elapsed = _since(started)
                self.workspace.save(built)
        limit = Severity.WARNING if self.is_strict else Severity.ERROR
        is_broken = any(one.severity >= limit for one in found)
        return Event(root, found, built.sources, built, elapsed, is_broken, has_written)

    def reopen(self, changes: Changes) -> Changes | None:
        """Read the project file anew; where it says something else, everything may have changed."""
        before = self.opened
        name = self.project_name or project_file(before.root)
        if name or self.project_path or has_errors(before.diagnostics):
            self.project_path = name or self.project_path or PROJECT_FILE
            path = os.path.join(before.root, self.project_path)
            self.opened = driver.open_project(before.root, path)
        if self.opened.project == before.project and self.opened.diagnostics == before.diagnostics:
            return changes
        return None

    def tell(self, event: Event, *, is_first: bool = False) -> None:
        """Show what a build came to, once, and that it is mended if it was broken."""
        mended = self.is_broken and not event.is_broken
        is_news = is_first or mended or event.has_written or event.found != self.shown
        self.shown, self.is_broken = event.found, event.is_broken
        self.is_command_old = self.is_command_old or event.has_written
        if is_news:
            self.display.tell(event, mended=mended)
        if self.command is not None and self.is_command_old and not event.is_broken:
            self.display.restarting(self.command.text)
            with _whole():  # a child that nobody knows yet would outlive this process
                self.command.restart()
            self.is_command_old = False
        if self.server_options is not None and (
            not event.is_broken or (is_first and self.serves_at_once)
        ):
            self.serve(is_old=is_first or event.has_written)

    def serve(self, *, is_old: bool) -> None:
        """Have the server reload what was built. It starts with the first good build, and anew where
        settings have changed that it only reads then."""
        project = self.opened.project
        if project != self.served_project or self.served is None:
            self.serve_anew("its settings have changed")
        elif is_old or not self.served.is_running:
            self.reload(self.served)

    def reload(self, served: ServedProcess) -> None:
        """Have the server load anew what has changed; one that has ended is started anew."""
        if served.is_running:
            served.reload()
        else:
            self.serve_anew("it has ended")

    def serve_anew(self, why: str) -> None:
        """Start the server, or start it anew because of something that a reload does not take."""
        project = self.served_project = self.opened.project
        if self.served is not None and self.ends_with_server:
            # A client that it speaks to over stdio would not survive another one.
            self.display.problem(f"the server goes on, though {why}; its next start takes that")
            self.served.reload()
            return
        if self.served is not None:
            self.served.stop()
        self.served = None
        if not project.python.enabled:
            self.display.problem("there is no server to run: `python.enabled` is false")
            return
        self.display.restarting("the server")
        with _whole():
            self.served = ServedProcess(self.opened.root, project, self.server_options or ())
            self.served.start()


def _since(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)
