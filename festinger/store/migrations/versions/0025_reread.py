"""A model is asked once more about changes that it did not read."""

from __future__ import annotations

from festinger.store.migrations import step_of

revision, down_revision, upgrade = step_of(__file__)
