"""Trails of candidates that people answered, for tests of the whole way."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from festinger.core.graph.candidates import Candidate, CandidateState, Lane
from festinger.core.graph.outcome import Outcome, Verdict
from festinger.core.graph.proposal import StatementSource, Triple
from festinger.core.provenance.chain import Chain, of_json, to_json
from festinger.core.provenance.trail import Trail, links_of
from festinger.core.system.cid import canonical, cid_of
from festinger.core.validation.decision import CandidateDecision, decide
from festinger.core.validation.questions import BotName, Question
from festinger.core.validation.reputation import Reputations
from festinger.core.validation.votes import (
    EventResponse,
    ValidationEvent,
    VoterRole,
    votes_of,
)
from festinger.store.graph.rows import to_time
from festinger.store.postgres import PostgresStore
from festinger.store.provenance.trail import TrailWrites
from festinger.store.system.pool import Pool
from festinger.store.world.batches import Batch
from tests.memories import NOW

JOINED = Triple("alice", "chess_club", "joined", is_isa=False)
SENTENCE = "I joined the Chess Club last week."
SAID = {
    "y": EventResponse.CONFIRMED,
    "n": EventResponse.REJECTED,
    "-": EventResponse.ABSTAIN,
    "w": EventResponse.WITHDRAWN,
}
ROLES = {"author": VoterRole.AUTHOR, "moderator": VoterRole.MODERATOR}


def guessed(**changes: Any) -> Candidate:
    """Return the candidate of the specification's example, before it has a name."""
    candidate = Candidate(
        id=1,
        state=CandidateState.PENDING,
        triple=JOINED,
        confidence=0.36,
        source=StatementSource.CLOUD_LLM,
        rule="guess",
        reason="only_proposed",
        proposer="microllm:v0.1",
        author="alice",
        subject="",
        evidence=SENTENCE,
        statements=1,
        created=NOW,
        external_id="f:0x123",
        predicate="t:joined",
        subject_raw="Alice",
        object_raw="Chess Club",
        extractor_version="microllm:v0.1",
        prompt_hash="5f0c",
        model_version="tiny-1",
        justification="We read “I joined”.",
    )
    return replace(candidate, **changes)


@dataclass
class Told:
    """A trail, and the names of what is in it."""

    trail: Trail
    candidate: Candidate
    question: str
    events: list[ValidationEvent]
    triple: str = ""
    decision: CandidateDecision | None = None

    @property
    def chain(self) -> Chain:
        """All of it, as somebody would be told it who asks for the fact."""
        start = (self.triple or self.candidate.cid,)
        return Chain(start, dict(self.trail.objects), frozenset(self.trail.links))


def told(
    answers: Iterable[tuple[str, str]] = (("bob", "y"), ("carol", "y")),
    *,
    candidate: Candidate | None = None,
    reputations: Reputations | None = None,
    outcome: Verdict = Verdict.HELD,
    dimension: str = "",
    trail: Trail | None = None,
) -> Told:
    """
    The trail of a candidate and its answers: who says what (`y`, `n`, `-`, `w`), a role
    before a name: `author alice`; and of the fact, if that decides for it.
    """
    trail = trail or Trail()
    candidate = candidate or guessed()
    message = trail.message(
        SENTENCE, author=candidate.author, message_id="m:0x998", chunk_id="7"
    )
    candidate = replace(candidate, message_cid=message)
    candidate = replace(candidate, cid=trail.candidate(candidate))
    question = trail.question(
        Question(
            candidate.id,
            candidate.cid,
            BotName.BARKEEP,
            Lane.AUTHOR,
            f"Hey @Alice, did you join the Chess Club?\n{SENTENCE}",
            "We read “I joined”.",
            "77aa",
            id=3,
            recipient="alice",
            created=NOW + 1,
        )
    )
    events: list[ValidationEvent] = []
    for ordinal, (who, said) in enumerate(answers):
        role, _, name = who.rpartition(" ")
        event = ValidationEvent(
            candidate.id,
            candidate.cid,
            candidate.proposer,
            name,
            ROLES.get(role, VoterRole.COMMUNITY),
            SAID[said],
            before_visible=True,
            created=NOW + 2 + ordinal,
            bot_id="matrix:barkeep",
            context_message_cid=question,
            question_id=3,
            delivery=f"$event{ordinal}",
            prompt_hash=candidate.prompt_hash,
            model_version=candidate.model_version,
            message_cid=candidate.message_cid,
        )
        events.append(replace(event, cid=trail.answer(event, ordinal)))
    found = Told(trail, candidate, question, events)
    reputations = reputations or Reputations()
    decision = decide(votes_of(events), reputations, proposer=candidate.proposer)
    if decision.confidence:
        triple = candidate.triple
        if dimension:
            triple = triple._replace(dimension=dimension)
        found.triple = trail.fact(
            candidate,
            events,
            decision,
            reputations,
            Outcome(outcome, triple),
            NOW + 100,
        )
        found.decision = decision
    return found


def forged(chain: Chain, kind: str, *, at: int = 0, **changes: Any) -> Chain:
    """
    A chain of which somebody changed an object and then computed every name again, so
    that names and links tell nothing any more.
    """
    said = json.loads(to_json(chain))
    [each for each in said["objects"] if each["kind"] == kind][at]["content"] |= changes
    # What is named comes before what names it.
    for kind in ("message", "factoid", "question", "event", "triple"):
        for place in range(len(said["objects"])):
            each = said["objects"][place]
            if each["kind"] == kind:
                name = cid_of(canonical(each["content"]))
                said = json.loads(json.dumps(said).replace(each["cid"], name))
    links = {
        link for it in said["objects"] for link in links_of(it["cid"], it["content"])
    }
    return of_json(json.dumps(said | {"links": sorted(links)}))


async def put_down(
    store: PostgresStore,
    pool: Pool,
    told: Told,
    *,
    now: float = NOW,
    pending: bool = False,
    sensitive: bool = False,
    expires: float | None = None,
) -> None:
    """
    Write a trail in a batch of its own, and rows of its candidate and answer; something
    must have been stated before.
    """
    candidate = told.candidate
    await pool.execute(
        """
        insert into candidates (
            tenant, id, concept, parent, dimension, is_isa, negated, confidence, source,
            proposer, author, assertion_id, created_at, status, decided_at, cid,
            sensitive, expires_at)
        select 'default', $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, min(id), $11,
               case when $12::timestamptz is null then 'pending_validation'
                    else 'confirmed' end, $12, $13, $14, $15
        from assertions
        """,
        candidate.id,
        *candidate.triple,
        candidate.confidence,
        candidate.source,
        candidate.proposer,
        candidate.author,
        to_time(candidate.created),
        None if pending else to_time(now),
        candidate.cid,
        sensitive,
        to_time(expires) if expires else None,
    )
    for event in told.events:
        await pool.execute(
            """
            insert into validation_events (
                tenant, cid, candidate_id, proposer, responder, role, response,
                before_visible, created_at)
            values ('default', $1, $2, $3, $4, $5, $6, true, $7)
            """,
            event.cid,
            candidate.id,
            candidate.proposer,
            event.responder,
            event.role,
            event.response,
            to_time(event.created),
        )
    async with store.writing("default") as writing:
        await writing.write(Batch(TrailWrites(told.trail), now=now))
