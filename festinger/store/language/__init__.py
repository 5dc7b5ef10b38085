"""Turns and everyday words, in Postgres."""
