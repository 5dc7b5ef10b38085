"""Read documents, offer candidates, and take people's decisions."""
