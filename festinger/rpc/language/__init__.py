"""Unread turns and their answers over gRPC."""
