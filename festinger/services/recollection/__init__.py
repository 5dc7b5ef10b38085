"""Answer a prompt, explain the answer, export the lines."""
