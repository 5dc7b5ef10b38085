"""Provenance of facts: content identifiers, trails and their verification."""
