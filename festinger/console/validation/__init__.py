"""What waits for answers, and how validation goes."""
