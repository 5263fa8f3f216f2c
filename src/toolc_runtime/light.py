"""`typing.NamedTuple` without `typing`, whose import takes longer than compiling a small project.

Type checkers see `typing`'s own. At run time these classes behave as named tuples do, but their
annotations stay the texts that they are in the source. `collections.namedtuple` would write and
compile a constructor for each class, which takes most of the time that it needs to make one.
"""

from __future__ import annotations

import sys

__all__ = ["SHA256_MODULE", "TYPE_CHECKING", "NamedTuple"]

SHA256_MODULE = "_sha2" if sys.version_info >= (3, 12) else "_sha256"
"""CPython's own implementation of sha256; to look for one that is not there takes milliseconds."""

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import NamedTuple
else:
    from collections import _tuplegetter

    class _Record(tuple):
        """What named tuples can do whatever their fields are."""

        __slots__ = ()

        @classmethod
        def _make(cls, values):
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"{len(cls._fields)} values expected, {len(made)} given")
            return made

        def _replace(self, /, **changes):
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise TypeError(f"no such fields: {', '.join(changes)}")
            return made

        __replace__ = _replace

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            values = [f"{field}={value!r}" for field, value in self._asdict().items()]
            return f"{type(self).__name__}({', '.join(values)})"

        def __getnewargs__(self):
            return tuple(self)

    _constructors = {}

    def _constructor(name, fields, defaults):
        """`__new__` for these fields. Those of one number share a body, with their own names in it."""
        made = _constructors.get(len(fields))
        if made is None:
            values = "".join([f"_{at}, " for at in range(len(fields))])
            made = eval(f"lambda _cls, {values}: new(_cls, ({values}))", {"new": tuple.__new__})
            _constructors[len(fields)] = made
        code = made.__code__.replace(
            co_varnames=("_cls", *fields), co_name="__new__", co_qualname=f"{name}.__new__"
        )
        return type(made)(code, made.__globals__, "__new__", defaults)

    class _Maker(type):
        def __new__(meta, name, bases, body):
            if not bases:
                return super().__new__(meta, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            for at, field in enumerate(fields):
                body[field] = _tuplegetter(at, None)
            made = {
                "__slots__": (),
                "__match_args__": fields,
                "_fields": fields,
                "_field_defaults": defaults,
                "__new__": _constructor(name, fields, tuple(defaults.values())),
            }
            return type(name, (_Record,), {**made, **body})

    class NamedTuple(metaclass=_Maker):
        """The base of a class whose annotated names are the fields of its tuples."""
