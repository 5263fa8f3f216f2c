"""What git leaves in a file that it could not merge."""

from __future__ import annotations

import re
from itertools import islice

from toolc.loader.limits import MAX_PROBLEMS
from toolc.loader.problem import Problem, shown
from toolc.model.document import Span

# `=======` is left out: in a text of several lines it may underline a heading.
_MARKER = r"^(?:<{7}|>{7}) [^\r\n]+"


def find_conflicts(text: str) -> list[Problem]:
    """Each conflict of a merge: where it begins, or where a marker was left that ends one.

    A TOML text of several lines may hold a whole conflict and be valid: it would reach the models
    that read it, so it is refused as well.
    """
    if "<<<<<<< " not in text and ">>>>>>> " not in text:
        return []
    markers = list(re.finditer(_MARKER, text, re.MULTILINE))
    begins = [marker for marker in markers if marker[0][0] == "<"]
    return [
        Problem(
            "L104",
            f"a git conflict marker stands here: {shown(marker[0])}",
            Span(*marker.span()),
            "resolve the conflict: keep what is right, and remove the lines <<<<<<<, ======= and "
            ">>>>>>>",
        )
        for marker in islice(begins or markers, MAX_PROBLEMS)
    ]
