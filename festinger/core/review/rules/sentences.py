"""Extractor of explicit statements: "I prefer X", "we decided to", "X must".

The content is the whole sentence, so that a "not" in it is never lost. Requirements and
constraints with a pronoun as the subject are left out: they are unclear outside of
their text, and those of "you" are instructions. So are sentences that ask, suppose or
quote something, or are about the past.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from festinger.core.memories.types import MemoryType
from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.prose import PlainSentence, is_prose, passages, sentences_of
from festinger.core.review.rules.doubts import cleaned, is_meant
from festinger.core.review.rules.typed import marked

EXTRACTOR_VERSION = "0.1.0"
PRIOR = 0.5

_LEAD = r"(?:(?:so|thus|therefore|hence|finally|eventually|today|yesterday)[, ] ?|(?:in|on|at|after|for|as|from|with) [^,;:]{1,60}, )?"
_SURELY = (
    r"(?:(?:really|strongly|personally|always|usually|generally|definitely|much"
    r"|clearly|also|all|both|finally|then|now|unanimously|jointly|already|have|has) )*"
)
_SUBJECT = r"(?P<subject>[^\s,;:()?!]+(?: [^\s,;:()?!]+){0,7}?)"

_PREFERENCE = re.compile(
    rf"{_LEAD}(?:(?:i|we) {_SURELY}(?:prefer|favou?r) \S"
    r"|(?:my|our) (?:favou?rite|preferred) \S+(?: \S+){0,3}? (?:is|are) (?!not\b)\S)",
    re.IGNORECASE,
)
_IDENTITY = re.compile(
    r"(?:[Ii] am|[Ii]'m|[Ii]’m) (?:an?|the) "  # noqa: RUF001
    r"(?!(?:bit|little|lot|tad|big|huge|fan|bot|believer|one|same|person|user) ?)\S"
    r"|[Mm]y name is [A-Z]\S"
    r"|[Ii] work (?:as|at|for|in) (?:an?|the|[A-Z])\S*",
)
_DECISION = re.compile(
    rf"{_LEAD}(?:(?:we|the (?:team|group|board|committee)|(?:we|the team)(?:'ve|’ve)) "  # noqa: RUF001
    rf"{_SURELY}(?:decided (?:to|on|that|against|for|not to)|agreed (?:to|on|that)"
    r"|settled on|opted (?:for|to)|chose(?:n)?) \S"
    r"|it (?:was|has been) (?:decided|agreed) (?:to|that) \S)",
    re.IGNORECASE,
)
_CONSTRAINT = re.compile(
    rf"{_SUBJECT} (?:must (?:not|never)|shall (?:not|never)|mustn't"
    r"|(?:cannot|can not|can't|may not|must not) exceed"
    r"|(?:is|are) (?:limited|restricted) to) \S+ ?\S*",
    re.IGNORECASE,
)
_REQUIREMENT = re.compile(
    rf"{_SUBJECT} (?:must|shall|(?:is|are) required to) "
    r"(?!not\b|never\b|have been\b|see\b|read\b|be kidding\b)\S+ \S",
    re.IGNORECASE,
)
_RULES = (
    ("sentence_preference", MemoryType.PREFERENCE, _PREFERENCE),
    ("sentence_identity", MemoryType.IDENTITY, _IDENTITY),
    ("sentence_decision", MemoryType.DECISION, _DECISION),
    ("sentence_constraint", MemoryType.CONSTRAINT, _CONSTRAINT),
    ("sentence_requirement", MemoryType.REQUIREMENT, _REQUIREMENT),
)

# Words that are unclear outside of the text, or that are not the subject.
_NO_SUBJECT = re.compile(
    r"(?:you|your|it|its|this|that|these|those|they|he|she|i|there|one|here|what|who"
    r"|which|whoever|whatever|where|why|how|when|whenever|while|before|after|once|until"
    r"|though|although|because|since|as|for|in|on|at|by|with|without|from|to|of|and|but"
    r"|or|so|then|please|note|also|not|no|none|nothing|nobody|neither|nor|never|some"
    r"|something|somebody|someone|anything|everything|readers?|people|even|only|just"
    r"|first|next|finally|instead|such|redistributions?|remember|make|see|use|life|why)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"[^\W\d_]{2}")
# Before a noun, as in "a must" or "the will of the must".
_ARTICLE_LAST = re.compile(r"(?:^|\s)(?:an?|the|that|which|who|you|it|they|we've|to)$")


class Sentences:
    """Extractor of plain statements of preference, identity, decision and duty."""

    name = "sentences"
    version = EXTRACTOR_VERSION
    whole = False

    def wants(self, path: str) -> bool:
        """Return True for documents in prose."""
        return is_prose(path)

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the statements of its sentences, in the order of the text."""
        return [
            found
            for passage in passages(source)
            for sentence in sentences_of(source, passage)
            for found in _read(sentence)
        ]


def _read(sentence: PlainSentence) -> Iterator[ExtractorFinding]:
    if not is_meant(sentence) or marked(sentence.text):
        return  # an item with a type says itself what it is
    for rule, kind, pattern in _RULES:
        match = pattern.match(sentence.guarded)
        if match is None or not _has_subject(match):
            continue
        yield ExtractorFinding(kind, cleaned(sentence.text), rule, PRIOR, sentence.span)
        return


def _has_subject(match: re.Match[str]) -> bool:
    subject = match.groupdict().get("subject")
    if subject is None:
        return True
    if (
        ". " in subject
        or _NO_SUBJECT.match(subject)
        or _ARTICLE_LAST.search(subject.lower())
    ):
        return False
    return _NAMED.search(subject) is not None
