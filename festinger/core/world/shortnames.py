"""Find the fact that a change means when it calls its subject by its last words."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from festinger.core.graph.origins import ReadStatement
from festinger.core.graph.proposal import Triple
from festinger.core.graph.tokens import split_concept
from festinger.core.language.reader.naming import is_behind
from festinger.core.language.terms import terms
from festinger.core.lines.statementwords import readable
from festinger.core.system.principals import plain
from festinger.core.world.draft import Draft
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
        triple: The fact.
        subject: Its subject as it was said; empty if it is unknown.
    """

    triple: Triple
    subject: str


def meant_by(
    draft: Draft, statement: ReadStatement, triple: Triple
) -> MeantFact | None:
    """Return the held fact that a change of an unknown subject is about.

    Args:
        statement: A statement that expresses a change.

    Returns:
        None if nothing or more than one thing can be meant.
    """
    # People call the group meeting "the meeting" once it is clear which one is meant.
    _, noun = split_concept(triple.concept)
    if held_edges(draft, triple.concept, triple.dimension) or is_behind(
        _OWNED, readable(noun), statement.origin.quote
    ):
        return None
    wholes = _wholes_of(draft, noun, statement.origin.project)
    if len(wholes) != 1:
        return None
    held = held_edges(draft, wholes.pop(), triple.dimension)
    if len(held) != 1 or held[0].many or held[0].is_isa != triple.is_isa:
        return None
    origin = draft.world.origins.get(held[0].assertion_id)
    return MeantFact(draft.name(held[0]).triple, origin.subject if origin else "")


def _wholes_of(draft: Draft, noun: str, project: str) -> set[str]:
    """Return the concepts that end with a noun, as said in a project or in none."""
    wanted = [(term, 1.0) for term in terms(readable(noun))]
    # Every word weighs the same: all statements with the noun are wanted, in any order.
    found = draft.world.read.search(wanted, MATCHES_MAX, lambda term: 1.0)
    # Some may be missing, so that none is certain to be the only one.
    if len(found) == MATCHES_MAX:
        return set()
    is_speaker = draft.world.lines.sources.is_speaker
    wholes = set()
    for match in found:
        number, origin = match.line.key, match.line.origin
        edge = draft.world.read.edge_of(number) if isinstance(number, int) else None
        if edge is None or origin is None:
            continue
        # In another project it is another meeting (J5).
        where = {plain(origin.project), plain(project)} - {""}
        if len(where) > 1:
            continue
        name = draft.token(edge.concept_id)
        first, _, rest = split_concept(name)[1].partition("_")
        # "The phone" of somebody is not "Marlene's phone".
        if f"_{rest}".endswith(f"_{noun}") and not is_speaker(first):
            wholes.add(name)
    return wholes
