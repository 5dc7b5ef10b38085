"""Commands for documents, records and pending reviews."""
