"""Concepts, conflicts and predicates, as pages and over HTTP."""
