"""Tests."""

from __future__ import annotations

# First of all: it sets what gRPC reads when it is imported.
import festinger  # noqa: F401
