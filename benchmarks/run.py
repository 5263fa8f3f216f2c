"""Measure toolc against floors and peers: a table, a line for each figure.

    python benchmarks/run.py [--quick] [--runs N] [--json] [ROW ...]

Every figure is the median of N runs of a whole process, in turns with the floor or the peer that
stands beside it; but the row `search` is measured inside one process, and the rows of servers compare
what those use of the CPU and of memory. The floor is the least that
any Python program can take for the same files; compare ratios, since times differ from machine to
machine. `python benchmarks/run.py --install-peers` once installs the programs to compare with.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import peers
from bench import Bench
from figure import Figure, NotMeasuredError
from report import head, json_line, table_lines
from rows import ROWS, Row


def main(arguments: list[str]) -> int:
    options = _parse(arguments)
    if options.install_peers:
        peers.install()
        return 0
    runs = options.runs or (2 if options.quick else 5)
    judge = not options.quick
    found: list[str] = []
    with tempfile.TemporaryDirectory(prefix="toolc-benchmark-") as folder:
        bench = Bench(
            Path(folder),
            runs=runs,
            sizes=(10, 50, 200) if options.quick else (1_000, 10_000, 100_000),
            quick=options.quick,
            fast_python=options.fast_python,
        )
        print(_setting(bench))
        print(head(), flush=True)
        for name in options.rows or ROWS:
            print(f"measuring {name} …", file=sys.stderr, flush=True)
            shown = name
            for figure in _figures(ROWS[name], bench):
                print(table_lines(shown, figure, judge=judge), flush=True)
                found.append(json_line(name, figure, judge=judge))
                shown = ""
    if options.json:
        print("\n".join(found))
    return 0


def _figures(row: Row, bench: Bench) -> Iterator[Figure]:
    """A row's figures; what cannot be measured says why."""
    try:
        yield from row(bench)
    except NotMeasuredError as why:
        yield Figure("not measured", note=str(why))


def _parse(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Measure toolc against floors and peers.",
        epilog="Projects are made in the folder for temporary files. TMPDIR names another: one in "
        "memory makes files at an even cost, where a disk's varies tenfold.",
    )
    parser.add_argument(
        "rows", nargs="*", metavar="ROW", help=f"all, or some of: {', '.join(ROWS)}"
    )
    parser.add_argument("--quick", action="store_true", help="few runs, small sizes, no verdicts")
    parser.add_argument("--runs", type=int, help="how often each thing is done (default: 5)")
    parser.add_argument("--json", action="store_true", help="after the table, a JSON line a figure")
    parser.add_argument(
        "--fast-python",
        default="",
        metavar="PATH",
        help="a Python that has toolc and toml_rs, for the row cold-fast-toml",
    )
    parser.add_argument("--install-peers", action="store_true", help="install what rows need")
    options = parser.parse_args(arguments)
    for row in options.rows:
        if row not in ROWS:
            parser.error(f"no row is called {row!r}: {', '.join(ROWS)}")
    return options


def _setting(bench: Bench) -> str:
    """What is measured, and where."""
    asked = "import toolc, os; print(os.path.dirname(toolc.__file__))"
    where = subprocess.run(
        [bench.python, "-c", asked], cwd=bench.folder, capture_output=True, text=True
    ).stdout.strip()
    quick = "; --quick: small sizes, so that no goal is judged" if bench.quick else ""
    return (
        f"{where}, Python {platform.python_version()}, {platform.system()}, {os.cpu_count()} CPUs, "
        f"medians of {bench.runs}{quick}\n"
        "TOML, 1 KB a file, unless a row's name says another notation.\n"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
