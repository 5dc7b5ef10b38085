"""Trails: content-addressed objects that record where facts come from, and their links.

    triple ─assertedFrom─▶ candidate ─fromMessage─▶ message
       │                      ├─validationEventCID─▶ event ─respondedBy─▶ principal
       └─assertedFrom─────────┼───────────────────▶ event ─answers─▶ question
                              ├─extractedBy─▶ microllm:v0.1/<prompt hash>
                              └─validatedBy─▶ principal

Every link follows from the content of one of the objects. An object refers to older
objects only: there are no cycles.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from festinger.core.graph.candidates import Candidate, Priority
from festinger.core.graph.outcome import Outcome
from festinger.core.provenance.forms import FORM, Content, checked
from festinger.core.system.cid import Value, canonical, cid_of, read
from festinger.core.validation.decision import CandidateDecision
from festinger.core.validation.questions import Question
from festinger.core.validation.reputation import Reputation, Reputations
from festinger.core.validation.votes import (
    ValidationEvent,
    VoteAnswer,
    last_votes,
    votes_of,
)

SENTENCE_CHARACTERS_MAX = 400
NAME_CHARACTERS_MAX = 256
"""Maximum length of the end of a link that is not an object."""


class ObjectKind(StrEnum):
    """Kind of an object."""

    MESSAGE = "message"
    """The sentence that a candidate was read in; never more of the message."""
    CANDIDATE = "factoid"
    """A candidate as it was proposed. CIDs hash this spelling, so it stays."""
    QUESTION = "question"
    """A question that people were asked."""
    EVENT = "event"
    """An answer."""
    TRIPLE = "triple"
    """A fact that people confirmed, with the candidate and the answers that made it."""

    @property
    def noun(self) -> str:
        """The kind as people read it."""
        return "candidate" if self is ObjectKind.CANDIDATE else str(self)


class LinkPredicate(StrEnum):
    """Predicate of a link between two objects, or an object and a text."""

    ASSERTED_FROM = "assertedFrom"
    FROM_MESSAGE = "fromMessage"
    EXTRACTED_BY = "extractedBy"
    VALIDATION_EVENT = "validationEventCID"
    VALIDATED_BY = "validatedBy"
    """From a candidate to each principal whose answer was yes at the decision."""
    RESPONDED_BY = "respondedBy"
    ANSWERS = "answers"
    ASKS_ABOUT = "asksAbout"
    ABOUT = "about"
    """From a triple to its place in the graph, as `place` spells it."""


class WithholdReason(StrEnum):
    """Reason why an object is withheld from a caller."""

    PRIVATE = "private"
    """It belongs to a candidate with private content: only operators see it."""
    OPEN = "open"
    """The caller can still answer, and must not see the answers of others."""


@dataclass(frozen=True, slots=True)
class TrailObject:
    """A content-addressed object.

    Attributes:
        cid: Its content identifier: the hash of `data`.
        data: Its canonical form; empty if it is withheld.
        created: Time of writing, in seconds since the epoch; 0 if unknown.
        withheld: The reason for withholding it; empty if it is not withheld.
    """

    cid: str
    kind: str
    data: bytes
    created: float = 0.0
    withheld: str = ""

    @property
    def content(self) -> Content:
        """The fields of the object.

        Raises:
            ValueError: `data` is not the canonical form of an object of any kind.
        """
        # `read` refuses bytes that are not canonical, so that one content has one CID.
        return checked(read(self.data))

    @property
    def json(self) -> str:
        """The fields as readable JSON, equivalent to the canonical form."""
        return json.dumps(self.content, ensure_ascii=False, sort_keys=True)


class MetaTriple(NamedTuple):
    """A link from a subject to an object: the CID of another object, or a text."""

    subject: str
    predicate: str
    object: str


@dataclass(slots=True)
class Trail:
    """The objects and links that a batch records as provenance."""

    # By CID: the same object recorded twice is one.
    objects: dict[str, TrailObject] = field(default_factory=dict)
    links: set[MetaTriple] = field(default_factory=set)

    def message(
        self,
        sentence: str,
        *,
        author: str = "",
        message_id: str = "",
        chunk_id: str = "",
    ) -> str:
        """Record the message that a candidate was read in; return its CID.

        Args:
            sentence: The sentence that states the candidate, not the whole message.
            message_id: The client's id of the message.
            chunk_id: The client's id of the chunk of the message.
        """
        return self._put(
            ObjectKind.MESSAGE,
            {
                # Never the whole message, which may say what is not for everybody who verifies.
                "sentence": sentence[:SENTENCE_CHARACTERS_MAX],
                "author": author,
                "message_id": message_id,
                "chunk_id": chunk_id,
            },
        )

    def candidate(self, candidate: Candidate) -> str:
        """Record a candidate as it was proposed; return its CID.

        Call this once, when the row is written (or at the first answer, for a row that
        is older than CIDs).
        """
        return self._put(
            ObjectKind.CANDIDATE,
            {
                # The row's number, so that the same words in another candidate are another object.
                "number": candidate.id,
                **candidate.triple._asdict(),
                **_parts(
                    candidate,
                    """
                    external_id predicate subject_raw object_raw rule reason proposer
                    author subject chunk_id extractor_version prompt_hash model_version
                    justification
                    """,
                ),
                # As proposed: the row's may change later, the object must not.
                "confidence": share(candidate.confidence),
                "source": str(candidate.source),
                "message": candidate.message_cid,
                "created_us": microseconds(candidate.created),
            },
        )

    def question(self, question: Question) -> str:
        """Record a question to people; return its CID.

        This is the `context_message_cid` of the answers.
        """
        return self._put(
            ObjectKind.QUESTION,
            {
                "factoid": question.candidate_cid,
                "number": question.id,
                "bot": str(question.bot),
                "lane": str(question.lane),
                **_parts(question, "recipient channel text why prompt_hash"),
                "created_us": microseconds(question.created),
            },
        )

    def answer(self, event: ValidationEvent, ordinal: int) -> str:
        """Record an answer; return its CID.

        Args:
            ordinal: Number of earlier answers to the candidate.
        """
        return self._put(
            ObjectKind.EVENT,
            {
                "factoid": event.candidate_cid,
                # No answer can be omitted unnoticed, and a repeated one has a CID of its own.
                "ordinal": ordinal,
                **_parts(
                    event,
                    """
                    proposer responder before_visible note bot_id delivery prompt_hash
                    model_version
                    """,
                ),
                "role": str(event.role),
                "response": str(event.response),
                "context_message": event.context_message_cid,
                "question_number": event.question_id,
                "message": event.message_cid,
                "created_us": microseconds(event.created),
            },
        )

    def fact(
        self,
        candidate: Candidate,
        events: Sequence[ValidationEvent],
        decision: CandidateDecision,
        reputations: Reputations,
        outcome: Outcome,
        now: float,
    ) -> str:
        """Record a fact that people confirmed, with its provenance; return its CID.

        Must be called for every confirmation, whatever the gate's verdict.

        Args:
            events: All answers so far, oldest first, with their CIDs.
            now: Time of the decision, in seconds since the epoch.
        """
        # Whose last answer is yes: people may change their minds.
        yes = (v for v in last_votes(votes_of([*events])) if v.answer is VoteAnswer.YES)
        return self._put(
            ObjectKind.TRIPLE,
            {
                **outcome.triple._asdict(),
                "factoid": candidate.cid,
                # A redirect may have moved the fact to another dimension (C5a).
                "stated_dimension": candidate.triple.dimension,
                # In order: the verifier compares them with the candidate's first answers.
                "events": [event.cid for event in events],
                "validated_by": sorted(vote.rater for vote in yes),
                "verdict": str(decision.verdict),
                "rule": str(decision.rule),
                "confidence": share(decision.confidence),
                # Inputs and results of the decision, which the verifier repeats.
                "posterior": share(decision.posterior),
                "prior": share(reputations.prior),
                "critical": candidate.priority is Priority.CRITICAL,
                "raters": _raters(
                    {candidate.proposer, *(event.responder for event in events)},
                    reputations,
                ),
                "outcome": str(outcome.verdict),
                "created_us": microseconds(now),
            },
        )

    def _put(self, kind: ObjectKind, fields: Mapping[str, Value]) -> str:
        content = {"kind": str(kind), "form": FORM, **fields}
        data = canonical(content)
        cid = cid_of(data)
        self.objects[cid] = TrailObject(cid, kind, data)
        # Derived, never stored on their own: the verifier derives the same ones.
        self.links |= links_of(cid, content)
        return cid


def _parts(source: object, names: str) -> dict[str, Value]:
    """Return the values that an object has under its own names in the trail, too."""
    return {name: getattr(source, name) for name in names.split()}


def links_of(cid: str, content: Content) -> set[MetaTriple]:
    """Return the links that follow from the content of an object."""
    kind = content["kind"]
    if kind == ObjectKind.CANDIDATE:
        links = {MetaTriple(cid, LinkPredicate.EXTRACTED_BY, extractor(content))}
        if content["message"]:
            links.add(MetaTriple(cid, LinkPredicate.FROM_MESSAGE, content["message"]))
    elif kind == ObjectKind.QUESTION:
        links = {MetaTriple(cid, LinkPredicate.ASKS_ABOUT, content["factoid"])}
    elif kind == ObjectKind.EVENT:
        links = {
            MetaTriple(content["factoid"], LinkPredicate.VALIDATION_EVENT, cid),
            MetaTriple(cid, LinkPredicate.RESPONDED_BY, content["responder"]),
        }
        if question := content["context_message"]:
            links.add(MetaTriple(cid, LinkPredicate.ANSWERS, question))
    elif kind == ObjectKind.TRIPLE:
        about = place(content["concept"], content["dimension"])
        links = {MetaTriple(cid, LinkPredicate.ABOUT, about)}
        for made_by in (content["factoid"], *content["events"]):
            links.add(MetaTriple(cid, LinkPredicate.ASSERTED_FROM, made_by))
        # The candidate is older than its fact, so that only the fact can say who validated it.
        for name in content["validated_by"]:
            links.add(MetaTriple(content["factoid"], LinkPredicate.VALIDATED_BY, name))
    else:
        links = set()
    return links


def extractor(candidate: Content) -> str:
    """Return the extractor of a candidate. Example: `microllm:v0.1/5f0c…`."""
    name: str = candidate["extractor_version"] or candidate["proposer"]
    # Cut, since the end of a link is indexed in the database.
    return "/".join(filter(None, (name, candidate["prompt_hash"])))[
        :NAME_CHARACTERS_MAX
    ]


def place(concept: str, dimension: str) -> str:
    """Return the place of a fact in the graph. Example: `alice [joined]`."""
    return f"{concept} [{dimension}]"


def share(value: float) -> str:
    """Return a number in [0.0, 1.0] as text: canonical forms have no floats."""
    # `repr` gives the shortest text that parses to the same float, on every machine.
    return repr(float(value))


def microseconds(moment: float) -> int:
    """Convert seconds since the epoch to whole microseconds."""
    return round(moment * 1_000_000)


def _raters(names: Iterable[str], reputations: Reputations) -> dict[str, Value]:
    """Return the reputations of raters, and of the leaders of their blocs."""
    known = {name: each for name in names if (each := reputations.of.get(name))}
    # Votes of a bloc count as one, with the reputation of its leader (I5).
    for bloc in sorted({each.bloc for each in known.values()}):
        if leader := reputations.of.get(bloc):
            known[bloc] = leader
    return {name: _rater(each) for name, each in known.items()}


def _rater(reputation: Reputation) -> Value:
    return {
        "yes_skill": share(reputation.skill.yes),
        "no_skill": share(reputation.skill.no),
        "of_true": reputation.of_true,
        "of_false": reputation.of_false,
        "bloc": reputation.bloc,
    }
