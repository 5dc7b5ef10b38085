"""Page of the provenance of facts."""
