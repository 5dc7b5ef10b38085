"""Commands for the lines of the memory."""
