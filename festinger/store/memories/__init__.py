"""Storage of conversations in Postgres."""
