"""The floor of a build with nothing to do: list every folder of a project, and stat every file that
a build reads or owns. Handlers are not toolc's: their folder is only listed.

    python stat_all.py PROJECT
"""

import os
import sys


def walk(folder: str) -> None:
    for name in os.listdir(folder):
        path = f"{folder}/{name}"
        if os.stat(path).st_mode & 0o170000 != 0o040000:
            continue
        if name == "handlers":
            os.listdir(path)
        else:
            walk(path)


root = sys.argv[1]
os.stat(f"{root}/toolc.toml")
walk(f"{root}/tooldefs")
walk(f"{root}/generated")
