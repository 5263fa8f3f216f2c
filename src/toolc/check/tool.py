"""The rules that every tool is held to, and the order in which they speak."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from toolc.check.endless import warn_of_endless_defaults
from toolc.check.headers import check_headers
from toolc.check.names import check_name, check_task_support
from toolc.check.presentation import check_icons, check_ui
from toolc.check.schemas import check_schemas
from toolc.check.subject import Subject
from toolc.check.values import check_defaults, check_examples
from toolc.model.document import Pointer
from toolc.model.findings import Findings
from toolc.model.metadata import Parameter, ToolMetadata
from toolc.model.project import Project
from toolc.model.tool import Tool

RULES: tuple[Callable[[Subject], None], ...] = (
    check_name,
    check_ui,
    check_icons,
    check_task_support,
    check_schemas,
    check_headers,
    check_defaults,
    warn_of_endless_defaults,
    check_examples,
)
"""Schemas come before what is checked against them: a broken one is not used."""

RULES_FOR_BROKEN = tuple(rule for rule in RULES if rule is not check_examples)


def check_tool(
    metadata: ToolMetadata,
    tool: Tool,
    checked: Mapping[Pointer, Parameter],
    project: Project,
    findings: Findings,
    *,
    is_broken: bool = False,
) -> None:
    """Hold one tool to all rules; what they say goes into `findings`.

    A tool that could not be read whole is held only to rules that what is missing cannot break.
    """
    subject = Subject(metadata, tool, checked, project, findings)
    for rule in RULES_FOR_BROKEN if is_broken else RULES:
        rule(subject)
    subject.close()
