"""Answer prompts, explain answers, and export lines."""
