"""Cold builds: no output and no cache stands."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping

import peers
from bench import Bench, Task, create_files
from figure import Figure, NotMeasuredError
from projects import Project

# Milliseconds that one machine took for 10,000 TOML files: the Go reference on one core, and the
# Python that this bare loop stands for.
GO_REFERENCE, GO_PYTHON = 1025, 1062

LOOPS = {"toml": "bare tomli and json", "yaml": "bare CSafeLoader and json", "json": "bare json"}


def manifest(bench: Bench, notation: str) -> Iterator[Figure]:
    """Definitions to a manifest, without Python, against a bare loop over the same files."""
    project = bench.project(bench.middle, notation, stubs=False)
    medians = _against_bare_loop(bench, project, bench.python)
    what, loop = f"{project.size:,} files to a manifest", medians["loop"]
    yield Figure(what, "ms", medians["build"], loop, LOOPS[notation], 1.6)
    if notation == "toml":
        scaled = loop * GO_REFERENCE / GO_PYTHON
        name = f"Go, scaled: bare x {GO_REFERENCE}/{GO_PYTHON}"
        note = "an estimate: the Go reference is not run here"
        yield Figure(what, "ms", medians["build"], scaled, name, 1.2, note=note)


def fast_toml(bench: Bench) -> Iterator[Figure]:
    """The same with toml_rs installed beside toolc; the loop keeps tomli."""
    python = bench.fast_python or peers.python_with("toml_rs", [bench.python, peers.FAST_TOML])
    if not python:
        raise NotMeasuredError(f"toml_rs not installed; {peers.INSTALL}")
    project = bench.project(bench.middle, stubs=False)
    medians = _against_bare_loop(bench, project, python, fast=True)
    what = f"{project.size:,} files to a manifest, with toml_rs"
    yield Figure(what, "ms", medians["build"], medians["loop"], LOOPS["toml"], 0.8)


def _against_bare_loop(
    bench: Bench, project: Project, python: str, *, fast: bool = False
) -> dict[str, float]:
    written = bench.folder / "bare.json"
    loop = bench.floor(
        "compile_all.py", project.notation, str(project.root / "tooldefs"), str(written)
    )
    medians = bench.medians(
        {
            "build": bench.task(
                bench.toolc("build", python=python), project.root, project.clear, fast=fast
            ),
            "loop": bench.task(loop, project.root),
        }
    )
    if json.loads(written.read_bytes()) != json.loads(project.manifest.read_bytes()):
        raise NotMeasuredError("toolc and the bare loop did not make the same tools")
    return medians


def with_stubs(bench: Bench) -> Iterator[Figure]:
    """Definitions to a manifest and Python, against the manifest alone."""
    build = _Stubs(bench, bench.middle)
    medians = bench.medians(build.tasks)
    what = f"{bench.middle:,} files to manifest and Python"
    aside = medians["stubs"] - medians["create"]
    name, floor = "toolc, manifest only", medians["manifest"]
    yield Figure(f"{what}, creation aside", "ms", aside, floor, name, 2.0)
    yield Figure(what, "ms", medians["stubs"], floor, name)
    yield Figure(
        f"creation of {len(build.created):,} files", beside=medians["create"], name="bare loop"
    )


def peer(bench: Bench) -> Iterator[Figure]:
    """The Python of 1,000 tools, against datamodel-code-generator on their manifest, which it
    reads as it is."""
    if not peers.CODEGEN.exists():
        raise NotMeasuredError(f"datamodel-code-generator not installed; {peers.INSTALL}")
    build = _Stubs(bench, bench.small)
    tools = bench.folder / "tools.json"
    shutil.copyfile(build.manifest, tools)
    output = bench.folder / "models.py"
    # The fastest of its settings; which kind of class is the faster one changes from run to run.
    kinds = ("dataclasses.dataclass", "typing.TypedDict")
    command = [str(peers.CODEGEN), "--input", str(tools), "--input-file-type", "mcp-tools"]
    command += ["--output", str(output), "--no-formatters", "--output-model-type"]
    others = {kind: bench.task([*command, kind], bench.folder) for kind in kinds}
    medians = bench.medians({**build.tasks, **others})
    fastest = min(kinds, key=lambda kind: medians[kind])
    peer, name = medians[fastest], f"datamodel-codegen, {fastest.rpartition('.')[2]}"
    what = f"Python for {bench.small:,} tools"
    aside = medians["stubs"] - medians["create"]
    yield Figure(
        f"{what}, whole build, creation aside", "ms", aside, peer, name, 20, is_speedup=True
    )
    yield Figure(f"{what}, whole build", "ms", medians["stubs"], peer, name, is_speedup=True)
    alone = aside - medians["manifest"]
    yield Figure(f"{what}, less a build without", "ms", alone, peer, name, is_speedup=True)


class _Stubs:
    """Cold builds of one size without and with Python, and the creation of what the second writes
    more."""

    def __init__(self, bench: Bench, count: int) -> None:
        alone, full = bench.built(count, stubs=False), bench.built(count)
        self.manifest = bench.folder / "manifest.json"
        shutil.copyfile(full.manifest, self.manifest)
        common = alone.written_sizes()
        self.created: Mapping[str, int] = {
            name: size for name, size in full.written_sizes().items() if name not in common
        }
        self.tasks = {
            "manifest": bench.task(bench.toolc("build"), alone.root, alone.clear),
            "stubs": bench.task(bench.toolc("build"), full.root, full.clear),
            "create": Task(lambda: create_files(bench.folder, self.created)),
        }
