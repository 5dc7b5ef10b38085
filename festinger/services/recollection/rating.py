"""What people say of told lines: it helped, or it is wrong and told no longer."""

from __future__ import annotations

from festinger.core.graph.proposal import Triple
from festinger.core.graph.statement import parse_fact
from festinger.core.lines.index import IndexedLine, LineKind
from festinger.core.lines.listing import listed, name_of
from festinger.core.memories.feedback import (
    FeedbackState,
    FeedbackVerdict,
    LineFeedback,
)
from festinger.core.world.draft import Draft
from festinger.core.world.world import World
from festinger.services.graph.assert_fact import assert_fact
from festinger.services.graph.retract import retract_fact
from festinger.services.world.jobs import Job
from festinger.services.world.memory import TenantMemory
from festinger.store.lines.feedback import FeedbackMove, FeedbackWrites
from festinger.store.world.batches import Batch


class Rating(Job[int]):
    """Job that stores feedback, or moves it to another state.

    Args:
        change: The feedback, or the change of its state.
    """

    alone = True

    def __init__(self, change: LineFeedback | FeedbackMove) -> None:
        super().__init__()
        self._change = change

    def decide(self, draft: Draft, batch: Batch) -> None:
        """Add the change to the batch."""
        writes = batch.of(FeedbackWrites)
        if isinstance(self._change, LineFeedback):
            writes.given.append(self._change)
        else:
            writes.moves.append(self._change)

    def answer(self, version: int) -> int:
        """Return the tenant's version after the change."""
        return version


async def rate_line(
    memory: TenantMemory,
    line: IndexedLine,
    verdict: FeedbackVerdict,
    *,
    principal: str,
    prompt: str = "",
) -> int:
    """Store what somebody says of a line; return the tenant's version after it.

    What is wrong is not told any more once this returns, and waits in the inbox; facts of
    the graph are retracted.
    """
    facts: list[Triple] = []
    is_wrong = verdict is FeedbackVerdict.WRONG
    if is_wrong and line.kind is LineKind.STATEMENT:
        facts = _facts_of(memory.world, line)
    shown = listed(line, now=memory.now())
    feedback = LineFeedback(
        0,
        name_of(line),
        shown.text,
        shown.quote,
        shown.speaker,
        shown.project,
        verdict,
        FeedbackState.OPEN if is_wrong else FeedbackState.CLOSED,
        principal,
        prompt,
        tuple(map(str, facts)),
        memory.now(),
    )
    version = await memory.writer.submit(Rating(feedback))
    for fact in facts:
        gone = await retract_fact(memory, fact, principal=principal, why="it is wrong")
        version = gone.version
    return version


async def decide_feedback(
    memory: TenantMemory,
    feedback: LineFeedback,
    target: FeedbackState,
    *,
    principal: str,
) -> None:
    """Uphold, overrule or reopen that a line is wrong.

    Raises:
        ItemNotFound: Another decided about it meanwhile.
    """
    source = feedback.state
    await memory.writer.submit(Rating(FeedbackMove(feedback.id, [source], target)))
    told = target is FeedbackState.OVERRULED
    if told == (source is FeedbackState.OVERRULED):
        return
    for fact in map(parse_fact, feedback.facts):
        if told:
            await assert_fact(memory, fact, principal=principal)
        else:
            await retract_fact(memory, fact, principal=principal, why="undone")


def _facts_of(world: World, line: IndexedLine) -> list[Triple]:
    """Return the facts that a line of the graph tells."""
    if isinstance(line.key, tuple):
        concept_id, dim_id = line.key
        edges = [it for it in world.facts(concept_id) if it.dim_id == dim_id]
        edges = [it for it in edges if it.assertion_id not in world.origins]
    else:
        number = line.key if isinstance(line.key, int) else 0
        edge = world.lines.read.edge_of(number) if world.lines.read else None
        edges = [edge] if edge else []
    return [world.name(it).triple for it in edges]
