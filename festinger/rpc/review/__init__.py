"""Records and documents over gRPC."""
