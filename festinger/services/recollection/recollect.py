"""Answer a prompt, and store what it states.

The answer never waits for the database. The statements of the prompt are judged at
once, so that the answer shows a contradiction in the same prompt; the writer stores
them later.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, NamedTuple

from festinger.config import Keeping
from festinger.core.graph.conflicts import Clash, PendingConflicts
from festinger.core.graph.gate import clash, judge
from festinger.core.graph.origins import ReadStatement
from festinger.core.graph.outcome import Outcome, Verdict
from festinger.core.graph.proposal import Proposal
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
"""Number of free concept numbers below which more are reserved."""
READ_INLINE_CHARACTERS_MAX = 1_000
"""Maximum length of new messages that are read in the event loop; 1,000 characters of
dense talk take some 10 ms."""
_LONG_READER = ThreadPoolExecutor(1, thread_name_prefix="long-reader")
"""Thread that reads longer ones, in their order."""


class PromptOrigin(NamedTuple):
    """Context of a prompt.

    Attributes:
        session: Name of the conversation; empty if it has none.
        project: Project of the conversation; empty for none.
        earlier: Earlier messages of the speaker, the newest first.
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
    """Turns of people in a prompt, which are processed after the answer."""

    turns: Sequence[Turn]
    reader: Reader
    where: PromptOrigin
    now: float

    @property
    def characters(self) -> int:
        """Number of characters of the new messages."""
        return sum(
            len(turn.text)
            for turn in self.turns
            if turn.role is Role.USER and not turn.seen
        )

    def kept(self) -> list[SpokenTurn]:
        """Return the turns whose sentences are stored."""
        project, session = self.where.project, self.where.session
        return spoken_turns(
            self.turns, self.reader, project=project, session=session, now=self.now
        )

    def unread(self) -> list[UnreadTurn]:
        """Return the turns that a model is to read."""
        project, session = self.where.project, self.where.session
        return unread_turns(
            self.turns, self.reader, project=project, session=session, now=self.now
        )


class Recollection(NamedTuple):
    """Answer to a prompt.

    Attributes:
        lines: The lines of the block.
        position: Position of the block in the prompt.
        outcomes: Outcomes of the prompt's statements, before they are committed.
        version: The tenant's version that the answer reflects.
        changes: Lines that the session was told and that no longer hold.
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
    """Answer a prompt, and queue what it states.

    Args:
        turns: Turns of the prompt, the oldest first.
        principal: Principal on whose behalf the prompt is sent.
        subject: Speaker, whose memories are told; empty for nobody in particular.
        hinted: Concepts that the session was already asked about.
        told: Lines that the prompt contains from earlier answers.
        where: Context of the prompt.
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
    """Answer a prompt, and return a function that queues what it states.

    The answer need not wait for the function. Until it is called, other prompts see the
    effects of this one: its turns count as heard, and its conflicts as pending.

    Returns:
        The answer, and a function that must be called once, soon after.
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
            # After the judgement, so that conflicts of this prompt are included (D9).
            if told:
                changes = find_changes(
                    world, told, preferences, now, subject or principal, where.project
                )
    except BaseException:
        keep()  # so that no turn stays marked as heard without being stored
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
    """Return the lines for a prompt, in the order of the block."""
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
    """Return the lines for a prompt in the order of the block, and the reasons.

    Args:
        reading: Reading of the prompt; the unknown concepts in `spoken` are asked
            about.
        asked: The newest message, if a person typed it.
        subject: Person whose memories are told; empty for none.
        hinted: Concepts that the session was already asked about.
        told: Lines that the prompt contains from earlier answers.
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
    """Return a turn with its secrets redacted, so that none is stored or told."""
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
    """Queue what a prompt states, count its names, and queue sentences for guessing.

    Long messages are read in a thread, and queued afterwards.

    Args:
        spoken: Turns of the prompt.
        conflicts: Pending conflicts of the world in which the prompt was judged.
        shown: Those of them that the prompt raised.
        new: Digests of turns that were marked as heard for the prompt.
    """
    queue = partial(_queue, memory, reading.proposals, conflicts, shown, new)
    if spoken.characters <= READ_INLINE_CHARACTERS_MAX:
        queue(_read(memory, spoken))
    else:
        memory.run_later(_queue_long(memory, spoken, queue))
    world = memory.world
    world.meet_late(reading.strangers, now=now)
    # Sentences are only queued if there is a model for guessing.
    if memory.preferences.guess_model_id:
        memory.guesses.hear(reading.heard)
    if len(world.concept_ids) < IDS_LOW:
        memory.writer.refill()


class _Learned(NamedTuple):
    """What was read in the turns of a prompt."""

    said: Sequence[SpokenTurn]
    statements: Sequence[ReadStatement]
    unread: Sequence[UnreadTurn]


def _read(memory: TenantMemory, spoken: _Spoken) -> _Learned:
    """Read the turns of a prompt; safe to call in a thread."""
    said = spoken.kept() if memory.keeps is not Keeping.NOTHING else []
    unread = spoken.unread() if memory.is_read else []
    statements = read_turns(memory.stated, said)
    if memory.keeps is not Keeping.UTTERANCES:
        said = []
    return _Learned(said, statements, unread)


async def _queue_long(
    memory: TenantMemory, spoken: _Spoken, queue: Callable[[_Learned], None]
) -> None:
    """Read long turns without blocking the event loop, and queue what was read."""
    loop = asyncio.get_running_loop()
    queue(await loop.run_in_executor(_LONG_READER, _read, memory, spoken))


def _queue(
    memory: TenantMemory,
    proposals: Sequence[Proposal],
    conflicts: PendingConflicts,
    shown: list[Clash],
    new: list[bytes],
    learned: _Learned,
) -> None:
    """Queue what was read in a prompt for the writer."""
    if not (proposals or any(learned)):
        return
    said, statements, unread = learned
    job = PromptJob(proposals, conflicts, shown, said, statements, unread)
    if memory.writer.offer(job):
        settle_later(memory, job)
    else:
        job.withdraw()
        memory.heard.forget(new)


def _with_repeated_seen(turns: list[Turn], heard: RecentTurns) -> list[Turn]:
    """Return the turns, with those that were read before or are repeated as seen."""
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
    """Add the conflicts of this prompt as pending before they are written."""
    shown: list[Clash] = []
    for outcome in outcomes:
        if outcome.verdict is Verdict.CONFLICTED:
            key = clash(outcome.triple, world)
            if key is not None and key not in world.conflicts:
                world.conflicts.add(key)
                shown.append(key)
    return shown
