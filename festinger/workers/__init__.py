"""Background workers of a server."""
