"""Handlers of the conformance suite's tools, a module a topic."""
