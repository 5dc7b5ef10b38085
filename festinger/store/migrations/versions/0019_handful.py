"""Items of the inbox are put to people in chats."""

from __future__ import annotations

from festinger.store.migrations import step_of

revision, down_revision, upgrade = step_of(__file__)
