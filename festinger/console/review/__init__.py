"""Candidates from documents, claims and trusted state."""
