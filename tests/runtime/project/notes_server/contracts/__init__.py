"""Contracts of the tools that have one."""
