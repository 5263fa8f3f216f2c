"""The programs that toolc is measured against or with, each in an environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

INSTALL = "`python benchmarks/run.py --install-peers` does it"

_ROOT = Path(__file__).resolve().parents[1]
_CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
_FOLDER = _CACHE / "toolc-benchmarks"

CODEGEN = _FOLDER / "codegen" / "bin" / "datamodel-codegen"
FASTMCP = _FOLDER / "fastmcp" / "bin" / "python"
FAST_TOML = str(_FOLDER / "fast-toml" / "bin" / "python")


def install() -> None:
    """Make the environments of all peers, below the user's cache folder."""
    for name, packages in (
        ("codegen", ["datamodel-code-generator"]),
        ("fastmcp", ["fastmcp"]),
        ("fast-toml", ["--editable", f"{_ROOT}[fast]"]),
    ):
        folder = _FOLDER / name
        print(f"{folder}: {packages[-1]}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        python = str(folder / "bin" / "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", *packages], check=True)


def python_with(module: str, pythons: Iterable[str]) -> str:
    """The first of these interpreters that can import both toolc and a module; "" if none can."""
    for python in pythons:
        if not os.path.exists(python):
            continue
        tried = subprocess.run([python, "-c", f"import toolc, {module}"], capture_output=True)
        if tried.returncode == 0:
            return python
    return ""
