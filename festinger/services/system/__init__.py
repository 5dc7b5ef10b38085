"""Models, settings, leases and long work."""
