"""Loaded memories, their writers, and the jobs of a writer."""
