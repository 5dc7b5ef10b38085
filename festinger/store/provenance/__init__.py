"""Storage of provenance in Postgres."""
