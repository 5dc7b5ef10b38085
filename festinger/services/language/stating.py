"""Take statements that readers found to the gate, and hear what they change.

A change is a contradiction that whoever made it decides: it is queued as any other, and
settled as an update in their name, so that it is listed, traced and undone like one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from festinger.core.graph.origins import (
    ReadStatement,
    StatementOrigin,
    StatementReader,
)
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import Proposal
from festinger.core.graph.resolution import ConflictDecision
from festinger.core.language.statements import read_turn_statements
from festinger.core.language.utterances import KeptTurn
from festinger.core.lines.turns import SpokenTurn
from festinger.core.world.draft import Draft
from festinger.core.world.drafting import PARTS_MAX, StatementResult, state, to_proposal
from festinger.errors import FestingerError
from festinger.services.graph.resolving import Resolution
from festinger.services.world.jobs import Job, PromptJob, StatedOutcome, stated_outcomes
from festinger.services.world.memory import TenantMemory
from festinger.store.world.batches import Batch, Committed

REASONING_CHARACTERS_MAX: Final = 300
READ_SENTENCES_MAX: Final = 100
"""Of one turn, the last ones: what people type is shorter."""
SESSIONS_MAX: Final = 1_000
"""Conversations of which it is known what their last turn stated."""


class StateAll(Job[Sequence[StatedOutcome]]):
    """Put statements through the gate; nobody waits for it unless they ask to."""

    def __init__(
        self, memory: TenantMemory, statements: Sequence[ReadStatement]
    ) -> None:
        super().__init__()
        self._memory = memory
        self.statements = statements
        self._stated: list[tuple[ReadStatement, StatementResult]] = []

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statements, as they would be named now."""
        draft, found = Draft(self._memory.world, now=self._memory.now()), []
        for statement in self.statements:
            with suppress(FestingerError):
                found.append(to_proposal(draft, statement))
        return found

    @property
    def ledger_rows(self) -> int:
        """How many rows of the ledger it may take."""
        return PARTS_MAX * len(self.statements)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Put them through the gate, in their order."""
        self.state(draft, self.statements)

    def state(self, draft: Draft, statements: Sequence[ReadStatement]) -> None:
        """Put statements through the gate, in place of any that were before."""
        self._stated = [
            (statement, stated)
            for statement in statements
            for stated in state(draft, statement)
        ]

    def answer(self, committed: Committed) -> Sequence[StatedOutcome]:
        """Return what became of them."""
        return stated_outcomes(self._stated, committed)


def read_turn(
    turn: SpokenTurn, before: Sequence[ReadStatement] = ()
) -> list[ReadStatement]:
    """Return what the sentences of a turn state, where nothing is left to guess.

    Args:
        before: What the last turn of its conversation stated.
    """
    origin = StatementOrigin(
        quote="",
        speaker=turn.speaker,
        principal=turn.principal,
        project=turn.project,
        session=turn.session,
        said=turn.said,
        turn_digest=turn.digest,
        reader=StatementReader.RULES,
    )
    kept = KeptTurn(turn.utterances[-READ_SENTENCES_MAX:], turn.audience)
    return read_turn_statements(kept, origin, before)


def read_turns(
    memory: TenantMemory, turns: Sequence[SpokenTurn]
) -> list[ReadStatement]:
    """Return what the sentences of turns state, where nothing is left to guess."""
    found: list[ReadStatement] = []
    for turn in turns:
        before = memory.stated.pop(turn.session, ()) if turn.session else ()
        stated = read_turn(turn, before)
        if turn.session:
            memory.stated[turn.session] = stated
            while len(memory.stated) > SESSIONS_MAX:
                del memory.stated[next(iter(memory.stated))]
        found += stated
    return found


def settle_later(memory: TenantMemory, job: PromptJob) -> None:
    """Let the changes of a prompt replace what is held, once it is committed."""

    def settle(done: asyncio.Future[Sequence[StatedOutcome]]) -> None:
        if done.cancelled() or done.exception() is not None:
            return
        stated = [it for it in done.result() or () if it.replaces]
        if stated:
            task = asyncio.create_task(settle_changes(memory, stated))
            memory.settling.add(task)
            task.add_done_callback(memory.settling.discard)

    job.done.add_done_callback(settle)


async def settle_changes(
    memory: TenantMemory, stated: Sequence[StatedOutcome]
) -> Sequence[StatedOutcome]:
    """Let the changes among committed statements replace what is held.

    Returns:
        What became of all of them.
    """
    return [await _replaced(memory, each) for each in stated]


async def _replaced(memory: TenantMemory, stated: StatedOutcome) -> StatedOutcome:
    """Let a change replace what it collides with; it waits for people if it cannot."""
    outcome, origin = stated.outcome, stated.statement.origin
    if outcome is None or not stated.replaces or not outcome.conflict_id:
        return stated
    try:
        await memory.writer.submit(
            Resolution(
                outcome.conflict_id,
                ConflictDecision.UPDATE,
                principal=origin.speaker or origin.principal,
                reasoning=f"said: {origin.quote}"[:REASONING_CHARACTERS_MAX],
                etag="",
                request=None,
            )
        )
    except FestingerError:
        # Somebody settled it meanwhile, or it collides with more: people decide.
        return stated
    held = outcome._replace(verdict=Verdict.HELD, collision=None, reason="replaced")
    return StatedOutcome(stated.statement, held, replaces=True)
