"""The agents' own model reads what people said, while nobody asks it anything."""
