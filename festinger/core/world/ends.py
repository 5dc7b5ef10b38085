"""Values that a statement ends: those it denies, replaces or leaves without a place."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from festinger import _fast
from festinger.core.graph.origins import ReadStatement, StatementReader
from festinger.core.graph.proposal import Proposal, Triple
from festinger.core.graph.values import (
    canonical,
    completed,
    is_other_version,
    is_refinement,
    unit_of,
)
from festinger.core.lines.line import folded
from festinger.core.system.wordsets import word_set
from festinger.core.world.draft import Draft
from festinger.core.world.placing import edges_about, held_edges, place, triple_of
from festinger.errors import FestingerError

PARTS_MAX: Final = 8
"""Maximum number of ledger rows of a statement: its own, and of values that it ends."""

# A thing has one place: a move ends the one that it had, whichever verb named it.
PLACES: Final = word_set("runs-on located geography stored-in lives-in works-at is")
"""Dimensions that hold a location."""

# What is gone happens at no time any more.
TIMES: Final = frozenset(("scheduled", "due"))

STATUS: Final = "status"

GONE: Final = word_set("""
    gone cancelled canceled retired dead deleted removed decommissioned over off
    shut_down switched_off
""")
"""Values of `STATUS` for something that no longer exists."""

# For a model's statement only, which says that the new value is the only one.
ROUTES: Final = word_set("goes-to comes-from sends-to reads-from made-by part-of cause")
"""Dimensions of many values that usually have one."""

REPLACED_BY: Final = "replaced-by"

_LEVELS: Final = frozenset(["costs", "takes"])
"""Dimensions of amounts that go up and down without being named."""

# "The nightly job runs no more": the end of a fact without a new value.
_NO_MORE: Final = frozenset(
    ("no more", "no longer", "not any more", "not anymore", "none any more")
)


def denials(draft: Draft, statement: ReadStatement) -> list[ReadStatement]:
    """Return a denial of each held value if the value is `no more`; else nothing."""
    if folded(statement.value) not in _NO_MORE:
        return []
    if known := triple_of(draft, statement.replaces):
        concept, dimension = known.concept, known.dimension
    else:
        predicate = draft.predicates.resolve(statement.predicate)
        try:
            # By the predicate alone: "no more" is no value that could choose among several.
            concept, dimension, _ = place(draft, statement, predicate)
        except FestingerError:
            return []
    held = [
        draft.token(edge.parent_id) for edge in held_edges(draft, concept, dimension)
    ]
    return [replace(statement, value=it, negated=True) for it in held[:PARTS_MAX]]


def beside_what_ends(
    draft: Draft, statement: ReadStatement, proposal: Proposal
) -> Proposal:
    """Return a change, placed so that it conflicts with the value that it replaces."""
    triple = proposal.triple
    held = held_edges(draft, triple.concept, triple.dimension)
    # It moves to the dimension that holds the old value: "php is 8.1", "bumped php to 8.3".
    if not held:
        old = _old_value(statement)
        for edge in edges_about(draft, triple):
            if _is_alike(draft.token(edge.parent_id), old) or (
                not old and _may_move(draft, edge, triple)
            ):
                found = draft.name(edge).triple
                triple = triple._replace(dimension=found.dimension, is_isa=found.is_isa)
                held = [edge]
                break
    if len(held) == 1 and not triple.negated:
        parent = completed(draft.token(held[0].parent_id), triple.parent)
        triple = triple._replace(parent=parent)
    # Beside several values a change would not conflict with the one that it replaces.
    is_only = any(not edge.many for edge in held)
    return proposal._replace(triple=triple, many=proposal.many and not is_only)


def _may_move(draft: Draft, edge: _fast.Edge, triple: Triple) -> bool:
    """Return whether a change of an unnamed old value may end an edge."""
    # A move need not name the old location's dimension, nor an upgrade that of the version.
    dimension = draft.token(edge.dim_id)
    # "Tickets are up to 15 euros": `costs` is the only one with euros.
    if unit := unit_of(triple.parent):
        about = edges_about(draft, triple)
        units = [unit_of(draft.token(it.parent_id)) for it in about]
        is_alike = unit_of(draft.token(edge.parent_id)) == unit
        is_plain = "is" in (triple.dimension, dimension)
        return is_plain and is_alike and units.count(unit) == 1
    # "Mugs went up to 240" of what cost 220: of a bare number the verb alone tells the unit.
    if triple.dimension == "is" and triple.parent.isdigit():
        return dimension in _LEVELS
    # A deadline is a date, too, and "they extended it until 15 May" its new end.
    if triple.dimension in TIMES:
        return dimension in TIMES
    if triple.dimension == "ends":
        return dimension == "due"
    if triple.dimension in PLACES:
        return dimension in PLACES
    # "php is slow" is no version.
    is_number = draft.token(edge.parent_id)[:1].isdigit()
    return triple.dimension == "version" and dimension == "is" and is_number


def ended_by(draft: Draft, statement: ReadStatement, triple: Triple) -> list[Triple]:
    """Return denials of the values that a change ends without a conflict with them."""
    if triple.negated or not (statement.changes or statement.replaces):
        return []
    if triple.dimension == STATUS and triple.parent in GONE:
        # Something that is gone has neither a location nor a time.
        ends = [
            draft.name(edge).triple._replace(negated=True)
            for edge in edges_about(draft, triple)
            if draft.token(edge.dim_id) in PLACES | TIMES
        ]
        return [*ends, *_used(draft, statement)][: PARTS_MAX - 1]
    # "jenkins was replaced by woodpecker": the group does not use jenkins any more.
    if triple.dimension == REPLACED_BY:
        return _used(draft, statement)
    old = _old_value(statement)
    held = held_edges(draft, triple.concept, triple.dimension)
    # "Alerts go to nadia now": a new only recipient ends the one before.
    is_lone = (
        len(held) == 1
        and statement.single
        and (
            # "Rewritten in Flutter" leaves nothing of what it was written in.
            triple.dimension == "tech"
            or (
                triple.dimension in ROUTES
                and statement.origin.reader is StatementReader.MODEL
            )
        )
    )
    ended = [
        draft.name(edge).triple._replace(negated=True)
        for edge in held
        # A single value conflicts with the new one, and is replaced by that decision.
        if edge.many
        and (value := draft.token(edge.parent_id)) != triple.parent
        and (
            edge.assertion_id == statement.replaces != 0
            or _is_alike(value, old)
            # `postgres 16` ends `postgres 14` without naming it.
            or (old == "" and is_other_version(value, triple.parent))
            or is_lone
        )
    ]
    return ended[: PARTS_MAX - 1]


def _used(draft: Draft, statement: ReadStatement) -> list[Triple]:
    """Return denials that the speaker's group uses a thing that is gone."""
    # `we` is the project, or the team if there is none (`subject_of`).
    group = replace(statement, subject="we")
    try:
        thing = canonical(statement.subject).token
        concept, dimension, _ = place(draft, group, draft.predicates.resolve("uses"))
    except FestingerError:
        return []
    return [
        draft.name(edge).triple._replace(negated=True)
        for edge in held_edges(draft, concept, dimension)
        if draft.token(edge.parent_id) == thing
    ]


def is_old_value(statement: ReadStatement, held: str) -> bool:
    """Return whether a change names a held value as the one that it replaces."""
    return _is_alike(held, _old_value(statement))


def _old_value(statement: ReadStatement) -> str:
    """Return the canonical old value that a change names; empty if it names none."""
    if not statement.old_value:
        return ""
    try:
        return canonical(statement.old_value).token
    except FestingerError:
        return ""


def _is_alike(held: str, old: str) -> bool:
    """Return whether a held value is an old one that was named; never if none was."""
    # "Postgres" names a held `postgres 14`, which refines it.
    return old != "" and (held == old or is_refinement(held, old))
