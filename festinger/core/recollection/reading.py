"""Read the turns of a prompt: count words, and find salient concepts and statements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from festinger import _fast
from festinger.config import RoleTrust
from festinger.core.graph.proposal import Evidence, Proposal, StatementSource
from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.language.cues import Cue, CueVerdict, find_cues
from festinger.core.language.turns import Role, Turn
from festinger.core.world.world import World

NEW_CONCEPTS_MAX = 500
"""Maximum number of new concepts from one prompt (B5a)."""
SCANNER = "scanner"
"""Proposer of statements found by the cue scanner, who is not the author (E6)."""


class CountedTurn(NamedTuple):
    """A turn that was counted, for later processing.

    Attributes:
        principal: Principal on whose behalf it was said.
        doubt: Reason why its text may only propose; empty if it may assert (E1).
        subject: Person who is spoken about, if any.
    """

    # Not the scan: it takes several times the memory, and displaces the next one from caches.
    text: str
    principal: str
    doubt: str
    role: Role = Role.USER
    subject: str = ""


class PromptReading(NamedTuple):
    """Result of reading a prompt.

    Attributes:
        salient: Concepts above the read threshold, in the order of the prompt.
        spoken: Texts that people wrote, to which hints are limited (D3).
        proposals: Statements in the order of the prompt.
        counted_turns: Counted turns from which statements may be learned.
        unknown_tokens: New names yet to be added to the world. No line recalled for the
            prompt depends on them.
    """

    salient: Sequence[int]
    spoken: list[_fast.Scan]
    proposals: list[Proposal]
    counted_turns: list[CountedTurn]
    unknown_tokens: Sequence[str]


class Reader(NamedTuple):
    """Principal whose prompts are read, and trust in the roles.

    Attributes:
        principal: Principal on whose behalf it is said, as set by the server.
        subject: Person who is spoken about, if any.
    """

    trust: Mapping[Role, RoleTrust]
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
    """Read turns: count their words in the world, and collect concepts and statements.

    The world's counters change; its facts do not.

    Args:
        threshold: Minimum saliency or novelty of a salient concept.
        meet_last: Whether to add all new names of the last turn to the world; if not,
            those without a statement are returned as `unknown_tokens`.
    """
    room = NEW_CONCEPTS_MAX
    salient: list[Sequence[int]] = []
    spoken: list[_fast.Scan] = []
    proposals: list[Proposal] = []
    counted_turns: list[CountedTurn] = []
    unknown_tokens: Sequence[str] = []
    for turn in turns:
        # Only the last turn's new names can wait: this turn may use those of the one before.
        if unknown_tokens:
            world.meet_all(unknown_tokens, now=now)
            unknown_tokens = []
        # Our own blocks are blanked first: the memory must not learn from itself (B7).
        scan = _fast.scan(blank_own_blocks(turn.text))
        # Clients resend the history (B6); system text teaches nothing (E1).
        counts = not turn.seen and turn.role is not Role.SYSTEM
        words = world.vocabulary.read(scan, now=now, threshold=threshold, count=counts)
        salient.append(words.salient)
        if counts and words.unknown_tokens:
            # Sliced only if necessary: the names are not needed yet.
            unknown_tokens = words.unknown_tokens
            if len(unknown_tokens) > room:
                unknown_tokens = unknown_tokens[:room]
            room -= len(unknown_tokens)
        # None: nothing may be learned from it, so that it is not kept for later.
        doubt = _doubt(turn, reader) if counts else None
        if doubt is not None:
            said = (scan.text, reader.principal, doubt, turn.role, reader.subject)
            counted_turns.append(CountedTurn(*said))
        # Hints ask about names that a person used (D3).
        if turn.role is Role.USER:
            spoken.append(scan)
        if not turn.seen:
            proposals += propose(scan, turn, world, reader)
    # If not, names that are only counted are met behind the answer.
    if meet_last:
        stated, unknown_tokens = unknown_tokens, []
    else:
        stated, unknown_tokens = _parted(unknown_tokens, proposals, world)
    if stated:
        world.meet_all(stated, now=now)
    return PromptReading(
        _fast.united(salient), spoken, proposals, counted_turns, unknown_tokens
    )


def propose(
    scan: _fast.Scan, turn: Turn, world: World, reader: Reader
) -> list[Proposal]:
    """Return the statements in a turn, as far as its speaker may make any."""
    doubt = _doubt(turn, reader)
    if doubt is None:
        return []
    # Counted before dropping: which ones are dropped depends on current knowledge.
    return [
        _proposal(cue, ordinal, turn, reader, doubt)
        for ordinal, cue in enumerate(find_cues(scan, world))
        if cue.verdict is not CueVerdict.DROPPED
    ]


def _parted(
    unknown_tokens: Sequence[str], proposals: list[Proposal], world: World
) -> tuple[Sequence[str], Sequence[str]]:
    """Split new names into those with a statement and those without."""
    # The first three fields of a triple are its names.
    named = {name for each in proposals for name in each.triple[:3]}
    # There are fewer named concepts than new names, and most of them are known.
    if all(map(world.id, named)) or named.isdisjoint(unknown_tokens):
        return [], unknown_tokens
    stated = [name for name in unknown_tokens if name in named]
    return stated, [name for name in unknown_tokens if name not in named]


def _proposal(
    cue: Cue, ordinal: int, turn: Turn, reader: Reader, doubt: str
) -> Proposal:
    triple, rule, confidence, _, reason, _, _, sentence = cue
    if "\0" in sentence:
        # Postgres cannot store this character.
        sentence = sentence.replace("\0", " ")
    return Proposal(
        triple,
        confidence,
        StatementSource.INFERRED,
        reader.principal,
        SCANNER,
        reader.subject,
        not doubt,
        doubt or reason,
        evidence=Evidence(sentence, rule, turn.digest, ordinal),
    )


def _doubt(turn: Turn, reader: Reader) -> str | None:
    """Return why a turn may only propose; "" if it may assert, None if neither (E1)."""
    trust = reader.trust[turn.role]
    if trust is RoleTrust.NOTHING:
        return None
    # A model's own words never assert, whatever the operator trusts (E1).
    if trust is RoleTrust.ASSERTS and turn.role is not Role.ASSISTANT:
        return ""
    return f"{turn.role}_text"
