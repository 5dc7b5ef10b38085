"""Commands for documents, claims and pending reviews."""
