"""Storage of documents, records and trusted state in Postgres."""
