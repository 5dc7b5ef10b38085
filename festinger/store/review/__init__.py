"""Documents, claims and trusted state, in Postgres."""
