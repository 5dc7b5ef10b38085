"""Whom to believe: votes, what they weigh, and when they decide."""

from __future__ import annotations
