"""Jobs of the writer: each decides on a draft and answers after the commit."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.conflicts import Clash, PendingConflicts
from festinger.core.graph.gate import HOLD_FLOOR
from festinger.core.graph.origins import ReadStatement
from festinger.core.graph.outcome import Outcome
from festinger.core.graph.proposal import Proposal, Triple
from festinger.core.graph.tokens import SCOPE
from festinger.core.language.reader.unread import UnreadTurn
from festinger.core.lines.turns import SpokenTurn
from festinger.core.world.draft import Draft
from festinger.core.world.drafting import StatementResult, state
from festinger.core.world.ends import PARTS_MAX
from festinger.core.world.placing import to_proposal, to_proposals
from festinger.errors import FestingerError
from festinger.store.language.turn_queue import UnreadWrites
from festinger.store.language.turns import TurnWrites
from festinger.store.world.batches import Batch, CallResult, RequestKey, SegmentKey
from festinger.store.world.reads import PostgresReads

Answer = TypeVar("Answer")

# Far above the number of pattern statements in a turn, so that the two never share a key.
READ_FROM = 1_000
"""Ordinal of the first statement that was read from a turn's sentences; statements that
patterns find have smaller ordinals."""


@dataclass(eq=False)
class Job(Generic[Answer]):
    """A change of the memory, to be done by the writer.

    Attributes:
        request: Key of the call, which makes repeating it idempotent; None if it has
            none.
        also: Called after `decide` to add writes of the caller's to the batch, such as
            a line of a log.
        waited_for: Whether a caller waits for the answer. If so, the job fails while
            the database is unavailable; otherwise it is retried.
        done: Future that gets the answer.
    """

    # Most have a caller; what prompts leave to be done has none and must not be lost.
    waited_for = True
    alone = False
    """Whether the job gets a transaction of its own: it may fail half-way, and what it
    put into the draft until then must not affect other jobs."""

    request: RequestKey | None = field(default=None, kw_only=True)
    also: Callable[[Batch], None] | None = field(default=None, init=False)
    done: asyncio.Future[Answer] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future(), init=False
    )

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statements that the job is going to judge, as far as they are known."""
        return ()

    @property
    def read_statements(self) -> Sequence[ReadStatement]:
        """The statements of sentences that it is going to judge, not named yet."""
        return ()

    @property
    def ledger_rows(self) -> int:
        """The largest number of ledger rows that the job writes."""
        return len(self.proposals)

    async def load(self, reads: PostgresReads) -> None:
        """Load what the decision needs."""

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Decide on a draft and add what else the batch must write."""
        raise NotImplementedError

    async def read_back(self, reads: PostgresReads) -> None:
        """Read what the answer needs, after the write and before the commit."""

    def answer(self, version: int) -> Answer:
        """Return the answer after the commit."""
        raise NotImplementedError

    async def replay(self, reads: PostgresReads, answered: CallResult) -> Answer:
        """Return the first answer again, for a repeated request."""
        raise NotImplementedError

    def remember(
        self,
        batch: Batch,
        entry: LedgerEntry | None,
        answered: CallResult | None = None,
    ) -> None:
        """Store the request with the batch, if the job has a request key."""
        # Stored in the same transaction: the request is known exactly if its effects are.
        if self.request:
            batch.requests.append((self.request, entry, answered or CallResult()))


class Assertion(Job[tuple[Outcome, int]]):
    """A stated fact whose outcome the caller waits for."""

    def __init__(self, proposal: Proposal, request: RequestKey | None) -> None:
        super().__init__(request=request)
        self._proposal = proposal
        self._entry: LedgerEntry | None = None

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The stated fact as the only statement."""
        return (self._proposal,)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Judge the statement and remember the request."""
        self._entry = draft.propose(self._proposal)
        self.remember(batch, self._entry)

    def answer(self, version: int) -> tuple[Outcome, int]:
        """Return the outcome and the tenant's version after it."""
        assert self._entry is not None, "an answer follows a decision"
        return self._entry.outcome, version

    async def replay(
        self, reads: PostgresReads, answered: CallResult
    ) -> tuple[Outcome, int]:
        """Return the outcome from the ledger and the version of the first answer."""
        return await reads.outcome(answered.assertion_id), answered.version


@dataclass(frozen=True, slots=True)
class StatedOutcome:
    """Outcome of a statement, or of one part of it.

    Attributes:
        outcome: Outcome of the gate; None if the statement was refused before it.
        replaces: Whether the statement is to replace the one that it collides with.
        refusal: Why the statement was refused before the gate; empty if it was judged.
    """

    statement: ReadStatement
    outcome: Outcome | None
    replaces: bool = False
    refusal: str = ""


def stated_outcomes(
    stated: Sequence[tuple[ReadStatement, StatementResult]],
) -> Sequence[StatedOutcome]:
    """Return the outcomes of statements, with the numbers that the commit assigned."""
    return [
        StatedOutcome(
            statement,
            each.entry.outcome if each.entry else None,
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
    """Judge what patterns and readers found in the same text, each statement once.

    Args:
        proposals: Statements that patterns found.
        statements: Statements that were read from sentences.

    Returns:
        The ledger rows of the former, and the results of the latter.
    """
    # The words of change, as in "we moved from podman to kubernetes".
    changing = [it.origin.quote for it in statements.values() if it.changes]
    doubted = {it.triple for it in proposals if it.confidence < HOLD_FLOOR}
    # Only needed if a pattern doubts something: finding the triples takes a while.
    certain = _certain(draft, statements.values()) if doubted else set()
    entries: list[LedgerEntry] = []
    for proposal in proposals:
        sentence = proposal.evidence.sentence
        # What a pattern doubts is left to the reader of the whole clause.
        if proposal.confidence < HOLD_FLOOR and proposal.triple in certain:
            continue
        # A statement of change is read from its words, which patterns ignore.
        if not any(sentence in quote or quote in sentence for quote in changing):
            entries.append(draft.propose(proposal))
    made = {entry.proposal.triple: entry for entry in entries}
    found: list[tuple[ReadStatement, StatementResult]] = []
    for (segment, ordinal), statement in statements.items():
        if made and not statement.changes:
            # A subject or value that makes no concept: `state` refuses it with the reason.
            with suppress(FestingerError):
                known = made.get(to_proposal(draft, statement).triple)
                if known is not None:
                    if SCOPE in known.triple.concept:
                        # A scoped fact keeps its origin: it is told in its project
                        # only, with the speaker's words.
                        draft.changes.origins.setdefault(known.id, statement.origin)
                    continue
        # One statement may give several rows: the denial of the old value, and the new one.
        stated = state(draft, statement, segment, ordinal)
        found += [(statement, each) for each in stated]
    return entries, found


def _certain(draft: Draft, statements: Iterable[ReadStatement]) -> set[Triple]:
    """Return the statements with a name as their value: "billing runs on podman"."""
    triples = {it.triple for it in to_proposals(draft, statements)}
    # With an everyday word the same may be a saying: "society runs on trust".
    return {it for it in triples if it.parent not in draft.world.dictionary}


class PromptJob(Job[Sequence[StatedOutcome]]):
    """The statements of one prompt; no caller waits for it.

    Args:
        conflicts: The pending conflicts of the world.
        shown: Conflicts that the answer to the prompt showed before they were written.
        said: Turns whose sentences are kept.
        statements: Statements that were read from sentences of the prompt.
        unread: Turns that a model is to read.
        read_from: Ordinal of the first statement of each turn.
    """

    # Prompts are answered already: the job is retried while the database is away.
    waited_for = False

    def __init__(
        self,
        proposals: Sequence[Proposal],
        conflicts: PendingConflicts,
        shown: Sequence[Clash],
        said: Sequence[SpokenTurn] = (),
        statements: Sequence[ReadStatement] = (),
        unread: Sequence[UnreadTurn] = (),
        read_from: int = READ_FROM,
    ) -> None:
        super().__init__()
        self._proposals = proposals
        self._statements = _by_segment(statements, read_from)
        self._fresh_statements = dict(self._statements)
        self._stated: list[tuple[ReadStatement, StatementResult]] = []
        self._conflicts = conflicts
        self._shown = shown
        self._said = said
        self._unread = unread
        self._fresh = list(proposals)

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statements that patterns found, in the order of the prompt."""
        return self._proposals

    @property
    def read_statements(self) -> Sequence[ReadStatement]:
        """The statements that were read from sentences of the prompt."""
        return list(self._statements.values())

    @property
    def ledger_rows(self) -> int:
        """The largest number of ledger rows that the job writes."""
        return len(self._proposals) + PARTS_MAX * len(self._statements)

    @property
    def segments(self) -> set[SegmentKey]:
        """The keys of its statements, by which each is judged only once."""
        named = {key for each in self._proposals if (key := segment_key(each))}
        # Statements without a turn's digest have no identity that could be repeated.
        return named | {key for key in self._statements if key[0]}

    def skip(self, judged: set[SegmentKey]) -> None:
        """Leave out statements that were judged before, as in a repeated turn.

        Args:
            judged: Keys of judged statements; the keys of the remaining ones are added.
        """
        # `skip` is called again on each attempt, since another server may have judged since.
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
        """Judge each remaining statement once, and keep sentences and unread turns."""
        _, self._stated = judge_all(draft, self._fresh, self._fresh_statements)
        if self._said:
            batch.of(TurnWrites).keep(self._said)
        if self._unread:
            batch.of(UnreadWrites).turns += self._unread

    def answer(self, version: int) -> Sequence[StatedOutcome]:
        """Withdraw shown conflicts that did not become conflicts.

        Returns:
            The outcomes of the statements that were read from sentences.
        """
        # What was shown and not refused was judged against a world that changed meanwhile.
        self.withdraw()
        return stated_outcomes(self._stated)

    def withdraw(self) -> None:
        """Discard conflicts that were shown but are not written."""
        for clash in self._shown:
            # Number 0 is a conflict that no commit has written.
            if self._conflicts.number(clash) == 0:
                self._conflicts.discard(clash)


def _by_segment(
    statements: Sequence[ReadStatement], read_from: int
) -> dict[SegmentKey, ReadStatement]:
    """Return statements by turn and their position in it, whatever stands before."""
    positions: Counter[bytes] = Counter()
    found: dict[SegmentKey, ReadStatement] = {}
    for each in statements:
        digest = each.origin.turn_digest
        found[digest, read_from + positions[digest]] = each
        positions[digest] += 1
    return found


def segment_key(proposal: Proposal) -> SegmentKey | None:
    """Return the key of a statement of a prompt; None outside of prompts."""
    evidence = proposal.evidence
    return (evidence.segment, evidence.ordinal) if evidence.segment else None


def finish(job: Job[Any]) -> None:
    """Complete a job that no caller waits for and that was committed."""
    # Its conflicts were taken over from the log, with their numbers.
    if isinstance(job, PromptJob):
        job.withdraw()
    if not job.done.done():
        job.done.set_result(None)


def fail(job: Job[Any], error: BaseException) -> None:
    """Complete a job with an error."""
    if isinstance(job, PromptJob):
        job.withdraw()
    if not job.done.done():
        job.done.set_exception(error)
        # Retrieve the exception: no caller may be waiting any more.
        job.done.exception()


async def settle(done: asyncio.Future[Any], answer: Any) -> None:
    """Set a future to the result or the error of an awaitable."""
    try:
        result = await answer
    # Whatever it is: a caller waits for this future, and must not wait for ever.
    except Exception as error:
        if not done.done():
            done.set_exception(error)
            done.exception()
    else:
        if not done.done():
            done.set_result(result)


async def replay(job: Job[Any], reads: PostgresReads, answered: CallResult) -> None:
    """Answer a repeated request with its first answer."""
    # An error of the job itself concerns its caller only; a broken connection fails the batch.
    try:
        answer = await job.replay(reads, answered)
    except FestingerError as error:
        fail(job, error)
    else:
        # The caller may be gone: a cancelled future takes no result.
        if not job.done.done():
            job.done.set_result(answer)


def acknowledge(jobs: Sequence[Job[Any]], version: int) -> None:
    """Answer the jobs of a batch that is committed."""
    for job in jobs:
        if not job.done.done():
            job.done.set_result(job.answer(version))
