"""Where facts come from: objects that are called by their hash, and how they hang together.

    triple ─assertedFrom─▶ factoid ─fromMessage─▶ message
       │                      ├─validationEventCID─▶ event ─respondedBy─▶ somebody
       └─assertedFrom─────────┼───────────────────▶ event ─answers─▶ question
                              ├─extractedBy─▶ microllm:v0.1/<prompt hash>
                              └─validatedBy─▶ somebody

Every link is said by the content of one of the objects, so that none can be put in or
left out unnoticed. An object names only objects that were there before it: there are no
circles.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from festinger.core.graph.candidates import Factoid, Priority
from festinger.core.graph.outcome import Outcome
from festinger.core.provenance.forms import FORM, Content, checked
from festinger.core.system.cid import Value, canonical, cid_of, read
from festinger.core.validation.decision import CandidateDecision
from festinger.core.validation.events import ValidationEvent, votes_of
from festinger.core.validation.questions import Question
from festinger.core.validation.reputation import Reputation, Reputations
from festinger.core.validation.votes import VoteAnswer, last_votes

SENTENCE_CHARACTERS_MAX = 400
NAME_CHARACTERS_MAX = 256
"""Of what a link ends at, if that is no object."""


class ObjectKind(StrEnum):
    """What an object is."""

    MESSAGE = "message"
    """The sentence that something was read in; never more of the message."""
    FACTOID = "factoid"
    """A candidate as it was put forward."""
    QUESTION = "question"
    """What was put to people."""
    EVENT = "event"
    """An answer."""
    TRIPLE = "triple"
    """A fact that people confirmed, with the candidate and the answers that made it."""


class Link(StrEnum):
    """How two things hang together."""

    ASSERTED_FROM = "assertedFrom"
    FROM_MESSAGE = "fromMessage"
    EXTRACTED_BY = "extractedBy"
    VALIDATION_EVENT = "validationEventCID"
    VALIDATED_BY = "validatedBy"
    """Whose answer was yes when it was decided."""
    RESPONDED_BY = "respondedBy"
    ANSWERS = "answers"
    ASKS_ABOUT = "asksAbout"
    ABOUT = "about"
    """From a triple to its place in the graph, as `place` spells it."""


class Withheld(StrEnum):
    """Why somebody is not shown an object."""

    PRIVATE = "private"
    """It is of a candidate that holds what is private: for operators."""
    OPEN = "open"
    """Who can still answer does not see what others said."""


@dataclass(frozen=True, slots=True)
class Object:
    """Something that is called by the hash of itself.

    Attributes:
        data: Its canonical form; empty if it is withheld.
        created: When it was written, in seconds since the epoch; 0 if that is not known.
        withheld: Why it is not shown; empty if it is.
    """

    cid: str
    kind: str
    data: bytes
    created: float = 0.0
    withheld: str = ""

    @property
    def content(self) -> Content:
        """What was written down.

        Raises:
            ValueError: It is not the canonical form of an object of any kind.
        """
        return checked(read(self.data))

    @property
    def json(self) -> str:
        """The same for people, and for those who compute its canonical form again."""
        return json.dumps(self.content, ensure_ascii=False, sort_keys=True)


class MetaTriple(NamedTuple):
    """A statement about an object; what it says of it is an object's name or a text."""

    subject: str
    predicate: str
    object: str


@dataclass(slots=True)
class Trail:
    """What a batch writes down of where its facts come from.

    Putting the same down twice is putting it down once.
    """

    objects: dict[str, Object] = field(default_factory=dict)
    links: set[MetaTriple] = field(default_factory=set)

    def message(
        self,
        sentence: str,
        *,
        author: str = "",
        message_id: str = "",
        chunk_id: str = "",
    ) -> str:
        """Puts down the message that a candidate stood in; its name.

        Args:
            sentence: The one that the candidate was read in, not the whole message.
            author: Whose text it was.
            message_id: The client's name of the message; of a chunk of it `chunk_id`.
        """
        return self._put(
            ObjectKind.MESSAGE,
            {
                "sentence": sentence[:SENTENCE_CHARACTERS_MAX],
                "author": author,
                "message_id": message_id,
                "chunk_id": chunk_id,
            },
        )

    def candidate(self, factoid: Factoid) -> str:
        """Puts down a candidate as it is when it is put forward; its name.

        Later its confidence may be another one: call this once, when the row is written
        (or, of a row older than names, when the first answer comes).
        """
        triple = factoid.triple
        return self._put(
            ObjectKind.FACTOID,
            {
                "number": factoid.id,
                "external_id": factoid.external_id,
                "concept": triple.concept,
                "parent": triple.parent,
                "dimension": triple.dimension,
                "is_isa": triple.is_isa,
                "negated": triple.negated,
                "predicate": factoid.predicate,
                "subject_raw": factoid.subject_raw,
                "object_raw": factoid.object_raw,
                "confidence": share(factoid.confidence),
                "source": str(factoid.source),
                "rule": factoid.rule,
                "reason": factoid.reason,
                "proposer": factoid.proposer,
                "author": factoid.author,
                "subject": factoid.subject,
                "message": factoid.message_cid,
                "chunk_id": factoid.chunk_id,
                "extractor_version": factoid.extractor_version,
                "prompt_hash": factoid.prompt_hash,
                "model_version": factoid.model_version,
                "justification": factoid.justification,
                "created_us": microseconds(factoid.created),
            },
        )

    def question(self, question: Question) -> str:
        """Puts down what was put to people; its name.

        This is what an answer calls `context_message_cid`.
        """
        return self._put(
            ObjectKind.QUESTION,
            {
                "factoid": question.factoid_cid,
                "number": question.id,
                "bot": str(question.bot),
                "lane": str(question.lane),
                "recipient": question.recipient,
                "channel": question.channel,
                "text": question.text,
                "why": question.why,
                "prompt_hash": question.prompt_hash,
                "created_us": microseconds(question.created),
            },
        )

    def answer(self, event: ValidationEvent, ordinal: int) -> str:
        """Puts down an answer; its name.

        Args:
            ordinal: How many answers to the candidate there were before it, so that none
                can be left out, and the same words said again are another answer.
        """
        return self._put(
            ObjectKind.EVENT,
            {
                "factoid": event.factoid_cid,
                "ordinal": ordinal,
                "proposer": event.proposer,
                "responder": event.responder,
                "role": str(event.role),
                "response": str(event.response),
                "before_visible": event.before_visible,
                "note": event.note,
                "bot_id": event.bot_id,
                "context_message": event.context_message_cid,
                "question_number": event.question_id,
                "delivery": event.delivery,
                "prompt_hash": event.prompt_hash,
                "model_version": event.model_version,
                "message": event.message_cid,
                "created_us": microseconds(event.created),
            },
        )

    def fact(
        self,
        factoid: Factoid,
        events: Sequence[ValidationEvent],
        decision: CandidateDecision,
        reputations: Reputations,
        outcome: Outcome,
        now: float,
    ) -> str:
        """Puts down a fact that people confirmed, and what made it; its name.

        It is to be called for every confirmation, whatever the gate makes of it.

        Args:
            events: Every answer so far, in the order in which they came, with names.
            reputations: Those that the decision went by.
            outcome: What the gate made of the statement.
        """
        triple = outcome.triple
        yes = (v for v in last_votes(votes_of([*events])) if v.answer is VoteAnswer.YES)
        return self._put(
            ObjectKind.TRIPLE,
            {
                "concept": triple.concept,
                "parent": triple.parent,
                "dimension": triple.dimension,
                "is_isa": triple.is_isa,
                "negated": triple.negated,
                "factoid": factoid.cid,
                "stated_dimension": factoid.triple.dimension,
                "events": [event.cid for event in events],
                "validated_by": sorted(vote.rater for vote in yes),
                "verdict": str(decision.verdict),
                "rule": str(decision.rule),
                "confidence": share(decision.confidence),
                "posterior": share(decision.posterior),
                "prior": share(reputations.prior),
                "critical": factoid.priority is Priority.CRITICAL,
                "raters": _raters(
                    {factoid.proposer, *(event.responder for event in events)},
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
        self.objects[cid] = Object(cid, kind, data)
        self.links |= links_of(cid, content)
        return cid


def links_of(cid: str, content: Content) -> set[MetaTriple]:
    """What an object says of how things hang together."""
    kind = content["kind"]
    if kind == ObjectKind.FACTOID:
        links = {MetaTriple(cid, Link.EXTRACTED_BY, extractor(content))}
        if content["message"]:
            links.add(MetaTriple(cid, Link.FROM_MESSAGE, content["message"]))
    elif kind == ObjectKind.QUESTION:
        links = {MetaTriple(cid, Link.ASKS_ABOUT, content["factoid"])}
    elif kind == ObjectKind.EVENT:
        links = {
            MetaTriple(content["factoid"], Link.VALIDATION_EVENT, cid),
            MetaTriple(cid, Link.RESPONDED_BY, content["responder"]),
        }
        if content["context_message"]:
            links.add(MetaTriple(cid, Link.ANSWERS, content["context_message"]))
    elif kind == ObjectKind.TRIPLE:
        about = place(content["concept"], content["dimension"])
        links = {MetaTriple(cid, Link.ABOUT, about)}
        for made_by in (content["factoid"], *content["events"]):
            links.add(MetaTriple(cid, Link.ASSERTED_FROM, made_by))
        for name in content["validated_by"]:
            links.add(MetaTriple(content["factoid"], Link.VALIDATED_BY, name))
    else:
        links = set()
    return links


def extractor(factoid: Content) -> str:
    """What extracted a candidate. Example: `microllm:v0.1/5f0c…`."""
    name: str = factoid["extractor_version"] or factoid["proposer"]
    return "/".join(filter(None, (name, factoid["prompt_hash"])))[:NAME_CHARACTERS_MAX]


def place(concept: str, dimension: str) -> str:
    """Where a fact stands in the graph. Example: `alice [joined]`."""
    return f"{concept} [{dimension}]"


def share(value: float) -> str:
    """A share as text: canonical forms have no fractions."""
    return repr(float(value))


def microseconds(moment: float) -> int:
    """Seconds since the epoch as whole microseconds."""
    return round(moment * 1_000_000)


def _raters(names: Iterable[str], reputations: Reputations) -> dict[str, Value]:
    """What is known of these and of those that they count with."""
    known = {name: each for name in names if (each := reputations.of.get(name))}
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
