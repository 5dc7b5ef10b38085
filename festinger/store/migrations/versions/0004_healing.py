"""Models that settle conflicts and look into unknown concepts."""

from __future__ import annotations

from festinger.store.migrations import step_of

revision, down_revision, upgrade = step_of(__file__)
