"""Formats of other systems' memories and conversations, each in a module of its own."""
