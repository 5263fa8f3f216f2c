"""`ui` and `icons`: what hosts would refuse to show."""

from __future__ import annotations

import re

from toolc.check.subject import Subject

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_BAD_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_BAD_HOST = re.compile(r'[ "<>\\^`{|}]')
_SIZE = re.compile(r"[1-9][0-9]*x[1-9][0-9]*|any")


def check_ui(subject: Subject) -> None:
    ui = subject.metadata.ui
    if ui is None or not ui.resource_uri:
        return
    uri = ui.resource_uri
    problem = ui_uri_fault(uri)
    if problem:
        subject.report(
            "M305",
            f'the ui resource "{uri}" {problem}',
            ("ui", "resourceUri"),
            hint="write ui://host/path",
        )
    elif not uri.startswith("ui://"):
        subject.report(
            "M306",
            f'the ui resource "{uri}" does not begin with ui://, as MCP Apps (SEP-1865) asks',
            ("ui", "resourceUri"),
            hint="write ui://host/path",
        )


def ui_uri_fault(uri: str) -> str:
    """Why the reference refuses a `ui` URI; empty where it takes it.

    Its rule is Go's `net/url`, with the scheme `ui` in any case.
    """
    if _CONTROL.search(uri):
        return "holds a control character"
    if uri != uri.strip():
        return "begins or ends with a blank"
    scheme = _SCHEME.match(uri)
    if scheme is None:
        return "has no scheme"
    if scheme.group(1).lower() != "ui":
        return f'has the scheme "{scheme.group(1)}"'
    rest = uri[scheme.end() :]
    rest, _, fragment = rest.partition("#")
    if _BAD_ESCAPE.search(fragment):
        return "has a bad % escape"
    rest = rest.partition("?")[0]
    if not rest.startswith("//"):
        return "has a bad % escape" if rest.startswith("/") and _BAD_ESCAPE.search(rest) else ""
    host, slash, path = rest[2:].partition("/")
    if _BAD_ESCAPE.search(slash + path):
        return "has a bad % escape"
    host = host.rpartition("@")[2]
    if _BAD_HOST.search(host) or "%" in host:
        return "has a host with a character that hosts cannot have"
    _, colon, port = host.partition(":")
    if colon and port and not (port.isascii() and port.isdigit()):
        return "has a port that is no number"
    return ""


def check_icons(subject: Subject) -> None:
    """MCP lets an icon's `src` be an HTTP(S) URL or a data: URI, `sizes` be `WxH` or
    `any`, and `theme` be `light` or `dark`."""
    for at, icon in enumerate(subject.metadata.icons):
        scheme = _SCHEME.match(icon.src)
        if scheme is None or scheme.group(1).lower() not in ("https", "http", "data"):
            shown = icon.src if len(icon.src) <= 60 else icon.src[:57] + "…"
            subject.report(
                "M307",
                f'the icon\'s src is "{shown}"' if icon.src else "the icon has no src",
                ("icons", at, "src"),
                hint="give an https: URL or a data: URI; clients load nothing else",
            )
        if icon.theme not in ("", "light", "dark"):
            subject.report(
                "M307",
                f'the icon\'s theme is "{icon.theme}"',
                ("icons", at, "theme"),
                hint='it can be "light" or "dark"',
            )
        for position, size in enumerate(icon.sizes):
            if not _SIZE.fullmatch(size):
                subject.report(
                    "M307",
                    f'the icon\'s size "{size}" is neither like "48x48" nor "any"',
                    ("icons", at, "sizes", position),
                    hint='write width x height, or "any" for a scalable one',
                )
