"""Read conversations for what is worth remembering."""
