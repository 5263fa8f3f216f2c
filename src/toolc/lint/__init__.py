"""What may be wrong with a tool that compiles: rules, and what they say of a project or a manifest.

A rule looks at one tool as the wire has it (`Subject`), or at all of them (`Index`), and yields what
it found. Where that was written, whether anybody asked for the rule, and how grave it is are not its
concern.
"""
