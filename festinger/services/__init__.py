"""Use cases: load, decide in the core, save. Each room has those of its subject."""
