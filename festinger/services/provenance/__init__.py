"""Trace where a fact comes from."""
