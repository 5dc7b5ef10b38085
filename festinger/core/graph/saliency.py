"""Saliency of concepts and its decay. Decay never removes a concept."""

from __future__ import annotations

DAY = 86_400.0
HALF_LIFE = 30 * DAY
"""Seconds in which the weight of a concept or an edge halves (D4)."""
