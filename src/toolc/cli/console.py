"""Where a command prints: the report, what else it has to say, and that it is still at work."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Collection, Mapping
from types import SimpleNamespace

from toolc.cli.main import FAILED, MISUSED, OK
from toolc.model.diagnostic import Diagnostic, Severity
from toolc.model.document import SourceFile
from toolc.report import renderer
from toolc.report.summary import Summary
from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    import threading
    from typing import TextIO

_UNWRITABLE = "G705"  # what the machine refuses: no fault of the definitions

_PATIENCE = 0.3  # seconds after which a run is long enough to show that it goes on
_INTERVAL = 0.1  # seconds between two states of that line


class Console:
    """The output of one command, as its options want it.

    The report goes to stdout, or to stderr where stdout carries what the command is for.
    """

    def __init__(self, options: SimpleNamespace) -> None:
        self.format: str = options.format
        self.color: str = options.color
        self.quiet: bool = options.quiet
        self.strict: bool = getattr(options, "strict", False)
        self.started = time.perf_counter()

    @property
    def milliseconds(self) -> int:
        """How long the command has been running."""
        return round((time.perf_counter() - self.started) * 1000)

    def report(
        self,
        diagnostics: Collection[Diagnostic],
        sources: Mapping[str, SourceFile],
        summary: Summary | None,
        *,
        root: str,
        to_stderr: bool = False,
    ) -> int:
        """Print what was found; the exit code that it comes to."""
        stream = sys.stderr if to_stderr else sys.stdout
        shown = diagnostics
        if self.quiet and self.format == "text":
            shown = [found for found in diagnostics if found.severity > Severity.NOTE]
            summary = None
        text = renderer(self.format)(
            shown, sources, summary, color=self._in_color(stream), prefix=self._prefix(root)
        )
        _print(text, stream)
        return self.exit_code(diagnostics)

    def exit_code(self, diagnostics: Collection[Diagnostic]) -> int:
        """What these diagnostics come to: what could not be written weighs more than any error."""
        if any(diagnostic.code == _UNWRITABLE for diagnostic in diagnostics):
            return MISUSED
        worst = max((diagnostic.severity for diagnostic in diagnostics), default=Severity.NOTE)
        limit = Severity.WARNING if self.strict else Severity.ERROR
        return FAILED if worst >= limit else OK

    def say(self, text: str) -> None:
        """Something for people, beside the report; nothing for programs or under --quiet."""
        if not self.quiet and self.format == "text":
            _print(text + "\n", sys.stdout)

    def say_waiting(self) -> None:
        """That another build of the project has to end first."""
        _print("toolc: another build of this project is at work; waiting for it\n", sys.stderr)
        if sys.stderr is not None:
            sys.stderr.flush()

    def emit(self, text: str) -> None:
        """What the command is for. On a terminal, what would steer it is made visible."""
        from toolc.report.visible import visible_lines

        _print(visible_lines(text) if _is_terminal(sys.stdout) else text, sys.stdout)

    def working(self, work: str) -> _Working:
        """Show on the terminal that `work` goes on, if it takes more than a moment; the line is
        gone when it is done."""
        is_shown = not self.quiet and self.format == "text" and _is_terminal(sys.stderr)
        return _Working(work if is_shown else "")

    def _in_color(self, stream: TextIO | None) -> bool:
        if self.color != "auto":
            return self.color == "always"
        return _is_terminal(stream) and not os.environ.get("NO_COLOR")

    def _prefix(self, root: str) -> str:
        """The way from the reader to the project: GitHub reads from its workspace's folder, anyone
        else from the working folder."""
        start = os.getcwd()
        if self.format == "github":
            start = os.environ.get("GITHUB_WORKSPACE") or start
        try:
            way = os.path.relpath(root, start)
        except ValueError:  # another drive
            way = root
        return "" if way == os.curdir else way.replace(os.sep, "/") + "/"


class _Working:
    """The stretch of a run in which some work is shown to go on; without a name, it is not shown."""

    def __init__(self, work: str) -> None:
        self._work = work

    def __enter__(self) -> None:
        if not self._work:
            return

        import threading

        self._done = threading.Event()
        self._ticker = threading.Thread(target=_tick, args=(self._work, self._done), daemon=True)
        self._ticker.start()

    def __exit__(self, *_: object) -> None:
        if self._work:
            self._done.set()
            self._ticker.join()


def _tick(work: str, done: threading.Event) -> None:
    started, delay, line = time.perf_counter(), _PATIENCE, ""
    while not done.wait(delay):
        delay = _INTERVAL
        line = f"{work} … {time.perf_counter() - started:.1f} s"
        _print(f"\r{line}", sys.stderr)
        sys.stderr.flush()
    if line:
        _print("\r" + " " * len(line) + "\r", sys.stderr)
        sys.stderr.flush()


def _print(text: str, stream: TextIO | None) -> None:
    """Write to a stream that may be closed."""
    if stream is not None:
        stream.write(text)


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()
