"""Commands for documents, claims and what waits for a reviewer."""
