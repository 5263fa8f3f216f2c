"""`toolc init --deploy`: files for a container and a cluster that go together."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from toolc_runtime.command import _parse
from toolc_runtime.transports import HEALTH_PATH

Toolc = Callable[..., Any]
"""The fixture of that name: arguments -> code, out, err."""

INSTRUCTIONS = {"FROM", "ENV", "RUN", "WORKDIR", "COPY", "USER", "EXPOSE", "CMD"}


@pytest.fixture
def deployed(folder: Path, toolc: Toolc) -> Path:
    assert toolc("init", "notes", "--deploy").code == 0
    return folder / "notes"


def manifest(root: Path, name: str) -> Any:
    return yaml.safe_load((root / f"deploy/{name}.yaml").read_text("utf-8"))


def instructions(root: Path) -> list[tuple[str, str]]:
    text = (root / "Dockerfile").read_text("utf-8").replace("\\\n", "")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines]


def test_the_manifests_name_each_other(deployed: Path) -> None:
    deployment, service, scaler = (manifest(deployed, n) for n in ("deployment", "service", "hpa"))
    template = deployment["spec"]["template"]
    (container,) = template["spec"]["containers"]
    (port,) = container["ports"]
    labels = template["metadata"]["labels"]
    assert deployment["spec"]["selector"]["matchLabels"] == labels == service["spec"]["selector"]
    assert service["spec"]["ports"][0]["targetPort"] == port["name"]
    assert scaler["spec"]["scaleTargetRef"] == {
        "apiVersion": deployment["apiVersion"],
        "kind": deployment["kind"],
        "name": deployment["metadata"]["name"],
    }
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert container[probe]["httpGet"] == {"path": HEALTH_PATH, "port": port["name"]}


def test_nothing_runs_as_root_or_writes(deployed: Path) -> None:
    pod = manifest(deployed, "deployment")["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    assert pod["securityContext"]["runAsNonRoot"]
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert int(dict(instructions(deployed))["USER"]) == pod["securityContext"]["runAsUser"]


def test_the_image_starts_the_server(deployed: Path) -> None:
    assert {name for name, _ in instructions(deployed)} <= INSTRUCTIONS
    *_, (last, told) = instructions(deployed)
    assert last == "CMD"
    python, flag, package, *options = json.loads(told)
    assert (python, flag, package) == ("python", "-m", "generated")
    parsed = _parse(options)
    port = manifest(deployed, "deployment")["spec"]["template"]["spec"]["containers"][0]["ports"][0]
    assert (parsed.transport, parsed.port) == ("http", port["containerPort"])


def test_names_are_made_safe(folder: Path, toolc: Toolc) -> None:
    (folder / "toolc.toml").write_text('[server]\nname = "9 lives: {x}\\n- &é"\n', "utf-8")
    assert toolc("init", "--deploy").code == 0
    assert manifest(folder, "service")["metadata"]["name"] == "mcp-9-lives-x"


def test_what_stands_there_is_kept(folder: Path, toolc: Toolc) -> None:
    (folder / "Dockerfile").write_text("FROM scratch\n")
    assert "kept Dockerfile" in toolc("init", "--deploy").out
    assert (folder / "Dockerfile").read_text() == "FROM scratch\n"


def test_a_project_without_a_server(folder: Path, toolc: Toolc) -> None:
    (folder / "toolc.toml").write_text("[python]\nenabled = false\n")
    ran = toolc("init", "--deploy")
    assert (ran.code, ran.out) == (2, "")
    assert "has no server" in ran.err
