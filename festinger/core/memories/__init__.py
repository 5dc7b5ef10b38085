"""Typed memories of people, extracted from summaries by a model."""

from __future__ import annotations
