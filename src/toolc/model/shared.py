"""What the files whose names begin with `_` define, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from toolc_runtime.light import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from toolc.model.metadata import Parameter


class Shared(NamedTuple):
    """The shared definitions of a project."""

    fragments: Mapping[str, tuple[Parameter, ...]]
    types: Mapping[str, Parameter]
    uses: Mapping[str, frozenset[str]]
    """`fragment:NAME` or `type:NAME` -> what that definition names itself, likewise."""
    recursive: frozenset[str] = frozenset()
    """The types that contain themselves, however deep: they cannot be expanded in place."""

    def closure(self, used: Iterable[str]) -> tuple[str, ...]:
        """All shared names that a definition depends on which names `used`, sorted."""
        found: set[str] = set()
        waiting = list(used)
        while waiting:
            name = waiting.pop()
            if name not in found:
                found.add(name)
                waiting.extend(self.uses.get(name, ()))
        return tuple(sorted(found))


NOTHING_SHARED = Shared({}, {}, {})
