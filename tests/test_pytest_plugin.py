"""The fixtures that come with toolc, in a pytest of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from toolc.cli.main import main

TESTS = """
import asyncio

import pytest
from mcp import MCPError

from app import App
from generated.contracts.greet import PARAMS
from handlers.greet import greet
from toolc_runtime import Auth


def test_a_handler(make_context):
    context = make_context(request_id=7, meta={"k": 1})
    assert asyncio.run(greet(PARAMS.bind({"name": "Ada"}), context)) == {"greeting": "Hello, Ada!"}
    assert (context.request_id, context.meta, context.sdk) == (7, {"k": 1}, None)
    assert context.protocol_version == "2026-07-28"
    assert context.logged == [("info", "greeting", {"name": "Ada"}), ("debug", "done", {})]
    assert context.told == [(1, 2, "half")]


def test_contexts_share_nothing(make_context):
    one, other = make_context(), make_context(tool="greet", protocol_version="2025-11-25")
    one.log.warning("wait")
    assert (other.logged, other.protocol_version) == ([], "2025-11-25")


def test_a_call(call):
    answer = call("greet", {"name": "Ada", "times": 2})
    assert answer.data == {"greeting": "Hello, Ada! Hello, Ada!"}
    assert answer.text == '{"greeting":"Hello, Ada! Hello, Ada!"}'
    assert (answer.is_error, answer.error) == (False, None)
    assert [block.type for block in answer.content] == ["text"]


def test_a_wrong_call(call):
    answer = call("greet")
    assert (answer.data, answer.is_error) == (None, True)
    assert answer.error["code"] == "MISSING_REQUIRED"


def test_no_such_tool(call):
    with pytest.raises(MCPError, match="Unknown tool: grete"):
        call("grete")


def test_answers_in_a_context(make_context):
    context = make_context(app=App("Hi"), answers=[{}, None])
    assert asyncio.run(sure(context)) == "Hi accept decline"
    assert [question.message for question in context.asked] == ["Sure?", "Really?"]


def test_an_answer_is_missing(make_context):
    with pytest.raises(AssertionError, match="nobody answers the question 'Sure.'"):
        asyncio.run(sure(make_context()))


def test_an_answer_is_missing_in_a_call(call):
    with pytest.raises(AssertionError, match="nobody answers the question 'Is Bo nice.'"):
        call("greet", {"name": "Bo"})


def test_who_calls(make_context):
    auth = Auth("ada", frozenset({"notes"}), "desk", {})
    assert make_context(auth=auth).auth.subject == "ada"


def test_who_makes_a_call(call):
    auth = Auth("ada", frozenset({"notes", "files"}), "desk", {"iss": "home"})
    answer = call("greet", {"name": "Bo"}, auth=auth, answers=[{}])
    assert ("info", "called", {"by": repr(("ada", ["files", "notes"], "desk", {"iss": "home"}))}) in (
        answer.logged
    )
    assert ("info", "called", {"by": "nobody"}) in call("greet", {"name": "Ada"}).logged


def test_what_is_said_during_a_call(call):
    answer = call("greet", {"name": "Bo"}, answers=[{}])
    assert answer.data == {"greeting": "Hello, Bo!"}
    assert [question.message for question in answer.asked] == ["Is Bo nice?"]
    assert ("info", "greeting", {"name": "Bo"}) in answer.logged
    assert (1, 2, "half") in answer.told


async def sure(context):
    one, two = await context.elicit("Sure?"), await context.elicit("Really?")
    return f"{context.app.greeting} {one.action} {two.action}"


async def in_a_loop(call):
    return call("greet", {"name": "Ada"})


def test_a_call_from_a_running_loop(call):
    assert not asyncio.run(in_a_loop(call)).is_error
"""

HANDLER = """
async def greet(params, context):
    context.log.info("greeting", name=params.name)
    await context.progress(1, 2, "half")
    context.log.debug("done")
    if context.sdk is not None:
        who = context.auth
        told = who and (who.subject, sorted(who.scopes), who.client_id, who.claims)
        context.log.info("called", by=repr(told) if told else "nobody")
    if params.name == "Bo":
        assert await context.elicit(f"Is {params.name} nice?")
    return {"greeting": " ".join([f"Hello, {params.name}!"] * params.times)}
"""

UNUSED = """
import sys

def test_nothing_of_it_is_loaded():
    loaded = [name for name in sys.modules if name.partition(".")[0] in ("toolc", "toolc_runtime", "mcp")]
    assert loaded == []
"""


def run_pytest(folder: Path, *options: str) -> str:
    # Where an installed toolc brings the plugin, it is not to be registered twice.
    options = ("-p", "no:toolc", "-p", "toolc_pytest", "-p", "no:cacheprovider", *options)
    path = os.pathsep.join([*sys.path, *([str(folder)])])
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *options],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stderr == ""
    return ran.stdout


@pytest.fixture
def greeting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project that `toolc init` writes, built, with a handler that says what it does."""
    monkeypatch.chdir(tmp_path)
    assert main(["init", "--quiet"]) == 0
    assert main(["build", "--quiet"]) == 0
    (tmp_path / "handlers/greet.py").write_text(HANDLER)
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    return tmp_path


def test_the_fixtures(greeting: Path) -> None:
    (greeting / "test_greet.py").write_text(TESTS)
    assert "12 passed" in run_pytest(greeting)


def test_nothing_is_built(greeting: Path) -> None:
    (greeting / "test_greet.py").write_text("def test_it(call):\n    call('greet')\n")
    (greeting / "generated/manifest.json").unlink()
    assert "manifest.json is not there: run `toolc build`" in run_pytest(greeting)


def test_the_project_can_be_named(greeting: Path) -> None:
    (greeting / "tests").mkdir()
    (greeting / "tests/pytest.ini").write_text("[pytest]\n")
    (greeting / "tests/test_greet.py").write_text("def test_it(call):\n    call('greet')\n")
    assert "1 passed" in run_pytest(greeting / "tests")
    (greeting / "tests/conftest.py").write_text(
        "import pytest\n"
        "@pytest.fixture(scope='session')\n"
        "def toolc_project():\n"
        "    return __import__('pathlib').Path('/')\n"
    )
    assert "1 failed" in run_pytest(greeting / "tests")


def test_the_application_can_be_another(greeting: Path) -> None:
    (greeting / "handlers/greet.py").write_text(
        "def greet(params, context):\n    return {'greeting': context.app}\n"
    )
    (greeting / "conftest.py").write_text(
        "import pytest\n"
        "@pytest.fixture(scope='session')\n"
        "def toolc_app():\n"
        "    return lambda: 'a fake'\n"
    )
    (greeting / "test_greet.py").write_text(
        "def test_it(call):\n    assert call('greet', {'name': 'Ada'}).data == {'greeting': 'a fake'}\n"
    )
    assert "1 passed" in run_pytest(greeting)


def test_unused_it_loads_nothing(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_unused.py").write_text(UNUSED)
    assert "1 passed" in run_pytest(tmp_path)
