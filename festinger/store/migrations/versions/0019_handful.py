"""Items of the inbox are put to people in chats.

Let a question be about an item of the inbox.
"""

from __future__ import annotations

from festinger.store.migrations import step_of

revision, down_revision, upgrade = step_of(__file__)
