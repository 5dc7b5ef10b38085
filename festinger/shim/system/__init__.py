"""Identity, health and metrics."""
