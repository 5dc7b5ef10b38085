"""What the writer is asked to do: each job decides on a draft, then gives its answer.

The writer (`festinger.services.world.writer`) takes the tenant's pen, brings a job what the
database knows, lets it decide, commits, and only then lets it answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.conflicts import Clash, PendingConflicts
from festinger.core.graph.origins import ReadStatement
from festinger.core.graph.outcome import Outcome
from festinger.core.graph.proposal import Proposal
from festinger.core.graph.tokens import SCOPE
from festinger.core.language.reader.unread import UnreadTurn
from festinger.core.lines.turns import SpokenTurn
from festinger.core.world.draft import Draft
from festinger.core.world.drafting import PARTS_MAX, StatementResult, state, to_proposal
from festinger.errors import FestingerError
from festinger.store.world.batches import (
    Answered,
    Batch,
    Committed,
    RequestKey,
    SegmentKey,
)
from festinger.store.world.reads import PostgresReads

Answer = TypeVar("Answer")

READ_FROM = 1_000
"""The ordinal of the first statement that was read from a turn's sentences: those that
patterns find have smaller ones."""


class Job(Generic[Answer]):
    """Something that changes the memory.

    Attributes:
        request: Names the call, so that repeating it changes nothing.
        waited_for: Whether somebody waits: then it fails when the database is away,
            else it is tried again.
        done: Gets the answer.
    """

    waited_for = True
    alone = False
    """Whether it gets a transaction of its own: it may turn out impossible half-way,
    and what it reserved until then must not bind others."""

    def __init__(self, request: RequestKey | None = None) -> None:
        self.request = request
        self.done: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statements it is going to put through the gate, as far as known."""
        return ()

    @property
    def ledger_rows(self) -> int:
        """How many rows of the ledger it takes, at most."""
        return len(self.proposals)

    async def load(self, reads: PostgresReads) -> None:
        """Reads what the decision needs."""

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Decides on a draft, and adds what the batch must write besides."""
        raise NotImplementedError

    async def read_back(self, reads: PostgresReads) -> None:
        """Reads what the answer needs, once it is written and before the commit."""

    def answer(self, committed: Committed) -> Answer:
        """The answer after the commit."""
        raise NotImplementedError

    async def replay(self, reads: PostgresReads, answered: Answered) -> Answer:
        """The first answer again, for a repeated request."""
        raise NotImplementedError

    def remember(
        self, batch: Batch, entry: LedgerEntry | None, answered: Answered | None = None
    ) -> None:
        """Has the batch remember the request, if it has a name."""
        if self.request:
            batch.requests.append((self.request, entry, answered or Answered()))


class Assertion(Job[tuple[Outcome, int]]):
    """Somebody states a fact and waits for what becomes of it."""

    def __init__(self, proposal: Proposal, request: RequestKey | None) -> None:
        super().__init__(request)
        self._proposal = proposal
        self._entry: LedgerEntry | None = None

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The one statement."""
        return (self._proposal,)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Puts it through the gate."""
        self._entry = draft.propose(self._proposal)
        self.remember(batch, self._entry)

    def answer(self, committed: Committed) -> tuple[Outcome, int]:
        """The outcome, and the version after it."""
        assert self._entry is not None, "an answer follows a decision"
        return numbered(self._entry, committed), committed.version

    async def replay(
        self, reads: PostgresReads, answered: Answered
    ) -> tuple[Outcome, int]:
        """The outcome as the ledger has it."""
        return await reads.outcome(answered.assertion_id), answered.version


@dataclass(frozen=True, slots=True)
class StatedOutcome:
    """What became of a statement, or of a part of one.

    Attributes:
        outcome: Of the gate; None if it did not come there.
        replaces: Whether it is to replace what it collides with.
        refusal: Why it did not come to the gate; empty if it did.
    """

    statement: ReadStatement
    outcome: Outcome | None
    replaces: bool = False
    refusal: str = ""


def stated_outcomes(
    stated: Sequence[tuple[ReadStatement, StatementResult]], committed: Committed
) -> Sequence[StatedOutcome]:
    """Return what became of statements, with the numbers that the commit gave out."""
    return [
        StatedOutcome(
            statement,
            numbered(each.entry, committed) if each.entry else None,
            each.replaces,
            each.refusal,
        )
        for statement, each in stated
    ]


def judge_all(
    draft: Draft,
    proposals: Sequence[Proposal],
    statements: Mapping[SegmentKey, ReadStatement],
) -> tuple[list[LedgerEntry], list[tuple[ReadStatement, StatementResult]]]:
    """Put what patterns and readers found in the same text through the gate, each once.

    Args:
        proposals: What patterns found.
        statements: What was read from sentences.

    Returns:
        The rows of the ledger of the first, and what became of the others.
    """
    changing = [it.origin.quote for it in statements.values() if it.changes]
    entries: list[LedgerEntry] = []
    for proposal in proposals:
        sentence = proposal.evidence.sentence
        # Of a change the words are what counts: the pattern does not know them.
        if not any(sentence in quote or quote in sentence for quote in changing):
            entries.append(draft.propose(proposal))
    made = {entry.proposal.triple: entry for entry in entries}
    found: list[tuple[ReadStatement, StatementResult]] = []
    for (segment, ordinal), statement in statements.items():
        if made and not statement.changes:
            with suppress(FestingerError):
                known = made.get(to_proposal(draft, statement).triple)
                if known is not None:
                    if SCOPE in known.triple.concept:
                        # Told in its project only, and in whose words.
                        draft.changes.origins.setdefault(known.id, statement.origin)
                    continue
        stated = state(draft, statement, segment, ordinal)
        found += [(statement, each) for each in stated]
    return entries, found


class PromptJob(Job[Sequence[StatedOutcome]]):
    """What was stated in a prompt; nobody waits for it.

    Args:
        conflicts: The pending conflicts of the world.
        shown: Those that the prompt's answer showed before they were written.
        said: Turns of which sentences are kept.
        statements: What was read from sentences of the prompt.
        unread: Turns that a model is to read.
    """

    waited_for = False

    def __init__(
        self,
        proposals: Sequence[Proposal],
        conflicts: PendingConflicts,
        shown: Sequence[Clash],
        said: Sequence[SpokenTurn] = (),
        statements: Sequence[ReadStatement] = (),
        unread: Sequence[UnreadTurn] = (),
    ) -> None:
        super().__init__()
        self._proposals = proposals
        self._statements = {
            (each.origin.turn_digest, READ_FROM + at): each
            for at, each in enumerate(statements)
        }
        self._fresh_statements = dict(self._statements)
        self._stated: list[tuple[ReadStatement, StatementResult]] = []
        self._conflicts = conflicts
        self._shown = shown
        self._said = said
        self._unread = unread
        self._fresh = list(proposals)

    @property
    def proposals(self) -> Sequence[Proposal]:
        """What was stated, in the order of the prompt."""
        return self._proposals

    @property
    def ledger_rows(self) -> int:
        """How many rows of the ledger it takes, at most."""
        return len(self._proposals) + PARTS_MAX * len(self._statements)

    @property
    def segments(self) -> set[SegmentKey]:
        """The names of its statements, by which they are judged once."""
        named = {key for each in self._proposals if (key := segment_key(each))}
        return named | {key for key in self._statements if key[0]}

    def skip(self, judged: set[SegmentKey]) -> None:
        """Leaves out what was judged already: a turn that was sent again.

        Args:
            judged: Grows by what is left.
        """
        self._fresh = []
        for proposal in self._proposals:
            key = segment_key(proposal)
            if key not in judged:
                self._fresh.append(proposal)
            if key:
                judged.add(key)
        self._fresh_statements = {
            key: each for key, each in self._statements.items() if key not in judged
        }
        judged |= {key for key in self._fresh_statements if key[0]}

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Puts every statement through the gate, each once however it was read."""
        _, self._stated = judge_all(draft, self._fresh, self._fresh_statements)
        batch.keep(self._said)
        batch.unread += self._unread

    def answer(self, committed: Committed) -> Sequence[StatedOutcome]:
        """Takes back what was shown as a conflict and did not become one.

        Returns:
            What became of what was read from sentences.
        """
        self.withdraw()
        return stated_outcomes(self._stated, committed)

    def withdraw(self) -> None:
        """Takes back what was shown as a conflict and is not written."""
        for clash in self._shown:
            if self._conflicts.number(clash) == 0:
                self._conflicts.discard(clash)


def segment_key(proposal: Proposal) -> SegmentKey | None:
    """What names a statement of a prompt; None outside prompts."""
    evidence = proposal.evidence
    return (evidence.segment, evidence.ordinal) if evidence.segment else None


def numbered(entry: LedgerEntry, committed: Committed) -> Outcome:
    """An outcome with the numbers that the commit gave out."""
    if entry.clash:
        return entry.outcome._replace(conflict_id=committed.conflicts[entry.clash])
    if entry.id in committed.factoids:
        return entry.outcome._replace(factoid_id=committed.factoids[entry.id])
    return entry.outcome


def finish(job: Job[Any]) -> None:
    """Ends a job that nobody waits for and that was done."""
    if isinstance(job, PromptJob):
        job.withdraw()
    if not job.done.done():
        job.done.set_result(None)


def fail(job: Job[Any], error: BaseException) -> None:
    """Ends a job with an error."""
    if isinstance(job, PromptJob):
        job.withdraw()
    if not job.done.done():
        job.done.set_exception(error)
        # Nobody may be waiting any more, and that is fine.
        job.done.exception()


async def settle(done: asyncio.Future[Any], answer: Any) -> None:
    """Gives a future the result of an awaitable, or its error."""
    try:
        result = await answer
    except Exception as error:
        if not done.done():
            done.set_exception(error)
            done.exception()
    else:
        if not done.done():
            done.set_result(result)
