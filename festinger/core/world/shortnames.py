"""Find the fact that a change means although it calls its subject by another name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from festinger import _fast
from festinger.core.graph.origins import ReadStatement
from festinger.core.graph.proposal import Triple
from festinger.core.graph.tokens import split_concept
from festinger.core.language.literals import LiteralKind, literal_kind
from festinger.core.language.reader.naming import is_behind
from festinger.core.language.terms import terms
from festinger.core.language.verbforms import ATTRIBUTE_PREDICATES
from festinger.core.lines.line import readable
from festinger.core.system.principals import plain
from festinger.core.world.draft import Draft
from festinger.core.world.ends import is_old_value
from festinger.core.world.placing import held_edges

MATCHES_MAX: Final = 50
"""Maximum number of statements that are compared; a word of more is too common."""
# "My phone", "Marlene's new phone": another one than "the phone".
_OWNED: Final = re.compile(
    r"\b(?:my|your|his|her|their|\w+['\u2019]s)\s+(?:\w+\s+)?$", re.IGNORECASE
)


class MeantFact(NamedTuple):
    """The held fact that a statement means.

    Attributes:
        subject: Its subject as it was said; empty if it is unknown.
        is_certain: Whether nothing else can be meant.
    """

    triple: Triple
    subject: str
    is_certain: bool = False


def meant_by(
    draft: Draft, statement: ReadStatement, triple: Triple
) -> MeantFact | None:
    """Return the held fact that a change of an unknown subject is about.

    It is found by the words of its subject, by the last of them, by the attribute that it
    is of its owner, or by the old value that is named.

    Returns:
        None if nothing or more than one thing can be meant.
    """
    # People call the group meeting "the meeting" once it is clear which one is meant.
    _, noun = split_concept(triple.concept)
    if held_edges(draft, triple.concept, triple.dimension) or is_behind(
        _OWNED, readable(noun), statement.origin.quote
    ):
        return None
    same = _same_named(draft, statement, noun, triple)
    if len(same) == 1:
        return _meant(draft, same[0])._replace(is_certain=True)
    if len(owned := _of_owner(draft, statement, noun, triple)) == 1:
        # "Mr Gill sold the house, the new landlord is …": of whom he was the landlord.
        old = set(terms(readable(draft.token(owned[0].parent_id))))
        is_named = old <= set(terms(statement.origin.quote))
        return _meant(draft, owned[0])._replace(is_certain=is_named)
    wholes = _wholes_of(draft, noun, statement.origin.project)
    held = held_edges(draft, min(wholes, default=""), triple.dimension)
    held = held if len(wholes) == 1 else ()
    if len(held) == 1 and not held[0].many and held[0].is_isa == triple.is_isa:
        return _meant(draft, held[0])
    replaced = _replaced_by(draft, statement, triple)
    return _meant(draft, replaced[0]) if len(replaced) == 1 else None


def _meant(draft: Draft, edge: _fast.Edge) -> MeantFact:
    origin = draft.world.origins.get(edge.assertion_id)
    return MeantFact(draft.name(edge).triple, origin.subject if origin else "")


def _same_named(
    draft: Draft, statement: ReadStatement, noun: str, triple: Triple
) -> list[_fast.Edge]:
    """Return the held facts of what has the same words for a name.

    "The timeout default" is "the default timeout", and "my lesson" is one of "the lessons"
    of whom I spoke.
    """
    origin = statement.origin
    mine = f"{origin.speaker}'s "
    bare = statement.subject.removeprefix(mine)
    wanted = set(terms(bare))
    return [
        edge
        for edge in _read_with(draft, bare, origin.project)
        if edge.dim_id == draft.id(triple.dimension)
        and not edge.many
        and set(terms(readable(split_concept(draft.token(edge.concept_id))[1])))
        == wanted
        and (bare == statement.subject or _is_by(draft, edge, origin.speaker))
    ]


def _is_by(draft: Draft, edge: _fast.Edge, speaker: str) -> bool:
    """Return whether somebody stated a fact."""
    origin = draft.world.origins.get(edge.assertion_id)
    return origin is not None and plain(origin.speaker) == plain(speaker)


def _of_owner(
    draft: Draft, statement: ReadStatement, noun: str, triple: Triple
) -> list[_fast.Edge]:
    """Return the held facts that give an attribute of some thing: "the new landlord".

    "The deadline" may be that of the report, which is due then.
    """
    verb = ATTRIBUTE_PREDICATES.get(readable(noun), "")
    if not verb and triple.dimension != "is":
        return []
    wanted = triple.dimension if verb else noun
    # Everybody may have a teacher; a club, a flat and a surgery have theirs.
    is_speaker = draft.world.lines.sources.is_speaker
    return [
        edge
        for edge in _read_with(draft, verb or noun, statement.origin.project)
        if draft.token(edge.dim_id) == wanted
        and not edge.many
        and not is_speaker(
            split_concept(draft.token(edge.concept_id))[1].partition("_")[0]
        )
    ]


def _replaced_by(
    draft: Draft, statement: ReadStatement, triple: Triple
) -> list[_fast.Edge]:
    """Return the held facts whose value a change names as the one that it replaces."""
    if not statement.old_value:
        return []
    edges = [
        edge
        for edge in _read_with(draft, statement.old_value, statement.origin.project)
        if is_old_value(statement, draft.token(edge.parent_id))
    ]
    about = set(terms(readable(split_concept(triple.concept)[1])))
    # "We dropped LaunchDarkly for Unleash" is about whatever was in LaunchDarkly, which
    # no number, day or word could say.
    if statement.subject == "we" and triple.dimension == "uses":
        return edges if _is_name(draft, statement.old_value) else []
    # "Pauline passed the treasurer job on": the treasurer may be that of the club.
    return [edge for edge in edges if about and about <= _words_of_place(draft, edge)]


def _is_name(draft: Draft, text: str) -> bool:
    """Return whether a value is a name: neither a number, a day nor an everyday word."""
    is_word = text.islower() and text in draft.world.dictionary
    return literal_kind(text) is LiteralKind.NONE and not is_word


def _words_of_place(draft: Draft, edge: _fast.Edge) -> set[str]:
    """Return the words of an edge's concept and dimension."""
    _, name = split_concept(draft.token(edge.concept_id))
    return {*terms(readable(name)), *terms(readable(draft.token(edge.dim_id)))}


def _read_with(draft: Draft, words: str, project: str) -> Iterator[_fast.Edge]:
    """Yield the held statements with any of some words, of a project or of none."""
    wanted = [(term, 1.0) for term in terms(readable(words))]
    # Every word weighs the same: all statements with them are wanted, in any order.
    found = draft.world.read.search(wanted, MATCHES_MAX, lambda term: 1.0)
    # Some may be missing, so that none is certain to be the only one.
    for match in found if len(found) < MATCHES_MAX else ():
        number, origin = match.line.key, match.line.origin
        edge = draft.world.read.edge_of(number) if isinstance(number, int) else None
        if edge is None or origin is None:
            continue
        # In another project it is another meeting (J5).
        if len({plain(origin.project), plain(project)} - {""}) < 2:
            yield edge


def _wholes_of(draft: Draft, noun: str, project: str) -> set[str]:
    """Return the concepts that end with a noun, as said in a project or in none."""
    is_speaker = draft.world.lines.sources.is_speaker
    wholes = set()
    for edge in _read_with(draft, noun, project):
        name = draft.token(edge.concept_id)
        first, _, rest = split_concept(name)[1].partition("_")
        # "The phone" of somebody is not "Marlene's phone".
        if f"_{rest}".endswith(f"_{noun}") and not is_speaker(first):
            wholes.add(name)
    return wholes
