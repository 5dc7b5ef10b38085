"""A prompt comes by: read it, tell what is known, pass on what it states.

The answer never waits for the database. What the prompt states is judged at once, so
that a contradiction shows in this very answer; holding it is the writer's business.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import NamedTuple

from festinger.core.conflicts import Clash, PendingConflicts
from festinger.core.gate import clash, judge
from festinger.core.outcome import Outcome, Verdict
from festinger.core.preferences import Position
from festinger.core.reading import Reader, Reading, Turn, read
from festinger.core.recollection import Line, recollect
from festinger.core.retelling import (
    Change,
    Told,
    find_changes,
    leave_out_told,
    tell_about,
)
from festinger.core.world import World
from festinger.flows.jobs import Prompt
from festinger.flows.memory import Heard, Memory

IDS_LOW = 1_000
"""Below this many numbers for new concepts, more are asked for."""


class Recollection(NamedTuple):
    """What a prompt is given.

    Attributes:
        outcomes: What was stated, as it was judged; the ledger follows.
        version: The tenant's version that this reflects.
        changes: What the session was told and no longer holds.
    """

    lines: Sequence[Line]
    position: Position
    outcomes: list[Outcome]
    version: int
    changes: Sequence[Change] = ()


def recollect_prompt(
    memory: Memory,
    turns: list[Turn],
    *,
    principal: str,
    subject: str = "",
    hinted: Collection[str] = (),
    told: Sequence[Told] = (),
) -> Recollection:
    """Reads a prompt and tells what is known of it.

    Args:
        turns: Oldest first.
        principal: On whose behalf.
        subject: Who speaks, and whose memories are told; empty for nobody in particular.
        hinted: Concepts that the session was already asked about.
        told: What stands in the prompt.
    """
    recollection, keep = answer_prompt(
        memory, turns, principal=principal, subject=subject, hinted=hinted, told=told
    )
    keep()
    return recollection


def answer_prompt(
    memory: Memory,
    turns: list[Turn],
    *,
    principal: str,
    subject: str = "",
    hinted: Collection[str] = (),
    told: Sequence[Told] = (),
) -> tuple[Recollection, Callable[[], None]]:
    """The same in two steps, so that the answer need not wait for the second.

    Whoever comes in between meets the marks of the first: turns that count as heard,
    and conflicts that are not written yet.

    Returns:
        What the prompt is given; and what must be called soon, and once, so that the
        memory takes what the prompt brought.
    """
    world, preferences, now = memory.world, memory.preferences, memory.now()
    reader = Reader(memory.trust, principal, subject)
    threshold = preferences.saliency_read_threshold
    turns = _with_repeated_seen(turns, memory.heard)
    reading = read(world, turns, reader, threshold=threshold, now=now, meet_last=False)
    outcomes = [judge(proposal, world) for proposal in reading.proposals]
    shown = _show(world, outcomes)
    new = memory.heard.add([turn.digest for turn in turns])
    keep = partial(_keep, memory, reading, world.conflicts, shown, new, now)
    lines: Sequence[Line] = []
    changes: list[Change] = []
    try:
        if preferences.recollection_position is not Position.OFF:
            salient = reading.salient
            if told:
                salient = leave_out_told(world, salient, told, preferences, now)
            lines = recollect(
                world,
                salient,
                reading.spoken,
                hinted=hinted,
                preferences=preferences,
                now=now,
            )
            about = world.people.of(subject)
            if about is not None:
                most = preferences.recollection_max_memories
                lines = tell_about(lines, about, told, most, now)
            # After the judgement: a conflict raised by this very prompt is told (D9).
            if told:
                changes = find_changes(world, told, preferences, now, subject)
    except BaseException:
        keep()  # nothing stays marked as taught that was not
        raise
    recollection = Recollection(
        lines, preferences.recollection_position, outcomes, world.version, changes
    )
    return recollection, keep


def _keep(
    memory: Memory,
    reading: Reading,
    conflicts: PendingConflicts,
    shown: list[Clash],
    new: list[bytes],
    now: float,
) -> None:
    """Has the memory take what a prompt brought: statements, names, and what to learn.

    Args:
        conflicts: Those of the world in which the prompt was judged.
        shown: Those of them that it raised.
        new: Turns that were marked as heard for it.
    """
    if reading.proposals:
        job = Prompt(reading.proposals, conflicts, shown)
        if not memory.writer.offer(job):
            job.withdraw()
            memory.heard.forget(new)
    world = memory.world
    world.meet_late(reading.strangers, now=now)
    memory.curiosity.hear(reading.heard)
    if memory.preferences.guess_model_id:
        memory.guesses.hear(reading.heard)
    if len(world.concept_ids) < IDS_LOW:
        memory.writer.refill()


def _with_repeated_seen(turns: list[Turn], heard: Heard) -> list[Turn]:
    """The turns; one that was read before, or stands here twice, counts as seen."""
    if len(turns) == 1 and turns[0].digest not in heard:
        return turns
    here: set[bytes] = set()
    marked = []
    for turn in turns:
        digest = turn.digest
        if digest and not turn.seen and (digest in here or digest in heard):
            turn = turn._replace(seen=True)
        marked.append(turn)
        here.add(digest)
    return marked


def _show(world: World, outcomes: list[Outcome]) -> list[Clash]:
    """Marks the conflicts of this prompt before they are written."""
    shown: list[Clash] = []
    for outcome in outcomes:
        if outcome.verdict is Verdict.CONFLICTED:
            key = clash(outcome.triple, world)
            if key is not None and key not in world.conflicts:
                world.conflicts.add(key)
                shown.append(key)
    return shown
