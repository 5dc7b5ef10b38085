"""A cycle of reviews for each project, instead of one for the whole memory."""

from __future__ import annotations

from festinger.store.migrations import step_of

revision, down_revision, upgrade = step_of(__file__)
