"""Job that stores what a client tells the memory explicitly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.origins import ReadStatement
from festinger.core.graph.outcome import Outcome, Verdict
from festinger.core.graph.proposal import Proposal
from festinger.core.graph.resolution import ConflictDecision
from festinger.core.language.reader.unread import UnreadTurn
from festinger.core.lines.turns import SpokenTurn
from festinger.core.world.draft import Draft
from festinger.core.world.drafting import StatementResult
from festinger.core.world.ends import PARTS_MAX
from festinger.services.language.forgetting import ForgetLines
from festinger.services.language.stating import as_replacing
from festinger.services.world.jobs import (
    Job,
    StatedOutcome,
    judge_all,
    stated_outcomes,
)
from festinger.store.language.turn_queue import UnreadWrites
from festinger.store.language.turns import TurnWrites
from festinger.store.world.batches import CallResult, RequestKey

if TYPE_CHECKING:
    from festinger.store.world.batches import Batch
    from festinger.store.world.reads import PostgresReads


class SaidOutcomes(NamedTuple):
    """Result of the job `Say`.

    Attributes:
        outcomes: Outcomes of the statements that patterns found.
        stated: Outcomes of the statements that were read from sentences.
        kept: The turns as they are stored.
        version: The tenant's version after it.
    """

    outcomes: Sequence[Outcome]
    stated: Sequence[StatedOutcome]
    kept: Sequence[SpokenTurn]
    version: int


class Say(Job[SaidOutcomes]):
    """Job that stores turns with their statements, and forgets a line that they correct.

    Args:
        corrects: Job that forgets the corrected line; None for nothing.
    """

    # The corrected line may be missing, which raises.
    alone = True

    def __init__(
        self,
        proposals: Sequence[Proposal],
        statements: Sequence[ReadStatement],
        turns: Sequence[SpokenTurn],
        corrects: ForgetLines | None = None,
        unread: UnreadTurn | None = None,
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(request=request)
        self._unread = unread
        self._proposals = proposals
        self._statements = statements
        self._stated: list[tuple[ReadStatement, StatementResult]] = []
        self._turns = turns
        self._corrects = corrects
        self._entries: list[LedgerEntry] = []
        self._kept = TurnWrites()

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statements that patterns found."""
        return self._proposals

    @property
    def read_statements(self) -> Sequence[ReadStatement]:
        """The statements that were read from sentences."""
        return self._statements

    @property
    def ledger_rows(self) -> int:
        """The largest number of ledger rows that the job writes."""
        # A statement that was read may write a row for each value that it ends.
        return len(self._proposals) + PARTS_MAX * len(self._statements)

    async def load(self, reads: PostgresReads) -> None:
        """Read the corrected line.

        Raises:
            LineNotFound: The corrected line is not stored.
        """
        if self._corrects:
            await self._corrects.load(reads)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Judge the statements, and store the turns."""
        # First, so that the new words do not collide with what they correct.
        if self._corrects:
            self._corrects.decide(draft, batch)
        self._entries, self._stated = judge_all(
            draft,
            self._proposals,
            # No digest: saying the same again confirms it (C3). Only the same call, which is
            # known by its request, does not.
            {(b"", at): each for at, each in enumerate(self._statements)},
        )
        if self._turns:
            self._kept = batch.of(TurnWrites)
            self._kept.keep(self._turns)
        if self._unread:
            batch.of(UnreadWrites).turns.append(self._unread)
        rows = [*self._entries, *(it.entry for _, it in self._stated if it.entry)]
        self.remember(batch, None, CallResult(statements=[it.id for it in rows]))

    def answer(self, version: int) -> SaidOutcomes:
        """Return the outcomes, and the turns as they are stored."""
        outcomes = [entry.outcome for entry in self._entries]
        stated = stated_outcomes(self._stated)
        return SaidOutcomes(outcomes, stated, self._own(self._kept.stored), version)

    async def replay(self, reads: PostgresReads, answered: CallResult) -> SaidOutcomes:
        """Return the outcomes from the ledger, and the turns as they are stored now."""
        outcomes = [await _outcome(reads, row) for row in answered.statements]
        kept = await reads.turns_with([it.digest for it in self._turns])
        return SaidOutcomes(outcomes, (), self._own(kept), answered.version)

    def _own(self, turns: Iterable[SpokenTurn]) -> list[SpokenTurn]:
        """Return those of some stored turns that the job stores."""
        keys = {turn.key for turn in self._turns}
        return [it for it in turns if it.key in keys]


async def _outcome(reads: PostgresReads, row: int) -> Outcome:
    """Return the outcome of a statement, from the ledger and what became of a change."""
    outcome = await reads.outcome(row)
    if outcome.verdict is not Verdict.CONFLICTED:
        return outcome
    conflict = await reads.conflict(outcome.conflict_id)
    decided = conflict.decided
    # Its speaker's words of change have settled it behind the statement (J7).
    if decided and decided.decision is ConflictDecision.UPDATE:
        return as_replacing(outcome)
    return outcome
