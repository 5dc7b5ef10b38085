"""Store what people say, and read statements from it."""
