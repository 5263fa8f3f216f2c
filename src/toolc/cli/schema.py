"""`toolc schema`: what an editor checks, completes and explains a file by, as a JSON Schema."""

from __future__ import annotations

import os
import sys
from types import SimpleNamespace

from toolc import files
from toolc.cli.editors import DEFINITION, PROJECT, schema_text
from toolc.cli.main import MISUSED, OK
from toolc.cli.options import Option
from toolc.model.artifact import Action, Change, Owner, Plan

OPTIONS = (
    Option(
        ("schema",),
        "the schema of definitions, or of the project file (default: definition)",
        choices=(DEFINITION, PROJECT),
        default=DEFINITION,
        number="?",
    ),
    Option(("--output",), "write it to a file instead", "FILE"),
)


def run(options: SimpleNamespace) -> int:
    text = schema_text(options.schema)
    if options.output is None:
        print(text, end="")
        return OK
    folder, name = os.path.split(os.path.abspath(options.output))
    os.makedirs(folder, exist_ok=True)
    change = Change(Action.CREATE, name, None, text, Owner.DATA)
    for problem in files.commit(folder, Plan((change,), 0), ["."]).problems:
        print(f"toolc: {options.output}: {problem.message}", file=sys.stderr)
        return MISUSED
    print(f"wrote {options.output}")
    return OK
