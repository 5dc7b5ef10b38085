"""Cardinality and synonyms of predicates.

Add cardinality and synonyms to a memory's own predicates.
"""

from __future__ import annotations

from festinger.store.migrations import step_of

revision, down_revision, upgrade = step_of(__file__)
