"""What the writer is asked to do: each job decides on a draft, then gives its answer.

The writer (`festinger.flows.writer`) takes the tenant's pen, brings a job what the
database knows, lets it decide, commits, and only then lets it answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from festinger.core.changes import Entry
from festinger.core.conflicts import Clash, PendingConflicts
from festinger.core.draft import Draft
from festinger.core.outcome import Outcome
from festinger.core.proposal import Proposal
from festinger.core.recollection.turns import SpokenTurn
from festinger.core.statements.unread import UnreadTurn
from festinger.flows.batches import Answered, Batch, Committed, RequestKey, SegmentKey
from festinger.flows.ports import Reads

Answer = TypeVar("Answer")


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

    async def load(self, reads: Reads) -> None:
        """Reads what the decision needs."""

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Decides on a draft, and adds what the batch must write besides."""
        raise NotImplementedError

    async def read_back(self, reads: Reads) -> None:
        """Reads what the answer needs, once it is written and before the commit."""

    def answer(self, committed: Committed) -> Answer:
        """The answer after the commit."""
        raise NotImplementedError

    async def replay(self, reads: Reads, answered: Answered) -> Answer:
        """The first answer again, for a repeated request."""
        raise NotImplementedError

    def remember(
        self, batch: Batch, entry: Entry | None, answered: Answered | None = None
    ) -> None:
        """Has the batch remember the request, if it has a name."""
        if self.request:
            batch.requests.append((self.request, entry, answered or Answered()))


class Assertion(Job[tuple[Outcome, int]]):
    """Somebody states a fact and waits for what becomes of it."""

    def __init__(self, proposal: Proposal, request: RequestKey | None) -> None:
        super().__init__(request)
        self._proposal = proposal
        self._entry: Entry | None = None

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

    async def replay(self, reads: Reads, answered: Answered) -> tuple[Outcome, int]:
        """The outcome as the ledger has it."""
        return await reads.outcome(answered.assertion_id), answered.version


class Prompt(Job[None]):
    """What was stated in a prompt; nobody waits for it.

    Args:
        conflicts: The pending conflicts of the world.
        shown: Those that the prompt's answer showed before they were written.
        said: Turns of which sentences are kept.
        unread: Turns that a model is to read.
    """

    waited_for = False

    def __init__(
        self,
        proposals: Sequence[Proposal],
        conflicts: PendingConflicts,
        shown: Sequence[Clash],
        said: Sequence[SpokenTurn] = (),
        unread: Sequence[UnreadTurn] = (),
    ) -> None:
        super().__init__()
        self._proposals = proposals
        self._conflicts = conflicts
        self._shown = shown
        self._said = said
        self._unread = unread
        self._fresh = list(proposals)

    @property
    def proposals(self) -> Sequence[Proposal]:
        """What was stated, in the order of the prompt."""
        return self._proposals

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

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Puts every statement through the gate."""
        for proposal in self._fresh:
            draft.propose(proposal)
        batch.keep(self._said)
        batch.unread += self._unread

    def answer(self, committed: Committed) -> None:
        """Takes back what was shown as a conflict and did not become one."""
        self.withdraw()

    def withdraw(self) -> None:
        """Takes back what was shown as a conflict and is not written."""
        for clash in self._shown:
            if self._conflicts.number(clash) == 0:
                self._conflicts.discard(clash)


def segment_key(proposal: Proposal) -> SegmentKey | None:
    """What names a statement of a prompt; None outside prompts."""
    evidence = proposal.evidence
    return (evidence.segment, evidence.ordinal) if evidence.segment else None


def numbered(entry: Entry, committed: Committed) -> Outcome:
    """An outcome with the numbers that the commit gave out."""
    if entry.clash:
        return entry.outcome._replace(conflict_id=committed.conflicts[entry.clash])
    if entry.id in committed.factoids:
        return entry.outcome._replace(factoid_id=committed.factoids[entry.id])
    return entry.outcome


def finish(job: Job[Any]) -> None:
    """Ends a job that nobody waits for and that was done."""
    if isinstance(job, Prompt):
        job.withdraw()
    if not job.done.done():
        job.done.set_result(None)


def fail(job: Job[Any], error: BaseException) -> None:
    """Ends a job with an error."""
    if isinstance(job, Prompt):
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
