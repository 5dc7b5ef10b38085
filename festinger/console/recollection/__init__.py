"""What is told: the page of lines, and prompts as they come."""
