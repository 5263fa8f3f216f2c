"""What a tool must be beyond its format: tables of rules over metadata and Tool."""
