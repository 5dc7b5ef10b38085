"""Captured conversations and their extraction over gRPC."""
