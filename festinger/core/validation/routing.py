"""Candidates of doubtful statements: their lane, priority and expiry (4-validation).

critical, private, or the circuit breaker is open ─▶ moderators
its author can be reached                         ─▶ the author
else                                              ─▶ the community
"""

from __future__ import annotations

import re
from typing import NamedTuple

from festinger.core.graph.candidates import Candidate, CandidateState, Lane, Priority
from festinger.core.graph.changes import LedgerEntry
from festinger.core.graph.predicates import Registry
from festinger.core.graph.proposal import CandidateDetails, Proposal
from festinger.core.system.wordsets import word_set
from festinger.core.validation.policy import POLICY, ValidationPolicy, in_pilot
from festinger.core.validation.privacy import is_private, is_private_predicate

# For `max`; the values of the enumeration are names.
_ORDER = (Priority.LOW, Priority.NORMAL, Priority.HIGH, Priority.CRITICAL)
_CRITICAL_WORDS = word_set("""
    admin administrator moderator banned suspended abuse abuser abuses bully bullied bullies
    bullying grooming harass harassed harasser harasses harassment stalker stalks stalking
    predator threatens threatened doxed doxxed doxing doxxing swatted swatting blackmail
    blackmails extortion compromised breached hacked hijacked phished phishing malware
    ransomware spyware keylogger backdoor rootkit botnet impostor impersonates impersonator
    spammer scammer fraudster terrorist terrorism weapon explosives suicide suicidal
    overdose overdosed
""")
"""Words that make a statement one about security, moderation or safety."""
_CRITICAL_PHRASE = re.compile(
    # "kill -9" and "cut a release" are no threats: the verb needs a person behind it.
    r"\b(?:suicid(?:e|al)|self[- ]harm\w*|(?:kill|hurt|harm|cut) "
    r"(?:myself|yourself|himself|herself|themsel(?:f|ves))|(?:death|bomb) threats?|"
    r"child abuse|sexual(?:ly)? (?:assault|abus)\w*|rap(?:ed|ist)|doxx?(?:ed|ing)|"
    r"swatt(?:ed|ing))\b",
    re.IGNORECASE,
)
"""Phrases that make a sentence critical, whatever statement was found in it."""
# Parts of `t:bannedFrom` and `is-admin`; capitals in a row ("SSN") are one word.
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_]+")


class QuestionRoute(NamedTuple):
    """Lane, priority and expiry of a candidate.

    Attributes:
        lane: The lane to ask first.
        sensitive: Whether it contains private data, and is never shown in public.
        expires: Time of expiry, in seconds since the epoch; None outside the pilot,
            where nobody is asked and it does not expire.
    """

    lane: Lane
    priority: Priority
    sensitive: bool
    expires: float | None


def route(
    proposal: Proposal,
    *,
    predicate: str,
    contradicts: str,
    policy: ValidationPolicy,
    breaker_open: bool,
    now: float,
) -> QuestionRoute:
    """Return the route of a statement that is too doubtful to be held.

    Args:
        predicate: URI of its predicate; empty if only its dimension is known.
        contradicts: The fact that it contradicts, in words; empty if there is none.
    """
    author = author_of(proposal)
    sensitive = _is_sensitive(proposal, predicate, contradicts)
    priority = _priority(proposal, predicate, author, policy)
    expires = None
    # Outside of the pilot it is kept, but nobody is asked, so that no time runs.
    if in_pilot(predicate, author, policy):
        expires = now + policy.ttl_seconds[priority]
    # Not to the author: what is critical or private is decided by moderators only.
    if sensitive or breaker_open or priority is Priority.CRITICAL:
        lane = Lane.MODERATOR
    elif is_reachable(author, policy):
        lane = Lane.AUTHOR
    else:
        lane = Lane.COMMUNITY
    return QuestionRoute(lane, priority, sensitive, expires)


def author_of(proposal: Proposal) -> str:
    """Return the author of a statement's text; empty if it is the proposer."""
    # A client may name the author (`ProposeCandidate`); a prompt is its principal's.
    named = proposal.candidacy.author if proposal.candidacy else ""
    author = named or proposal.principal
    return "" if author == proposal.proposer else author


def is_reachable(principal: str, policy: ValidationPolicy) -> bool:
    """Return whether a principal can be asked in person."""
    person = policy.people.get(principal)
    return person is not None and any(person.accounts.values())


def _priority(
    proposal: Proposal, predicate: str, author: str, policy: ValidationPolicy
) -> Priority:
    """Return the highest priority: as stated, by the statement, or by its author."""
    stated = proposal.candidacy.priority if proposal.candidacy else ""
    priority = Priority(stated) if stated else Priority.NORMAL
    # Before what the proposer stated: nobody may lower what concerns safety.
    if _is_critical(proposal, predicate):
        return Priority.CRITICAL
    person = policy.people.get(author)
    if person and person.high:
        return max(priority, Priority.HIGH, key=_ORDER.index)
    return priority


def _is_critical(proposal: Proposal, predicate: str) -> bool:
    """Return whether a statement is about security, moderation or safety."""
    triple = proposal.triple
    # Names of the statement are compared as words: "admin" is not in "administer".
    said = f"{predicate} {triple.dimension} {triple.concept} {triple.parent}"
    words = {word.lower() for word in _WORD.findall(said)}
    # The sentence as a whole: its statement may be the harmless half of it.
    urgent = _CRITICAL_PHRASE.search(proposal.evidence.sentence)
    return urgent is not None or not words.isdisjoint(_CRITICAL_WORDS)


def _is_sensitive(proposal: Proposal, predicate: str, contradicts: str) -> bool:
    """Return whether a question would show any private data."""
    triple, known = proposal.triple, proposal.candidacy
    # Tokens are in lower case, and the rules find names by capitals ("Anna has cancer").
    subject = (known and known.subject_raw) or triple.concept.capitalize()
    held = (known and known.object_raw) or triple.parent
    statement = f"{subject} {' '.join(_WORD.findall(triple.dimension))} {held}"
    # Everything that a question would show.
    return is_private_predicate(f"{predicate} {triple.dimension}") or is_private(
        statement.replace("_", " "),
        proposal.evidence.sentence,
        known.justification if known else "",
        contradicts,
    )


class CandidatePolicy(NamedTuple):
    """Settings for the creation of candidates."""

    registry: Registry
    policy: ValidationPolicy


def default_candidate_policy() -> CandidatePolicy:
    """Return the settings of a tenant without a configuration."""
    return CandidatePolicy(Registry(), POLICY)


def create_candidate(
    entry: LedgerEntry,
    number: int,
    *,
    contradicts: str,
    candidate_policy: CandidatePolicy,
    breaker_open: bool,
    now: float,
) -> Candidate:
    """Create the candidate of a doubtful statement.

    Args:
        entry: The ledger row of the statement.
        contradicts: The fact that it contradicts, in words; empty if there is none.
    """
    proposal, triple = entry.proposal, entry.triple
    # Clients name the author and their own spelling (`ProposeCandidate`); a prompt has its speaker.
    known = proposal.candidacy or CandidateDetails(author=proposal.principal)
    registered = candidate_policy.registry.of(triple.dimension, triple.is_isa)
    # A predicate decides on privacy and pilots, so find one for the dimension if none is named.
    predicate = known.predicate or (registered.uri if registered else "")
    asked = route(
        proposal,
        predicate=predicate,
        contradicts=contradicts,
        policy=candidate_policy.policy,
        breaker_open=breaker_open,
        now=now,
    )
    details = known._asdict()
    # The rest of the details is the route's, or the provenance's.
    for name in ("predicate", "priority", "message_id"):
        del details[name]
    return Candidate(
        id=number,
        state=CandidateState.PENDING,
        triple=triple,
        confidence=proposal.confidence,  # raw: calibrated when it is ranked, not here
        source=proposal.source,
        rule=proposal.evidence.rule,
        reason=entry.outcome.reason,
        proposer=proposal.proposer,
        subject=proposal.subject,
        evidence=proposal.evidence.sentence,
        statements=1,  # restatements are counted later, by the ledger
        created=now,
        predicate=predicate,
        priority=asked.priority,
        lane=asked.lane,
        sensitive=asked.sensitive,
        contradicts=contradicts,  # in words, for the question ("but records show …")
        expires=asked.expires,
        **details,
    )
