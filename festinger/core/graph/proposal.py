"""What wants to become knowledge, before anybody has judged it."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

TYPE = "type"
MEMBERSHIP = "membership"


class StatementSource(StrEnum):
    """The door through which a statement came."""

    GUTASK = "gutask"
    INFERRED = "inferred"
    CLOUD_LLM = "cloud_llm"
    FESTINGER = "festinger"
    EXTRACTED = "extracted"
    PROMOTED = "promoted"
    VALIDATED = "validated"
    DREAMING = "dreaming"

    @property
    def code(self) -> int:
        """The number that stands for it in compact records and on the wire."""
        return _SOURCE_CODES[self]

    @classmethod
    def from_code(cls, code: int) -> StatementSource:
        """The source of a number.

        Raises:
            ValueError: There is no such source.
        """
        try:
            return _SOURCES_BY_CODE[code]
        except KeyError:
            raise ValueError(f"no source has the code {code}") from None


_SOURCES_BY_CODE = dict(enumerate(StatementSource, start=1))
_SOURCE_CODES = {source: code for code, source in _SOURCES_BY_CODE.items()}


class Triple(NamedTuple):
    """A statement: concept IN parent, within a dimension.

    The names are tokens. With `negated` it denies that.
    """

    concept: str
    parent: str
    dimension: str
    is_isa: bool
    negated: bool = False

    def __str__(self) -> str:
        verb = "-isa" if self.is_isa else "-ispart"
        denial = "-not " if self.negated else ""
        return (
            f"{self.concept} {denial}{verb} {self.parent} in context of "
            f"{self.dimension}"
        )


class Evidence(NamedTuple):
    """Where a statement was found, so that it can be traced.

    Attributes:
        sentence: The sentence, at most 400 characters; empty if stated as such.
        rule: The pattern or door that produced it. Example: `is a`.
        segment: Digest of the turn it stood in; empty outside prompts.
        ordinal: Which statement of that turn it is, from 0.
    """

    sentence: str = ""
    rule: str = ""
    segment: bytes = b""
    ordinal: int = 0


class Candidacy(NamedTuple):
    """What is known of a statement that is put forward for people to confirm.

    Attributes:
        external_id: What the client calls it.
        predicate: Its URI. Example: `t:joined`.
        subject_raw: The subject as it was written; `object_raw` the same.
        author: Whose text it stood in, if that is not who states it.
        message_id: The client's name of the message.
        chunk_id: The client's name of a chunk of it.
        extractor_version: What extracted it. Example: `microllm:v0.1`.
        prompt_hash: Of what the model was asked.
        model_version: That model, and its version.
        justification: Why it was guessed, in a line.
        priority: A word of `festinger.core.graph.candidates.Priority`; empty for the usual one.
        channel: Where it was said, as `PLATFORM:CHANNEL`; there the community is asked.
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
    """A statement with everything that a judgement of it needs.

    Attributes:
        confidence: How far to rely on it, in [0.0, 1.0].
        principal: Who stated it, as the server stamped it.
        proposer: What put it forward: a person's name, or `scanner`.
        asserts: False if it may only become a candidate, whatever its confidence.
        reason: Why it is doubtful, where it is.
        decided: True if a person already confirmed it, so that doubt is past.
        candidacy: What more is known, if people are to be asked: then it waits for them
            however little whoever put it forward relies on it.
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
    asserts: bool = True
    reason: str = ""
    decided: bool = False
    evidence: Evidence = Evidence()
    candidacy: Candidacy | None = None
    belief: bool = False
    many: bool = False
