"""The trail of a fact, in Postgres."""
