"""A small server, written by hand as toolc writes one: what the runtime's tests run."""
