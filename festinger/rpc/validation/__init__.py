"""Candidates, questions and dreaming over gRPC."""
