"""The gRPC server: one thin servicer per service."""
