"""The reasons to drop a statement or to doubt it.

Each rule answers with a word, which is the reason, or "". Dropping is for what was not
said as true: asked, supposed, hedged, denied from outside, reported. Doubting is for
what was said but may be about everything or nothing.
"""

from __future__ import annotations

from typing import Final

from festinger._fast import CAPITAL, CLOSED
from festinger._fast.words import OPENERS
from festinger.core.cues.marks import COLON, COMMA, DASH, PLAIN, POSSESSIVE, QUOTED
from festinger.core.cues.patterns import LABEL, Match
from festinger.core.cues.phrases import (
    Phrase,
    is_adjective,
    is_compound_at,
    is_cut_off,
)
from festinger.core.cues.sentences import Sentence
from festinger.core.cues.subjects import Edge, Kind, Subject
from festinger.core.cues.words import (
    ASIDES,
    AUXILIARIES,
    CLAUSE_JOINS,
    CONDITIONALS,
    DENIALS,
    ENDS_PHRASE,
    FACTIVES,
    FALSE_LABELS,
    FINITE_VERBS,
    GREETINGS,
    HEDGES,
    HEDGES_BEHIND,
    INSTRUCTIONS,
    LABELS,
    MODALS,
    NOTATION_NOISE,
    OBJECTS,
    POINTERS,
    PRIVATIVES,
    QUANTITIES,
    UNFACTIVES,
    VAGUE,
    VAGUE_WHOLES,
    WH_WORDS,
)

# A member's place among its kind takes longer to look up than a name's.
_START: Final = Edge.START
_OPENED: Final = Edge.OPENED
_CLAUSE: Final = Edge.CLAUSE
_FRONTED: Final = Edge.FRONTED
_LABEL: Final = Edge.LABEL
_THAT: Final = Edge.THAT
_NAME: Final = Kind.NAME
_WORD: Final = Kind.WORD
_GENERIC: Final = Kind.GENERIC

#: Confidences of what is doubtful, strongest first. Below them nothing waits.
WORD: Final = 0.65  #: a dictionary word as bare subject
DOUBTFUL: Final = 0.60  #: one reason to hesitate
GENERIC: Final = 0.50  #: said of every such thing, or without a verb
DROPPED: Final = 0.20

#: "is kind of slow", "is kind of broken": no noun, but a hedge.
_ADJECTIVE_ENDINGS: Final = ("ed", "ing", "y", "ful", "less", "ous", "able")


def reason_to_drop(
    sentence: Sentence, match: Match, subject: Subject, phrase: Phrase
) -> str:
    """Say why a statement was not made, or why it says nothing; "" if it was."""
    if sentence.asked:
        return "question"
    if sentence.quoted:
        return "quoted"
    return (
        _before(sentence, subject)
        or _behind(sentence, match, subject, phrase)
        or _subject(sentence, subject)
        or _parent(sentence, match, phrase)
        or _label_line(sentence, match, subject, phrase)
    )


def doubt(
    sentence: Sentence,
    match: Match,
    subject: Subject,
    phrase: Phrase,
) -> tuple[float, str]:
    """Say how far a statement can be relied on at most, and why not further."""
    if subject.kind is _GENERIC:
        return GENERIC, "generic"
    if match.pattern.prior == LABEL:
        return LABEL, "definition" if match.pattern.name == "is the" else "verbless"
    if subject.kind is _WORD:
        return WORD, "everyday"
    if subject.definite and not sentence.flags[subject.end - 1] & CAPITAL:
        return DOUBTFUL, "definite"
    if subject.quoted:
        return DOUBTFUL, "mentioned"
    if subject.wrapped:
        return DOUBTFUL, "line"
    return min(
        _doubt_of_edge(sentence, subject), _doubt_of_parent(sentence, match, phrase)
    )


def _before(sentence: Sentence, subject: Subject) -> str:
    """Judge what stands left of the subject."""
    words = sentence.words[: subject.start]
    if words[:1] == ["no"] and sentence.gaps[1] & COMMA:
        words = words[1:]  # "No, gnommoweb is a repo" denies what somebody else said.
    if not words:
        return ""
    left = frozenset(words)
    if left & CONDITIONALS:
        return "conditional"
    if words[0] in AUXILIARIES:
        return "question"
    if left & WH_WORDS and (words[0] in WH_WORDS or subject.edge is not _FRONTED):
        return "question"
    known = subject.edge is _THAT and _is_known(words)
    if left & HEDGES:
        return "hedged"
    if left & MODALS and not known:
        return "modal"
    if left & DENIALS and not _is_own_clause(sentence, subject):
        return "denied"
    if subject.edge is _THAT and not known:
        return _that(words)
    if subject.edge is _LABEL:
        return _label(words, left)
    return ""


def _label(words: list[str], left: frozenset[str]) -> str:
    if left & FALSE_LABELS:
        return "example"
    instructs = words[0] in OPENERS | INSTRUCTIONS and words[0] not in LABELS
    return "instruction" if instructs else ""


def _is_known(words: list[str]) -> bool:
    """Whether "… that" presents what follows as known: "note that", "we know that"."""
    if len(words) < 2 or words[-2] not in FACTIVES:
        return False
    return words[-2] != "sure" or not {"make", "making", "be"} & set(words)


def _is_own_clause(sentence: Sentence, subject: Subject) -> bool:
    """Whether "and" or "but" cuts the subject off from what was denied before."""
    before = sentence.words[subject.start - 1]
    return subject.edge is _CLAUSE and before in CLAUSE_JOINS


def _that(words: list[str]) -> str:
    return "wanted" if len(words) > 1 and words[-2] in UNFACTIVES else ""


def _behind(sentence: Sentence, match: Match, subject: Subject, phrase: Phrase) -> str:
    """Judge what follows the object, up to the next clause."""
    words, gaps = sentence.words, sentence.gaps
    aside = False
    for at in range(phrase.end, len(words)):
        word = words[at]
        if gaps[at] & COLON or (word in ("and", "but") and _begins_clause(words, at)):
            break
        aside = bool(gaps[at] & (COMMA | DASH)) or (aside and at == phrase.end)
        aside = aside or words[at - 1] == "in"
        if word in HEDGES_BEHIND and (aside or word not in ASIDES):
            return "hedged"
        # Of a thing with a name it means that nobody knows; a definition lists synonyms.
        defines = subject.kind is _GENERIC or match.pattern.name == "is the"
        if word == "or" and at == phrase.end and not defines:
            return "or"
    return ""


def _begins_clause(words: list[str], at: int) -> bool:
    return not FINITE_VERBS.isdisjoint(words[at + 1 : at + 5])


def _subject(sentence: Sentence, subject: Subject) -> str:
    """Judge where the subject stands: the weaker its form, the nearer the start."""
    words, gaps, edge = sentence.words, sentence.gaps, subject.edge
    if not HEDGES.isdisjoint(words[subject.start : subject.end]):
        return "hedged"
    if edge is _CLAUSE and not _joins_clauses(sentence, subject):
        return "joined"
    if _has_possessive(gaps, subject.start + 1, subject.end):
        return "possessive"
    if subject.kind is _GENERIC and edge not in (_START, _OPENED):
        return "generic"
    capital = sentence.flags[subject.end - 1] & CAPITAL
    if subject.kind is _WORD and not capital:
        if edge not in (_START, _OPENED) or subject.wrapped:
            return "everyday"
        if words[subject.start].endswith("ly"):
            return "everyday"
    return ""


def _joins_clauses(sentence: Sentence, subject: Subject) -> bool:
    """Whether there is a clause before "and": "Alice and Bob" are two of one."""
    words = sentence.words[: subject.start]
    if words[-1] not in ("and", "but", "yet", "so"):
        return True
    return not FINITE_VERBS.isdisjoint(words)


def _parent(sentence: Sentence, match: Match, phrase: Phrase) -> str:
    words = sentence.words
    if phrase.name in VAGUE or (not phrase.named and phrase.name in ENDS_PHRASE):
        return "vague"
    if len(phrase.name) == 1 or words[phrase.start] in QUANTITIES:
        return "vague"
    if not match.pattern.is_isa and phrase.name in VAGUE_WHOLES:
        return "vague"
    if phrase.determiner in POINTERS:
        return "pointer"
    if is_adjective(phrase.name) and not sentence.flags[phrase.head] & CAPITAL:
        return "adjective"
    if is_cut_off(sentence, phrase.end):
        return "cut"
    if _is_privative(words, phrase):
        return "privative"
    hedges = match.pattern.name == "is kind of" and not phrase.named
    if hedges and phrase.name.endswith(_ADJECTIVE_ENDINGS):
        return "adjective"
    if not match.pattern.is_isa and _is_possessed(sentence, phrase):
        return "possessive"
    return ""


def _is_privative(words: list[str], phrase: Phrase) -> bool:
    for at in range(phrase.start, phrase.head + 1):
        word = words[at]
        if word in PRIVATIVES or word.startswith(("ex-", "non-", "pseudo-")):
            return True
    return False


def _is_possessed(sentence: Sentence, phrase: Phrase) -> bool:
    return _has_possessive(sentence.gaps, phrase.start + 1, phrase.head)


def _has_possessive(gaps: list[int], first: int, last: int) -> bool:
    for at in range(first, last + 1):
        if gaps[at] & POSSESSIVE:
            return True
    return False


def _label_line(
    sentence: Sentence, match: Match, subject: Subject, phrase: Phrase
) -> str:
    """Let patterns without a verb, and the notation, pass only as a clause of its own."""
    name = match.pattern.name
    if not match.pattern.verbless or name == "is the":
        if name in ("ISA", "ISPART") and (
            subject.kind is _GENERIC
            or subject.definite
            or phrase.name in NOTATION_NOISE
        ):
            return "generic"
        return ""
    named = subject.kind is _NAME and not subject.definite
    begins = subject.edge in (_START, _OPENED, _LABEL)
    ends = phrase.end >= len(sentence.words)
    return "" if named and begins and ends else "verbless"


def _doubt_of_edge(sentence: Sentence, subject: Subject) -> tuple[float, str]:
    words = sentence.words[: subject.start]
    edge = subject.edge
    if edge is _LABEL:
        if LABELS.issuperset(words):
            return 1.0, ""
        return DOUBTFUL, "label"
    if edge is _THAT and not _is_known(words):
        return DOUBTFUL, "reported"
    if edge is _FRONTED:
        greeted = words[0] in GREETINGS or words == ["no"]
        if greeted or not FINITE_VERBS.isdisjoint(words):
            return 1.0, ""
        return DOUBTFUL, "scoped"
    return 1.0, ""


def _doubt_of_parent(
    sentence: Sentence, match: Match, phrase: Phrase
) -> tuple[float, str]:
    """Doubt a whole that is "the system", and a denial that may mean an adjective."""
    if match.softened:
        return DOUBTFUL, "softened"
    if match.negated and not phrase.is_single:
        return DOUBTFUL, "modifier"
    if sentence.gaps[phrase.head] & QUOTED:
        return DOUBTFUL, "mentioned"
    if match.pattern.name == "is kind of" and not phrase.named:
        return DOUBTFUL, "loose"
    if _is_restricted(sentence, phrase):
        return DOUBTFUL, "conditional"
    if match.pattern.is_isa:
        return (DOUBTFUL, "list") if _goes_on(sentence, phrase) else (1.0, "")
    if phrase.named:
        return 1.0, ""
    if phrase.determiner or not phrase.is_single:
        return DOUBTFUL, "common"
    return 1.0, ""


def _is_restricted(sentence: Sentence, phrase: Phrase) -> bool:
    """Whether it is said of some times only: "a repo when public"."""
    behind = sentence.words[phrase.end : phrase.end + 1]
    return bool(behind) and (behind[0] in CONDITIONALS or behind[0] == "only")


def _goes_on(sentence: Sentence, phrase: Phrase) -> bool:
    """Whether the head may be yet to come: "a fast, clean proxy", "a log and X store".

    Not where another clause follows: "is a repo, dobby is a worker".
    """
    at, words = phrase.end, sentence.words
    if at >= len(words):
        return False
    if words[at] == "and" and not sentence.gaps[at] & ~PLAIN:
        at += 1
    elif sentence.gaps[at] & ~PLAIN != COMMA:
        return False
    if not is_compound_at(sentence, at) or words[at] in OPENERS:
        return False
    end = at + 2
    while end < len(words) and not sentence.flags[end] & CLOSED:
        end += 1
    # "Please delete it", "Alice likes it": that was a clause.
    has_object = end < len(words) and words[end] in OBJECTS
    return not has_object and FINITE_VERBS.isdisjoint(words[at : end + 1])
