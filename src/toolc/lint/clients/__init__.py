"""What clients and providers refuse or mangle: profiles, and the rules that hold tools against them.

A profile is a TOML file: one for each client here, and whatever files of the same form a project has.
`profile.py` is what a profile says, and `reader.py` reads it. `kinds.py` has what there is to limit;
`names.py` and `schemas.py` hold a tool against it. `findings.py` joins what several clients have to
say of one place, and `rules.py` is the table of rules, one a kind.
"""
