"""One file per thing one can ask for: load, decide (in the core), save."""
