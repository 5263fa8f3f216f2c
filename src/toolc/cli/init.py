"""`toolc init`: a project of one tool that builds, serves and answers at once."""

from __future__ import annotations

import os
import posixpath
import re
import shlex
import unicodedata
from types import SimpleNamespace

from toolc import driver, files
from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.cli.editors import DEFINITION, PROJECT, schema_line, schema_path, schema_text
from toolc.cli.main import FAILED, OK
from toolc.cli.options import COLOR, FORMAT, QUIET, Option
from toolc.cli.session import definitions_folder
from toolc.model.artifact import Action, Change, Owner, Plan
from toolc.model.diagnostic import has_errors
from toolc.model.project import Project, PythonTarget
from toolc.report.visible import visible

OPTIONS = (
    Option(("folder",), "where to write it (default: here)", "DIR", default=".", number="?"),
    Option(("--deploy",), "also write a Dockerfile, and manifests for Kubernetes"),
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
{app} # your code: what the tools share while the server runs
"""

_APP_SETTING = 'app = "app:App"        '
_NO_APP_SETTING = '# app = "module:Class" '
"""Where an `app.py` stands already, which is somebody else's."""

_DEFINITION = """\
# One tool. It is called `greet` because this file is.
title = "Greet"
# What a model reads: what the tool does, when to use it, what its limits are.
description = "Greet somebody by name. Use it to see whether this server answers."
# What a host may decide by: the tool changes nothing, and reaches nothing outside.
readOnly = true
openWorld = false
# Arguments that can mean one thing only, as "2" where a number is due, are taken as meant.
repair = "safe"

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

_APP = '''\
"""What the tools share while the server runs. It is yours: no build changes it."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass


@dataclass
class App:
    """Settings, clients, pools of connections: `context.app` in every handler.

    It may also have `configure`, `adapt` and `verify_token`: see "The application" in toolc's docs.
    """

    greeting: str

    @classmethod
    @asynccontextmanager
    async def lifespan(cls) -> AsyncIterator[App]:
        """Open what the tools need; what stands after `yield` runs when the server ends."""
        yield cls(greeting=os.environ.get("GREETING", "Hello"))
'''

_HANDLER = '''\
"""Handler of `greet`. It is yours: no build changes it."""

from __future__ import annotations

from toolc_runtime import Context

from app import App
from {package}.contracts.greet import GreetParams, GreetResult


async def greet(params: GreetParams, context: Context[App]) -> GreetResult:
    """Greet somebody by name."""
    greeting = f"{{context.app.greeting}}, {{params.name}}!"
    return {{"greeting": " ".join([greeting] * params.times)}}
'''

_PLAIN_HANDLER = '''\
"""Handler of `greet`. It is yours: no build changes it."""

from __future__ import annotations

from toolc_runtime import Context

from {package}.contracts.greet import GreetParams, GreetResult


async def greet(params: GreetParams, context: Context) -> GreetResult:
    """Greet somebody by name."""
    return {{"greeting": " ".join([f"Hello, {{params.name}}!"] * params.times)}}
'''
"""Where the project decides on an application, or does without."""

_HANDLERS = '"""The tools\' handlers."""\n'


_NEW = Project(python=PythonTarget(handlers="handlers", handlers_package="handlers", app="app:App"))
"""What `_PROJECT` says."""


def run(options: SimpleNamespace) -> int:
    root = os.path.abspath(options.folder)
    if os.path.lexists(root) and not os.path.isdir(root):
        raise UsageError(f"{options.folder!r} is a file; name a folder")
    os.makedirs(root, exist_ok=True)
    console = Console(options)
    texts: dict[str, str] = {}
    project, described = _NEW, files.project_file(root)
    handler = _PLAIN_HANDLER
    schemas: tuple[str, ...] = (DEFINITION,)
    if described:
        # The project that is there decides where the tool goes.
        opened = driver.open_project(root, root)
        if has_errors(opened.diagnostics):
            console.report(opened.diagnostics, opened.sources, None, root=root)
            return FAILED
        project = opened.project
    else:
        has_app = not os.path.lexists(os.path.join(root, "app.py"))
        line = schema_line(PROJECT, files.PROJECT_FILE)
        texts[files.PROJECT_FILE] = line + _PROJECT.format(
            name=_server_name(root), app=_APP_SETTING if has_app else _NO_APP_SETTING
        )
        schemas += (PROJECT,)
        if has_app:
            texts["app.py"] = _APP
            handler = _HANDLER
    if not driver.find_definitions(root, project):
        texts |= _tool_texts(root, project, handler)
    if options.deploy:
        if not project.python.enabled:
            raise UsageError("--deploy: this project has no server: `python.enabled` is false")
        from toolc.cli.deploy import deploy_texts

        name = project.server.name if described else _server_name(root)
        texts |= deploy_texts(name, project)
    texts |= {schema_path(name): schema_text(name) for name in schemas}
    kept = [path for path in texts if os.path.lexists(os.path.join(root, path))]
    written = [path for path in texts if path not in kept]
    changes = tuple(Change(Action.CREATE, path, None, texts[path], Owner.HUMAN) for path in written)
    problems = files.commit(root, Plan(changes, len(kept)), ["."]).problems
    if problems:
        return console.report(problems, {}, None, root=root)
    if written:
        place = f", as {described} has it" if described else ""
        console.say(f"wrote {', '.join(written)}{place}")
    if kept:
        console.say(f"kept {', '.join(kept)}, which stood there already")
    if project.output:
        console.say(
            f"what builds write to {project.output}/ is meant to be committed, like the rest"
        )
    way = os.path.relpath(root)
    enter = "" if way == os.curdir else f"cd {visible(_quoted(way))} && "
    serve = " && toolc serve --transport http" if project.python.enabled else ""
    console.say(f"next: {enter}toolc build{serve}")
    return OK


def _tool_texts(root: str, project: Project, handler: str) -> dict[str, str]:
    """The tool's definition, and its handler where the project generates Python, by path."""
    folder, python = definitions_folder(root, project), project.python
    path = posixpath.normpath(f"{folder}/greet.toml")
    texts = {path: schema_line(DEFINITION, path) + _DEFINITION}
    if python.enabled:
        if python.handlers != python.folder:  # whose own is toolc's
            texts[f"{python.handlers}/__init__.py"] = _HANDLERS
        texts[f"{python.handlers}/greet.py"] = handler.format(package=python.package)
    return {posixpath.normpath(path): text for path, text in texts.items()}


def _server_name(root: str) -> str:
    """A server's name made of its folder's."""
    plain = unicodedata.normalize("NFKD", os.path.basename(root))
    letters = "".join(letter for letter in plain if not unicodedata.combining(letter))
    name = re.sub(r"[^A-Za-z0-9]+", "-", letters).strip("-")
    return name.lower() or "my-server"


def _quoted(path: str) -> str:
    """A path as a shell takes it."""
    return shlex.quote(f"./{path}" if path.startswith("-") else path)
