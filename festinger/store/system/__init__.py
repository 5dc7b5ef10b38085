"""Connections, queries, leases, tenants and models."""
