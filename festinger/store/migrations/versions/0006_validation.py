"""Validation of candidates by people.

Add votes, questions, provenance, dreaming and the learned ratings.
"""

from __future__ import annotations

from festinger.store.migrations import step_of

revision, down_revision, upgrade = step_of(__file__)
