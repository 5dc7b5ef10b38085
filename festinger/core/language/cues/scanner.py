"""Scan a text for cue words, and return statements with a verdict."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from festinger._fast import CONCEPT, CUE, Scan, Sentence, SentenceReader, readable
from festinger._fast.values import PLAIN, SENTENCE_CHARACTERS_MAX
from festinger.core.graph.proposal import MEMBERSHIP, TYPE, Triple
from festinger.core.graph.tokens import RENDERED_CHARACTERS_MAX, is_renderable
from festinger.core.language.cues.context_checks import around
from festinger.core.language.cues.doubts import CERTAIN, DOUBTFUL, DROPPED, MOST, doubt
from festinger.core.language.cues.emphasis import unemphasised
from festinger.core.language.cues.lists import (
    AND,
    IN,
    LISTS,
    MEMBER_HEADS,
    OF,
    RELATIONAL,
    THE,
    TRANSPARENT,
)
from festinger.core.language.cues.patterns import (
    COPULA,
    CUE_FILTER,
    KEYWORD,
    PATTERNS,
    Match,
    match_at,
)
from festinger.core.language.cues.phrases import (
    Lexicon,
    has_form_of_name,
    read_phrase,
    without_emphasis,
)
from festinger.core.language.cues.rules import reason_to_drop
from festinger.core.language.cues.subjects import Subject, SubjectEdge, read_subject

SCANNED_CHARACTERS_MAX: Final = 64 * 1024
"""Maximum number of scanned characters; the rest of a longer text is ignored."""
FOUND_MAX: Final = 200
"""Maximum number of statements from a text: no person writes as many in one message,
and each of them takes server time."""
CUES_MAX: Final = 3
"""Maximum number of cues in a sentence; with more it is probably a list."""

MODIFIER_WORDS_MAX: Final = 6
"""Maximum distance of the dimension from the object: "in the context of the Z"."""

HELD_MIN: Final = 0.70  # both as the gate has them (E2)
CANDIDATE_MIN: Final = 0.45

# Names of dimensions that come from patterns need no check.
_SEEDED: Final = frozenset(pattern.dimension for pattern in PATTERNS.values())


class CueVerdict(StrEnum):
    """Verdict of the scanner on a statement; the gate has its own."""

    HELD = "held"
    CANDIDATE = "candidate"
    DROPPED = "dropped"


# Looking up a member of an enum takes longer than looking up a global.
_START: Final = SubjectEdge.START
_HELD: Final = CueVerdict.HELD
_CANDIDATE: Final = CueVerdict.CANDIDATE
_DROPPED: Final = CueVerdict.DROPPED


def _verdict(confidence: float) -> CueVerdict:
    if confidence >= HELD_MIN:
        return _HELD
    return _CANDIDATE if confidence >= CANDIDATE_MIN else _DROPPED


class Cue(NamedTuple):
    """A statement found in a text.

    Attributes:
        rule: Name of the pattern in `patterns.PATTERNS`.
        confidence: Prior of the pattern, lowered if the statement is doubtful.
        reason: One-word reason why it is doubtful or dropped; empty if it is held.
        start: Begin of the statement in the NFC text, in characters.
        end: Offset behind it.
        sentence: The sentence, at most 400 characters.
    """

    triple: Triple
    rule: str
    confidence: float
    verdict: CueVerdict
    reason: str
    start: int
    end: int
    sentence: str


def find_cues(scan: Scan, lexicon: Lexicon) -> list[Cue]:
    """Return the statements of a text in order, including dropped ones.

    The running time is linear in the text's length. A subject of several common words is
    joined to a token (`load_balancer`), which only capitalised words are otherwise (B3):
    `balancer` alone would be another concept. A parent is its head noun only.
    """
    text = scan.text
    scan = _without_marks(scan)
    # Cue words that a pattern follows, and those with nothing around them that rules a statement
    # out. Without any the text is not parsed.
    leads, hopes = CUE_FILTER.find(scan)
    if not hopes:
        return []
    # The limit may fall within a sentence, hence the margin.
    end = SCANNED_CHARACTERS_MAX + SENTENCE_CHARACTERS_MAX
    near = [scan.start(lead) for lead in leads]
    # Code, links and quotes are masked near the leads only.
    prose = readable(scan.text[:end], near, scan.fenced)
    if len(prose) < len(scan.text):
        prose += scan.text[end:]
    reader = SentenceReader(scan, prose, LISTS)
    found: list[Cue] = []
    done = hope = 0
    hoped = -1
    for lead in leads:
        if scan.start(lead) >= SCANNED_CHARACTERS_MAX or len(found) >= FOUND_MAX:
            break
        # Its sentence was read with an earlier cue.
        if lead < done:
            continue
        first = reader.around(lead)
        done = reader.done
        if first < 0:
            continue
        # A sentence is parsed if it has a cue of the second kind.
        while hoped < first and hope < len(hopes):
            hoped, hope = hopes[hope], hope + 1
        if first <= hoped < done:
            _add_cues(found, reader.sentence(first), text, lexicon)
    return found


def _without_marks(scan: Scan) -> Scan:
    """Return a new scan if `_` encloses several words, as it belongs to none."""
    if not scan.underscored:
        return scan
    text = unemphasised(scan.text)
    if text is scan.text:
        return scan
    again = type(scan)(text)
    # Long runs of combining marks may compose again, which would shift offsets.
    return again if len(again.text) == len(text) else scan


def _add_cues(
    found: list[Cue], sentence: Sentence, text: str, lexicon: Lexicon
) -> None:
    done = matches = 0
    previous: Match | None = None
    for at in range(sentence.count):
        if at < done or not sentence.flags(at) & CUE:
            continue
        if matches == CUES_MAX:
            break
        match = match_at(sentence, at)
        if match is None:
            continue
        done, matches = match.end, matches + 1  # a pattern may contain cue words
        if not _read(sentence, match, previous, lexicon):
            continue
        previous = match
        _judge(sentence, match, lexicon)
        _add(found, sentence, text, match, lexicon)


def _read(
    sentence: Sentence, match: Match, previous: Match | None, lexicon: Lexicon
) -> bool:
    """Read subject and object of a match; return False if either is missing."""
    subject = read_subject(sentence, match.start, lexicon)
    if subject is None:
        subject = _same_subject(sentence, match, previous)
    if subject is None:
        return False
    phrase = read_phrase(sentence, match.end, lexicon)
    if (
        phrase is not None
        and match.pattern.is_isa
        and phrase.lists & TRANSPARENT
        and sentence.follows(phrase.end, OF)
    ):
        # "a form of reusability": what is behind the "of" is the head.
        phrase = read_phrase(sentence, phrase.end + 1, lexicon)
    if phrase is None:
        return False
    match.subject, match.phrase = subject, phrase
    return True


def _same_subject(
    sentence: Sentence, match: Match, previous: Match | None
) -> Subject | None:
    """Return the subject that "and" continues: "is a repo and runs on Docker"."""
    if previous is None or match.start != previous.phrase.end + 1:
        return None
    return previous.subject if sentence.lists(match.start - 1) & AND else None


def _judge(sentence: Sentence, match: Match, lexicon: Lexicon) -> None:
    reason = reason_to_drop(sentence, match, lexicon)
    if reason:
        match.confidence, match.reason = DROPPED, reason
        return
    reason = doubt(sentence, match, lexicon)
    # Behind other words a subject is less sure than at the start; keywords are unmistakable.
    prior = match.pattern.prior
    if match.subject.edge != _START and prior != KEYWORD:
        prior = min(prior, COPULA)
    most = MOST.get(reason, DOUBTFUL) if reason else CERTAIN
    # The lower one decides, and a reason that lowers nothing is not shown.
    if most > prior:
        most, reason = prior, ""
    # Candidates are reviewed by a person, so that their context need not be checked.
    if most >= HELD_MIN:
        taken_back = _taken_back(sentence)
        if taken_back:
            most, reason = DROPPED, taken_back
    match.confidence, match.reason = most, reason


def _taken_back(sentence: Sentence) -> str:
    surroundings = sentence.surroundings()
    if not surroundings:
        return ""
    start, end = sentence.start(0), sentence.end(sentence.count - 1)
    return around(sentence.text, start, end, surroundings)


def _add(
    found: list[Cue], sentence: Sentence, text: str, match: Match, lexicon: Lexicon
) -> None:
    """Add the statements of a match: "a component of Z" is also a part of Z."""
    pattern, phrase = match.pattern, match.phrase
    context = _context(sentence, phrase.end)
    whole = _named_after_of(sentence, phrase.end, lexicon)
    if context is not None:
        dimension, whole = context, None
    # "A repo of Glitch University" names a dimension, "a fork of Django" a relation.
    elif pattern.is_isa and whole is not None and not phrase.lists & RELATIONAL:
        dimension, whole = whole, None
    else:
        dimension = pattern.dimension
    member = pattern.is_isa and whole is not None and phrase.lists & MEMBER_HEADS != 0
    # "An integral part of Z" is no classification, and denying a membership does not
    # deny being a component of something.
    if not (member and (match.negated or phrase.name in ("part", "member"))):
        isa = pattern.is_isa
        found.append(_cue(sentence, text, match, phrase.name, dimension, isa))
    if member and whole is not None:
        found.append(_cue(sentence, text, match, whole, MEMBERSHIP, False))


def _named_after_of(sentence: Sentence, at: int, lexicon: Lexicon) -> str | None:
    """Return the name behind "of", if it is nothing but a name."""
    if not sentence.follows(at, OF):
        return None
    phrase = read_phrase(sentence, at + 1, lexicon)
    if phrase is None or phrase.head > phrase.start:
        return None
    # "A school of the USA" names one; "a part of a system" does not.
    if phrase.determiner and not phrase.determiner & THE:
        return None
    return phrase.name if has_form_of_name(sentence, phrase.head, lexicon) else None


def _context(sentence: Sentence, at: int) -> str | None:
    """Return the dimension named by "in context of Z", as in `gutask` commands.

    Return None if no context is named; "" if the named word is no concept, so that the
    statement cannot be placed.
    """
    if not sentence.follows(at, IN):
        return None
    at += 2 if sentence.follows(at + 1, THE) else 1
    if not sentence.follows(at + 1, OF) or not sentence.reads(at, "context"):
        return None
    if sentence.gap(at) & ~PLAIN:
        return None
    at += 3 if sentence.follows(at + 2, THE) else 2
    if at >= sentence.count:
        return None
    named = sentence.flags(at) & CONCEPT
    return without_emphasis(sentence.word(at)) if named else ""


def _cue(
    sentence: Sentence,
    text: str,
    match: Match,
    parent: str,
    dimension: str,
    is_isa: bool,
) -> Cue:
    subject = match.subject
    confidence, reason = match.confidence, match.reason
    if confidence >= CANDIDATE_MIN and not _may_be_told(
        subject.name, parent, dimension
    ):
        confidence, reason = DROPPED, "name"
    negated = match.negated
    triple = Triple(subject.name, parent, dimension, is_isa, negated)
    return Cue(
        triple,
        match.pattern.name,
        confidence,
        _verdict(confidence),
        reason,
        sentence.start(subject.start),
        sentence.end(_end(sentence, match, parent, dimension) - 1),
        _written(sentence, text),
    )


def _written(sentence: Sentence, text: str) -> str:
    """Return a sentence as it is written, including its terminal mark."""
    first, last = sentence.start(0), sentence.end(sentence.count - 1) + 1
    last = min(last, first + SENTENCE_CHARACTERS_MAX, len(text))
    while text[last - 1].isspace():
        last -= 1
    return text[first:last]


def _end(sentence: Sentence, match: Match, parent: str, dimension: str) -> int:
    """Return the position behind a statement, including "of Z", "in context of Z"."""
    phrase, pattern = match.phrase, match.pattern
    if parent is phrase.name and dimension is pattern.dimension:
        return phrase.end
    # Only names from the text: a sentence may contain the word "type" by chance.
    named = {parent, dimension} - {phrase.name, pattern.dimension}
    last = min(phrase.end + MODIFIER_WORDS_MAX, sentence.count)
    for at in range(phrase.end, last):
        if without_emphasis(sentence.word(at)) in named:
            return at + 1
    return phrase.end


def _may_be_told(concept: str, parent: str, dimension: str) -> bool:
    if concept == parent or not _is_name(concept) or not _is_name(parent):
        return False
    return dimension is TYPE or dimension in _SEEDED or _is_name(dimension)


def _is_name(name: str) -> bool:
    if not 0 < len(name) <= RENDERED_CHARACTERS_MAX:
        return False
    # Most names consist of letters only, for which no further check is needed.
    for character in name:
        if not "a" <= character <= "z":
            return name in _SEEDED or is_renderable(name)
    return True
