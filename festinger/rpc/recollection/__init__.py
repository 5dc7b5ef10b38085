"""Prompts and lines over gRPC."""
