"""Capture of conversations that clients marked."""
