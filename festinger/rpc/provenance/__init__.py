"""Provenance of facts over gRPC."""
