"""Conversion of a statement that was read into a proposal: its concept, dimension, value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from festinger import _fast
from festinger.core.graph.origins import ReadStatement, StatementReader
from festinger.core.graph.predicates import Cardinality, Predicate, dimension_of
from festinger.core.graph.proposal import (
    CandidateDetails,
    Evidence,
    Proposal,
    StatementSource,
    Triple,
)
from festinger.core.graph.tokens import RENDERED_WORDS_MAX
from festinger.core.graph.values import Value, canonical
from festinger.core.language.reader.naming import subject_of
from festinger.core.world.draft import Draft
from festinger.errors import FestingerError

# What a source may do at the gate and in a conflict depends on who read the statement (E3).
SOURCES: Final = {
    StatementReader.RULES: StatementSource.INFERRED,
    StatementReader.MODEL: StatementSource.CLOUD_LLM,
    StatementReader.PERSON: StatementSource.GUTASK,
}

PAST: Final = "was"

_PAST: Final = frozenset(("was", "were"))

# `<name>` in a quotation of a command: angle brackets must not get into a prompt.
_PLACEHOLDER: Final = re.compile(r"<([\w -]+)>")

# Longer signs first: `>=` begins with `>`.
_SIGNS: Final = {">=": "at least", "<=": "at most", ">": "over", "<": "under"}


def to_proposal(draft: Draft, statement: ReadStatement) -> Proposal:
    """Return a statement as a proposal for the gate.

    Raises:
        NotATokenError: Its subject or its predicate is not a name.
        NotAValueError: Its value is not a valid value.
    """
    origin = statement.origin
    triple = _triple(draft, statement, value_of(statement))
    doubt = statement.doubt
    return Proposal(
        triple,
        confidence=statement.confidence,
        source=SOURCES[origin.reader],
        principal=origin.principal,
        proposer=origin.reader,
        subject=origin.speaker,
        asserts=not doubt,
        reason=doubt,
        evidence=Evidence(origin.quote, f"read by {origin.reader}"),
        candidacy=CandidateDetails(author=origin.speaker) if doubt else None,
        many=not statement.single,
    )


def to_proposals(draft: Draft, statements: Iterable[ReadStatement]) -> list[Proposal]:
    """Return statements as proposals, without those whose names make no tokens."""
    found: list[Proposal] = []
    for statement in statements:
        # They are refused when they are stated, with the reason.
        with suppress(FestingerError):
            found.append(to_proposal(draft, statement))
    return found


def _triple(draft: Draft, statement: ReadStatement, value: Value) -> Triple:
    known = triple_of(draft, statement.replaces)
    if known is not None and not statement.negated:
        # A statement that names the ledger row it replaces keeps the place of that row,
        # even if it words the subject or predicate differently.
        return known._replace(parent=value.token)
    if known is not None:
        # A denial ends the held value, however it words that.
        return known._replace(negated=True)
    registry = draft.predicates
    predicate = registry.resolve(statement.predicate, value)
    # "Runs" before a time has no inverse; before a name it has. Only a single-valued
    # inverse is turned round; many values fit on either side.
    inverse = None if predicate else registry.inverse(statement.predicate)
    if inverse and inverse.cardinality is Cardinality.SINGLE:
        predicate, value = inverse, canonical(statement.subject)
        statement = replace(statement, subject=statement.value)
    concept, dimension, is_isa = place(draft, statement, predicate)
    # The model knew the statement under the name that the rules gave it.
    moved = {
        (before.concept, before.dimension): (after.concept, after.dimension)
        for before, after in draft.changes.reread.values()
    }
    concept, dimension = moved.get((concept, dimension), (concept, dimension))
    return Triple(concept, value.token, dimension, is_isa, statement.negated)


def place(
    draft: Draft, statement: ReadStatement, predicate: Predicate | None
) -> tuple[str, str, bool]:
    """Return the concept and dimension of a statement, and whether it is an ISA.

    Raises:
        NotATokenError: Its subject or its predicate is not a name.
    """
    # What rules called it counts as a name within the batch, since the model was shown it.
    reread = {before.concept for before, _ in draft.changes.reread.values()}
    names = draft.world.names._replace(
        has_facts=lambda name: name in reread or draft.has_facts(name)
    )
    concept = subject_of(statement, names)
    if predicate is not None:
        return concept, predicate.dimension, predicate.is_isa
    # An unregistered predicate becomes a dimension of its own, cut to what a line can hold.
    words = statement.predicate.replace("_", " ").split()
    dimension = dimension_of(" ".join(words[:RENDERED_WORDS_MAX]))
    if words[0].lower() in _PAST and dimension == "is":
        # A past state does not conflict with the present one.
        dimension = PAST
    return concept, dimension, False


def triple_of(draft: Draft, assertion_id: int) -> Triple | None:
    """Return the statement that a ledger row holds; None if it holds none any more."""
    if not assertion_id:
        return None
    if reread := draft.changes.reread.get(assertion_id):
        return reread[1]
    # The index finds the place by the row; the draft says what is held there now.
    held = draft.world.read.edge_of(assertion_id)
    edge = draft.edge(*held.place) if held else None
    if edge is None or edge.assertion_id != assertion_id:
        return None
    return draft.name(edge).triple


def held_edges(draft: Draft, concept: str, dimension: str) -> Sequence[_fast.Edge]:
    """Return the held edges of a concept in a dimension."""
    concept_id, dim_id = draft.id(concept), draft.id(dimension)
    if concept_id is None or dim_id is None:
        return ()
    return draft.values(concept_id, dim_id)


def edges_about(draft: Draft, triple: Triple) -> Sequence[_fast.Edge]:
    """Return all held edges of a statement's concept."""
    concept_id = draft.id(triple.concept)
    return () if concept_id is None else draft.facts(concept_id)


def value_of(statement: ReadStatement) -> Value:
    """Return a value, with words instead of signs that a prompt must not contain."""
    value = _PLACEHOLDER.sub(r"\1", statement.value)
    for sign, word in _SIGNS.items():
        value = value.replace(sign, f" {word} ")
    return canonical(value)
