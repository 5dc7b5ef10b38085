"""People's decisions, and their ratings of lines that prompts were told.

List what is flagged in the inbox, and let it be narrowed down further.
"""

from __future__ import annotations

from festinger.store.migrations import step_of

revision, down_revision, upgrade = step_of(__file__)
