"""Conversion of a statement that was read into proposals for the gate.

Changes are recognised here (J7): words of change, or the same speaker within a session,
replace what is held; another value without either is a conflict.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from festinger import _fast
from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.gate import SETTLED, clash
from festinger.core.graph.origins import (
    ReadStatement,
    StatementOrigin,
    StatementReader,
)
from festinger.core.graph.outcome import Verdict
from festinger.core.graph.predicates import Cardinality, Predicate, dimension_of
from festinger.core.graph.proposal import (
    Candidacy,
    Evidence,
    Proposal,
    StatementSource,
    Triple,
)
from festinger.core.graph.settled import Ending
from festinger.core.graph.tokens import RENDERED_WORDS_MAX
from festinger.core.graph.values import (
    Value,
    canonical,
    is_closer,
    is_empty_head,
    is_other_version,
    is_refinement,
)
from festinger.core.language.reader.naming import said_subject, subject_of
from festinger.core.system.principals import plain
from festinger.core.world.draft import Draft
from festinger.errors import FestingerError

SOURCES: Final = {
    StatementReader.RULES: StatementSource.INFERRED,
    StatementReader.MODEL: StatementSource.CLOUD_LLM,
    StatementReader.PERSON: StatementSource.GUTASK,
}
PARTS_MAX: Final = 8
"""Maximum number of ledger rows of a statement: its own, and of values that it ends."""
PLACES: Final = frozenset(
    ("runs-on", "located", "geography", "stored-in", "lives-in", "works-at", "is")
)
"""Dimensions that hold a location."""
TIMES: Final = frozenset(("scheduled", "due"))
STATUS: Final = "status"
GONE: Final = frozenset(
    [
        "gone",
        "cancelled",
        "canceled",
        "retired",
        "dead",
        "deleted",
        "removed",
        "decommissioned",
        "over",
        "off",
        "shut_down",
        "switched_off",
    ]
)
"""Values of `STATUS` for something that no longer exists."""
ROUTES: Final = frozenset(
    ("goes-to", "comes-from", "sends-to", "reads-from", "made-by", "part-of", "cause")
)
"""Dimensions of many values that usually have one."""
REPLACED_BY: Final = "replaced-by"
_NO_MORE: Final = frozenset(
    ("no more", "no longer", "not any more", "not anymore", "none any more")
)
PAST: Final = "was"
_PAST: Final = frozenset(("was", "were"))
_PLACEHOLDER: Final = re.compile(r"<([\w -]+)>")
_SIGNS: Final = {">=": "at least", "<=": "at most", ">": "over", "<": "under"}
_STANDING: Final = (Verdict.HELD, Verdict.CORROBORATED)
_ENDINGS: Final = (Ending.REPLACED, Ending.DISMISSED, Ending.RETRACTED)


@dataclass(frozen=True, slots=True)
class StatementResult:
    """Result of stating a fact in a draft.

    Attributes:
        entry: The ledger row of the statement; None if it was refused.
        replaces: Whether it is to replace the fact that it conflicts with.
        refusal: The reason for the refusal; empty if it was not refused.
    """

    entry: LedgerEntry | None
    replaces: bool = False
    refusal: str = ""


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
    if ends := _denials(draft, statement):
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
    if is_plain and (held := _refined(draft, proposal)):
        if not is_closer(triple.parent, draft.token(held.parent_id)):
            # The held value is the more precise one: it is corroborated.
            precise = triple._replace(parent=draft.token(held.parent_id))
            return [_proposed(draft, statement, proposal._replace(triple=precise))]
        draft.take_down(draft.name(held).triple, by="a more precise statement")
        return [_proposed(draft, statement, proposal)]
    if changes:
        proposal = _beside_what_ends(draft, statement, proposal)
    ended = [
        _proposed(
            draft,
            statement,
            # Only one ledger row carries the id of the turn.
            proposal._replace(triple=old, evidence=evidence._replace(segment=b"")),
        )
        for old in _ended(draft, statement, proposal.triple)
    ]
    stated = _proposed(draft, statement, proposal)
    if statement.origin.reader is StatementReader.MODEL:
        _retire_readings(draft, statement, stated)
    return [*ended, stated]


def _denials(draft: Draft, statement: ReadStatement) -> list[ReadStatement]:
    """Return a denial of each held value if the value is `no more`; else nothing."""
    if " ".join(statement.value.casefold().split()) not in _NO_MORE:
        return []
    if known := _known(draft, statement.replaces):
        concept, dimension = known.concept, known.dimension
    else:
        predicate = draft.world.predicates.resolve(statement.predicate)
        try:
            concept, dimension, _ = _place(draft, statement, predicate)
        except FestingerError:
            return []
    held = [draft.token(edge.parent_id) for edge in _held(draft, concept, dimension)]
    return [replace(statement, value=it, negated=True) for it in held[:PARTS_MAX]]


def to_proposal(draft: Draft, statement: ReadStatement) -> Proposal:
    """Return a statement as a proposal for the gate.

    Raises:
        NotATokenError: Its subject or its predicate is not a name.
        NotAValueError: Its value is not a valid value.
    """
    origin = statement.origin
    triple = _triple(draft, statement, _value_of(statement))
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
        candidacy=Candidacy(author=origin.speaker) if doubt else None,
        many=not statement.single,
    )


def _triple(draft: Draft, statement: ReadStatement, value: Value) -> Triple:
    known = _known(draft, statement.replaces)
    if known is not None and not statement.negated:
        # A statement that names the ledger row it replaces keeps the place of that row,
        # even if it words the subject or predicate differently.
        return known._replace(parent=value.token)
    if known is not None:
        return known._replace(negated=True)
    registry = draft.world.predicates
    predicate = registry.resolve(statement.predicate, value)
    # "Runs" before a time has no inverse; before a name it has. Only a single-valued
    # inverse is turned round; many values fit on either side.
    inverse = None if predicate else registry.inverse(statement.predicate)
    if inverse and inverse.cardinality is Cardinality.SINGLE:
        predicate, value = inverse, canonical(statement.subject)
        statement = replace(statement, subject=statement.value)
    concept, dimension, is_isa = _place(draft, statement, predicate)
    # The model knew the statement under the name that the rules gave it.
    moved = {
        (before.concept, before.dimension): (after.concept, after.dimension)
        for before, after in draft.changes.reread.values()
    }
    concept, dimension = moved.get((concept, dimension), (concept, dimension))
    return Triple(concept, value.token, dimension, is_isa, statement.negated)


def _place(
    draft: Draft, statement: ReadStatement, predicate: Predicate | None
) -> tuple[str, str, bool]:
    """Return the concept and dimension of a statement, and whether it is an ISA.

    Raises:
        NotATokenError: Its subject or its predicate is not a name.
    """
    reread = {before.concept for before, _ in draft.changes.reread.values()}
    names = draft.world.names._replace(
        has_facts=lambda name: name in reread or draft.has_facts(name)
    )
    concept = subject_of(statement, names)
    if predicate is not None:
        return concept, predicate.dimension, predicate.is_isa
    words = statement.predicate.replace("_", " ").split()
    dimension = dimension_of(" ".join(words[:RENDERED_WORDS_MAX]))
    if words[0].lower() in _PAST and dimension == "is":
        # A past state does not conflict with the present one.
        dimension = PAST
    return concept, dimension, False


def _known(draft: Draft, assertion_id: int) -> Triple | None:
    """Return the statement that a ledger row holds; None if it holds none any more."""
    if not assertion_id:
        return None
    if reread := draft.changes.reread.get(assertion_id):
        return reread[1]
    held = draft.world.read.edge_of(assertion_id)
    edge = draft.edge(*held.place) if held else None
    if edge is None or edge.assertion_id != assertion_id:
        return None
    return draft.name(edge).triple


def _held(draft: Draft, concept: str, dimension: str) -> Sequence[_fast.Edge]:
    """Return the held edges of a concept in a dimension."""
    concept_id, dim_id = draft.id(concept), draft.id(dimension)
    if concept_id is None or dim_id is None:
        return ()
    return draft.values(concept_id, dim_id)


def _all_held(draft: Draft, triple: Triple) -> Sequence[_fast.Edge]:
    """Return all held edges of a statement's concept."""
    concept_id = draft.id(triple.concept)
    return () if concept_id is None else draft.facts(concept_id)


def _refined(draft: Draft, proposal: Proposal) -> _fast.Edge | None:
    """Return the single-valued edge that a statement repeats with another precision."""
    triple = proposal.triple
    for edge in _held(draft, triple.concept, triple.dimension):
        held = draft.token(edge.parent_id)
        alike = not edge.many and edge.is_isa == triple.is_isa
        if alike and is_refinement(held, triple.parent):
            return edge
    return None


def _is_empty(proposal: Proposal) -> bool:
    """Return whether a statement's class is as general as `thing`, `system`, `tool`."""
    return proposal.triple.is_isa and is_empty_head(proposal.triple.parent)


def _beside_what_ends(
    draft: Draft, statement: ReadStatement, proposal: Proposal
) -> Proposal:
    """Return a change, placed so that it conflicts with the value that it replaces.

    If a single value is held in the dimension, the change is of a single value too. If
    nothing is held there, it moves to the dimension that holds the old value.
    """
    triple = proposal.triple
    held = _held(draft, triple.concept, triple.dimension)
    if not held:
        old = _old_value(statement)
        for edge in _all_held(draft, triple):
            if (old and _is_alike(draft.token(edge.parent_id), old)) or (
                not old and _may_move(draft, edge, triple)
            ):
                found = draft.name(edge).triple
                triple = triple._replace(dimension=found.dimension, is_isa=found.is_isa)
                held = [edge]
                break
    is_only = any(not edge.many for edge in held)
    return proposal._replace(triple=triple, many=proposal.many and not is_only)


def _may_move(draft: Draft, edge: _fast.Edge, triple: Triple) -> bool:
    """Return whether a change of an unnamed old value may end an edge.

    A move need not name the dimension of the old location, nor an upgrade that of the
    old version: "php is 8.1", "bumped php to 8.3".
    """
    dimension = draft.token(edge.dim_id)
    if triple.dimension in PLACES:
        return dimension in PLACES
    is_number = draft.token(edge.parent_id)[:1].isdigit()
    return triple.dimension == "version" and dimension == "is" and is_number


def _ended(draft: Draft, statement: ReadStatement, triple: Triple) -> list[Triple]:
    """Return denials of the values that a change ends without a conflict with them."""
    if triple.negated or not (statement.changes or statement.replaces):
        return []
    if triple.dimension == STATUS and triple.parent in GONE:
        # Something that is gone has neither a location nor a time.
        ends = [
            draft.name(edge).triple._replace(negated=True)
            for edge in _all_held(draft, triple)
            if draft.token(edge.dim_id) in PLACES | TIMES
        ]
        return [*ends, *_used(draft, statement)][: PARTS_MAX - 1]
    if triple.dimension == REPLACED_BY:
        return _used(draft, statement)
    old = _old_value(statement)
    held = _held(draft, triple.concept, triple.dimension)
    is_lone = (
        len(held) == 1
        and statement.single
        and triple.dimension in ROUTES
        and statement.origin.reader is StatementReader.MODEL
    )
    ended = [
        draft.name(edge).triple._replace(negated=True)
        for edge in held
        if edge.many
        and (value := draft.token(edge.parent_id)) != triple.parent
        and (
            edge.assertion_id == statement.replaces != 0
            or (old != "" and _is_alike(value, old))
            or (old == "" and is_other_version(value, triple.parent))
            or is_lone
        )
    ]
    return ended[: PARTS_MAX - 1]


def _used(draft: Draft, statement: ReadStatement) -> list[Triple]:
    """Return denials that the speaker's group uses a thing that is gone."""
    group = replace(statement, subject="we")
    try:
        thing = canonical(statement.subject).token
        concept, dimension, _ = _place(
            draft, group, draft.world.predicates.resolve("uses")
        )
    except FestingerError:
        return []
    return [
        draft.name(edge).triple._replace(negated=True)
        for edge in _held(draft, concept, dimension)
        if draft.token(edge.parent_id) == thing
    ]


def _retire_readings(
    draft: Draft, statement: ReadStatement, stated: StatementResult
) -> None:
    """End the edges that rules read from the same words, now that a model read them.

    A contested edge stays: people decide about the conflict first.
    """
    entry = stated.entry
    if entry is None or not (stated.replaces or entry.outcome.verdict in _STANDING):
        return
    about = draft.id(entry.triple.concept)
    if about is None:
        return
    conflicts = draft.world.conflicts
    for read in draft.world.read.read_by_rules(statement.origin, about):
        edge = draft.edge(*read.place)
        if edge is None or edge.assertion_id != read.assertion_id:
            continue
        triple = draft.name(edge).triple
        is_contested = conflicts.contested(edge.concept_id, edge.dim_id)
        if triple != entry.triple and not is_contested:
            draft.take_down(triple, by="a model's reading of the same words")
            draft.changes.reread[read.assertion_id] = triple, entry.triple


def _old_value(statement: ReadStatement) -> str:
    """Return the canonical old value that a change names; empty if it names none."""
    if not statement.old_value:
        return ""
    try:
        return canonical(statement.old_value).token
    except FestingerError:
        return ""


def _is_alike(held: str, old: str) -> bool:
    return held == old or is_refinement(held, old)


def _proposed(
    draft: Draft, statement: ReadStatement, proposal: Proposal
) -> StatementResult:
    entry = draft.propose(proposal)
    if entry.outcome.reason == SETTLED and _is_restated(draft, entry, statement):
        for ending in _ENDINGS:
            draft.remove_tombstone(entry.triple, ending)
        evidence = proposal.evidence._replace(segment=b"")
        entry = draft.propose(proposal._replace(evidence=evidence))
    if entry.outcome.verdict in (
        Verdict.HELD,
        Verdict.CONFLICTED,
        Verdict.CORROBORATED,
    ):
        draft.changes.origins.setdefault(entry.id, _origin_of(entry, statement))
    replaces = entry.outcome.verdict is Verdict.CONFLICTED and (
        statement.changes
        or statement.replaces != 0
        or _is_own(draft, entry, statement.origin)
    )
    return StatementResult(entry, replaces)


def _is_restated(draft: Draft, entry: LedgerEntry, statement: ReadStatement) -> bool:
    """Return whether a second person makes a statement that was settled against."""
    key = clash(entry.triple, draft)
    if key is None or statement.doubt:
        return False
    speaker = plain(statement.origin.speaker)
    first = draft.restated(key)
    is_second = first is not None and first != speaker
    draft.changes.restated[key] = None if is_second else speaker
    return is_second


def _origin_of(entry: LedgerEntry, statement: ReadStatement) -> StatementOrigin:
    """Return the origin of a statement, with its subject and value as written."""
    value = _value_of(statement)
    is_said = value.token == entry.triple.parent != value.text
    return replace(
        statement.origin,
        subject=said_subject(statement.subject, entry.triple.concept),
        value=value.text if is_said else "",
    )


def _value_of(statement: ReadStatement) -> Value:
    """Return a value, with words instead of signs that a prompt must not contain.

    Raises:
        NotAValueError: It is not a valid value.
    """
    value = _PLACEHOLDER.sub(r"\1", statement.value)
    for sign, word in _SIGNS.items():
        value = value.replace(sign, f" {word} ")
    return canonical(value)


def _is_own(draft: Draft, entry: LedgerEntry, origin: StatementOrigin) -> bool:
    """Return whether the held fact is of the same speaker in the same session."""
    fact = entry.outcome.fact
    held = draft.world.origins.get(fact.assertion_id) if fact else None
    return (
        held is not None
        and bool(origin.session)
        and held.session == origin.session
        and plain(held.speaker) == plain(origin.speaker)
    )
