"""gutask: tells Festinger's memory a fact, and asks it what it knows."""

from __future__ import annotations

__version__ = "0.1.0"
