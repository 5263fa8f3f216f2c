"""The built-in templates as functions: `python docs/builtin.py` writes them anew from templates/."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def contract(values: Mapping[str, Any]) -> str:
    docstring = values["docstring"]
    imports = values["imports"]
    classes = values["classes"]
    protocols = values["protocols"]
    shapes = values["shapes"]
    parts = []
    parts.append(f"{docstring}\n\nfrom __future__ import annotations\n")
    for section in imports:
        parts.append(f"\n{section}\n")
    for kind, heading, class_docstring, lines in classes:
        parts.append("\n\n")
        if kind == "dataclass":
            parts.append(
                "@dataclass(frozen=True, slots=True, kw_only=True)\n"
                f"class {heading}:\n"
                f"    {class_docstring}\n"
            )
            if lines:
                parts.append("\n")
                for line in lines:
                    parts.append(f"    {line}\n")
        elif kind == "TypedDict":
            parts.append(f"class {heading}:\n")
            for line in lines:
                parts.append(f"    {line}\n")
        else:
            for line in lines:
                parts.append(f"{line}\n")
    for heading, class_docstring, call in protocols:
        parts.append(f"\n\nclass {heading}:\n    {class_docstring}\n\n    {call}\n")
    for index, shape in enumerate(shapes):
        if index == 0:
            parts.append("\n\n")
        parts.append(f"{shape}\n")
    return "".join(parts)


def handler(values: Mapping[str, Any]) -> str:
    module_docstring = values["module_docstring"]
    imports = values["imports"]
    signature = values["signature"]
    docstring = values["docstring"]
    failure = values["failure"]
    parts = []
    parts.append(f"{module_docstring}\n\nfrom __future__ import annotations\n")
    for section in imports:
        parts.append(f"\n{section}\n")
    parts.append(f"\n\n{signature}\n    {docstring}\n    raise {failure}\n")
    return "".join(parts)


def handler_types(values: Mapping[str, Any]) -> str:
    docstring = values["docstring"]
    pairs = values["pairs"]
    body = values["body"]
    parts = []
    parts.append(f"{docstring}\n")
    if pairs:
        parts.append(
            "\n"
            "from __future__ import annotations\n"
            "\n"
            "from typing import TYPE_CHECKING\n"
            "\n"
            "if TYPE_CHECKING:\n"
            f"{body}\n"
        )
    return "".join(parts)


def init(values: Mapping[str, Any]) -> str:
    docstring = values["docstring"]
    parts = []
    parts.append(f"{docstring}\n")
    return "".join(parts)


def main(values: Mapping[str, Any]) -> str:
    docstring = values["docstring"]
    parts = []
    parts.append(
        f"{docstring}\n"
        "\n"
        "from __future__ import annotations\n"
        "\n"
        "import sys\n"
        "\n"
        "from .server import main\n"
        "\n"
        'if __name__ == "__main__":\n'
        "    sys.exit(main())\n"
    )
    return "".join(parts)


def server(values: Mapping[str, Any]) -> str:
    docstring = values["docstring"]
    call = values["call"]
    parts = []
    parts.append(
        f"{docstring}\n"
        "\n"
        "from __future__ import annotations\n"
        "\n"
        "from collections.abc import Sequence\n"
        "from pathlib import Path\n"
        "\n"
        "import toolc_runtime\n"
        "\n"
        "\n"
        "def main(argv: Sequence[str] | None = None) -> int:\n"
        '    """Serve the tools until the client leaves; `argv` is the command line, without the program."""\n'
        f"    return {call}\n"
    )
    return "".join(parts)


BUILTIN: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "contract.py.j2": contract,
    "handler.py.j2": handler,
    "handler_types.py.j2": handler_types,
    "init.py.j2": init,
    "main.py.j2": main,
    "server.py.j2": server,
}
"""A template's name -> the values for its slots -> its text."""
