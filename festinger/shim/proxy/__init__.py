"""HTTP server and client of the shim: listening, forwarding, relaying."""
