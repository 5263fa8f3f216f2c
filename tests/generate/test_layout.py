"""Long lines: whatever is laid out here, ruff's formatter would have laid out alike."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

from toolc.generate.layout import assignment, broken, class_heading, from_import, signature
from toolc.generate.pytext import literal


class Maker:
    """Draws expressions of the kinds that are generated, of lengths on both sides of the limit."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)

    def name(self, longest: int) -> str:
        return self.draw.choice("ABCDEFGH") + "a" * self.draw.randint(1, longest)

    def text(self) -> str:
        letters = ["a"] * 20 + ['"', "'", "\\", "\n", "東", " "]
        length = self.draw.choice([3, 10, 20, 40, 60, 90])
        return literal("".join(self.draw.choice(letters) for _ in range(length)))

    def annotation(self, depth: int = 0) -> str:
        kind = self.draw.random()
        if kind < 0.35 or depth > 3:
            return self.draw.choice(["str", "int", "Any", self.name(50)])
        if kind < 0.5:
            return f"list[{self.annotation(depth + 1)}]"
        if kind < 0.6:
            return f"dict[str, {self.annotation(depth + 1)}]"
        if kind < 0.75:
            return f"Literal[{', '.join(self.text() for _ in range(self.draw.randint(1, 4)))}]"
        branches = [self.annotation(depth + 1) for _ in range(self.draw.randint(1, 3))]
        return " | ".join(["str" if " | " in one else one for one in branches] + ["None"])

    def json(self, depth: int = 0) -> object:
        kind = self.draw.random()
        if kind < 0.4 or depth > 2:
            return self.draw.choice([None, True, -2.5, 10**30, "x" * 60, 'say "x"', [], {}])
        items = [self.json(depth + 1) for _ in range(self.draw.randint(1, 4))]
        if kind < 0.7:
            return items
        return {"k" * self.draw.randint(1, 30) + str(n): item for n, item in enumerate(items)}

    def default(self) -> str:
        kind = self.draw.random()
        if kind < 0.3:
            return self.draw.choice(["None", "True", "ABSENT", "-2.5", str(10**30)])
        if kind < 0.5:
            return self.text()
        value = literal([self.json()])  # type: ignore[list-item]
        made = value if kind < 0.8 else f"PARAMS_X.bind({value})"
        return f"field(default_factory=lambda: {made})"

    def shape(self, depth: int = 0) -> str:
        kind = self.draw.random()
        if kind < 0.5 or depth > 2:
            return f"PARAMS_{self.name(30)}"
        if kind < 0.7:
            return f"Each({self.shape(depth + 1)})"
        if kind < 0.85:
            return f"Later(lambda: PARAMS_{self.name(20)})"
        return f"Either({self.shape(depth + 1)}, {self.shape(depth + 1)})"

    def mapping(self, value: str) -> str:
        return f"{literal('n' * self.draw.randint(1, 30))}: {value}"

    def record(self) -> str:
        names = ", ".join(self.mapping(self.text()) for _ in range(self.draw.randint(1, 3)))
        nested = ", ".join(self.mapping(self.shape()) for _ in range(self.draw.randint(1, 3)))
        return f"Record({self.name(50)}, names={{{names}}}, nested={{{nested}}}, open=True)"


def formatted_otherwise(text: str, folder: Path) -> str:
    path = folder / "long_lines.py"
    path.write_text(text, "utf-8")
    ruff = [sys.executable, "-m", "ruff", "format", "--isolated", "--diff", str(path)]
    return subprocess.run(ruff, capture_output=True, text=True, encoding="utf-8").stdout


def test_assignments(tmp_path: Path) -> None:
    make = Maker(1)
    lines = ["class Fields:"]
    for _ in range(400):
        target = "x" * make.draw.choice([1, 5, 20, 40, 60, 70, 80, 90])
        default = "" if make.draw.random() < 0.3 else make.default()
        lines.append("    " + assignment(target, make.annotation(), default, 4))
    lines.append("\n")
    for _ in range(100):
        name = make.name(60)
        lines.append(assignment(name, make.draw.choice(["", "Record[X]"]), make.record(), 0))
        lines.append(assignment(name, "TypeAlias", make.annotation(), 0))
        keys = ", ".join(make.mapping(make.annotation()) for _ in range(make.draw.randint(1, 3)))
        lines.append(assignment(name, "", f'TypedDict("{name}", {{{keys}}})', 0))
    assert formatted_otherwise("\n".join(lines) + "\n", tmp_path) == ""


def test_signatures_classes_and_imports(tmp_path: Path) -> None:
    blocks = []
    for length in range(1, 110, 3):
        name = "A" + "a" * length
        imported = from_import("runtime", [f"{name}Params", f"{name}Result"])
        params = ("self", f"params: {name}Params", "context: Context", "/")
        reply = f"Reply[{name}Result] | Awaitable[Reply[{name}Result]]"
        call = signature("def __call__", params, reply, ": ...", 4)
        stub = signature(f"async def {name}", params[1:3], f"{name}Result", ":", 0)
        failure = broken(f"NotImplementedError({literal(name)})", 4, 6)
        heading = class_heading(name, "Protocol")
        blocks.append(
            f"{imported}\n\n\nclass {heading}:\n    {call}\n\n\n{stub}\n    raise {failure}\n"
        )
    assert formatted_otherwise("\n\n".join(blocks), tmp_path) == ""


def test_a_short_line_stays_as_it_is() -> None:
    assert assignment("limit", "int", "20", 4) == "limit: int = 20"
    assert assignment("words", "list[str]", "", 4) == "words: list[str]"
    assert assignment("PARAMS", "", "Record(X)", 0) == "PARAMS = Record(X)"
