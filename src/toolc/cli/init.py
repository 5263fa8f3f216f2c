"""`toolc init`: a project of one tool that builds, serves and answers at once."""

from __future__ import annotations

import os
import re
from argparse import Namespace

from toolc import files
from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.cli.main import OK
from toolc.cli.options import COLOR, FORMAT, QUIET, Option
from toolc.model.artifact import Action, Change, Owner, Plan
from toolc.report.visible import visible

OPTIONS = (
    Option(("folder",), "where to write it (default: here)", "DIR", default=".", number="?"),
    FORMAT,
    COLOR,
    QUIET,
)

_PROJECT = """\
# Everything here has a default: an empty file is a project too.
sources = ["tooldefs"]  # folders or files with definitions
output = "generated"    # what toolc writes; commit it, and leave it to toolc

[python]
handlers = "handlers"   # your code: toolc writes a stub for each new tool and then keeps off

[server]
name = "{name}"
version = "0.1.0"
"""

_DEFINITION = """\
# One tool. It is called `greet` because this file is.
title = "Greet"
# What a model reads: what the tool does, when to use it, what its limits are.
description = "Greet somebody by name. Use it to see whether this server answers."
# What a host may decide by: the tool changes nothing, and reaches nothing outside.
readOnly = true
openWorld = false

[[parameters]]
name = "name"
type = "string"
description = "Who is greeted"
required = true
minLength = 1

[[parameters]]
name = "times"
type = "int"
description = "How often"
default = 1
minimum = 1
maximum = 3

[[output]]
name = "greeting"
type = "string"
required = true

[[examples]]
prompt = "say hello to Ada"
arguments = { name = "Ada" }
result = { greeting = "Hello, Ada!" }
"""

_HANDLER = '''\
"""Handler of `greet`. It is yours: no build changes it."""

from __future__ import annotations

from generated.contracts.greet import GreetParams, GreetResult
from toolc_runtime import Context


async def greet(params: GreetParams, context: Context) -> GreetResult:
    """Greet somebody by name."""
    return {"greeting": " ".join([f"Hello, {params.name}!"] * params.times)}
'''


def run(options: Namespace) -> int:
    root = os.path.abspath(options.folder)
    if os.path.lexists(root) and not os.path.isdir(root):
        raise UsageError(f"{options.folder!r} is a file; name a folder")
    os.makedirs(root, exist_ok=True)
    texts = {
        files.PROJECT_FILE: _PROJECT.format(name=_server_name(root)),
        "tooldefs/greet.toml": _DEFINITION,
        "handlers/greet.py": _HANDLER,
    }
    if files.project_file(root) == files.PYPROJECT_FILE:
        # Its [tool.toolc] is the project; a toolc.toml beside it would hide that.
        del texts[files.PROJECT_FILE]
    kept = [path for path in texts if os.path.lexists(os.path.join(root, path))]
    written = [path for path in texts if path not in kept]
    changes = tuple(Change(Action.CREATE, path, None, texts[path], Owner.HUMAN) for path in written)
    console = Console(options)
    problems = files.commit(root, Plan(changes, len(kept)), ["."])
    if problems:
        return console.report(problems, {}, None, root=root)
    if written:
        console.say(f"wrote {', '.join(written)}")
    if kept:
        console.say(f"kept {', '.join(kept)}, which stood there already")
    way = os.path.relpath(root)
    enter = "" if way == os.curdir else f"cd {visible(way)} && "
    console.say(f"next: {enter}toolc build && toolc serve --transport http")
    return OK


def _server_name(root: str) -> str:
    """A server's name made of its folder's."""
    name = re.sub(r"[^A-Za-z0-9]+", "-", os.path.basename(root)).strip("-")
    return name.lower() or "my-server"
