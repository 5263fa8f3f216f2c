"""The nouns of the compiler: frozen data that every stage speaks, and nothing that acts."""
