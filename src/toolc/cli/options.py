"""Options as rows of a table, from which come the parser, the help and the shells' completion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import SimpleNamespace

from toolc.report import FORMATS
from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any


class Option(NamedTuple):
    """An option, or where its name has no dash an argument. It takes a value if it has choices or
    a `metavar`, and is a switch otherwise."""

    names: tuple[str, ...]
    help: str
    metavar: str = ""
    choices: tuple[str, ...] = ()
    default: str | None = None
    number: str = ""
    """How many values an argument has, as argparse's `nargs`: `?` or `*`."""

    @property
    def is_argument(self) -> bool:
        return not self.names[0].startswith("-")

    @property
    def takes_value(self) -> bool:
        return bool(self.metavar or self.choices)

    @property
    def is_switch(self) -> bool:
        return not self.is_argument and not self.takes_value

    @property
    def key(self) -> str:
        """Its name among the values, as argparse makes it of the first long name."""
        long = [name for name in self.names if name.startswith("--")]
        return (long or self.names)[0].lstrip("-").replace("-", "_")


PROJECT = Option(("--project",), "the project file or its folder", "PATH")
FORMAT = Option(("--format",), "how to print what is found", choices=FORMATS, default="text")
COLOR = Option(
    ("--color",),
    "when to use colours; `auto` is on a terminal where NO_COLOR is not set",
    choices=("auto", "always", "never"),
    default="auto",
)
QUIET = Option(("-q", "--quiet"), "print errors and warnings only")
STRICT = Option(("--strict",), "fail on warnings too")

COMMON = (PROJECT, FORMAT, COLOR, QUIET)
"""What every command that compiles takes."""

HELP = Option(("-h", "--help"), "print this help")


def parse(
    command: str, summary: str, options: Sequence[Option], arguments: Sequence[str]
) -> SimpleNamespace:
    """The values of a command's options. A wrong one prints the usage and ends with SystemExit."""
    return parse_switches(options, arguments) or parse_any(command, summary, options, arguments)


def parse_switches(options: Sequence[Option], arguments: Sequence[str]) -> SimpleNamespace | None:
    """The values of a command line that holds nothing but switches, spelled out; None for any other.

    Most are of that kind, and importing argparse takes longer than a small build.
    """
    switches = {name: option.key for option in options if option.is_switch for name in option.names}
    if not switches.keys() >= set(arguments):
        return None
    values: dict[str, Any] = {}
    for option in options:
        if option.is_argument and not option.number:
            return None
        without: Any = [] if option.number == "*" else option.default
        values[option.key] = False if option.is_switch else without
    values.update((switches[name], True) for name in arguments)
    return SimpleNamespace(**values)


def parse_any(
    command: str, summary: str, options: Iterable[Option], arguments: Sequence[str]
) -> SimpleNamespace:
    """The same for every command line, by argparse."""
    import argparse

    parser = argparse.ArgumentParser(
        f"toolc {command}", description=summary, allow_abbrev=False, add_help=False
    )
    parser.add_argument(*HELP.names, help=HELP.help, action="help")
    for option in options:
        parser.add_argument(*option.names, **_settings(option))
    return parser.parse_args(arguments, SimpleNamespace())


def _settings(option: Option) -> dict[str, Any]:
    settings: dict[str, Any] = {"help": option.help.replace("%", "%%")}
    if option.is_switch:
        return settings | {"action": "store_true"}
    if option.choices:
        settings["choices"] = option.choices
    if option.metavar:
        settings["metavar"] = option.metavar
    if option.number:
        settings["nargs"] = option.number
    return settings | {"default": option.default}
