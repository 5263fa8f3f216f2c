# toolc: generated 4a487b6eb46d96e3
"""`python -m generated` serves the tools; `--help` lists the options."""

from __future__ import annotations

import sys

from .server import main

if __name__ == "__main__":
    sys.exit(main())
