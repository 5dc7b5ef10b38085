"""Storage of documents, claims and trusted state in Postgres."""
