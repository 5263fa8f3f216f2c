"""What a watch shows: lines, a calm live display on a terminal, or events for programs."""

from __future__ import annotations

import sys
import time
from shutil import get_terminal_size
from types import SimpleNamespace

from toolc.cli.console import Console
from toolc.model.diagnostic import Diagnostic, Severity
from toolc.report.json import diagnostic_row
from toolc.report.summary import Summary, count, duration, tally
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from toolc.model.document import SourceFile
    from toolc.workspace import Built


class Event(NamedTuple):
    """What one build came to."""

    root: str
    found: tuple[Diagnostic, ...]
    sources: Mapping[str, SourceFile]
    built: Built | None
    """None where the project file has errors."""
    milliseconds: int
    is_broken: bool
    """Whether it failed: by errors, or where warnings are errors, by those."""
    has_written: bool = False

    @property
    def summary(self) -> Summary:
        built = self.built
        if built is None:
            return Summary(0, 0, self.milliseconds, "wrote")
        summary = Summary(built.tools, built.files, self.milliseconds, "wrote", built.changed)
        return summary.with_plan(built.plan) if self.has_written or not self.is_broken else summary


def make_display(options: SimpleNamespace) -> Display:
    """The display that the options and the terminal ask for."""
    console = Console(options)
    if options.json:
        return JsonLines(console)
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    if not is_terminal:
        return Lines(console)
    # A command prints as it likes, and so does a server: behind a line that is to be replaced.
    return Live(console, clears=options.clear, has_status=not (options.exec or options.serve))


class Display:
    """Shows what a watch does. All text ends up on stdout, at once."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def ready(self, event: Event, sources: Iterable[str], *, poll: bool, why: str) -> None:
        """The first build is done, and changes will be noticed from now on."""

    def tell(self, event: Event, *, mended: bool) -> None:
        """A build that has something new to say."""

    def restarting(self, command: str) -> None:
        """The user's command is started anew."""

    def ended(self, command: str, code: int, then: str = "") -> None:
        """The user's command, or the server, has ended by itself; `then` says what comes next."""

    def problem(self, text: str) -> None:
        """What keeps the watch from watching."""

    def end(self) -> None:
        """The watch is over."""

    def has_reader(self) -> bool:
        """Whether anybody can still see what is shown; a pipe that nobody reads only tells when it is
        written to, which may be never."""
        import select

        if sys.stdout is None or not hasattr(select, "poll"):
            return True
        try:
            asked = select.poll()
            asked.register(sys.stdout.fileno(), 0)
            return not any(event & select.POLLERR for _, event in asked.poll(0))
        except (OSError, ValueError):  # no file of the system's
            return True


class Lines(Display):
    """A line or a report for each build that changes something."""

    def ready(self, event: Event, sources: Iterable[str], *, poll: bool, why: str) -> None:
        self.say(f"watching {', '.join(sources)}; Ctrl-C ends it")
        if why:
            self.say(f"polling: changes in {why} are not always told")

    def tell(self, event: Event, *, mended: bool) -> None:
        if mended:
            self.say("mended")
        self.console.report(event.found, event.sources, event.summary, root=event.root)
        _flush()

    def restarting(self, command: str) -> None:
        self.say(f"starting {command}")

    def ended(self, command: str, code: int, then: str = "") -> None:
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        self.say("; ".join(filter(None, (f"{command} ended {how}", then))))

    def problem(self, text: str) -> None:
        print(f"toolc: {text}", file=sys.stderr, flush=True)

    def say(self, text: str) -> None:
        self.console.say(text)
        _flush()


class Aside(Lines):
    """The same on stderr."""

    def tell(self, event: Event, *, mended: bool) -> None:
        if mended:
            self.say("mended")
        summary = event.summary if event.is_broken or event.has_written else None
        self.console.report(event.found, event.sources, summary, root=event.root, to_stderr=True)

    def say(self, text: str) -> None:
        if not self.console.quiet:
            self.problem(text)


class Live(Lines):
    """Reports above, and below them one line that says how things stand."""

    def __init__(self, console: Console, *, clears: bool, has_status: bool) -> None:
        super().__init__(console)
        self._clears, self._has_status = clears, has_status
        self._status = ""

    def tell(self, event: Event, *, mended: bool) -> None:
        self._hide()
        self._status = ""
        if self._clears:
            sys.stdout.write("\x1b[2J\x1b[H")
        super().tell(event, mended=mended)
        if self._has_status:
            self._show(event)

    def problem(self, text: str) -> None:
        self._hide()
        _flush()
        super().problem(text)
        self._redraw()

    def say(self, text: str) -> None:
        self._hide()
        super().say(text)
        self._redraw()

    def end(self) -> None:
        self._hide()
        _flush()

    def _show(self, event: Event) -> None:
        figures = tally(event.found)
        problems = [
            count(figures[severity], severity.name.lower())
            for severity in (Severity.ERROR, Severity.WARNING)
            if figures[severity]
        ]
        state = "broken" if event.is_broken else "watching"
        parts = [state, *problems]
        if event.built is not None:
            parts.append(count(event.built.tools, "tool"))
        parts.append(f"last build {duration(event.milliseconds)}")
        parts.append(time.strftime("%H:%M:%S"))
        # A line that wraps could not be taken back.
        self._status = " · ".join(parts)[: get_terminal_size().columns - 1]
        self._redraw()

    def _hide(self) -> None:
        if self._status:
            sys.stdout.write("\r\x1b[K")

    def _redraw(self) -> None:
        sys.stdout.write(self._status)
        _flush()


class JsonLines(Display):
    """One JSON object a line; `event` says which kind."""

    def ready(self, event: Event, sources: Iterable[str], *, poll: bool, why: str) -> None:
        self._emit("ready", sources=list(sources), polling=poll, **_figures(event))

    def tell(self, event: Event, *, mended: bool) -> None:
        kind = "failed" if event.is_broken else "built"
        self._emit(
            kind,
            mended=mended,
            **_figures(event),
            diagnostics=[diagnostic_row(one, event.sources, "") for one in event.found],
        )

    def restarting(self, command: str) -> None:
        self._emit("starting", command=command)

    def ended(self, command: str, code: int, then: str = "") -> None:
        self._emit("ended", command=command, code=code)

    def problem(self, text: str) -> None:
        self._emit("problem", message=text)

    def _emit(self, event: str, **values: Any) -> None:
        import json

        print(json.dumps({"event": event, **values}), flush=True)


def _figures(event: Event) -> dict[str, Any]:
    summary = event.summary
    return {
        "tools": summary.tools,
        "files": summary.files,
        "changed": summary.changed,
        "created": list(summary.created),
        "updated": list(summary.updated),
        "deleted": list(summary.deleted),
        "kept": list(summary.kept),
        "milliseconds": summary.milliseconds,
    }


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()
