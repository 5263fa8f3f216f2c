"""Projects to measure: any number of definitions of about 1 KB, in 40 folders."""

from __future__ import annotations

import functools
import json
import os
import shutil
import time
from pathlib import Path
from typing import NamedTuple

FOLDERS = 40

DEFINITION = """title = "Find notes {n}"
description = "Find notes that contain all the given words. Use it before creating a note. At most 50."
keywords = ["note", "search", "memory"]
readOnly = true
openWorld = false

[[parameters]]
name = "words"
type = "array:string"
description = "Words that must all occur, in any order"
required = true
minItems = 1
maxItems = 10

[[parameters]]
name = "limit"
type = "int"
description = "How many notes to return"
default = 20
minimum = 1
maximum = 50

[[parameters]]
name = "from"
type = "string"
format = "date"
description = "Only notes changed on or after this day, like 2026-11-29"

[[output]]
name = "notes"
type = "array:object"
required = true

[[output.properties]]
name = "id"
type = "string"
required = true

[[output.properties]]
name = "preview"
type = "string"
description = "The first 80 characters"
"""


@functools.cache
def definition(notation: str) -> str:
    """`DEFINITION` in `toml`, `yaml` or `json`; `{n}` stands for the tool's number."""
    import tomli
    import yaml

    if notation == "toml":
        return DEFINITION
    value = tomli.loads(DEFINITION)
    if notation == "json":
        return json.dumps(value, indent=2) + "\n"
    return yaml.safe_dump(value, sort_keys=False, width=100)


class Project(NamedTuple):
    """A project's folder, and what was put into it."""

    root: Path
    size: int  # how many definitions
    notation: str
    stubs: bool  # whether the project wants Python, too

    @property
    def manifest(self) -> Path:
        return self.root / "generated" / "manifest.json"

    def definition_path(self, number: int) -> Path:
        folder = self.root / "tooldefs" / f"f{number % FOLDERS:02}"
        return folder / f"find_notes_{number}.{self.notation}"

    def write(self) -> None:
        """Make the folder and its files."""
        for number in range(min(self.size, FOLDERS)):
            self.definition_path(number).parent.mkdir(parents=True)
        settings = "" if self.stubs else "[python]\nenabled = false\n"
        (self.root / "toolc.toml").write_text(settings, "utf-8")
        text = definition(self.notation)
        for number in range(self.size):
            self.definition_path(number).write_text(text.replace("{n}", str(number)), "utf-8")

    def save(self, number: int, remark: str, behind: str = "At most 50.") -> float:
        """Add a remark behind a text of one definition, its description's last sentence if nothing is
        said, as an editor does that replaces the file; the moment at which it stood there, by
        `time.perf_counter`."""
        path = self.definition_path(number)
        text = definition(self.notation).replace("{n}", str(number))
        beside = path.with_suffix(".saving")
        beside.write_text(text.replace(behind, f"{behind} {remark}"), "utf-8")
        os.replace(beside, path)
        return time.perf_counter()

    def clear(self) -> None:
        """Remove all that a build wrote."""
        for name in ("generated", ".toolc_cache"):
            shutil.rmtree(self.root / name, ignore_errors=True)
        os.sync()  # what is still to be written to the disk would be charged to whoever comes next

    def written_sizes(self) -> dict[str, int]:
        """The files of the output folder and their sizes in bytes, by their path in it."""
        folder = self.root / "generated"
        files = (path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): path.stat().st_size for path in files}
