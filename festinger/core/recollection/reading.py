"""Reads the turns of a prompt: counts words, finds what is salient and stated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from festinger import _fast
from festinger._fast import filled
from festinger.config import Trust
from festinger.core.graph.proposal import Evidence, Proposal, StatementSource
from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.language.cues import Cue, CueVerdict, find_cues
from festinger.core.language.turns import Role, Turn
from festinger.core.world.world import World

NEW_CONCEPTS_MAX = 500
"""New concepts a prompt may bring (B5a)."""
SCANNER = "scanner"
"""The proposer of what the cue scanner finds; never the author of the text (E6)."""


class CountedTurn(NamedTuple):
    """A turn that was counted, for those who listen later.

    They scan it again: a scan takes several times the memory of its text, and while one
    is kept, the next prompt's has to be where no cache has been for long.

    Attributes:
        principal: On whose behalf it was said.
        doubt: Why its text may only propose; empty if it may assert (E1).
        role: Who spoke.
        subject: Who is spoken about, if it is a person.
    """

    text: str
    principal: str
    doubt: str
    role: Role = Role.USER
    subject: str = ""


class PromptReading(NamedTuple):
    """What a prompt holds.

    Attributes:
        salient: Concepts above the read threshold, in the order of the prompt.
        spoken: What people wrote: the text that a hint may ask about (D3).
        proposals: What was stated, in the order of the prompt.
        heard: The turns that were counted and may teach anything.
        strangers: New names that the world has yet to meet. Nothing that a prompt is
            told depends on that.
    """

    salient: Sequence[int]
    spoken: list[_fast.Scan]
    proposals: list[Proposal]
    heard: list[CountedTurn]
    strangers: Sequence[str]


class Reader(NamedTuple):
    """Whose prompts are read, and what their roles may teach.

    Attributes:
        trust: What the text of each role may do (E1).
        principal: On whose behalf, as the server stamped it.
        subject: Who is spoken about, if it is a person.
    """

    trust: Mapping[Role, Trust]
    principal: str
    subject: str = ""


def read(
    world: World,
    turns: list[Turn],
    reader: Reader,
    *,
    threshold: float,
    now: float,
    meet_last: bool = True,
) -> PromptReading:
    """Reads turns: counts their words in the world and collects what matters.

    The world's counters move; its facts do not.

    Args:
        threshold: Saliency or novelty from which a concept matters.
        now: Seconds since the epoch.
        meet_last: Whether the world meets all new names of the last turn; if not, those
            of which nothing is stated are the reading's `strangers`.
    """
    room = NEW_CONCEPTS_MAX
    salient: list[Sequence[int]] = []
    spoken: list[_fast.Scan] = []
    proposals: list[Proposal] = []
    heard: list[CountedTurn] = []
    strangers: Sequence[str] = []
    for turn in turns:
        if strangers:
            world.meet_all(strangers, now=now)
            strangers = []
        scan = _fast.scan(blank_own_blocks(turn.text))
        counts = not turn.seen and turn.role is not Role.SYSTEM
        words = world.vocabulary.read(scan, now=now, threshold=threshold, count=counts)
        salient.append(words.salient)
        if counts and words.strangers:
            # Not cut short where they need not be: nobody needs the names yet.
            strangers = words.strangers
            if len(strangers) > room:
                strangers = strangers[:room]
            room -= len(strangers)
        doubt = _doubt(turn, reader) if counts else None
        if doubt is not None:
            said = (scan.text, reader.principal, doubt, turn.role, reader.subject)
            heard.append(filled(CountedTurn, said))
        if turn.role is Role.USER:
            spoken.append(scan)
        if not turn.seen:
            proposals += propose(scan, turn, world, reader)
    if meet_last:
        stated, strangers = strangers, []
    else:
        stated, strangers = _parted(strangers, proposals, world)
    if stated:
        world.meet_all(stated, now=now)
    return filled(
        PromptReading, (_fast.united(salient), spoken, proposals, heard, strangers)
    )


def propose(
    scan: _fast.Scan, turn: Turn, world: World, reader: Reader
) -> list[Proposal]:
    """What a turn states, as far as its speaker may state anything.

    Args:
        scan: The turn's text.
    """
    doubt = _doubt(turn, reader)
    if doubt is None:
        return []
    # Counted before any is dropped: what is dropped depends on what is known by then.
    return [
        _proposal(cue, ordinal, turn, reader, doubt)
        for ordinal, cue in enumerate(find_cues(scan, world.wordbook))
        if cue.verdict is not CueVerdict.DROPPED
    ]


def _parted(
    strangers: Sequence[str], proposals: list[Proposal], world: World
) -> tuple[Sequence[str], Sequence[str]]:
    """New names of which anything is stated, and those of which nothing is."""
    # The first three fields of a triple are its names.
    named = {name for each in proposals for name in each.triple[:3]}
    # There are fewer of these, and most are known.
    if all(map(world.id, named)) or named.isdisjoint(strangers):
        return [], strangers
    stated = [name for name in strangers if name in named]
    return stated, [name for name in strangers if name not in named]


def _proposal(
    cue: Cue, ordinal: int, turn: Turn, reader: Reader, doubt: str
) -> Proposal:
    triple, rule, confidence, _, reason, _, _, sentence = cue
    if "\0" in sentence:
        # The one character that Postgres does not store.
        sentence = sentence.replace("\0", " ")
    evidence = filled(Evidence, (sentence, rule, turn.digest, ordinal))
    return filled(
        Proposal,
        (
            triple,
            confidence,
            StatementSource.INFERRED,
            reader.principal,
            SCANNER,
            reader.subject,
            not doubt,
            doubt or reason,
            False,
            evidence,
            None,
            False,
            False,
        ),
    )


def _doubt(turn: Turn, reader: Reader) -> str | None:
    """Why a turn may only propose; empty if it may assert, None if neither (E1)."""
    trust = reader.trust[turn.role]
    if trust is Trust.NOTHING:
        return None
    if trust is Trust.ASSERTS and turn.role is not Role.ASSISTANT:
        return ""
    return f"{turn.role}_text"
