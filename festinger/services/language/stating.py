"""Judge statements that readers found, and apply the changes among them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from festinger.core.graph.origins import (
    ReadStatement,
    StatementOrigin,
    StatementReader,
)
from festinger.core.graph.outcome import Outcome, Verdict
from festinger.core.graph.resolution import ConflictDecision, UnsettledChange
from festinger.core.language.statements import StatedBefore, read_statements
from festinger.core.language.utterances import KeptTurn
from festinger.core.lines.turns import SpokenTurn
from festinger.core.world.draft import Draft
from festinger.core.world.drafting import StatementResult, state
from festinger.core.world.ends import PARTS_MAX
from festinger.errors import (
    ConflictClosed,
    DatabaseUnavailable,
    FestingerError,
    Overloaded,
)
from festinger.services.graph.resolving import Resolution
from festinger.services.system.leases import each_served
from festinger.services.world.jobs import Job, PromptJob, StatedOutcome, stated_outcomes
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory

if TYPE_CHECKING:
    from festinger.store.postgres import PostgresStore
    from festinger.store.world.batches import Batch

# The reasoning is shown in lists of conflicts.
REASONING_CHARACTERS_MAX: Final = 300
READ_SENTENCES_MAX: Final = 100
"""Maximum number of sentences per turn, the last ones; what people type is shorter."""
UNSETTLED_SECONDS: Final = 30.0
"""Age from which a change without a decision was interrupted, in seconds."""
SESSIONS_MAX: Final = 1_000
"""Maximum number of conversations whose last statements are cached."""


NOTHING: Final = StatedBefore()
"""Statements before the first turn of a conversation."""


class StateAll(Job[Sequence[StatedOutcome]]):
    """Job that judges statements."""

    def __init__(
        self, memory: TenantMemory, statements: Sequence[ReadStatement]
    ) -> None:
        super().__init__()
        self._memory = memory
        self.statements = statements
        self._stated: list[tuple[ReadStatement, StatementResult]] = []

    @property
    def read_statements(self) -> Sequence[ReadStatement]:
        """The statements."""
        return self.statements

    @property
    def ledger_rows(self) -> int:
        """The largest number of ledger rows that the job writes."""
        # A statement may write a row for each value that it ends.
        return PARTS_MAX * len(self.statements)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Judge the statements in their order."""
        self.state(draft, self.statements)

    def state(self, draft: Draft, statements: Sequence[ReadStatement]) -> None:
        """Judge statements, and replace earlier results."""
        self._stated = [
            (statement, stated)
            for statement in statements
            for stated in state(draft, statement)
        ]

    def answer(self, version: int) -> Sequence[StatedOutcome]:
        """Return the outcomes of the statements."""
        return stated_outcomes(self._stated)


def statements_of_turn(
    turn: SpokenTurn, before: StatedBefore = NOTHING
) -> list[ReadStatement]:
    """Return the unambiguous statements of a turn's sentences.

    Args:
        before: Statements of the conversation before it.
    """
    kept = KeptTurn(turn.utterances[-READ_SENTENCES_MAX:], turn.audience)
    return read_statements(kept, rules_origin(turn), before.last, before.all)


def rules_origin(turn: SpokenTurn) -> StatementOrigin:
    """Return the origin of what rules read from a turn, without the quote."""
    return StatementOrigin(
        quote="",
        speaker=turn.speaker,
        principal=turn.principal,
        project=turn.project,
        session=turn.session,
        said=turn.said,
        turn_digest=turn.digest,
        reader=StatementReader.RULES,
    )


def statements_of_turns(
    stated: OrderedDict[str, StatedBefore], turns: Sequence[SpokenTurn]
) -> list[ReadStatement]:
    """Return the unambiguous statements of turns.

    Args:
        stated: The statements of each conversation, the oldest first; updated.
    """
    found: list[ReadStatement] = []
    for turn in turns:
        # Taken out and put back, so that the oldest conversation is dropped first.
        before = stated.pop(turn.session, NOTHING) if turn.session else NOTHING
        read = statements_of_turn(turn, before)
        if turn.session:
            stated[turn.session] = before.then(read)
        found += read
    # Atomic, as are the other changes of it: a thread reads long messages.
    while len(stated) > SESSIONS_MAX:
        stated.popitem(last=False)
    return found


def settle_later(memory: TenantMemory, job: PromptJob) -> None:
    """Apply the changes of a prompt after its commit, in a background task."""

    def settle(done: asyncio.Future[Sequence[StatedOutcome]]) -> None:
        """Settle the changes among the outcomes, later."""
        # The prompt's job failed, or was lost with its server.
        if done.cancelled() or done.exception() is not None:
            return
        stated = [it for it in done.result() or () if it.replaces]
        if stated:
            memory.run_later(settle_changes(memory, stated))

    # After the commit: the conflict has its number only then.
    job.done.add_done_callback(settle)


async def settle_changes(
    memory: TenantMemory, stated: Sequence[StatedOutcome]
) -> Sequence[StatedOutcome]:
    """Apply the changes among committed statements.

    Returns:
        The outcomes of all statements.
    """
    return [await _replaced(memory, each) for each in stated]


async def _replaced(memory: TenantMemory, stated: StatedOutcome) -> StatedOutcome:
    """Settle the conflict of a change as an update; if it fails, people decide."""
    outcome, origin = stated.outcome, stated.statement.origin
    if outcome is None or not stated.replaces or not outcome.conflict_id:
        return stated
    speaker = origin.speaker or origin.principal
    change = UnsettledChange(outcome.conflict_id, speaker, origin.quote)
    # A failure is no failure of the statement, which is committed.
    with suppress(FestingerError):
        if await _settle(memory, change):
            return replace(stated, outcome=as_replacing(outcome))
    return stated


async def _settle(memory: TenantMemory, change: UnsettledChange) -> bool:
    """Have a change replace what it collides with; return False if people decide.

    Raises:
        DatabaseUnavailable: It is not decided now; `ChangeFinisher` tries again.
        Overloaded: As above.
    """
    try:
        # As an update in the speaker's name: listed, traced and undone like any decision.
        await memory.writer.submit(
            Resolution(
                change.id,
                ConflictDecision.UPDATE,
                principal=change.changed_by,
                reasoning=f"said: {change.sentence}"[:REASONING_CHARACTERS_MAX],
                # No etag: whatever became of the conflict, the change is newer.
                etag="",
                request=None,
            )
        )
    except (DatabaseUnavailable, Overloaded):
        raise
    except ConflictClosed:
        # Another server may have finished it, or a person agreed.
        async with memory.store.reading(memory.tenant) as reads:
            decided = (await reads.conflict(change.id)).decided
        return decided is not None and decided.decision is ConflictDecision.UPDATE
    except FestingerError:
        # It collides with more.
        await memory.store.leave_to_people(memory.tenant, change.id)
        return False
    return True


class ChangeFinisher:
    """Worker that decides changes whose server ended between statement and decision.

    Args:
        now: Returns the time in seconds since the epoch.
        complain: Called with a sentence for each memory whose changes are left.
    """

    def __init__(
        self,
        memories: Memories,
        store: PostgresStore,
        *,
        now: Callable[[], float],
        complain: Callable[[str], None] = lambda message: None,
    ) -> None:
        self._memories = memories
        self._store = store
        self._now = now
        self._complain = complain

    async def look(self) -> None:
        """Decide the changes that are left, in all memories.

        Raises:
            DatabaseUnavailable: Some changes are left.
            Overloaded: Some changes are left.
        """
        # Younger ones are most likely about to be decided by whoever took them.
        before = self._now() - UNSETTLED_SECONDS

        async def finish(tenant: str) -> None:
            """Decide those of a memory, which need not be loaded."""
            await finish_changes(await self._memories.get(tenant), before)

        await each_served(
            self._memories,
            await self._store.with_unsettled_changes(before),
            finish,
            complain=self._complain,
            lament="interrupted changes are left",
        )


async def finish_changes(memory: TenantMemory, before: float) -> None:
    """Decide the changes of a memory from before a time that no decision followed.

    Args:
        before: Seconds since the epoch.

    Raises:
        DatabaseUnavailable: Some changes are left.
        Overloaded: Some changes are left.
    """
    async with memory.store.reading(memory.tenant) as reads:
        changes = await reads.unsettled_changes(before)
    # In their order: a later change may be one of the same fact.
    for change in changes:
        await _settle(memory, change)


def as_replacing(outcome: Outcome) -> Outcome:
    """Return the outcome of a statement of change that has replaced what was held."""
    return outcome._replace(verdict=Verdict.HELD, collision=None, reason="replaced")
