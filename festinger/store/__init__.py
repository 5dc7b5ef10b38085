"""Storage of the memories in Postgres."""
