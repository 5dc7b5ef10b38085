"""Callers, limits, health and settings over gRPC."""
