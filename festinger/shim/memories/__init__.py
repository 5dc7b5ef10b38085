"""Conversations that clients have kept."""
