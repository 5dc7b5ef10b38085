"""The ledger, the predicates and the decisions, in Postgres."""
