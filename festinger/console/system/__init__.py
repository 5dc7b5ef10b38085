"""The overview, and the settings of a tenant."""
