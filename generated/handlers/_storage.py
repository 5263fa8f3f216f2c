"""Where the example server keeps its state: one folder outside the project.

`NOTEBOOK_DATA` names it; otherwise it is a folder of the user's own in the system's temporary one.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from tempfile import gettempdir

VARIABLE = "NOTEBOOK_DATA"


def data_folder() -> Path:
    """The folder, made if need be, with every link in its path resolved.

    PermissionError where the default folder is somebody else's: everybody may write to the
    temporary folder, so another user can have put something in its place.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen:
        folder = Path(chosen)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return folder.resolve()
    user = os.getuid() if hasattr(os, "getuid") else 0  # Windows: the folder is the user's already
    folder = Path(gettempdir()).resolve() / f"toolc-notebook-{user}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != user:
        raise PermissionError(f"{folder} belongs to somebody else: set {VARIABLE}")
    return folder
