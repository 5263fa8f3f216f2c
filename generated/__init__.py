# toolc: generated 75dc1b9c89519de2
"""The package of `notebook`, written by toolc."""
