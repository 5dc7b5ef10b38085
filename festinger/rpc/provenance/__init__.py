"""Trails over gRPC."""
