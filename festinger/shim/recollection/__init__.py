"""From a request to the block in it: read, ask, put in, account for."""
