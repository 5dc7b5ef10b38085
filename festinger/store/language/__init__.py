"""Turns, unread turns and the dictionary of everyday words."""
