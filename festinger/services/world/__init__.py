"""Loaded tenants, their writers and what a writer is asked to do."""
