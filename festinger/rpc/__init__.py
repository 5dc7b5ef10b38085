"""The gRPC server, with a thin servicer for each service."""
