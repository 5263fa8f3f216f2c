# toolc: generated 908c413926ebe0f2
"""What each handler gets and gives, written by toolc."""
