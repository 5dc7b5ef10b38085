"""What a model read goes through the gate, and its turns are read: one transaction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from festinger.core.draft import Draft
from festinger.core.outcome import Verdict
from festinger.core.proposal import TYPE, Evidence, Proposal, Source, Triple
from festinger.core.statement import written_token
from festinger.core.statements.read import ReadStatement
from festinger.errors import NotATokenError
from festinger.flows.batches import Batch, Committed
from festinger.flows.jobs import Job
from festinger.flows.memory import Memory
from festinger.flows.ports import Reads

READER = "reader"
"""The proposer of what a model read; never the author of the text (E6)."""

_SPEAKER = frozenset(["i", "me", "my", "speaker", "user", "the user"])
_PROJECT = frozenset(["we", "us", "our"])
_CLASSES = frozenset(["is", "is_a", "is_an", "isa", "type", "kind"])


@dataclass(frozen=True, slots=True)
class LearntStatements:
    """What became of the statements of a batch.

    Attributes:
        verdicts: How many came to which end, by the gate's verdict.
        unnamed: How many have names that nothing can be called.
        is_ours: Whether the lease still held; else nothing was changed.
    """

    verdicts: Counter[Verdict] = field(default_factory=Counter)
    unnamed: int = 0
    is_ours: bool = True


class LearnStatements(Job[LearntStatements]):
    """Put the statements of a batch through the gate, and have its turns count as read.

    Whoever has lost the lease changes nothing: another one reads, or has read. A turn
    that was forgotten meanwhile teaches nothing.

    Args:
        lease: Of the batch.
    """

    def __init__(self, statements: Sequence[ReadStatement], lease: UUID) -> None:
        super().__init__()
        self._statements = statements
        self._lease = lease
        self._left: Collection[bytes] = ()
        self._learnt = LearntStatements()

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The statements that have names."""
        return [it for each in self._statements if (it := proposal_of(each))]

    async def load(self, reads: Reads) -> None:
        """Look which of the turns are still ours to read."""
        self._left = await reads.reads_under(self._lease)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Put the statements of turns that are still there through the gate."""
        self._learnt = LearntStatements(is_ours=bool(self._left))
        if not self._left:
            return
        batch.read.append(self._lease)
        unnamed = 0
        for statement in self._statements:
            if statement.origin.turn_digest not in self._left:
                continue
            # This call, with `proposals`, is all that depends on how statements are held.
            verdict = state(statement, draft)
            if verdict is None:
                unnamed += 1
            else:
                self._learnt.verdicts[verdict] += 1
        self._learnt = LearntStatements(self._learnt.verdicts, unnamed)

    def answer(self, committed: Committed) -> LearntStatements:
        """Return what became of them."""
        return self._learnt


async def submit(
    memory: Memory, statements: Sequence[ReadStatement], lease: UUID
) -> LearntStatements:
    """Have what a model read learnt, and its turns count as read, or neither.

    Args:
        lease: Of the batch that it was read in.

    Raises:
        DatabaseUnavailable: Nothing was written, or nobody knows: then the turns are
            read already, or will be read again.
        Overloaded: Try again.
    """
    return await memory.writer.submit(LearnStatements(statements, lease))


def state(statement: ReadStatement, draft: Draft) -> Verdict | None:
    """Put a statement through the gate; None if its names are none."""
    proposal = proposal_of(statement)
    return draft.propose(proposal).outcome.verdict if proposal else None


def proposal_of(statement: ReadStatement) -> Proposal | None:
    """Return a statement as the gate judges it; None if its names are none."""
    origin = statement.origin
    subject = statement.subject
    if subject.casefold() in _SPEAKER:
        subject = origin.speaker
    elif subject.casefold() in _PROJECT and origin.project:
        subject = origin.project
    try:
        dimension = written_token(statement.predicate, "predicate").casefold()
        is_class = dimension in _CLASSES
        triple = Triple(
            written_token(subject, "subject"),
            written_token(statement.value, "value"),
            TYPE if is_class else dimension,
            is_isa=is_class,
            negated=statement.negated,
        )
    except NotATokenError:
        return None
    return Proposal(
        triple,
        confidence=statement.confidence,
        source=Source.CLOUD_LLM,
        principal=origin.principal,
        proposer=READER,
        subject=origin.speaker,
        asserts=not statement.doubt,
        reason=statement.doubt,
        evidence=Evidence(origin.quote, READER),
    )
