"""Handlers: one module a tool, and the modules that they share, whose names begin with `_`."""
