"""Language models, settings, leases and background runs."""
