"""Storage of candidates, questions, answers and dreaming runs in Postgres."""
