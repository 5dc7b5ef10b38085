"""Trace the provenance of facts."""
