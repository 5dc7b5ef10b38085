"""Conversations over gRPC."""
