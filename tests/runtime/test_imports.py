"""What importing the runtime costs: contracts and handlers never load the SDK."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import toolc_runtime

HEAVY = (
    "mcp",
    "mcp_types",
    "pydantic",
    "anyio",
    "jsonschema_rs",
    "jsonschema",
    "uvicorn",
    "argparse",
)


def loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_the_package_alone_loads_nothing() -> None:
    assert {name for name in loaded_by("import toolc_runtime") if name.startswith("toolc")} == {
        "toolc_runtime"
    }


@pytest.mark.parametrize(
    "statement",
    [
        "from toolc_runtime import ABSENT, Absent, Context, Each, Either, Later, Record, Values",
        "from toolc_runtime import Reply, Result, ToolError, audio, detail, image, link, resource",
        "from toolc_runtime import project, REVISIONS, LATEST_REVISION",
        "from toolc_runtime.validation import compile_schema",
    ],
)
def test_contracts_and_the_compiler_load_no_sdk(statement: str) -> None:
    assert loaded_by(statement).isdisjoint(HEAVY)


def test_toolc_is_never_loaded() -> None:
    loaded = loaded_by("import toolc_runtime.server, toolc_runtime.transports")
    assert not [name for name in loaded if name == "toolc" or name.startswith("toolc.")]


def test_public_names() -> None:
    assert dir(toolc_runtime) == sorted(toolc_runtime.__all__)
    for name in toolc_runtime.__all__:
        assert getattr(toolc_runtime, name) is not None
    assert callable(toolc_runtime.main)
    with pytest.raises(AttributeError, match="no attribute 'speed'"):
        _ = toolc_runtime.speed


def test_reply_can_be_subscribed_at_run_time() -> None:
    reply: Any = toolc_runtime.Reply
    assert "Result[int]" in str(reply[int])
