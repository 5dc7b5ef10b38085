"""Claims and documents over gRPC."""
