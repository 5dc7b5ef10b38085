"""Conversion of a statement that was read into proposals for the gate.

Changes are recognised here (J7).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from festinger import _fast
from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.gate import SETTLED, clash
from festinger.core.graph.origins import ReadStatement, StatementOrigin, StatementReader
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.proposal import Proposal
from festinger.core.graph.tombstones import SettledBy
from festinger.core.graph.values import is_closer, is_empty_head, is_refinement
from festinger.core.language.reader.naming import said_subject
from festinger.core.system.principals import plain
from festinger.core.world.draft import Draft
from festinger.core.world.ends import beside_what_ends, denials, ended_by, is_old_value
from festinger.core.world.placing import held_edges, to_proposal, value_of
from festinger.core.world.shortnames import meant_by
from festinger.errors import FestingerError

_STANDING: Final = (Verdict.HELD, Verdict.CORROBORATED)
# Ways of being settled that words of change, or a second person, reopen (J7).
_ENDINGS: Final = (SettledBy.REPLACED, SettledBy.DISMISSED, SettledBy.RETRACTED)


@dataclass(frozen=True, slots=True)
class StatementResult:
    """Result of stating a fact in a draft.

    Attributes:
        entry: The ledger row of the statement; None if it was refused.
        refusal: The reason for the refusal; empty if it was not refused.
    """

    entry: LedgerEntry | None
    refusal: str = ""

    @property
    def replaces(self) -> bool:
        """True if it is to replace the fact that it conflicts with."""
        return self.entry is not None and self.entry.changed_by != ""


def state(
    draft: Draft, statement: ReadStatement, segment: bytes = b"", ordinal: int = 0
) -> list[StatementResult]:
    """Propose a statement, and the denials of the values that it ends.

    Args:
        segment: Id of the turn, so that the statement is judged once however often the
            turn is sent; empty if duplicates are detected otherwise.
        ordinal: Position of the statement in its turn.

    Returns:
        The result of each part. A change that names the old value of a concept with
        many values has two parts: the denial of that value, and the statement.
    """
    if ends := denials(draft, statement):
        first, *others = ends
        # Only one ledger row carries the id of the turn.
        return [
            *state(draft, first, segment, ordinal),
            *(it for other in others for it in state(draft, other, b"", ordinal)),
        ]
    try:
        proposal = to_proposal(draft, statement)
    except FestingerError as error:
        return [StatementResult(None, refusal=str(error))]
    evidence = proposal.evidence._replace(segment=segment, ordinal=ordinal)
    proposal, triple = proposal._replace(evidence=evidence), proposal.triple
    # "It is a system" would take the only place of its type.
    if _is_empty(proposal):
        return [
            StatementResult(None, refusal=f"{triple.parent} alone says nothing of it")
        ]
    changes = statement.changes or statement.replaces != 0
    if changes and not statement.doubt:
        # An explicit change may state again what was settled against.
        for ending in _ENDINGS:
            draft.remove_tombstone(triple, ending)
    # A doubtful statement does not replace a held value.
    is_plain = not triple.negated and not statement.doubt
    # `database`, then `postgres_database`: no contradiction, the more precise one is kept.
    if is_plain and (held := _refined(draft, proposal)):
        if not is_closer(triple.parent, draft.token(held.parent_id)):
            # The held value is the more precise one: it is corroborated.
            precise = triple._replace(parent=draft.token(held.parent_id))
            return [_proposed(draft, statement, proposal._replace(triple=precise))]
        draft.take_down(draft.name(held).triple, by="a more precise statement")
        return [_proposed(draft, statement, proposal)]
    # A change must meet what it changes: under its whole name, in the dimension of the old value.
    if changes:
        if is_plain:
            statement, proposal = _of_whole_name(draft, statement, proposal)
        proposal = beside_what_ends(draft, statement, proposal)
    # Before the statement itself, so that the ended values are no conflict for it.
    ended = [
        _proposed(
            draft,
            statement,
            # Only one ledger row carries the id of the turn.
            proposal._replace(triple=old, evidence=evidence._replace(segment=b"")),
        )
        for old in ended_by(draft, statement, proposal.triple)
    ]
    stated = _proposed(draft, statement, proposal)
    if statement.origin.reader is StatementReader.MODEL:
        _retire_readings(draft, statement, stated)
    return [*ended, stated]


def _of_whole_name(
    draft: Draft, statement: ReadStatement, proposal: Proposal
) -> tuple[ReadStatement, Proposal]:
    """Return a change as one of the fact that it means, if it shortens its subject."""
    triple = proposal.triple
    meant = meant_by(draft, statement, triple)
    if meant is None:
        return statement, proposal
    changed = replace(
        statement,
        subject=meant.subject or statement.subject,
        # Which fact is meant is likely, not certain, unless its value is named: people decide.
        changes=meant.is_certain or is_old_value(statement, meant.triple.parent),
    )
    triple = meant.triple._replace(parent=triple.parent)
    return changed, proposal._replace(triple=triple)


def _refined(draft: Draft, proposal: Proposal) -> _fast.Edge | None:
    """Return the single-valued edge that a statement repeats with another precision."""
    triple = proposal.triple
    for edge in held_edges(draft, triple.concept, triple.dimension):
        held = draft.token(edge.parent_id)
        alike = not edge.many and edge.is_isa == triple.is_isa
        if alike and is_refinement(held, triple.parent):
            return edge
    return None


def _is_empty(proposal: Proposal) -> bool:
    """Return whether a statement's class is as general as `thing`, `system`, `tool`."""
    return proposal.triple.is_isa and is_empty_head(proposal.triple.parent)


def _retire_readings(
    draft: Draft, statement: ReadStatement, stated: StatementResult
) -> None:
    """End the edges that rules read from the same words, now that a model read them."""
    entry = stated.entry
    # Only a reading that stands, or is about to, retires the one of the rules.
    if entry is None or not (stated.replaces or entry.outcome.verdict in _STANDING):
        return
    about = draft.id(entry.triple.concept)
    if about is None:
        return
    conflicts = draft.world.conflicts
    for read in draft.world.read.read_by_rules(statement.origin, about):
        edge = draft.edge(*read.place)
        # The index shows the world: this batch may have ended or replaced the edge.
        if edge is None or edge.assertion_id != read.assertion_id:
            continue
        triple = draft.name(edge).triple
        is_contested = conflicts.contested(edge.concept_id, edge.dim_id)
        # People decide about a contested edge first.
        if triple != entry.triple and not is_contested:
            draft.take_down(triple, by="a model's reading of the same words")
            # Later statements of the batch may still name the rules' reading.
            draft.changes.reread[read.assertion_id] = triple, entry.triple


def _proposed(
    draft: Draft, statement: ReadStatement, proposal: Proposal
) -> StatementResult:
    entry = draft.propose(proposal)
    # It stays rejected until a second person says the same (J7).
    if entry.outcome.reason == SETTLED and _is_restated(draft, entry, statement):
        for ending in _ENDINGS:
            draft.remove_tombstone(entry.triple, ending)
        # The first row, a rejection, has the id of the turn already.
        evidence = proposal.evidence._replace(segment=b"")
        entry = draft.propose(proposal._replace(evidence=evidence))
    if entry.outcome.verdict in (
        Verdict.HELD,
        Verdict.CONFLICTED,
        Verdict.CORROBORATED,
    ):
        # Refused and doubtful statements have no line that could show their words.
        draft.changes.origins.setdefault(entry.id, _origin_of(entry, statement))
    # The caller decides such a conflict at once, so that it can be undone like any other.
    if entry.outcome.verdict is Verdict.CONFLICTED and (
        statement.changes
        or statement.replaces != 0
        or _is_own(draft, entry, statement.origin)
    ):
        # Written with the conflict, so that it is decided whatever ends this server.
        entry.changed_by = statement.origin.speaker or statement.origin.principal
    return StatementResult(entry)


def _is_restated(draft: Draft, entry: LedgerEntry, statement: ReadStatement) -> bool:
    """Return whether a second person makes a statement that was settled against."""
    key = clash(entry.triple, draft)
    if key is None or statement.doubt:
        return False
    speaker = plain(statement.origin.speaker)
    # In memory only: after a restart the second person counts as the first.
    first = draft.restated(key)
    is_second = first is not None and first != speaker
    draft.changes.restated[key] = None if is_second else speaker
    return is_second


def _origin_of(entry: LedgerEntry, statement: ReadStatement) -> StatementOrigin:
    """Return the origin of a statement, with its subject and value as written."""
    value = value_of(statement)
    # A refinement may have put the held value in its place, which was not said here.
    is_said = value.token == entry.triple.parent != value.text
    return replace(
        statement.origin,
        subject=said_subject(statement.subject, entry.triple.concept),
        value=value.text if is_said else "",
    )


def _is_own(draft: Draft, entry: LedgerEntry, origin: StatementOrigin) -> bool:
    """Return whether the held fact is of the same speaker in the same session."""
    fact = entry.outcome.fact
    held = draft.world.origins.get(fact.assertion_id) if fact else None
    return (
        held is not None
        # Who corrects themselves within a conversation needs no words of change (J7).
        and bool(origin.session)
        and held.session == origin.session
        and plain(held.speaker) == plain(origin.speaker)
    )
