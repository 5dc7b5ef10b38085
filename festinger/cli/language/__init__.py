"""Commands that try out the reading of texts and conversations."""
