"""HTTP in both directions: listen, forward, relay."""
