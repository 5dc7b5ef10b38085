"""Validation of candidates by people: questions, votes, reputations and decisions."""

from __future__ import annotations
