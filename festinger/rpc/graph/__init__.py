"""Concepts, conflicts and predicates over gRPC."""
