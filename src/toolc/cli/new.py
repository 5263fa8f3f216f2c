"""`toolc new`: a definition to fill in, in whichever notation."""

from __future__ import annotations

import os
from types import SimpleNamespace

from toolc import files
from toolc.cli import UsageError
from toolc.cli.console import Console
from toolc.cli.editors import DEFINITION, has_schema, schema_line
from toolc.cli.main import FAILED, OK
from toolc.cli.options import COLOR, PROJECT, QUIET, Option
from toolc.cli.session import definitions_folder, open_project
from toolc.cli.tools import require_tool_name
from toolc.loader import SUFFIXES
from toolc.model.artifact import Action, Change, Owner, Plan

OPTIONS = (
    Option(("name",), "the tool's name", "NAME"),
    Option(
        ("--format",),
        "the notation of its definition",
        choices=("toml", "yaml", "json"),
        default="toml",
    ),
    PROJECT,
    COLOR,
    QUIET,
)

_TOML = """\
# The tool's name is this file's. Every key: docs/format.md of toolc
title = "TITLE"
# What a model reads: what the tool does, when to use it, what its limits are.
description = "DESCRIPTION"
keywords = []        # search words for discovery
# What a host may decide by, as whether to ask first: say what is so, and leave out the rest.
# readOnly = true    # it changes nothing
# openWorld = false  # it reaches nothing outside the server
# destructive = true # it may destroy or overwrite
# idempotent = true  # calling it again changes nothing more

# The types: string, int, float, bool, object, any, array:TYPE, map:TYPE, TYPE | TYPE
[[parameters]]
name = "text"
type = "string"
description = "What this parameter means"
required = true
# default, enum, minimum, maxLength, pattern … : JSON Schema's keywords by their names

# What the tool answers; without it, text.
# [[output]]
# name = "result"
# type = "string"
# required = true

# [[examples]]
# prompt = "what somebody would say"
# arguments = { text = "…" }
"""

_YAML = """\
# The tool's name is this file's. Every key: docs/format.md of toolc
title: "TITLE"
# What a model reads: what the tool does, when to use it, what its limits are.
description: "DESCRIPTION"
keywords: []        # search words for discovery
# What a host may decide by, as whether to ask first: say what is so, and leave out the rest.
# readOnly: true    # it changes nothing
# openWorld: false  # it reaches nothing outside the server
# destructive: true # it may destroy or overwrite
# idempotent: true  # calling it again changes nothing more

# The types: string, int, float, bool, object, any, array:TYPE, map:TYPE, TYPE | TYPE
parameters:
  - name: text
    type: string
    description: What this parameter means
    required: true
    # default, enum, minimum, maxLength, pattern … : JSON Schema's keywords by their names

# What the tool answers; without it, text.
# output:
#   - name: result
#     type: string
#     required: true

# examples:
#   - prompt: what somebody would say
#     arguments: { text: … }
"""

_JSON = """\
{
  "x-name": "The tool's name is this file's. Every key: docs/format.md of toolc",
  "title": "TITLE",
  "x-description": "What a model reads: what the tool does, when to use it, what its limits are.",
  "description": "DESCRIPTION",
  "keywords": [],
  "x-hints": [
    "readOnly, openWorld, destructive, idempotent: what a host may decide by, as whether to ask first.",
    "Say what is so, and leave out the rest."
  ],
  "x-types": "string, int, float, bool, object, any, array:TYPE, map:TYPE, TYPE | TYPE",
  "parameters": [
    {
      "name": "text",
      "type": "string",
      "description": "What this parameter means",
      "required": true
    }
  ]
}
"""

_TEMPLATES = {"toml": _TOML, "yaml": _YAML, "json": _JSON}


def run(options: SimpleNamespace) -> int:
    require_tool_name(options.name)
    # Here `--format` is the definition's; what there is to say is said in text.
    notation, options.format = options.format, "text"
    console = Console(options)
    opened = open_project(options, console)
    if opened is None:
        return FAILED
    folder = definitions_folder(opened.root, opened.project)
    for suffix in SUFFIXES:
        path = _join(folder, options.name + suffix)
        if os.path.lexists(os.path.join(opened.root, path)):
            raise UsageError(f"{path!r} is there already")
    path = _join(folder, f"{options.name}.{notation}")
    words = options.name.replace("_", " ").replace("-", " ").replace(".", " ").strip()
    title = words[:1].upper() + words[1:] or options.name
    text = _TEMPLATES[notation].replace("TITLE", title).replace("DESCRIPTION", f"{title}.")
    if has_schema(opened.root, DEFINITION):
        brace = "{\n" if notation == "json" else ""
        text = brace + schema_line(DEFINITION, path) + text.removeprefix(brace)
    change = Change(Action.CREATE, path, None, text, Owner.HUMAN)
    problems = files.commit(opened.root, Plan((change,), 0), ["."]).problems
    if problems:
        return console.report(problems, {}, None, root=opened.root)
    handler = ", and write its handler" if opened.project.python.enabled else ""
    console.say(f"wrote {path}; say what it does, then `toolc build`{handler}")
    return OK


def _join(folder: str, name: str) -> str:
    return name if folder == "." else f"{folder}/{name}"
