"""Extractor of explicit statements: "I prefer X", "we decided to", "X must".

Requirements and constraints with a pronoun as the subject are left out: they are unclear
outside of their text, and those of "you" are instructions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from festinger.core.memories.types import MemoryType
from festinger.core.review.extractors import ExtractionSource, ExtractorFinding
from festinger.core.review.prose import (
    Paragraph,
    PlainSentence,
    ProseExtractor,
    passages,
    sentences_of,
)
from festinger.core.review.rules.doubts import (
    CUT_SUBJECT,
    NO_SUBJECT,
    cleaned,
    decides_back,
    is_boilerplate,
    is_meant,
    points_back,
)
from festinger.core.review.rules.titles import is_decision, topics, with_title

EXTRACTOR_VERSION = "0.3.0"
PRIOR = 0.5
WEAK_PRIOR = 0.45
"""Prior of rules in softer words: "should", "do not"."""
RULE_WORDS_MIN = 5
"""Minimum number of words of a rule in the imperative."""

# What may stand before the subject: "So, …", "In production, …".
_LEAD = r"(?:(?:so|thus|therefore|hence|finally|eventually|today|yesterday)[, ] ?|(?:in|on|at|after|for|as|from|with) [^,;:]{1,60}, )?"
_SURELY = (
    r"(?:(?:really|strongly|personally|always|usually|generally|definitely|much"
    r"|clearly|also|all|both|finally|then|now|unanimously|jointly|already|have|has) )*"
)
_SUBJECT = r"(?P<subject>[^\s,;:()?!]+(?: [^\s,;:()?!]+){0,7}?)"

_INTENT = (
    r"(?:also |always |all )*(?:continue|strive|try|aim|work towards?|keep in mind"
    r"|investigate|explore|consider|be (?:careful|mindful|cautious|kind|respectful))\b"
)
"""What one only hopes to do, or takes care of, binds nobody."""

# "I prefer Go", "We strongly favour small services", "My favourite editor is Vim".
_PREFERENCE = re.compile(
    rf"{_LEAD}(?:(?:i|we) {_SURELY}(?:prefer|favou?r) \S"
    r"|(?:my|our) (?:favou?rite|preferred) \S+(?: \S+){0,3}? (?:is|are) (?!not\b)\S)",
    re.IGNORECASE,
)
# "I am a nurse", "My name is Ada", "I work for Acme"; not "I am a bit tired". The case
# counts, as names have capitals.
_IDENTITY = re.compile(
    r"(?:[Ii] am|[Ii]'m|[Ii]’m) (?:an?|the) "  # noqa: RUF001
    r"(?!(?:bit|little|lot|tad|big|huge|fan|bot|believer|one|same|person|user) ?)\S"
    r"|[Mm]y name is [A-Z]\S"
    r"|[Ii] work (?:as|at|for|in) (?:an?|the|[A-Z])\S*",
)
# "We decided to use Postgres", "The team has agreed on SemVer", "It was decided that …".
_DECISION = re.compile(
    rf"{_LEAD}(?:(?:we|the (?:team|group|board|committee)|(?:we|the team)(?:'ve|’ve)) "  # noqa: RUF001
    rf"{_SURELY}(?:decided (?:to|on|that|against|for|not to)|agreed (?:to|on|that)"
    r"|settled on|opted (?:for|to)|chose(?:n)?) \S"
    r"|it (?:was|has been) (?:decided|agreed) (?:to|that) \S)",
    re.IGNORECASE,
)
# "The cache must not exceed 2 GB", "Uploads are limited to 10 MB".
_CONSTRAINT = re.compile(
    rf"{_SUBJECT} (?:must (?:not|never)|shall (?:not|never)|mustn't"
    r"|(?:cannot|can not|can't|may not|must not) exceed"
    r"|(?:is|are) (?:limited|restricted) to) \S+ ?\S*",
    re.IGNORECASE,
)
# "Every service must log in JSON"; neither "must have been" nor "must see".
_REQUIREMENT = re.compile(
    rf"{_SUBJECT} (?:must|shall|(?:is|are) required to) "
    rf"(?!not\b|never\b|have been\b|see\b|read\b|be kidding\b|{_INTENT})\S+ \S",
    re.IGNORECASE,
)
# "Force pushes are not allowed", "Guests can only read", "Tests should never sleep".
_FORBIDDEN = re.compile(
    rf"{_SUBJECT} (?:(?:is|are) (?:not|never) (?:allowed|permitted|supported|accepted"
    r"|recommended)|(?:is|are) (?:forbidden|prohibited|disallowed|mandatory|optional)"
    r"(?=\W|$)(?! [^\W\d_]+s\b)"
    r"|(?:may|can) only|(?:should|may) (?:not|never)|should only)\b(?: \S+){0,2}",
    re.IGNORECASE,
)
# "Branches should be short"; "should be able" and "should work" are hopes.
_ADVICE = re.compile(
    rf"{_SUBJECT} (?:should|defaults? to) "
    rf"(?!not\b|never\b|have been\b|see\b|read\b|work\b|look\b|{_INTENT}"
    r"|be (?:enough|visible|able|aware|fine|ok|easy|familiar)\b)\S+ \S",
    re.IGNORECASE,
)
# "Each pod needs to …", "The client has to …": only with an article or the like.
_NEED = re.compile(
    r"(?P<subject>(?:an?|the|all|any|each|every|new|both) [^\s,;:()?!]+"
    r"(?: [^\s,;:()?!]+){0,6}?)"
    r" (?:needs? to|ha(?:s|ve) to|requires?) (?!be able\b|have\b)\S+ \S",
    re.IGNORECASE,
)
# "Never commit secrets"; "do not worry" is no rule.
_IMPERATIVE = re.compile(
    r"(?:please )?(?:do not|don't|don’t|never|always|avoid)"  # noqa: RUF001
    r" (?!worry\b|hesitate\b|forget\b|panic\b|be\b|get\b|feel\b)\S+ \S",
    re.IGNORECASE,
)
# "We use Sentry for errors"; "we use to" is a habit of the past.
_PRACTICE = re.compile(
    rf"we {_SURELY}(?:use|run|deploy|host|store|rely on|depend on|support|release"
    r"|publish|test|build) (?!to\b)\S+ \S",
    re.IGNORECASE,
)
_RULES = (
    ("sentence_preference", MemoryType.PREFERENCE, _PREFERENCE, PRIOR),
    ("sentence_identity", MemoryType.IDENTITY, _IDENTITY, PRIOR),
    ("sentence_decision", MemoryType.DECISION, _DECISION, PRIOR),
    ("sentence_constraint", MemoryType.CONSTRAINT, _CONSTRAINT, PRIOR),
    ("sentence_requirement", MemoryType.REQUIREMENT, _REQUIREMENT, PRIOR),
    ("sentence_constraint", MemoryType.CONSTRAINT, _FORBIDDEN, WEAK_PRIOR),
    ("sentence_requirement", MemoryType.REQUIREMENT, _ADVICE, WEAK_PRIOR),
    ("sentence_requirement", MemoryType.REQUIREMENT, _NEED, WEAK_PRIOR),
    ("sentence_practice", MemoryType.COMPONENT, _PRACTICE, WEAK_PRIOR),
    ("sentence_rule", MemoryType.CONSTRAINT, _IMPERATIVE, WEAK_PRIOR),
)
_OF_ITS_TITLE = (MemoryType.CONSTRAINT, MemoryType.REQUIREMENT)

_NAMED = re.compile(r"[^\W\d_]{2}")  # a subject of marks or single letters is none
# What another sentence names.
_PRONOUN = re.compile(
    r"\b(?:this|these|those|(?:in|to|of|for|on|by|with|at|from|about) that|them|its?|they"
    r"|their|such|above|below|following|anymore|again|(?:the )?(?:former|latter)"
    r"|(?:the )?same (?:approach|way|thing|method))\b",
    re.IGNORECASE,
)
_ELSEWHERE = re.compile(
    r"\b(?:this|these)\b(?! (?:document|project|repo|repository|guide|policy|team"
    r"|service|application|package|library|file|page|folder|directory)\b)",
    re.IGNORECASE,
)
# "Consider it a bug if:" makes its items conditions.
_CONDITION = re.compile(
    r"\b(?:if|when|whether|unless|reasons?|criteria|criterion|factors?|cases?|conditions?"
    r"|one of|some of|any of|examples?|benefits?|advantages?|drawbacks?|questions?|could"
    r"|might|may|heuristics?|what makes|counts? as|considered)\b",
    re.IGNORECASE,
)
"""Introductions of lists whose items do not hold by themselves."""
TYPES = {
    "decision": MemoryType.DECISION,
    "requirement": MemoryType.REQUIREMENT,
    "constraint": MemoryType.CONSTRAINT,
    "measurement": MemoryType.MEASUREMENT,
    "preference": MemoryType.PREFERENCE,
    "identity": MemoryType.IDENTITY,
    "component": MemoryType.COMPONENT,
    "validation claim": MemoryType.VALIDATION_CLAIM,
}
"""Types by marker, in the singular: "Requirements:" is the title of a section."""

_WORD = "|".join(TYPES).replace(" ", r"[ _-]")
_NUMBER = r"(?: +(?:#? ?\d+(?:\.\d+)*|[A-Z]{1,6}-?\d+))?"
# "[Decision] …"; not "[Decision](url)", and not "[decision]: url", which defines a link.
_BRACKETED = re.compile(
    rf"\[({_WORD})\](?![(\[])(?!: *\S+$) *[:–—-]? *(\S.*)",  # noqa: RUF001
    re.IGNORECASE,
)
_LABELLED = re.compile(rf"({_WORD}){_NUMBER} *: +(\S.*)", re.IGNORECASE)
_DASHED = re.compile(rf"({_WORD}){_NUMBER} +[–—-] +(\S.*)", re.IGNORECASE)  # noqa: RUF001
_COUNTED = re.compile(r"\d+(?:\.\d+)*[.)]? +")


class Sentences(ProseExtractor):
    """Extractor of plain statements of preference, identity, decision and duty."""

    name = "sentences"
    version = EXTRACTOR_VERSION

    def extract(self, source: ExtractionSource) -> Sequence[ExtractorFinding]:
        """Return the statements of its sentences, in the order of the text."""
        return [
            found
            for passage in passages(source)
            for sentence in sentences_of(source, passage)
            if (found := _read(sentence, passage, source))
        ]


def _read(
    sentence: PlainSentence, passage: Paragraph, source: ExtractionSource
) -> ExtractorFinding | None:
    if not is_meant(sentence) or marked(sentence.text):
        return None  # an item with a type says itself what it is
    # The whole sentence, so that a "not" in it is never lost.
    content = cleaned(sentence.text)
    for rule, kind, pattern, prior in _RULES:
        match = pattern.match(sentence.guarded)
        if match is None or not _has_subject(match) or is_boilerplate(content):
            continue
        # A rule is about its title; "This service must …" points at something else.
        is_rule = kind in _OF_ITS_TITLE
        if is_rule and not _is_whole(sentence, passage):
            continue
        # "we decided to use it" needs the sentence before.
        if kind is MemoryType.DECISION and decides_back(sentence.guarded):
            continue
        # Soft words are weaker evidence, so more is asked of the sentence.
        if prior < PRIOR and not _is_clear(sentence, match):
            continue
        if is_rule or (kind is MemoryType.DECISION and is_decision(source, passage)):
            # "The tool must …" means the tool of the title; a name needs none.
            subject = match.groupdict().get("subject") or ""
            content = with_title(content, subject, topics(source, passage))
        return ExtractorFinding(kind, content, rule, prior, sentence.span)
    return None


def _is_whole(sentence: PlainSentence, passage: Paragraph) -> bool:
    """Return whether a rule holds without what stands above it."""
    text = sentence.guarded
    elsewhere = _ELSEWHERE.search(text) or points_back(text)
    return not (elsewhere or _CONDITION.search(passage.lead))


def _is_clear(sentence: PlainSentence, match: re.Match[str]) -> bool:
    """Return whether a rule in soft words is understood without the text around it."""
    whole = sentence.guarded
    subject = match.groupdict().get("subject")
    if subject is None and whole.count(" ") + 1 < RULE_WORDS_MIN:
        return False
    # A pronoun behind a noun of the same sentence may mean that noun.
    until = len(whole) if subject is None else match.end()
    return _PRONOUN.search(whole, 0, until) is None


def _has_subject(match: re.Match[str]) -> bool:
    subject = match.groupdict().get("subject")
    if subject is None:
        return True
    if ". " in subject or NO_SUBJECT.match(subject) or CUT_SUBJECT.search(subject):
        return False
    return _NAMED.search(subject) is not None


def marked(line: str, *, heading: bool = False) -> tuple[MemoryType, str] | None:
    """Return the type and the content of a marked line; None if it is not marked.

    Args:
        heading: Whether it is a heading, which may have a dash instead of the colon,
            and a number in front.
    """
    if heading and (counted := _COUNTED.match(line)):  # "## 3. Decision: …"
        line = line[counted.end() :]
    match = _BRACKETED.fullmatch(line) or _LABELLED.fullmatch(line)
    # In prose a dash is an aside: "The decision - as always - …".
    if match is None and heading:
        match = _DASHED.fullmatch(line)
    if match is None:
        return None
    word = re.sub("[_-]", " ", match[1].lower())
    return TYPES[word], match[2]
