"""Commands for conflicts and predicates."""
