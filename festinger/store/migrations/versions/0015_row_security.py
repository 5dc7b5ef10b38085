"""Row-level security by tenant.

Restrict every table with a tenant to the rows of the transaction's tenant.
"""

from __future__ import annotations

from festinger.store.migrations import step_of

revision, down_revision, upgrade = step_of(__file__)
