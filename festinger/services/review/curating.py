"""A person writes down what is true of a project (L3).

Nothing here reads a claim, and nothing that reads one writes here: what is trusted came
from a person's hands, word for word.
"""

from __future__ import annotations

from festinger.core.review.state import EARLIER_MAX, StateItem
from festinger.core.world.draft import Draft
from festinger.errors import EtagMismatch
from festinger.services.world.jobs import Job
from festinger.store.world.batches import Answered, Batch, Committed, RequestKey
from festinger.store.world.reads import PostgresReads


class StateSetting(Job[StateItem]):
    """One item of a project's trusted state is written.

    Args:
        value: Empty removes the item; what it was stays in its history.
        etag: The item as the caller read it; empty if they do not care.
    """

    alone = True

    def __init__(
        self,
        project: str,
        key: str,
        value: str,
        *,
        principal: str,
        etag: str = "",
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(request)
        self._project = project
        self._key = key
        self._value = value
        self._principal = principal
        self._etag = etag
        self._item: StateItem | None = None

    async def load(self, reads: PostgresReads) -> None:
        """Reads what it is now.

        Raises:
            EtagMismatch: It changed since it was read.
        """
        self._item = await reads.state_item(self._project, self._key)
        now = self._item.etag if self._item else ""
        if self._etag and self._etag != now:
            raise EtagMismatch(
                f"{self._key} of {self._project} changed since it was read; read it again",
                project=self._project,
                key=self._key,
            )

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Writes it, and keeps what it was."""
        old = self._item
        self._item = StateItem(
            self._project,
            self._key,
            self._value,
            self._principal,
            version=old.version + 1 if old else 1,
            updated_at=draft.now,
            earlier=(*old.earlier, old.value)[-EARLIER_MAX:] if old else (),
        )
        batch.state.append(self._item)
        self.remember(batch, None, Answered(state=(self._project, self._key)))

    def answer(self, committed: Committed) -> StateItem:
        """The item as it is now."""
        assert self._item is not None, "an answer follows a decision"
        return self._item

    async def replay(self, reads: PostgresReads, answered: Answered) -> StateItem:
        """The item as it is now."""
        project, key = answered.state
        item = await reads.state_item(project, key)
        assert item is not None, "what was written once has a row"
        return item
