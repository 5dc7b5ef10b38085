"""Conversations, in Postgres."""
