"""How fast a cold build is: tools a second, where the time goes, and the peak of memory.

    python benchmarks/build.py [N ...]        default: 100 1000 10000

Each size runs in a process of its own, on a project that is made for it in a temporary folder.
Times are wall-clock seconds of one run; compare the columns, not two machines.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

SIZES = (100, 1_000, 10_000)
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


def write_project(root: Path, count: int) -> None:
    """`count` definitions of about 1 KB each, in 40 folders."""
    (root / "toolc.toml").write_text("", "utf-8")
    for number in range(count):
        folder = root / "tooldefs" / f"f{number % FOLDERS:02}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"find_notes_{number}.toml").write_text(
            DEFINITION.replace("{n}", str(number)), "utf-8"
        )


def measure(root: Path) -> dict[str, float]:
    """Build the project once, stage by stage; seconds, and the peak of memory in bytes."""
    import resource

    from toolc import driver, files, pipeline
    from toolc.generate.project import make_piece, project_artifacts
    from toolc.generate.templates import environment
    from toolc.loader import SUFFIXES, decode, load
    from toolc.model.piece import PieceList
    from toolc.model.project import Project

    clock = time.perf_counter
    project = Project()
    marks = [("", clock())]

    def mark(name: str) -> None:
        marks.append((name, clock()))

    paths, _, _ = files.find_sources(str(root), project.sources, SUFFIXES)
    mark("find")
    sources = [decode(path, files.read_bytes(str(root), path))[0] for path in paths]  # type: ignore[arg-type]
    mark("read")
    for source in sources:
        assert source is not None
        load(source)
    mark("load alone")
    compiled = [pipeline.compile_file(source, project) for source in sources if source is not None]
    mark("load, build, check")
    program = pipeline.Program(*pipeline.link(compiled, lambda path: None))
    mark("link")
    render = environment({}, driver.read_builtin_templates)
    pieces = [make_piece(tool, project, render)[0] for tool in program.tools]
    artifacts, problems = project_artifacts(PieceList(pieces), project, render)
    assert not problems
    artifacts += tuple(artifact for piece in pieces for artifact in piece.artifacts)
    mark("generate")
    opened = driver.Build(str(root), project, program.tools, (), {}, len(paths), paths, artifacts)
    plan = driver.plan_build(opened)
    mark("plan")
    assert not driver.commit(opened, plan)
    mark("write")
    seconds = {name: end - start for (_, start), (name, end) in pairwise(marks)}
    seconds["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return seconds


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--one"]:
        print(json.dumps(measure(Path(arguments[1]))))
        return
    for count in [int(argument) for argument in arguments] or SIZES:
        with tempfile.TemporaryDirectory() as folder:
            write_project(Path(folder), count)
            run = subprocess.run(
                [sys.executable, __file__, "--one", folder],
                check=True,
                capture_output=True,
                text=True,
            )
        seconds = json.loads(run.stdout)
        peak = seconds.pop("peak")
        total = sum(value for name, value in seconds.items() if name != "load alone")
        print(f"{count:,} tools cold: {total:.2f} s, {count / total:,.0f} tools a second, ", end="")
        print(f"peak {peak / 2**20:.0f} MiB")
        for name, value in seconds.items():
            note = "  (within the next)" if name == "load alone" else ""
            print(f"  {name:20} {value * 1000:9.1f} ms  {value / count * 1e6:7.1f} µs a tool{note}")


if __name__ == "__main__":
    main(sys.argv[1:])
