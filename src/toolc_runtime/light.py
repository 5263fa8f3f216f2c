"""`typing.NamedTuple` without `typing`, whose import takes longer than compiling a small project.

Type checkers see `typing`'s own. At run time these classes are named tuples as well, but their
annotations stay the texts that they are in the source.
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
    from collections import namedtuple

    class _Maker(type):
        def __new__(meta, name, bases, body):
            if not bases:
                return super().__new__(meta, name, bases, body)
            fields = body.get("__annotations__", {})
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for key, value in body.items():
                if key not in fields:
                    setattr(made, key, value)
            return made

    class NamedTuple(metaclass=_Maker):
        """The base of a class whose annotated names are the fields of its tuples."""
