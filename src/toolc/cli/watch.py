"""`toolc watch`: build again whenever something changes, until somebody ends it."""

from __future__ import annotations

import signal
import time
from types import SimpleNamespace

from toolc import driver
from toolc.cli import UsageError
from toolc.cli.command import Command, uninterrupted
from toolc.cli.main import FAILED, MISUSED
from toolc.cli.options import COLOR, PROJECT, QUIET, STRICT, Option
from toolc.cli.served import ServedProcess
from toolc.cli.session import open_project
from toolc.cli.watched import Display, Event, make_display
from toolc.model.diagnostic import Diagnostic, Severity, has_errors
from toolc.snapshot import Changes
from toolc.watching import Watcher, WatchProblem, mute_file_system
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

_HTTP = ("--transport", "http")

_GRACE = 0.06
"""Seconds for which an error is held back: what is half written then is mostly whole by then."""


def run(options: SimpleNamespace) -> int:
    options.format = "text"
    display = make_display(options)
    opened = open_project(options, display.console, verb="wrote")
    if opened is None:
        return FAILED
    if options.serve and not opened.project.python.enabled:
        raise UsageError("this project generates no Python: `python.enabled` is false")
    command = Command(options.exec, opened.root) if options.exec else None
    if options.port and not options.serve:
        raise UsageError("--port needs `--serve`")
    how = (*_HTTP, "--port", options.port) if options.port else _HTTP
    served = ServedProcess(opened.root, opened.project, how) if options.serve else None
    watching = _Watching(opened, display, command, served, is_strict=options.strict)
    signal.signal(signal.SIGTERM, _end)
    try:
        kind = "" if options.poll else mute_file_system(opened.root)
        watching.start(poll=options.poll or bool(kind), why=kind)
        return watching.go_on()
    finally:
        display.end()
        if command is not None:
            command.stop()
        if served is not None:
            served.stop()


def _end(*_: object) -> None:
    raise KeyboardInterrupt


class _Watching:
    """One run: the workspace, and what has been said of it."""

    def __init__(
        self,
        opened: driver.Opened,
        display: Display,
        command: Command | None,
        served: ServedProcess | None,
        *,
        is_strict: bool,
    ) -> None:
        self.opened, self.display = opened, display
        self.command, self.served = command, served
        self.is_strict = is_strict
        self.project_path = opened.project.path
        self.workspace: Workspace
        self.shown: tuple[Diagnostic, ...] = ()
        """What was found by the build that was reported last."""
        self.is_broken = False
        self.is_serving = False

    def start(self, *, poll: bool, why: str) -> None:
        """The first build, which may find that there is nothing to do."""
        self.workspace, changes, now = open_workspace(self.opened.root, clock=time.time_ns)
        self.watcher = Watcher(self.workspace, poll=poll)
        event = self.build(changes, now)
        self.display.ready(event, self.opened.project.sources, poll=poll, why=why)
        self.tell(event)

    def go_on(self) -> int:
        while True:
            try:
                self.follow()
            except WatchProblem as problem:
                if self.watcher.poll:
                    self.display.problem(str(problem))
                    return MISUSED
                self.display.problem(f"{problem}; looking at the files again and again instead")
                self.watcher.poll = True

    def follow(self) -> None:
        """Build after each change. An error waits for a moment before it is told: the next event
        may be the rest of the file."""
        held: Event | None = None
        until = 0.0
        for noticed in self.watcher:
            if noticed.changes is not None:
                self.watcher.settle(noticed.changes)
                if noticed.changes:
                    event = self.build(noticed.changes, time.time_ns())
                    held, until = event, time.monotonic() + (_GRACE if event.is_broken else 0)
            if noticed.is_code and self.served is not None:
                self.served.reload()
            if held is not None and time.monotonic() >= until:
                self.tell(held)
                held = None

    def build(self, changes: Changes | None, now: int) -> Event:
        """Build what changed, and write it."""
        started = time.perf_counter()
        root = self.opened.root
        if changes is not None and (self.project_path in changes.files or "." in changes.folders):
            changes = self.reopen(changes)
        found: tuple[Diagnostic, ...] = self.opened.diagnostics
        if has_errors(found):
            return Event(root, found, self.opened.sources, None, _since(started), is_broken=True)
        with self.workspace.lock():
            built = self.workspace.build(self.opened, changes, now=now)
            found = (*built.diagnostics, *built.plan.diagnostics)
            is_broken = has_errors(found)
            if not is_broken:
                found = (*found, *self.workspace.commit(built))
            elapsed = _since(started)
            self.workspace.save(built)
        limit = Severity.WARNING if self.is_strict else Severity.ERROR
        is_broken = is_broken or any(one.severity >= limit for one in found)
        return Event(root, found, built.sources, built, elapsed, is_broken=is_broken)

    def reopen(self, changes: Changes) -> Changes | None:
        """Read the project file anew; where it says something else, everything may have changed."""
        before = self.opened
        self.opened = driver.open_project(before.root, before.root)
        if self.opened.project == before.project and self.opened.diagnostics == before.diagnostics:
            return changes
        self.project_path = self.opened.project.path or self.project_path
        return None

    def tell(self, event: Event) -> None:
        """Show what a build came to, once, and that it is mended if it was broken."""
        is_news = event.has_written or event.found != self.shown
        mended = self.is_broken and not event.is_broken
        self.shown, self.is_broken = event.found, event.is_broken
        if is_news or mended:
            self.display.tell(event, mended=mended)
        if self.command is not None and not event.is_broken and (is_news or mended):
            self.display.restarting(self.command.text)
            self.command.restart()
        if self.served is not None and not event.is_broken:
            self.serve(self.served, has_news=is_news or mended)

    def serve(self, served: ServedProcess, *, has_news: bool) -> None:
        """Start the server after the first good build, and have it reload after the others."""
        if not self.is_serving:
            with uninterrupted():
                served.start()
            self.is_serving = True
            self.display.restarting("the server")
        elif has_news:
            served.reload()


def _since(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)
