"""Pages of the overview and of a tenant's settings."""
