"""Postgres: where the memory is kept."""
