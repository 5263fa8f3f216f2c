"""Importing this prints, as a careless package would: on stdio it must never reach the client."""

print("handlers: imported")
