"""Print the figures that toolc is held to: `python docs/measure.py reference|realfiles|corpus|ranking|lint`.

Other people's files are looked for in ../shared, beside the checkout. The rules are those of the
tests, which this imports; here each case is counted instead of stopping at the first that fails.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import tomllib
import warnings
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from toolc.check.discovery import Searchable

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


def test_module(path: str) -> Any:
    """A module of the tests, by its path."""
    spec = importlib.util.spec_from_file_location(Path(path).stem, ROOT / "tests" / path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure_reference() -> None:
    tests = test_module("reference/test_reference.py")
    documented = tests.documented_differences()
    for name, vectors in (("metadata", tests.METADATA), ("text", tests.TEXTS)):
        classes: Counter[str] = Counter()
        unlisted = 0
        for vector in vectors:
            actual, _ = tests.outcome_class(vector)
            classes[actual] += 1
            unlisted += actual != documented.get(vector["name"], "equal")
        counts = ", ".join(f"{count} {kind}" for kind, count in classes.most_common())
        print(f"{len(vectors)} {name} vectors: {counts}; {unlisted} not as documented")


def measure_realfiles() -> None:
    tests = test_module("corpus/test_realfiles.py")
    folder = SHARED / "realfiles"
    outcomes: Counter[str] = Counter()
    for entry in json.loads((folder / "ORIGIN.json").read_text("utf-8")):
        compiled = tests.compile_real(folder, entry["file"])
        expected = entry["reference"].get("tool")
        if expected is None:
            named = any(found.code == "M107" for found in compiled.diagnostics)
            outcomes["older dialect, named" if named else "older dialect, NOT named"] += 1
        else:
            same = [tool.to_dict() for tool in compiled.tools] == [expected]
            outcomes["same Tool" if same else "DIFFERENT"] += 1
    print(f"{outcomes.total()} real files: {dict(outcomes)}")


def measure_corpus() -> None:
    from toolc.driver import read_builtin_templates
    from toolc.generate.parameters import parameter_names
    from toolc.generate.python import contract_text
    from toolc.generate.templates import environment

    tests = test_module("corpus/test_corpus.py")
    render = environment({}, read_builtin_templates)
    outcomes: Counter[str] = Counter()
    parameters = 0
    for number, (server, wire, tool) in enumerate(tests.corpus_tools(SHARED / "corpus")):
        outcomes["comes back equal"] += tool.to_dict(tests.REVISION) == wire
        module = ModuleType(f"contract_{number}")
        sys.modules[module.__name__] = module
        try:
            text = contract_text(tool, render)[0]
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                exec(compile(text, f"{server}.py", "exec"), module.__dict__)
            identifiers = parameter_names(tool)
            bound = module.PARAMS.bind({name: at for at, name in enumerate(identifiers)})
        except Exception as error:
            print(f"{server} {tool.name}: {error!r}")
            continue
        finally:
            del sys.modules[module.__name__]
        outcomes["contract imports under -W error"] += 1
        parameters += len(identifiers)
        reached = [getattr(bound, str(identifier)) for identifier in identifiers.values()]
        outcomes["every parameter reachable"] += reached == list(range(len(identifiers)))
    print(f"{number + 1} tools of real servers, {parameters} parameters: {dict(outcomes)}")


def measure_ranking() -> None:
    """How both rankings do on the prompts of the example server, and on others' tools."""
    from toolc import driver
    from toolc.check.discovery import Searchable, searchable

    opened = driver.open_project(str(ROOT))
    built = driver.compile_project(opened.root, opened.project)
    _measure_prompts("tooldefs, prompts", [searchable(tool) for tool in built.tools])
    meant = tomllib.loads((ROOT / "tests/corpus/prompts.toml").read_text("utf-8"))
    for kind in ("prompts", "queries"):
        tools: dict[str, Searchable] = {}
        for server in meant["servers"]:
            text = (SHARED / "corpus" / f"{server}.json").read_text("utf-8")
            for wire in json.loads(text)["tools"]:
                name = wire["name"]
                said = enumerate(said for said, tool in meant[kind].items() if tool == name)
                described = wire.get("description", "")
                tools.setdefault(name, Searchable(name, described, (), True, tuple(said)))
        _measure_prompts(f"{len(meant['servers'])} real servers, {kind}", [*tools.values()])


def _measure_prompts(whose: str, tools: Sequence[Searchable]) -> None:
    from toolc.check.discovery import ask, make_index

    for ranking in ("reference", "toolc"):
        asked = ask(tools, make_index(tools, ranking))
        first, told = sum(one.rank == 1 for one in asked), sum(one.is_told for one in asked)
        mean = sum(1 / one.rank for one in asked if one.rank) / len(asked)
        print(
            f"{whose}: {len(asked)} over {len(tools)} tools by {ranking}: mean reciprocal rank "
            f"{mean:.2f}, {first} first, {told} among the first five"
        )


def measure_lint() -> None:
    """What the default set and the specification say of real tools, and how much of it is right."""
    tests = test_module("corpus/test_lint_verdicts.py")
    findings = [*tests.corpus_findings(SHARED / "corpus")]
    codes = Counter(found.code for found in findings)
    kinds: Counter[str] = Counter()
    for code, count in codes.items():
        kinds[tests.kind_of(code)] += count
    each = ", ".join(f"{count / tests.TOOLS:.2f} {kind}" for kind, count in kinds.most_common())
    per_tool = codes.total() / tests.TOOLS
    print(f"{tests.TOOLS} tools of real servers, {per_tool:.2f} findings per tool: {each}")
    print(", ".join(f"{count} {code}" for code, count in sorted(codes.items())))
    verdicts = [row for row in tests.verdicts() if row.is_drawn]
    drawn = Counter(row.verdict for row in verdicts)
    again = len({row.finding for row in verdicts}.intersection(tests.draw(findings)))
    print(f"{drawn.total()} drawn at random: {dict(drawn)}; {again} of them in a draw of today")


MEASURES = {
    "reference": measure_reference,
    "realfiles": measure_realfiles,
    "corpus": measure_corpus,
    "ranking": measure_ranking,
    "lint": measure_lint,
}


def main(arguments: list[str]) -> None:
    for name in arguments or MEASURES:
        MEASURES[name]()


if __name__ == "__main__":
    main(sys.argv[1:])
