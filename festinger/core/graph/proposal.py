"""Proposed statements, before the gate judges them."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

TYPE = "type"
MEMBERSHIP = "membership"


class StatementSource(StrEnum):
    """Source of a statement."""

    GUTASK = "gutask"  # stated to the memory by hand
    INFERRED = "inferred"  # read by rules
    CLOUD_LLM = "cloud_llm"  # read by a model
    # Moved by a decision about a conflict, or the root of a dimension.
    FESTINGER = "festinger"
    EXTRACTED = "extracted"  # proposed by a client's extractor
    PROMOTED = "promoted"  # the relation of an entity that a person accepted
    VALIDATED = "validated"  # confirmed by people's answers
    DREAMING = "dreaming"  # found by a dreaming model

    @property
    def code(self) -> int:
        """The number of the source in compact records and in the wire protocol."""
        return _SOURCE_CODES[self]

    @classmethod
    def from_code(cls, code: int) -> StatementSource:
        """Return the source with a code."""
        try:
            return _SOURCES_BY_CODE[code]
        except KeyError:
            raise ValueError(f"no source has the code {code}") from None


# By position, and stored: new sources go to the end.
_SOURCES_BY_CODE = dict(enumerate(StatementSource, start=1))
_SOURCE_CODES = {source: code for code, source in _SOURCES_BY_CODE.items()}


class Triple(NamedTuple):
    """A statement: concept IN parent, within a dimension.

    The names are tokens. If `negated`, the statement is a denial.
    """

    concept: str
    parent: str
    dimension: str
    is_isa: bool
    negated: bool = False

    def __str__(self) -> str:
        # The syntax of `gutask iknowthat`, so that it can be parsed again.
        verb = "-isa" if self.is_isa else "-ispart"
        denial = "-not " if self.negated else ""
        return (
            f"{self.concept} {denial}{verb} {self.parent} in context of "
            f"{self.dimension}"
        )


class Evidence(NamedTuple):
    """Location of a statement in a text, so that it can be traced.

    Attributes:
        sentence: The sentence, at most 400 characters; empty if stated directly.
        rule: Pattern or interface that produced it. Example: `is a`.
        segment: Digest of the turn that contains it; empty outside prompts.
        ordinal: Index of the statement within that turn, from 0.
    """

    sentence: str = ""
    rule: str = ""
    segment: bytes = b""
    ordinal: int = 0


class CandidateDetails(NamedTuple):
    """Details of a statement that is proposed for confirmation by people.

    Its other fields are those of `festinger.core.graph.candidates.Candidate`.

    Attributes:
        author: Author of the text that contains it, if that is not the principal.
        message_id: The client's identifier of the message.
        chunk_id: The client's identifier of a chunk of the message.
        priority: A value of `festinger.core.graph.candidates.Priority`; empty for the
            default.
        channel: Channel in which the community is asked, as `PLATFORM:CHANNEL`.
    """

    external_id: str = ""
    predicate: str = ""
    subject_raw: str = ""
    object_raw: str = ""
    author: str = ""
    message_id: str = ""
    chunk_id: str = ""
    extractor_version: str = ""
    prompt_hash: str = ""
    model_version: str = ""
    justification: str = ""
    priority: str = ""
    channel: str = ""


class Proposal(NamedTuple):
    """A statement with all data that the gate needs to judge it.

    Attributes:
        confidence: In [0.0, 1.0].
        principal: Author of the statement, as set by the server.
        proposer: Person or component that proposes it: a name, or `scanner`.
        asserts: Whether it may be held; if not, it becomes a candidate at most,
            whatever its confidence.
        reason: Reason why it is doubtful; empty for the default.
        decided: Whether a person already confirmed it, so that confidence is not
            checked.
        candidacy: Details for people, if they are to be asked; it then becomes a
            candidate however low its confidence is.
        belief: Whether it is to be held as its author's belief only (I4).
        many: Whether its concept may have other parents in its dimension, where no
            registered predicate decides that.
    """

    triple: Triple
    confidence: float
    source: StatementSource
    principal: str
    proposer: str
    subject: str = ""
    asserts: bool = True  # False for tools, documents and models (E1)
    reason: str = ""
    decided: bool = False  # skips the check of confidence, not that of collisions (I2)
    evidence: Evidence = Evidence()
    candidacy: CandidateDetails | None = None
    belief: bool = False
    many: bool = False
