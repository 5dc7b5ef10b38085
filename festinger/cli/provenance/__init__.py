"""Commands that trace and verify."""
