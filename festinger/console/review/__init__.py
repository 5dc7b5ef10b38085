"""Pages of the review of claims, and of trusted state."""
