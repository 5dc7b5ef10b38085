"""Check of the triples of a dreaming model against the remarks it was shown.

A supported triple is proposed. One that is supported weakly, by the model's resolution of
a pronoun only, or that people denied, becomes a candidate.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from festinger.core.graph.predicates import Registry
from festinger.core.graph.proposal import (
    CandidateDetails,
    Evidence,
    Proposal,
    StatementSource,
    Triple,
)
from festinger.core.graph.statement import to_token
from festinger.core.graph.tokens import tokenise
from festinger.core.language.doubts import unstated
from festinger.core.language.grounding import (
    THRESHOLDS,
    Band,
    Grounding,
    SourceText,
    Thresholds,
)
from festinger.core.language.triple_grounding import PRIOR, TRIPLES_MAX, ground_triple
from festinger.core.memories.scoring import sure
from festinger.core.system.excerpt import printable
from festinger.core.validation.backlog import BacklogResult
from festinger.core.validation.dreaming import (
    AskedModel,
    BacklogCase,
    Dream,
    Dreams,
    Remark,
)
from festinger.errors import InvalidArgument

EXTRACTOR = "dreaming:v1"
"""Name and version of this extractor."""
SENTENCE_CHARACTERS_MAX = 400


class TripleCheck(NamedTuple):
    """Result of checking a model's triple against the remarks.

    Attributes:
        proposal: The proposal for the gate; None if the triple was rejected.
    """

    proposal: Proposal | None
    finding: BacklogResult


def weigh(
    dreams: Dreams,
    case: BacklogCase,
    registry: Registry,
    asked: AskedModel,
    *,
    thresholds: Thresholds = THRESHOLDS,
) -> list[TripleCheck]:
    """Check the triples of a model's answer against the remarks, each of them once."""
    weighed: dict[str, TripleCheck] = {}
    # A runaway answer is cut, not refused: its first triples may be right.
    for dream in dreams.triples[:TRIPLES_MAX]:
        each = _weigh(dream, case, registry, asked, thresholds)
        weighed.setdefault(each.finding.fact, each)
    return list(weighed.values())


def _weigh(
    dream: Dream,
    case: BacklogCase,
    registry: Registry,
    asked: AskedModel,
    thresholds: Thresholds,
) -> TripleCheck:
    try:
        triple, uri = _read(dream, registry)
    # Recorded with its reason, so that the night's report shows what models get wrong.
    except InvalidArgument:
        names = f"{dream.subject[:64]} {dream.predicate[:64]} {dream.object[:64]}"
        return _refused(printable(names), "not_a_token")
    # A model must show the sentence: otherwise it may have made it up.
    found = _quoted(dream.quote, case.remarks)
    if found is None:
        return _refused(str(triple), "not_quoted", uri)
    remark, sentence = found
    grounding, doubt = _ground(triple, sentence, remark, case, thresholds)
    if grounding.band is Band.REJECTED:
        return _refused(str(triple), "not_grounded", uri)
    # What people rejected may be proposed again, but never held without them.
    if case.denied and _is_denied(triple, case.candidate.triple):
        doubt = "denied_by_people"
    proposal = Proposal(
        triple,
        confidence=min(sure(dream.confidence), PRIOR),
        source=StatementSource.DREAMING,
        # The speaker, since a model that repeats it is no second witness (C3, E5).
        principal=remark.principal,
        proposer=asked.proposer,
        subject=case.candidate.subject,
        asserts=not doubt,
        reason=doubt,
        evidence=Evidence(
            sentence[:SENTENCE_CHARACTERS_MAX], f"dreamt {grounding.score:.2f}"
        ),
        candidacy=CandidateDetails(
            predicate=uri,
            subject_raw=dream.subject,
            object_raw=dream.object,
            author=remark.principal,
            chunk_id=remark.chunk_id,
            extractor_version=EXTRACTOR,
            prompt_hash=asked.prompt_hash,
            model_version=asked.model_version,
            justification=f"read out of what was said around candidate "
            f"{case.candidate.id}",
        ),
    )
    return TripleCheck(proposal, BacklogResult(str(triple), "", "", uri))


def _read(dream: Dream, registry: Registry) -> tuple[Triple, str]:
    """Return a model's triple, with names as tokens, and the URI of its predicate.

    Raises:
        InvalidArgument: A name is not one token.
    """
    predicate = registry.named(dream.predicate)
    # Models may write names with spaces.
    triple = Triple(
        to_token("_".join(dream.subject.split()), "subject"),
        to_token("_".join(dream.object.split()), "object"),
        predicate.dimension,
        predicate.is_isa,
        dream.negated,
    )
    return triple, predicate.uri


def _is_denied(triple: Triple, rejected: Triple) -> bool:
    """Return whether a triple repeats the rejected one, in any dimension."""
    # The dimension is left out: a synonym of the rejected predicate is no news.
    return (triple.concept, triple.parent, triple.negated) == (
        rejected.concept,
        rejected.parent,
        rejected.negated,
    )


def _quoted(quote: str, remarks: Sequence[Remark]) -> tuple[Remark, str] | None:
    """Return the remark that contains a quote, and the whole sentences around it."""
    # Compared without regard to white space: models do not keep line breaks.
    wanted = _plain(quote)
    if not wanted:
        return None
    for remark in remarks:
        sentences = [_plain(each.text) for each in SourceText(remark.text).sentences]
        for first in range(len(sentences)):
            # A quote may leave out a negation or a doubt at its edge; whole sentences
            # cannot. It may span two of them.
            for last in range(first, min(first + 2, len(sentences))):
                held = " ".join(sentences[first : last + 1])
                if wanted in held:
                    return remark, held
    return None


def _plain(text: str) -> str:
    return " ".join(text.replace("\0", " ").split())


_FIRST = re.compile(r"\b(?:I|me|my|mine)\b")

# Only third persons can stand for somebody who was named before.
_THIRD = re.compile(r"\b(?:he|him|his|she|her|hers|it|its|they|them|their)\b", re.I)


def _ground(
    triple: Triple,
    sentence: str,
    remark: Remark,
    case: BacklogCase,
    thresholds: Thresholds,
) -> tuple[Grounding, str]:
    """Return the grounding of a triple in a sentence, and a doubt, empty if none.

    A triple with a doubt may only become a candidate.
    """
    text, doubt = _resolved(triple.concept, sentence, remark, case.remarks)
    grounding = ground_triple(triple, text, thresholds)
    # Between the thresholds: people decide, unless there is a stronger doubt.
    if grounding.band is Band.CANDIDATE:
        doubt = doubt or "weakly_grounded"
    # The doubt of the source comes first: a tool may only propose, however plain it says so.
    return grounding, remark.doubt or unstated(sentence) or doubt


def _resolved(
    concept: str, sentence: str, remark: Remark, remarks: Sequence[Remark]
) -> tuple[str, str]:
    """Return a sentence with a pronoun replaced by a name, and a doubt, empty if none."""
    if concept in _names(sentence):
        return sentence, ""
    # The server knows the speaker, so that "I" is resolved without a doubt.
    name = concept.replace("_", " ")
    if remark.speaker and name_of(remark.speaker) == concept:
        return _FIRST.sub(lambda _: name, sentence, count=1), ""
    # A pronoun refers back: only names in the remarks so far, and people decide.
    before = [each.text for each in remarks[: remarks.index(remark) + 1]]
    if any(concept in _names(text) for text in before):
        return _THIRD.sub(lambda _: name, sentence, count=1), "coreference"
    return sentence, ""


def name_of(principal: str) -> str:
    """Return the token of a principal in the graph; empty if it has none."""
    try:
        # "user:alice" is `alice` in the graph.
        return to_token(principal.rpartition(":")[2], "subject")
    except InvalidArgument:
        return ""


def _names(text: str) -> Collection[str]:
    return {token.text for token in tokenise(text)}


def _refused(fact: str, reason: str, uri: str = "") -> TripleCheck:
    return TripleCheck(None, BacklogResult(fact, "rejected", reason, uri))


def judged(finding: BacklogResult, outcome: str, reason: str) -> BacklogResult:
    """Return a finding with the gate's verdict."""
    return replace(finding, outcome=outcome, reason=reason)
