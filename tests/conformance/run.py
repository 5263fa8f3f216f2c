"""Run the official MCP conformance suite against a server that toolc builds from this folder.

Needs npm; the suite and the Node 22 that it wants are installed into `.npm/` at the first run. The
suite runs once for each revision in `REVISIONS`. Its own results, and the server's log, are kept in
`.npm/results/`. The exit code is 1 if a scenario fails that a server of tools can pass, or if one passes
that it cannot, 2 if the suite cannot be run.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import yaml

REVISIONS = ("2025-11-25", "2026-07-28")

SUITE, SUITE_VERSION = "@modelcontextprotocol/conformance", "0.2.0-alpha.12"
NODE, NODE_VERSION = "node", "22"

HERE = Path(__file__).resolve().parent
NPM = HERE / ".npm"
PACKAGES = NPM / "node_modules"
RESULTS = NPM / "results"

PROJECT = ("toolc.toml", "tooldefs", "handlers", "pages")
"""What the fixture project consists of."""

NOT_FOR_TOOLS = {
    "completion-complete": "completion is for prompts and resource templates",
    "resources-read-*": "wants test://…; the resources of the server are its tools' pages, ui://…",
    "resources-templates-read": "pages have no templates",
    "resources-*subscribe": "a page changes with a build only, of which lists tell",
    "prompts-*": "the server has no prompts",
    "input-required-result-non-tool-request": "the server has no prompts",
    "caching": "wants lists of prompts and of templates too",
    "tasks-*": "an extension that the SDK does not have",
    "server-sse-polling": "streams that resume need a store of events",
}
"""Scenarios that a server of tools cannot pass, as patterns, and why. Each must be one that the suite
has and that is not passed, so that none is listed which could be passed."""

_PATIENCE = 300
"""Seconds for npm, for a build, for one run of the suite."""

_LONGEST_PROBLEM = 200
"""Characters of one of the suite's messages that the table repeats."""


class Outcome(NamedTuple):
    """What the suite found in one scenario."""

    scenario: str
    succeeded: int
    """How many of its checks."""
    problems: tuple[str, ...]
    """Failures, and warnings: a warning is a SHOULD of the specification."""
    reason: str | None
    """Why a server of tools cannot pass it."""

    @property
    def passed(self) -> bool:
        return self.succeeded > 0 and not self.problems

    @property
    def failed(self) -> bool:
        return self.passed == (self.reason is not None)


class CannotRunError(Exception):
    """Why the suite cannot be run."""


def main() -> int:
    try:
        install()
        with tempfile.TemporaryDirectory() as folder:
            build(Path(folder))
            with serving(Path(folder)) as url:
                outcomes = {revision: run_suite(url, revision) for revision in REVISIONS}
    except (CannotRunError, subprocess.TimeoutExpired) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    for revision, found in outcomes.items():
        print(f"MCP {revision}\n\n" + "\n".join(table(found)) + "\n")
    every = [outcome for found in outcomes.values() for outcome in found]
    unknown = NOT_FOR_TOOLS.keys() - {pattern_of(outcome.scenario) for outcome in every}
    for pattern in sorted(unknown):
        print(f"NOT_FOR_TOOLS has {pattern}, which is no scenario")
    return int(bool(unknown) or any(outcome.failed for outcome in every))


def install() -> None:
    """Have npm bring the suite and its Node, unless they are there."""
    manifest = PACKAGES / SUITE / "package.json"
    if node().exists() and manifest.exists():
        installed = json.loads(manifest.read_text(encoding="utf-8"))["version"]
        if installed == SUITE_VERSION:
            return
    npm = shutil.which("npm")
    if npm is None:
        raise CannotRunError("npm is not installed; the conformance suite comes from there")
    wanted = (f"{SUITE}@{SUITE_VERSION}", f"{NODE}@{NODE_VERSION}")
    NPM.mkdir(exist_ok=True)
    check([npm, "install", "--prefix", str(NPM), "--loglevel", "error", *wanted])


def node() -> Path:
    return PACKAGES / NODE / "bin" / "node"


def build(folder: Path) -> None:
    """Copy the fixture project to `folder` and build it there."""
    for name in PROJECT:
        source = HERE / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / name)
    check([sys.executable, "-m", "toolc", "build", "--strict", "--project", str(folder)])


@contextmanager
def serving(folder: Path) -> Iterator[str]:
    """The URL of the built server, which runs for the time of a `with`."""
    shutil.rmtree(RESULTS, ignore_errors=True)
    RESULTS.mkdir()
    log = RESULTS / "server.log"
    # With streams: progress and messages, and requests in the middle of a call, have no other way.
    command = [sys.executable, "-m", "conformance_server", "--transport", "http", "--port", "0"]
    with log.open("wb") as file:
        server = subprocess.Popen(
            [*command, "--stream"], cwd=folder, stdin=subprocess.DEVNULL, stdout=file, stderr=file
        )
    try:
        while not (told := re.search(r"http://\S+", log.read_text(encoding="utf-8"))):
            if server.poll() is not None:
                raise CannotRunError(f"the server ended:\n{log.read_text(encoding='utf-8')}")
            time.sleep(0.05)
        yield told[0]
    finally:
        server.kill()
        server.wait()


def run_suite(url: str, revision: str) -> tuple[Outcome, ...]:
    """The outcome of each scenario that the suite has for servers of `revision`, in its order."""
    results = RESULTS / revision
    program = str(PACKAGES / SUITE / "dist" / "index.js")
    options = ["--url", url, "--requirements", revision, "--output-dir", str(results)]
    # Its exit code is not asked: it is 1 for a server without prompts.
    run = subprocess.run(
        [str(node()), program, "server", *options],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=_PATIENCE,
        check=False,
    )
    (RESULTS / f"{revision}.log").write_bytes(run.stdout)
    return tuple(read_outcome(name, results) for name in scenarios(revision))


def scenarios(revision: str) -> list[str]:
    """What `revision` requires of servers, then what the suite runs beside that."""
    listed = PACKAGES / SUITE / "requirements" / f"{revision}.yaml"
    required = yaml.safe_load(listed.read_text(encoding="utf-8"))
    beside = [row["scenario"] for row in required["not_scored"] if row["leg"] == "server"]
    return [*required["server"], *beside]


def pattern_of(scenario: str) -> str | None:
    """The key of `NOT_FOR_TOOLS` that a scenario falls under."""
    return next((name for name in NOT_FOR_TOOLS if fnmatchcase(scenario, name)), None)


def read_outcome(scenario: str, results: Path) -> Outcome:
    """The outcome that the suite wrote to a folder named `server-SCENARIO-TIME`."""
    pattern = pattern_of(scenario)
    reason = None if pattern is None else NOT_FOR_TOOLS[pattern]
    found = sorted(results.glob(f"server-{scenario}-[0-9][0-9][0-9][0-9]-*/checks.json"))
    if not found:
        return Outcome(scenario, 0, ("the suite did not run it",), reason)
    checks: list[dict[str, Any]] = json.loads(found[-1].read_text(encoding="utf-8"))
    problems = tuple(
        f"{check['id']}: {check.get('errorMessage') or check['description']}"
        for check in checks
        if check["status"] in ("FAILURE", "WARNING")
    )
    succeeded = sum(check["status"] == "SUCCESS" for check in checks)
    return Outcome(scenario, succeeded, problems, reason)


def table(outcomes: tuple[Outcome, ...]) -> Iterator[str]:
    """The lines of a revision's table and its sum."""
    width = max(len(outcome.scenario) for outcome in outcomes)
    for outcome in outcomes:
        name = outcome.scenario.ljust(width)
        if outcome.passed and outcome.failed:
            yield f"  FAILED  {name}  passes, so take it out of NOT_FOR_TOOLS"
        elif outcome.passed:
            yield f"  passed  {name}  checks: {outcome.succeeded}"
        elif outcome.reason is not None:
            yield f"  -       {name}  {outcome.reason}"
        else:
            yield f"  FAILED  {name}  checks: {outcome.succeeded}, and these did not pass:"
            yield from (f"            {problem[:_LONGEST_PROBLEM]}" for problem in outcome.problems)
    passed = sum(outcome.passed and not outcome.failed for outcome in outcomes)
    failed = sum(outcome.failed for outcome in outcomes)
    others = len(outcomes) - passed - failed
    yield f"\n  {passed} passed, {failed} failed, {others} not for a server of tools"


def check(command: list[str]) -> None:
    """Run a command that must succeed; what it says goes to this process's own output."""
    if subprocess.run(command, timeout=_PATIENCE, check=False).returncode != 0:
        raise CannotRunError(f"this failed: {' '.join(command)}")


if __name__ == "__main__":
    sys.exit(main())
