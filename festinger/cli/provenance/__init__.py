"""Commands that trace and verify the provenance of facts."""
