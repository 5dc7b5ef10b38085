"""Edit the trusted state of a project by hand (L3)."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, field

from festinger.core.review.state import EARLIER_MAX, StateItem
from festinger.core.world.draft import Draft
from festinger.errors import EtagMismatch
from festinger.services.world.jobs import Job
from festinger.store.review.state import StateWrites
from festinger.store.world.batches import Batch, CallResult
from festinger.store.world.reads import PostgresReads


# Reads no record: the trusted state consists of what people wrote, word for word.
@dataclass(eq=False)
class StateSetting(Job[StateItem]):
    """Job that writes one item of a project's trusted state.

    Args:
        value: New value; empty removes the item, and its history stays.
        etag: Etag of the item as the caller read it; empty to skip the check.
    """

    alone = True

    project: str
    key: str
    value: str
    _: KW_ONLY
    principal: str
    etag: str = ""
    _item: StateItem | None = field(default=None, init=False)

    async def load(self, reads: PostgresReads) -> None:
        """Read the item as it is now. Raises `EtagMismatch`."""
        # Under the lock: nobody can write the item between this and the commit.
        self._item = await reads.state_item(self.project, self.key)
        now = self._item.etag if self._item else ""
        # An item that was never written has no etag.
        if self.etag and self.etag != now:
            raise EtagMismatch(
                f"{self.key} of {self.project} changed since it was read; read it again",
                project=self.project,
                key=self.key,
            )

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Write the item, with the previous value in its history."""
        old = self._item
        self._item = StateItem(
            self.project,
            # Empty stands for removed: the row stays, since its history hangs on it.
            self.key,
            self.value,
            self.principal,
            version=old.version + 1 if old else 1,
            updated_at=draft.now,
            # The newest ones; the rest stays in the history.
            earlier=(*old.earlier, old.value)[-EARLIER_MAX:] if old else (),
        )
        batch.of(StateWrites).items.append(self._item)
        self.remember(batch, None, CallResult(state=(self.project, self.key)))

    def answer(self, version: int) -> StateItem:
        """Return the item as it is now."""
        assert self._item is not None, "an answer follows a decision"
        return self._item

    async def replay(self, reads: PostgresReads, answered: CallResult) -> StateItem:
        """Return the item as it is now."""
        project, key = answered.state
        item = await reads.state_item(project, key)
        assert item is not None, "what was written once has a row"
        return item
