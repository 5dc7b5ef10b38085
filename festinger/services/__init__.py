"""Use cases: load, decide in the core, save; one package for each subject."""
