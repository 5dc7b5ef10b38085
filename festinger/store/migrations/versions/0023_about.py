"""A person answers for what is remembered about them.

Name the subject of a record as who can answer.
"""

from __future__ import annotations

from festinger.store.migrations import step_of

revision, down_revision, upgrade = step_of(__file__)
