"""Formats that a memory is exported in, each in a module of its own."""
