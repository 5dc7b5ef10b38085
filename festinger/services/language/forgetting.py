"""Forget what people said: on request, and after a retention period."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from festinger.core.graph.proposal import Triple
from festinger.core.graph.tokens import tokenise
from festinger.core.graph.values.dates import DAY
from festinger.core.language.terms import terms
from festinger.core.lines.line import IndexedLine
from festinger.core.lines.listing import UtteranceFilter, find, words_left
from festinger.core.lines.turns import SpokenTurn
from festinger.core.world.draft import Draft
from festinger.errors import FestingerError, LineNotFound
from festinger.services.world.jobs import Job
from festinger.services.world.memory import Memories
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.language.turns import ErasureWrites, TurnWrites
from festinger.store.world.batches import CallResult, RequestKey

if TYPE_CHECKING:
    from festinger.store.world.batches import Batch
    from festinger.store.world.reads import PostgresReads

TURNS_MAX: Final = 500
"""Maximum number of turns that one transaction forgets."""


class ForgottenSentences(NamedTuple):
    """Result of forgetting lines.

    Attributes:
        lines: The sentences, the newest first; empty in the answer to a repeated call.
        statements: The statements that end with them; empty in such an answer, too.
        line_count: How many sentences are forgotten.
        statement_count: How many statements end.
        version: The tenant's version without them.
    """

    lines: Sequence[IndexedLine]
    statements: Sequence[Triple]
    line_count: int
    statement_count: int
    version: int


class ForgetLines(Job[ForgottenSentences]):
    """Job that forgets sentences, and statements that are held only because of them."""

    alone = True

    def __init__(
        self,
        memory: TenantMemory,
        selection: UtteranceFilter,
        *,
        principal: str,
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(request=request)
        self._memory = memory
        self._selection = selection
        self._principal = principal
        self._lines: Sequence[IndexedLine] = ()
        self._turns: Sequence[SpokenTurn] = ()
        self._stated: Sequence[Triple] = ()
        self._ended: list[Triple] = []

    async def load(self, reads: PostgresReads) -> None:
        """Find the sentences, their turns, and the statements held because of them.

        Raises:
            LineNotFound: The named line is not stored.
        """
        # In the index of this server; the lock has brought it up to date.
        self._lines = _selected(self._memory, self._selection)
        if self._lines:
            self._turns = await reads.turns({int(str(it.key)) for it in self._lines})
            self._stated = await reads.stated_by(_said(self._lines))

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Remove the sentences and their statements."""
        gone: dict[int, set[int]] = defaultdict(set)
        for line in self._lines:
            gone[int(str(line.key))].add(line.ordinal)
        # The turn stays, so that a client that sends its history again does not bring it back.
        reworded = [turn.without(gone[turn.id]) for turn in self._turns]
        batch.of(TurnWrites).reworded += reworded
        # Copies elsewhere: quotes in the ledger, unread turns, and words that only they had.
        erasure = batch.of(ErasureWrites)
        erasure.sentences += _said(self._lines)
        erasure.digests += [turn.digest for turn in reworded]
        erasure.unnamed |= self._tokens()
        self._ended = _held(draft, self._stated)
        for triple in self._ended:
            draft.retract(triple, principal=self._principal, why="it is forgotten")
        # Numbers only: what is forgotten must not be kept to answer a repetition.
        counts = CallResult(added=len(self._lines), ended=len(self._ended))
        self.remember(batch, None, counts)

    def answer(self, version: int) -> ForgottenSentences:
        """Return the forgotten sentences, and the statements that ended with them."""
        lines, ended = self._lines, self._ended
        return ForgottenSentences(lines, ended, len(lines), len(ended), version)

    async def replay(
        self, reads: PostgresReads, answered: CallResult
    ) -> ForgottenSentences:
        """Return the counts of the first answer."""
        return ForgottenSentences(
            (), (), answered.added, answered.ended, answered.version
        )

    def _tokens(self) -> set[str]:
        """Return the concepts of the sentences that no other sentence has."""
        left = words_left(self._memory.world.lines, self._lines)
        texts = " \n".join(
            f"{it.heading} \n{it.content} \n{it.speaker}" for it in self._lines
        )
        return {
            # A word that another sentence has as well tells nothing about this one.
            token.text
            for token in tokenise(texts)
            if token.concept and not left.issuperset(terms(token.text))
        }


async def preview_forgetting(
    memory: TenantMemory, selection: UtteranceFilter
) -> ForgottenSentences:
    """Return what `forget_lines` would forget now.

    Raises:
        LineNotFound: The named line is not stored.
        DatabaseUnavailable: The statements cannot be read now.
    """
    lines = _selected(memory, selection)
    stated: Sequence[Triple] = ()
    if lines:
        async with memory.store.reading(memory.tenant) as reads:
            stated = await reads.stated_by(_said(lines))
    world = memory.world
    ended = _held(Draft(world, now=memory.now()), stated)
    return ForgottenSentences(lines, ended, len(lines), len(ended), world.version)


async def forget_lines(
    memory: TenantMemory,
    selection: UtteranceFilter,
    *,
    principal: str,
    request: RequestKey | None = None,
) -> ForgottenSentences:
    """Forget sentences and return them after the commit.

    Raises:
        LineNotFound: The named line is not stored.
        RequestIdReused: The request's id came with another selection.
        DatabaseUnavailable: Nothing was forgotten, or the outcome is unknown; the call
            may be repeated.
        Overloaded: Try again.
    """
    return await memory.writer.submit(
        await prepare_forgetting(memory, selection, principal, request)
    )


async def prepare_forgetting(
    memory: TenantMemory,
    selection: UtteranceFilter,
    principal: str,
    request: RequestKey | None = None,
) -> ForgetLines:
    """Return the job that forgets sentences, after all encounters are written."""
    # Encounters that are still to be written would bring the words back.
    await memory.writer.flush(everything=True)
    return ForgetLines(memory, selection, principal=principal, request=request)


def _selected(
    memory: TenantMemory, selection: UtteranceFilter
) -> Sequence[IndexedLine]:
    """Return the selected sentences; raise `LineNotFound` if a named one is not stored."""
    lines = find(memory.world.lines, selection)
    if selection.name and not lines:
        raise not_kept(selection.name)
    return lines


def _said(lines: Sequence[IndexedLine]) -> list[tuple[str, str]]:
    return [(line.text, line.speaker) for line in lines]


def _held(draft: Draft, stated: Sequence[Triple]) -> list[Triple]:
    """Return the statements that are held; what was said once may have ended since."""
    return [triple for triple in stated if draft.made_by(triple)]


def not_kept(name: str) -> LineNotFound:
    """Return the error for a line that is not stored."""
    return LineNotFound(
        f"no line {name!r} is kept. `festinger facts` lists the lines and their names",
        name=name,
    )


class ForgetOldTurns(Job[int]):
    """Job that forgets a batch of the turns that were said before a time.

    Args:
        before: Seconds since the epoch.
    """

    def __init__(self, before: float) -> None:
        super().__init__()
        self._before = before
        self._old: Sequence[int] = ()

    async def load(self, reads: PostgresReads) -> None:
        """Read a batch of old turns."""
        self._old = await reads.old_turns(self._before, TURNS_MAX)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Remove the turns, and the sentences of that time that the ledger quotes."""
        turns = batch.of(TurnWrites)
        turns.removed.update(self._old)
        turns.evidence_before = self._before
        # Sentences that the ledger quotes, and that no turn keeps.
        batch.of(ErasureWrites).before = self._before

    def answer(self, version: int) -> int:
        """Return the number of turns that were forgotten."""
        return len(self._old)


class Forgetter:
    """Retention of what people said, in all memories that hold old turns.

    Args:
        days: Retention period in days.
        now: Returns the time in seconds since the epoch.
    """

    def __init__(
        self, memories: Memories, *, days: float, now: Callable[[], float]
    ) -> None:
        self._memories = memories
        self._days = days
        self._now = now

    async def look(self) -> None:
        """Forget all turns past the retention period.

        Raises:
            DatabaseUnavailable: Some turns are still stored.
            Overloaded: Some turns are still stored.
        """
        failures: list[FestingerError] = []
        before = self._now() - self._days * DAY
        # Old turns are found in the database: an interrupted call is completed by the next.
        for tenant in await self._memories.with_old_words(before):
            try:
                memory = await self._memories.get(tenant)
                # A full batch may not be all of them.
                while await memory.writer.submit(ForgetOldTurns(before)) == TURNS_MAX:
                    pass
                # Each search passes over what was removed, until the memory is loaded
                # again.
                sources = memory.world.lines.sources
                if sources.removed > len(sources):
                    await self._memories.reload(tenant)
            # One memory's failure must not keep the words of others longer than promised.
            except FestingerError as error:
                failures.append(error)
        if failures:
            raise failures[0]
