"""Ask the editors themselves: the language servers of Even Better TOML, of the YAML extension and of
VS Code's JSON, from npm, with files that point to the schemas.

They are installed into `.npm/` at the first run. Without arguments this runs the tests in
`test_servers.py`, which are skipped where that has not been done. The exit code is 2 if they cannot be
installed.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).resolve().parent
NPM = HERE / ".npm"
PACKAGES = NPM / "node_modules"

VERSIONS = {
    "@taplo/lsp": "0.8.0",
    "yaml-language-server": "1.25.0",
    "vscode-langservers-extracted": "4.10.0",
}
"""The packages, which also bring what they stand on."""

NODE = ("node", "22")

_PATIENCE = 600
"""Seconds for npm."""


def main() -> int:
    problem = install()
    if problem:
        sys.stderr.write(f"error: {problem}\n")
        return 2
    return subprocess.run([sys.executable, "-m", "pytest", str(HERE)], check=False).returncode


def install() -> str:
    """Have npm bring the servers and a Node, unless they are there; why it cannot, or nothing."""
    if is_installed():
        return ""
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not installed; the language servers come from there"
    wanted = [f"{name}@{version}" for name, version in (*VERSIONS.items(), NODE)]
    NPM.mkdir(exist_ok=True)
    command: Sequence[str] = (npm, "install", "--prefix", str(NPM), "--loglevel", "error", *wanted)
    try:
        ran = subprocess.run(
            command, capture_output=True, text=True, timeout=_PATIENCE, check=False
        )
    except subprocess.TimeoutExpired:
        return "npm does not come to an end"
    return "" if ran.returncode == 0 and is_installed() else f"npm failed: {ran.stderr.strip()}"


def is_installed() -> bool:
    places = [PACKAGES / name / "package.json" for name in VERSIONS]
    return node().exists() and all(place.exists() for place in places)


def node() -> Path:
    return PACKAGES / "node" / "bin" / "node"


def command(server: str) -> list[str]:
    """How the server for a notation is started."""
    of_npm = {
        "yaml": "yaml-language-server/bin/yaml-language-server",
        "json": "vscode-langservers-extracted/bin/vscode-json-language-server",
    }
    if server == "toml":
        return [str(node()), str(HERE / "taplo.mjs"), str(PACKAGES)]
    return [str(node()), str(PACKAGES / of_npm[server]), "--stdio"]


if __name__ == "__main__":
    sys.exit(main())
