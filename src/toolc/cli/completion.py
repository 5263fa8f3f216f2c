"""`toolc completion`: scripts for the shells, made from the same tables as the parser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from types import SimpleNamespace

from toolc.cli.main import COMMANDS, OK
from toolc.cli.options import HELP, Option


def _options_of(command: str) -> tuple[Option, ...]:
    options: tuple[Option, ...] = import_module(f"toolc.cli.{command}").OPTIONS
    return (*options, HELP)


def _bash() -> Iterator[str]:
    yield "_toolc() {"
    yield "  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} words="
    yield "  if [ $COMP_CWORD -eq 1 ]; then"
    yield f'    words="{" ".join(COMMANDS)} --help --version"'
    yield "  else"
    yield "    case ${COMP_WORDS[1]},$previous in"
    for command in COMMANDS:
        for option in _options_of(command):
            if option.choices and not option.is_argument:
                yield f'      {command},{option.names[-1]}) words="{" ".join(option.choices)}" ;;'
    for command in COMMANDS:
        words = [name for option in _options_of(command) for name in _words(option)]
        yield f'      {command},*) words="{" ".join(words)}" ;;'
    yield "    esac"
    yield "  fi"
    yield '  COMPREPLY=($(compgen -W "$words" -- "$current"))'
    yield "}"
    yield "complete -o default -F _toolc toolc"


def _words(option: Option) -> tuple[str, ...]:
    """What can be typed for an option: its names, or the choices of an argument."""
    return option.choices if option.is_argument else option.names


def _zsh() -> Iterator[str]:
    yield "#compdef toolc"
    yield "_toolc() {"
    yield "  if (( CURRENT == 2 )); then"
    yield "    local -a commands=("
    for command, summary in COMMANDS.items():
        yield f"      {_quoted(f'{command}:{summary}')}"
    yield "    )"
    yield "    _describe command commands"
    yield "    return"
    yield "  fi"
    yield "  shift words; (( CURRENT-- ))"
    yield "  case ${words[1]} in"
    for command in COMMANDS:
        arguments = [text for option in _options_of(command) for text in _zsh_arguments(option)]
        yield f"    {command}) _arguments {' '.join(map(_quoted, arguments))} ;;"
    yield "  esac"
    yield "}"
    yield "compdef _toolc toolc"


def _zsh_arguments(option: Option) -> Iterator[str]:
    values = f"({' '.join(option.choices)})" if option.choices else "_files"
    if option.is_argument:
        yield f"{'*' if option.number == '*' else ''}:{option.names[0]}:{values}"
        return
    meaning = option.help.replace("[", "(").replace("]", ")").replace(":", ",")
    for name in option.names:
        yield f"{name}[{meaning}]" + (f":value:{values}" if option.takes_value else "")


def _fish() -> Iterator[str]:
    for command, summary in COMMANDS.items():
        yield f"complete -c toolc -n __fish_use_subcommand -f -a {command} -d {_quoted(summary)}"
    for command in COMMANDS:
        for option in _options_of(command):
            line = f"complete -c toolc -n '__fish_seen_subcommand_from {command}'"
            if not option.is_argument:
                line += "".join(f" {_fish_name(name)}" for name in option.names)
                line += f" -d {_quoted(option.help)}" + " -r" * option.takes_value
            if option.choices:
                line += f" -f -a {_quoted(' '.join(option.choices))}"
            if option.choices or not option.is_argument:
                yield line


def _fish_name(name: str) -> str:
    return f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"


def _quoted(text: str) -> str:
    """A literal of all three shells; none of toolc's texts holds a backslash."""
    return "'" + text.replace("'", "’") + "'"


_SCRIPTS: dict[str, Callable[[], Iterator[str]]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}

OPTIONS = (Option(("shell",), "the shell", choices=tuple(_SCRIPTS)),)


def run(options: SimpleNamespace) -> int:
    print("\n".join(_SCRIPTS[options.shell]()))
    return OK
