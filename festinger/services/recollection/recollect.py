"""A prompt comes by: read it, tell what is known, pass on what it states.

The answer never waits for the database. What the prompt states is judged at once, so
that a contradiction shows in this very answer; holding it is the writer's business.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from typing import Final, NamedTuple

from festinger.config import Keeping
from festinger.core.graph.conflicts import Clash, PendingConflicts
from festinger.core.graph.gate import clash, judge
from festinger.core.graph.outcome import Outcome, Verdict
from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.language.reader.naming import scope_proposals
from festinger.core.language.reader.unread import UnreadTurn
from festinger.core.language.turns import Role, Turn
from festinger.core.lines.turns import SpokenTurn
from festinger.core.recollection.concepts import Line, recollect
from festinger.core.recollection.factwording import FactWording, merge
from festinger.core.recollection.reading import PromptReading, Reader, read
from festinger.core.recollection.recall import Recalled, RecallRequest, recall
from festinger.core.recollection.retelling import (
    OutdatedLine,
    StandingLine,
    find_changes,
    leave_out_read,
    leave_out_told,
    tell_about,
    tell_disputes,
)
from festinger.core.system.preferences import Position, Preferences
from festinger.core.system.secrets import redact
from festinger.core.world.world import World
from festinger.services.language.keeping import spoken_turns, unread_turns
from festinger.services.language.stating import read_turns, settle_later
from festinger.services.world.jobs import PromptJob
from festinger.services.world.memory import RecentTurns, TenantMemory

IDS_LOW = 1_000
"""Below this many numbers for new concepts, more are asked for."""


class PromptOrigin(NamedTuple):
    """Where a prompt stands.

    Attributes:
        session: Names the conversation; empty if it has no name.
        project: Where it is held; empty for nowhere in particular.
        earlier: What the speaker wrote before, the newest first.
        present: Digests of people's messages that the prompt holds (`digest_of`).
        hints: Whether unknown concepts may be asked about.
    """

    session: str = ""
    project: str = ""
    earlier: Sequence[str] = ()
    present: Collection[bytes] = frozenset()
    hints: bool = True


NOWHERE: Final = PromptOrigin()


class _Spoken(NamedTuple):
    """What people typed in a prompt, looked through once it is answered."""

    turns: Sequence[Turn]
    reader: Reader
    where: PromptOrigin
    now: float

    def kept(self) -> list[SpokenTurn]:
        """Return the turns of which sentences are kept."""
        project, session = self.where.project, self.where.session
        return spoken_turns(
            self.turns, self.reader, project=project, session=session, now=self.now
        )

    def unread(self) -> list[UnreadTurn]:
        """Return those that a model is to read."""
        project, session = self.where.project, self.where.session
        return unread_turns(
            self.turns, self.reader, project=project, session=session, now=self.now
        )


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
    changes: Sequence[OutdatedLine] = ()


def recollect_prompt(
    memory: TenantMemory,
    turns: list[Turn],
    *,
    principal: str,
    subject: str = "",
    hinted: Collection[str] = (),
    told: Sequence[StandingLine] = (),
    where: PromptOrigin = NOWHERE,
) -> Recollection:
    """Reads a prompt and tells what is known of it.

    Args:
        turns: Oldest first.
        principal: On whose behalf.
        subject: Who speaks, and whose memories are told; empty for nobody in particular.
        hinted: Concepts that the session was already asked about.
        told: What stands in the prompt.
        where: The conversation that it is part of.
    """
    recollection, keep = answer_prompt(
        memory,
        turns,
        principal=principal,
        subject=subject,
        hinted=hinted,
        told=told,
        where=where,
    )
    keep()
    return recollection


def answer_prompt(
    memory: TenantMemory,
    turns: list[Turn],
    *,
    principal: str,
    subject: str = "",
    hinted: Collection[str] = (),
    told: Sequence[StandingLine] = (),
    where: PromptOrigin = NOWHERE,
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
    if memory.keeps is Keeping.NOTHING:
        turns = [turn._replace(seen=True) for turn in turns]
    turns = [_without_secrets(turn) for turn in turns]
    reading = read(world, turns, reader, threshold=threshold, now=now, meet_last=False)
    if where.project:
        proposals = scope_proposals(
            reading.proposals,
            where.project,
            dictionary=world.dictionary,
            has_facts=world.has_facts,
        )
        reading = reading._replace(proposals=proposals)
    outcomes = [judge(proposal, world) for proposal in reading.proposals]
    shown = _show(world, outcomes)
    new = memory.heard.add([turn.digest for turn in turns])
    said = _Spoken(turns, reader, where, now)
    keep = partial(_keep, memory, reading, said, world.conflicts, shown, new, now)
    lines: Sequence[Line] = []
    changes: list[OutdatedLine] = []
    try:
        if preferences.recollection_position is not Position.OFF:
            lines = _lines(memory, reading, turns, reader, hinted, told, where)
            # After the judgement: a conflict raised by this very prompt is told (D9).
            if told:
                changes = find_changes(
                    world, told, preferences, now, subject or principal, where.project
                )
    except BaseException:
        keep()  # nothing stays marked as taught that was not
        raise
    recollection = Recollection(
        lines, preferences.recollection_position, outcomes, world.version, changes
    )
    return recollection, keep


def _lines(
    memory: TenantMemory,
    reading: PromptReading,
    turns: Sequence[Turn],
    reader: Reader,
    hinted: Collection[str],
    told: Sequence[StandingLine],
    where: PromptOrigin,
) -> Sequence[Line]:
    """Return what a prompt is told, in the order of the block."""
    asked = None
    if turns and turns[-1].role is Role.USER:
        asked = RecallRequest(
            blank_own_blocks(turns[-1].text),
            where.earlier,
            reader.subject or reader.principal,
            where.project,
            where.present,
            {each.concept for each in told if each.kept},
        )
    lines, _ = tell(
        memory.world,
        reading if where.hints else reading._replace(spoken=[]),
        asked,
        subject=reader.subject,
        hinted=hinted,
        told=told,
        preferences=memory.preferences,
        now=memory.now(),
    )
    return lines


def tell(
    world: World,
    reading: PromptReading,
    asked: RecallRequest | None,
    *,
    subject: str,
    hinted: Collection[str] = (),
    told: Sequence[StandingLine] = (),
    preferences: Preferences,
    now: float,
) -> tuple[Sequence[Line], Recalled]:
    """Return what a prompt is told, in the order of the block, and why.

    Args:
        reading: Of the prompt; its unknown concepts are asked about in what is `spoken`.
        asked: The newest message, if a person typed it.
        subject: Whose memories are told; empty for nobody's.
        hinted: Concepts that the session was already asked about.
        told: What stands in the prompt.
        now: Seconds since the epoch.
    """
    salient = leave_out_read(world, reading.salient)
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
    most = preferences.recollection_max_memories
    recalled = Recalled()
    if asked is not None:
        always = about.lines(now, most) if about is not None else ()
        worded = FactWording(
            world, preferences, [*lines, *always], told, subject=subject, now=now
        )
        recalled = recall(
            world.lines,
            asked._replace(stated=[each.text for each in lines]),
            dictionary=world.dictionary,
            tokens=preferences.recollection_tokens,
            now=now,
            worded=worded,
        )
        lines = merge(lines, recalled.lines)
    lines = tell_disputes(world, lines, now)
    if about is not None:
        lines = tell_about(lines, about, told, most, now)
    return lines, recalled


def _without_secrets(turn: Turn) -> Turn:
    """Return a turn as it may be read: nothing that is kept or told has a secret."""
    if turn.seen:
        return turn
    text = redact(turn.text)
    return turn if text is turn.text else turn._replace(text=text)


def _keep(
    memory: TenantMemory,
    reading: PromptReading,
    spoken: _Spoken,
    conflicts: PendingConflicts,
    shown: list[Clash],
    new: list[bytes],
    now: float,
) -> None:
    """Has the memory take what a prompt brought: statements, names, and what to learn.

    Args:
        spoken: Its turns.
        conflicts: Those of the world in which the prompt was judged.
        shown: Those of them that it raised.
        new: Turns that were marked as heard for it.
    """
    said = spoken.kept() if memory.keeps is not Keeping.NOTHING else ()
    unread = spoken.unread() if memory.is_read else ()
    statements = read_turns(memory, said)
    if memory.keeps is not Keeping.UTTERANCES:
        said = ()
    if reading.proposals or said or statements or unread:
        job = PromptJob(reading.proposals, conflicts, shown, said, statements, unread)
        if memory.writer.offer(job):
            settle_later(memory, job)
        else:
            job.withdraw()
            memory.heard.forget(new)
    world = memory.world
    world.meet_late(reading.strangers, now=now)
    # What nobody is asked about is not put aside.
    if memory.preferences.guess_model_id:
        memory.guesses.hear(reading.heard)
    if len(world.concept_ids) < IDS_LOW:
        memory.writer.refill()


def _with_repeated_seen(turns: list[Turn], heard: RecentTurns) -> list[Turn]:
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
