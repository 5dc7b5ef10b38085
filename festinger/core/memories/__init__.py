"""What agents remember of people: typed memories, read from summaries by a model."""

from __future__ import annotations
