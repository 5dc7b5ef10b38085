"""The graph, the ledger, the predicates and the decisions, in Postgres."""
