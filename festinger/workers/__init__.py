"""What runs in the background of a server."""
