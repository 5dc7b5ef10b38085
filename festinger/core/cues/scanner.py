"""The walk over a text: from cue words to statements with a verdict."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from festinger._fast import CONCEPT, Scan, readable, unemphasised
from festinger._fast.values import SENTENCE_CHARACTERS_MAX
from festinger.core.cues import rules
from festinger.core.cues.patterns import (
    COPULA,
    KEYWORD,
    LEADS,
    PATTERNS,
    Match,
    match_at,
)
from festinger.core.cues.phrases import (
    Lexicon,
    Phrase,
    has_form_of_name,
    read_phrase,
    without_emphasis,
)
from festinger.core.cues.sentences import Sentence, SentenceReader
from festinger.core.cues.subjects import (
    Edge,
    Subject,
    read_as_a_service,
    read_subject,
)
from festinger.core.cues.words import MEMBER_HEADS, RELATIONAL, TRANSPARENT
from festinger.core.proposal import MEMBERSHIP, Triple
from festinger.core.tokens import is_renderable

SCANNED_CHARACTERS_MAX: Final = 64 * 1024
"""Of a longer text only the beginning is scanned."""
FOUND_MAX: Final = 200
"""Statements of a text after which no more are looked for: no person writes so many
in one message, and each costs its share of everybody's time."""
CUES_MAX: Final = 3
"""More cues than that in a sentence are a list of something else."""

MODIFIER_WORDS_MAX: Final = 6
"""How far behind the object its dimension may be named: "in the context of the Z"."""

HELD_MIN: Final = 0.70
CANDIDATE_MIN: Final = 0.45


_SEEDED: Final = frozenset(pattern.dimension for pattern in PATTERNS.values())


class Verdict(StrEnum):
    """What the scanner makes of a statement; the gate decides what becomes of it."""

    HELD = "held"
    CANDIDATE = "candidate"
    DROPPED = "dropped"

    @classmethod
    def of(cls, confidence: float) -> Verdict:
        """The verdict on a confidence."""
        return _verdict(confidence)


# A member's place among its kind takes longer to look up than a name's.
_START: Final = Edge.START
_HELD: Final = Verdict.HELD
_CANDIDATE: Final = Verdict.CANDIDATE
_DROPPED: Final = Verdict.DROPPED


def _verdict(confidence: float) -> Verdict:
    if confidence >= HELD_MIN:
        return _HELD
    return _CANDIDATE if confidence >= CANDIDATE_MIN else _DROPPED


@dataclass(frozen=True, slots=True)
class Cue:
    """One statement found in a text.

    Attributes:
        rule: The pattern, as `patterns.PATTERNS` names it.
        confidence: The pattern's prior, lowered where the statement is doubtful.
        reason: One word: why it is doubtful or dropped; empty if it is held.
        start: Where the statement begins in the NFC text, in characters.
        end: The offset behind it.
        sentence: The sentence, at most 400 characters.
    """

    triple: Triple
    rule: str
    confidence: float
    verdict: Verdict
    reason: str
    start: int
    end: int
    sentence: str


def find_cues(scan: Scan, lexicon: Lexicon) -> list[Cue]:
    """Return the statements of a text in order, dropped ones included.

    Cue-first: where no cue word is followed as a pattern needs it, nothing of the
    text is looked at. The work is linear in the text's length.

    A common noun of several words has no token of its own, since only capitalised
    words merge (B3). As a subject its words are joined all the same, `load_balancer`
    for "a load balancer": such subjects are generic and never more than candidates,
    so a person reads the name before it is held, the name says what was meant where
    `balancer` alone would be another concept's, and it is the token that "Load
    Balancer" has later. A parent stays its head noun.

    Args:
        scan: The tokens of the text.
        lexicon: Which words are everyday words, and which concepts are known.
    """
    text = scan.text
    scan = _without_marks(scan)
    leads, hopes = LEADS.find(scan)
    if not hopes:
        return []
    # The cap falls between two sentences only by chance, hence the margin.
    end = SCANNED_CHARACTERS_MAX + SENTENCE_CHARACTERS_MAX
    reader = SentenceReader(scan, readable(scan.text[:end]) + scan.text[end:])
    found: list[Cue] = []
    done = 0
    for lead in leads:
        if scan.start(lead) >= SCANNED_CHARACTERS_MAX or len(found) >= FOUND_MAX:
            break
        if lead < done:
            continue
        first, done = reader.around(lead)
        if first >= 0 and _is_any(hopes, first, done):
            found.extend(_cues_of(reader.sentence(first), text, lexicon))
    return found


def _is_any(positions: list[int], first: int, end: int) -> bool:
    """Whether any of some positions, which are in order, is in a range."""
    at = bisect_left(positions, first)
    return at < len(positions) and positions[at] < end


def _without_marks(scan: Scan) -> Scan:
    """Scan again where `_` encloses several words: there it belongs to none of them."""
    text = unemphasised(scan.text)
    if text is scan.text:
        return scan
    again = type(scan)(text)
    # Marks by the dozen in a row may compose once more, and offsets would not hold.
    return again if len(again.text) == len(text) else scan


def _cues_of(sentence: Sentence, text: str, lexicon: Lexicon) -> list[Cue]:
    found: list[Cue] = []
    done = matches = 0
    previous: _Statement | None = None
    for at in sentence.cues:
        if at < done or matches == CUES_MAX:
            continue
        match = match_at(sentence, at)
        if match is None:
            continue
        done, matches = match.end, matches + 1
        statement = _read(sentence, match, previous, lexicon)
        if statement is None:
            continue
        previous = statement
        confidence, reason = _judge(sentence, statement)
        for triple in _triples(sentence, statement, lexicon):
            found.append(_cue(sentence, text, statement, triple, confidence, reason))
    return found


class _Statement:
    def __init__(self, match: Match, subject: Subject, phrase: Phrase) -> None:
        self.match = match
        self.pattern = match.pattern
        self.subject = subject
        self.phrase = phrase


def _read(
    sentence: Sentence, match: Match, previous: _Statement | None, lexicon: Lexicon
) -> _Statement | None:
    subject = (
        read_as_a_service(sentence, match.start)
        or read_subject(sentence, match.start, lexicon)
        or _same_subject(sentence, match, previous)
    )
    if subject is None:
        return None
    phrase = read_phrase(sentence, match.end, lexicon)
    if (
        phrase is not None
        and match.pattern.is_isa
        and phrase.name in TRANSPARENT
        and sentence.follows(phrase.end, "of")
    ):
        # "a form of reusability": what is behind the "of" is the head.
        phrase = read_phrase(sentence, phrase.end + 1, lexicon)
    return None if phrase is None else _Statement(match, subject, phrase)


def _same_subject(
    sentence: Sentence, match: Match, previous: _Statement | None
) -> Subject | None:
    """Return the subject that "and" carries on: "is a repo and runs on Docker"."""
    if previous is None or match.start != previous.phrase.end + 1:
        return None
    return previous.subject if sentence.words[match.start - 1] == "and" else None


def _judge(sentence: Sentence, statement: _Statement) -> tuple[float, str]:
    match, subject, phrase = statement.match, statement.subject, statement.phrase
    reason = rules.reason_to_drop(sentence, match, subject, phrase)
    if reason:
        return rules.DROPPED, reason
    most, reason = rules.doubt(sentence, match, subject, phrase)
    prior = match.pattern.prior
    if subject.edge is not _START and prior != KEYWORD:
        prior = min(prior, COPULA)
    return (most, reason) if reason and most <= prior else (prior, "")


def _triples(
    sentence: Sentence, statement: _Statement, lexicon: Lexicon
) -> list[Triple]:
    triples: list[Triple] = []
    pattern, phrase = statement.pattern, statement.phrase
    concept, negated = statement.subject.name, statement.match.negated
    context = _context(sentence, phrase.end)
    whole = _named_after(sentence, phrase.end, "of", lexicon)
    if context is not None:
        dimension, whole = context, None
    elif pattern.is_isa and whole is not None and phrase.name not in RELATIONAL:
        dimension, whole = whole, None
    else:
        dimension = pattern.dimension
    member = pattern.is_isa and whole is not None and phrase.name in MEMBER_HEADS
    # "An integral part of Z" is no kind of thing, and to deny a membership is not
    # to deny that it is a component of something.
    if not (member and (negated or phrase.name in ("part", "member"))):
        triples.append(Triple(concept, phrase.name, dimension, pattern.is_isa, negated))
    if member and whole is not None:
        triples.append(Triple(concept, whole, MEMBERSHIP, False, negated))
    return triples


def _named_after(
    sentence: Sentence, at: int, preposition: str, lexicon: Lexicon
) -> str | None:
    """Return the name behind "of", if nothing but a name is there."""
    if not sentence.follows(at, preposition):
        return None
    phrase = read_phrase(sentence, at + 1, lexicon)
    if phrase is None or not phrase.is_single or phrase.determiner not in ("", "the"):
        return None
    return phrase.name if has_form_of_name(sentence, phrase.head, lexicon) else None


def _context(sentence: Sentence, at: int) -> str | None:
    """Return the dimension that "in context of Z" names, as `gutask` writes it.

    None where nothing is said of a context; "" where what is named is no concept, and
    then the statement cannot be placed at all.
    """
    if not sentence.follows(at, "in"):
        return None
    at += 2 if sentence.follows(at + 1, "the") else 1
    if not (sentence.follows(at, "context") and sentence.follows(at + 1, "of")):
        return None
    at += 3 if sentence.follows(at + 2, "the") else 2
    if at >= len(sentence.words):
        return None
    named = sentence.flags[at] & CONCEPT
    return without_emphasis(sentence.words[at]) if named else ""


def _cue(
    sentence: Sentence,
    text: str,
    statement: _Statement,
    triple: Triple,
    confidence: float,
    reason: str,
) -> Cue:
    if confidence >= CANDIDATE_MIN and not _may_be_told(triple):
        confidence, reason = rules.DROPPED, "name"
    first = sentence.starts[0]
    last = min(sentence.ends[-1] + 1, first + SENTENCE_CHARACTERS_MAX)
    return Cue(
        triple,
        statement.pattern.name,
        confidence,
        _verdict(confidence),
        reason,
        sentence.starts[statement.subject.start],
        sentence.ends[_end(sentence, statement, triple) - 1],
        text[first:last].rstrip(),
    )


def _end(sentence: Sentence, statement: _Statement, triple: Triple) -> int:
    """The word behind a statement, "of Z" and "in context of Z" included."""
    end = statement.phrase.end
    # Only what was said there: every sentence may hold the word "type" by chance.
    told = {statement.phrase.name, statement.pattern.dimension}
    named = {triple.parent, triple.dimension} - told
    behind = sentence.words[end : end + MODIFIER_WORDS_MAX] if named else []
    for at, word in enumerate(behind, end + 1):
        if without_emphasis(word) in named:
            return at
    return end


def _may_be_told(triple: Triple) -> bool:
    names = {triple.concept, triple.parent, triple.dimension} - _SEEDED
    return triple.concept != triple.parent and all(map(is_renderable, names))
