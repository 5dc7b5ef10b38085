"""Unread turns and the models' answers over gRPC."""
