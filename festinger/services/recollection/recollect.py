"""Answer a prompt, and store what it states."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from festinger.config import PromptStorage
from festinger.core.graph.conflicts import Clash
from festinger.core.graph.gate import clash, judge
from festinger.core.graph.outcome import Outcome, Verdict
from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.language.reader.naming import scope_proposals
from festinger.core.language.turns import Role, Turn
from festinger.core.lines.vectors import Embedding
from festinger.core.recollection.age import mark_age
from festinger.core.recollection.concepts import Line, recollect
from festinger.core.recollection.factwording import FactWording, merge
from festinger.core.recollection.reading import PromptReading, Reader, read
from festinger.core.recollection.recall import RecallRequest, RecallResult, recall
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
from festinger.services.recollection.prompt_turns import PromptTurns, queue_turns
from festinger.services.world.tenant_memory import RecentTurns, TenantMemory


class PromptOrigin(NamedTuple):
    """Context of a prompt.

    Attributes:
        earlier: Earlier messages of the speaker, the newest first.
        present: Digests of people's messages that the prompt holds (`digest_of`).
        hints: Whether unknown concepts may be asked about.
        embedding: Embedding of the newest message; None for none.
    """

    session: str = ""
    project: str = ""
    earlier: Sequence[str] = ()
    present: Collection[bytes] = frozenset()
    hints: bool = True
    embedding: Embedding | None = None


NOWHERE: Final = PromptOrigin()


class Recollection(NamedTuple):
    """Answer to a prompt.

    Attributes:
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

    def marked(self, as_of: float) -> Recollection:
        """Return the answer with lines that say when they were last known to hold.

        Args:
            as_of: In seconds since the epoch.
        """
        clock = time.strftime("%H:%M", time.localtime(as_of))
        changes = [
            replace(change, line=mark_age([change.line], clock)[0])
            if change.line
            else change
            for change in self.changes
        ]
        return self._replace(lines=mark_age(self.lines, clock), changes=changes)


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

    Args:
        turns: Turns of the prompt, the oldest first.
        subject: Speaker, whose memories are told; empty for nobody in particular.
        hinted: Concepts that the session was already asked about.
        told: Lines that the prompt contains from earlier answers.
        where: Context of the prompt.

    Returns:
        The answer, and a function that must be called once, soon after.
    """
    world, preferences, now = memory.world, memory.preferences, memory.now()
    reader = Reader(memory.trust, principal, subject)
    threshold = preferences.saliency_read_threshold
    turns = _with_repeated_seen(turns, memory.recent_turns)
    # Known turns are looked up only, so that nothing of them is counted or stored.
    if memory.keeps is PromptStorage.NOTHING or memory.is_full:
        turns = [turn._replace(seen=True) for turn in turns]
    # Before anything reads the text: no secret gets into tokens, sentences or lines.
    turns = [_without_secrets(turn) for turn in turns]
    # Unknown names are met behind the answer: nothing that is told depends on them.
    reading = read(world, turns, reader, threshold=threshold, now=now, meet_last=False)
    # A common noun holds in its project: "the port" said in `shop` is the port of `shop` (J5).
    proposals = scope_proposals(reading.proposals, where.project, world.names)
    reading = reading._replace(proposals=proposals)
    # The answer never waits for the database: judge now, and let the writer judge again.
    outcomes = [judge(proposal, world) for proposal in reading.proposals]
    shown = _show(world, outcomes)
    # Marked as read before the answer, so that a request that is sent twice teaches once.
    new = memory.recent_turns.add([turn.digest for turn in turns])
    spoken = PromptTurns(turns, reader, where.project, where.session, now)
    # Called by the caller once the answer is sent; until then, `new` and `shown` stand.
    keep = partial(queue_turns, memory, spoken, reading, world.conflicts, shown, new)
    lines: Sequence[Line] = []
    changes: list[OutdatedLine] = []
    try:
        if preferences.recollection_position is not Position.OFF:
            # What this prompt places is no question any more, though not told yet (D9).
            known = {*hinted, *map(_placed, outcomes)}
            lines = _lines(memory, reading, turns, reader, known, told, where)
            # After the judgement, so that conflicts of this prompt are included (D9).
            if told:
                changes = find_changes(
                    world, told, preferences, now, subject or principal, where.project
                )
    except BaseException:
        keep()  # so that no turn stays marked as read without being stored
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
            # Our own blocks would otherwise be found by what they tell (B7).
            blank_own_blocks(turns[-1].text),
            where.earlier,
            reader.subject or reader.principal,
            where.project,
            where.present,
            {each.concept for each in told if each.kept},
            embedding=where.embedding,
            session=where.session,
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
) -> tuple[Sequence[Line], RecallResult]:
    """Return the lines for a prompt in the order of the block, and the reasons.

    Args:
        reading: Reading of the prompt; the unknown concepts in `spoken` are asked
            about.
        asked: The newest message, if a person typed it.
        now: Seconds since the epoch.
    """
    # Statements with an origin are recalled where they fit, not at each mention of a concept.
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
    # Memories about a person are told to that person's agents only (G5).
    about = world.people.of(subject)
    most = preferences.recollection_max_memories
    recalled = RecallResult()
    if asked is not None:
        # Counted as told, so that `recall` does not choose what is told of the speaker anyway.
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
    # Behind each contested line both sides, with who said them.
    lines = tell_disputes(world, lines, now)
    if about is not None:
        lines = tell_about(lines, about, told, most, now)
    return lines, recalled


def _placed(outcome: Outcome) -> str:
    """Return the concept that a statement places, or contests; empty for none."""
    says = outcome.verdict in (Verdict.HELD, Verdict.CONFLICTED)
    return outcome.triple.concept if says else ""


def _without_secrets(turn: Turn) -> Turn:
    """Return a turn with its secrets redacted, so that none is stored or told."""
    if turn.seen:
        return turn
    text = redact(turn.text)
    # `redact` returns the same object if it finds nothing, which is the common case.
    return turn if text is turn.text else turn._replace(text=text)


def _with_repeated_seen(turns: list[Turn], recent: RecentTurns) -> list[Turn]:
    """Return the turns, with those that were read before or are repeated as seen."""
    if len(turns) == 1 and turns[0].digest not in recent:
        return turns
    here: set[bytes] = set()
    marked = []
    for turn in turns:
        digest = turn.digest
        if digest and not turn.seen and (digest in here or digest in recent):
            turn = turn._replace(seen=True)
        marked.append(turn)
        here.add(digest)
    return marked


def _show(world: World, outcomes: list[Outcome]) -> list[Clash]:
    """Add the conflicts of this prompt as pending before they are written."""
    shown: list[Clash] = []
    for outcome in outcomes:
        if outcome.verdict is Verdict.CONFLICTED:
            # Its value may be a new word without a number: nothing to mark yet.
            key = clash(outcome.triple, world)
            if key is not None and key not in world.conflicts:
                world.conflicts.add(key)
                shown.append(key)
    return shown
