"""Try out what would be read in texts and conversations."""
