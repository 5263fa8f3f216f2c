"""Names that MCP recommends, and those that a server needs for itself."""

from __future__ import annotations

from toolc_runtime.light import TYPE_CHECKING

if TYPE_CHECKING:
    from toolc.check.subject import Subject

_CHARACTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.")
RESERVED_NAMES = frozenset({"tool_search", "execute_tool"})
"""Those of the server's own tools for discovery."""


def is_tool_name(name: str) -> bool:
    """Whether `name` is 1 to 128 of `A-Za-z0-9_-.`, as MCP 2026-07-28 recommends, and neither
    `.` nor `..`, which are no file names."""
    return 0 < len(name) <= 128 and _CHARACTERS.issuperset(name) and name not in (".", "..")


def check_name(subject: Subject) -> None:
    """What MCP recommends of a name, toolc insists on."""
    name = subject.tool.name
    if name in RESERVED_NAMES:
        subject.report(
            "M303",
            f'"{name}" is the name of one of the server\'s own tools for discovery',
            ("name",),
            hint="give the tool another name",
        )
    elif name and not is_tool_name(name):
        subject.report(
            "M301",
            f'the tool name "{name}" is not 1 to 128 of the characters A-Z a-z 0-9 _ - .',
            ("name",),
            hint="rename the file, or give a `name`; MCP recommends these characters and "
            "toolc insists, since clients drop what they cannot call",
        )


def check_task_support(subject: Subject) -> None:
    if subject.metadata.task_support in ("optional", "required") and subject.project.python.enabled:
        subject.report(
            "M308",
            f'"taskSupport" is "{subject.metadata.task_support}", but the generated server has no '
            "tasks: it answers such a call without one",
            ("taskSupport",),
            hint='write "forbidden", or serve the manifest with a server that has tasks',
        )
