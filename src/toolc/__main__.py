"""`python -m toolc`."""

from __future__ import annotations

import sys

from toolc.cli.main import main

sys.exit(main())
