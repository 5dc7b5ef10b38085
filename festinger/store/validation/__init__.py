"""Candidates, questions, answers and nights, in Postgres."""
