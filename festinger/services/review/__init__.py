"""Ingest documents, offer candidates and apply people's decisions."""
