"""Options as rows of a table, from which come the parser, the help and the shells' completion."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple


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


PROJECT = Option(("--project",), "the project file or its folder", "PATH")
FORMAT = Option(
    ("--format",), "how to print what is found", choices=("text", "json", "github"), default="text"
)
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
    command: str, summary: str, options: Iterable[Option], arguments: Sequence[str]
) -> argparse.Namespace:
    """The values of a command's options. A wrong one prints the usage and ends with SystemExit."""
    parser = argparse.ArgumentParser(
        f"toolc {command}", description=summary, allow_abbrev=False, add_help=False
    )
    parser.add_argument(*HELP.names, help=HELP.help, action="help")
    for option in options:
        parser.add_argument(*option.names, **_settings(option))
    return parser.parse_args(arguments)


def _settings(option: Option) -> dict[str, Any]:
    settings: dict[str, Any] = {"help": option.help.replace("%", "%%")}
    if not option.is_argument and not option.takes_value:
        return settings | {"action": "store_true"}
    if option.choices:
        settings["choices"] = option.choices
    if option.metavar:
        settings["metavar"] = option.metavar
    if option.number:
        settings["nargs"] = option.number
    return settings | {"default": option.default}
