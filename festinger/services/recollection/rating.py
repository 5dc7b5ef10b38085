"""People's ratings of told lines: it helped, or it is wrong and told no longer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from festinger.core.graph.proposal import Proposal, Triple
from festinger.core.graph.statement import parse_fact
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.lines.listing import ListedLine, line_named, listed, name_of
from festinger.core.memories.feedback import (
    FeedbackState,
    FeedbackVerdict,
    LineFeedback,
)
from festinger.core.world.draft import Draft
from festinger.core.world.world import World
from festinger.errors import FactNotHeld
from festinger.services.graph.facts import as_said
from festinger.services.language.forgetting import not_kept
from festinger.services.world.jobs import Job
from festinger.services.world.tenant_memory import TenantMemory
from festinger.services.world.waiting import FreedConflicts
from festinger.store.lines.lines import FeedbackMove, FeedbackWrites
from festinger.store.world.batches import Batch, CallResult, RequestKey

if TYPE_CHECKING:
    from festinger.store.world.reads import PostgresReads


class FeedbackJob(Job[int]):
    """Job that stores feedback, or moves it to another state, with the facts it is about.

    Args:
        change: The feedback, or the change of its state; None until it is loaded.
        retracted: Facts that are retracted, as far as they are held.
        stated: Facts that are stated again.
        why: Reason of the retraction.
    """

    # One transaction does all of it: a line whose feedback is open is not held any more.
    alone = True

    def __init__(
        self,
        change: LineFeedback | FeedbackMove | None,
        *,
        principal: str,
        retracted: Sequence[Triple] = (),
        stated: Sequence[Triple] = (),
        why: str = "",
        request: RequestKey | None = None,
    ) -> None:
        super().__init__(request=request)
        self._change = change
        self._principal = principal
        self._retracted = retracted
        self._stated = [as_said(fact, principal=principal) for fact in stated]
        self._why = why
        self._waiting = FreedConflicts()

    @property
    def proposals(self) -> Sequence[Proposal]:
        """The facts that are stated, and what may be held in place of others."""
        return [*self._stated, *self._waiting.proposals(self._principal)]

    async def load(self, reads: PostgresReads) -> None:
        """Read the conflicts that may wait for the retraction."""
        if self._retracted:
            concepts = [fact.concept for fact in self._retracted]
            self._waiting = await FreedConflicts.beside(reads, concepts)

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Add the change, and retract or state the facts."""
        writes, change = batch.of(FeedbackWrites), self._change
        assert change is not None, "a decision follows a load"
        if isinstance(change, LineFeedback):
            writes.given.append(change)
            self.remember(batch, None, CallResult(event=change.line))
        else:
            writes.moves.append(change)
        for fact in self._retracted:
            with suppress(FactNotHeld):  # it was retracted meanwhile
                draft.retract(fact, principal=self._principal, why=self._why)
        # After the retractions, before the facts are stated again and take their places.
        self._waiting.release(draft, by=self._principal, reasoning=self._why)
        for proposal in self._stated:
            draft.propose(proposal)

    def answer(self, version: int) -> int:
        """Return the tenant's version after the change."""
        return version


class RateLine(FeedbackJob):
    """Job that stores what somebody says of a line.

    Args:
        name: Name of the line.
        shown: Returns whether the rater may see a line.
        prompt: The prompt that was told it; empty if it is not known.

    Attributes:
        line: The line, after `load`; of a repeated call, as far as it is still known.
    """

    def __init__(
        self,
        memory: TenantMemory,
        name: str,
        verdict: FeedbackVerdict,
        *,
        principal: str,
        shown: Callable[[IndexedLine], bool],
        prompt: str,
        request: RequestKey | None,
    ) -> None:
        super().__init__(None, principal=principal, why="it is wrong", request=request)
        self._memory = memory
        self._name = name
        self._verdict = verdict
        self._shown = shown
        self._prompt = prompt
        self.line = ListedLine(name, LineKind.UTTERANCE, "")

    async def load(self, reads: PostgresReads) -> None:
        """Find the line, and the facts that end if it is wrong.

        Raises:
            LineNotFound: The rater is told no such line.
        """
        world, now = self._memory.world, self._memory.now()
        line = line_named(world.lines, self._name)
        # What is kept from somebody is not found by them, and not told from what is not there.
        if line is None or not self._shown(line):
            raise not_kept(self._name)
        is_wrong = self._verdict is FeedbackVerdict.WRONG
        # Only facts of the graph can be retracted; an utterance is hidden by its open feedback.
        if is_wrong and line.kind is LineKind.STATEMENT:
            self._retracted = _facts_of(world, line)
        self.line = shown = listed(line, now=now)
        self._change = LineFeedback(
            0,
            name_of(line),
            shown.text,
            shown.quote,
            shown.speaker,
            shown.project,
            self._verdict,
            # What helped needs no decision; what is wrong waits in the inbox.
            FeedbackState.OPEN if is_wrong else FeedbackState.CLOSED,
            self._principal,
            self._prompt,
            tuple(map(str, self._retracted)),
            now,
        )
        await super().load(reads)

    async def replay(self, reads: PostgresReads, answered: CallResult) -> int:
        """Return the version of the first answer."""
        # A fact that was called wrong is no line any more; what was said of it is kept.
        rated = await reads.feedback_on(answered.event, self._principal, self._verdict)
        if rated:
            self.line = ListedLine(
                self._name,
                LineKind(self._name.partition("-")[0]),
                rated.text,
                rated.quote,
                rated.speaker,
                rated.project,
            )
        return answered.version


def feedback_decision(
    feedback: LineFeedback, target: FeedbackState, *, principal: str
) -> FeedbackJob:
    """Return the job that upholds, overrules or reopens that a line is wrong.

    It raises `ItemNotFound` if another decided about it meanwhile.
    """
    source = feedback.state
    overruled = target is FeedbackState.OVERRULED
    changes = overruled != (source is FeedbackState.OVERRULED)
    facts = list(map(parse_fact, feedback.facts)) if changes else []
    return FeedbackJob(
        # Only from the state that was read: another reviewer may have been faster.
        FeedbackMove(feedback.id, [source], target),
        principal=principal,
        retracted=() if overruled else facts,
        stated=facts if overruled else (),
        why="undone",
    )


def _facts_of(world: World, line: IndexedLine) -> list[Triple]:
    """Return the facts that a line of the graph tells."""
    # A line of a concept and dimension: all values that no words were kept for.
    if isinstance(line.key, tuple):
        concept_id, dim_id = line.key
        # Statements that were read from words are lines of their own, and not this one's.
        edges = [it for it in world.facts(concept_id) if it.dim_id == dim_id]
        edges = [it for it in edges if it.assertion_id not in world.origins]
    else:
        number = line.key if isinstance(line.key, int) else 0
        edge = world.lines.read.edge_of(number) if world.lines.read else None
        edges = [edge] if edge else []
    return [world.name(it).triple for it in edges]
