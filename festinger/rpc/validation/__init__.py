"""Candidates, questions and nights over gRPC."""
