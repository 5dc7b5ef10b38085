"""Extract memories from conversations."""
