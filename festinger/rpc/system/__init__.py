"""Authentication, limits, health, paging, administration and settings over gRPC."""
