"""Rules that drop a statement.

Each rule returns a word, which is the reason, or "". A statement is dropped if it was
not asserted: asked, supposed, hedged, denied from outside, reported.
"""

from __future__ import annotations

from typing import Final

from festinger._fast import CAPITAL, Sentence
from festinger._fast.values import COMMA, DASH, ENDS_IN_LY, HYPHENATED, OPEN, POSSESSIVE
from festinger.core.language.cues import words
from festinger.core.language.cues.after_object import behind
from festinger.core.language.cues.context_checks import reason_of_label, reason_within
from festinger.core.language.cues.lists import (
    AND,
    AUXILIARIES,
    BUT,
    CLAUSE_JOINS,
    CONDITIONALS,
    DENIALS,
    ENDS_PHRASE,
    FACTIVES,
    FINITE_VERBS,
    HEDGES,
    MODALS,
    NO,
    NOTATION_NOISE,
    POINTERS,
    PRIVATIVES,
    QUANTITIES,
    UNFACTIVES,
    VAGUE,
    VAGUE_WHOLES,
    WH_WORDS,
)
from festinger.core.language.cues.patterns import KEYWORD, PATTERNS, Match
from festinger.core.language.cues.phrases import (
    Lexicon,
    Phrase,
    has_form_of_name,
    is_adjective,
    is_cut_off,
)
from festinger.core.language.cues.subjects import Subject, SubjectEdge, SubjectKind

# Looking up a member of an enum takes longer than looking up a global.
_START: Final = SubjectEdge.START
_OPENED: Final = SubjectEdge.OPENED
_CLAUSE: Final = SubjectEdge.CLAUSE
_FRONTED: Final = SubjectEdge.FRONTED
_LABEL: Final = SubjectEdge.LABEL
_THAT: Final = SubjectEdge.THAT
_NAME: Final = SubjectKind.NAME
_WORD: Final = SubjectKind.WORD
_GENERIC: Final = SubjectKind.GENERIC
_THE: Final = PATTERNS["is the"]
_KIND_OF: Final = PATTERNS["is kind of"]

_ORDINAL_ENDINGS: Final = ("st", "nd", "rd", "th")
_PRIVATIVE_BEGINNINGS: Final = ("ex-", "non-", "pseudo-")
#: "is kind of slow", "is kind of broken": a hedge rather than a noun.
_ADJECTIVE_ENDINGS: Final = ("ed", "ing", "y", "ful", "less", "ous", "able")


def reason_to_drop(sentence: Sentence, match: Match, lexicon: Lexicon) -> str:
    """Return why a statement was not asserted or is uninformative; "" if neither."""
    subject, phrase = match.subject, match.phrase
    if sentence.asked:
        return "question"
    if sentence.quoted:
        return "quoted"
    # From left to right; the first reason is the one that is shown.
    return (
        _before(sentence, subject)
        or _beside(sentence, match, subject)
        or behind(sentence, match, subject, phrase)
        or _subject(sentence, subject)
        or _parent(sentence, match, phrase, lexicon)
        or _label_line(sentence, match, subject, phrase)
    )


def _before(sentence: Sentence, subject: Subject) -> str:
    """Return the reason to drop in the words left of the subject."""
    first, end = 0, subject.start
    if end and sentence.lists(0) & NO and sentence.gap(1) & COMMA:
        first = 1  # "No, gnommoweb is a repo" denies what somebody else said.
    if first == end:
        return ""
    left, begins = sentence.among(first, end), sentence.lists(first)
    if left & CONDITIONALS:  # "if gnommoweb is a repo, delete it"
        return "conditional"
    if begins & AUXILIARIES:  # "can you check that gnommoweb is a repo"
        return "question"
    if left & WH_WORDS and (begins & WH_WORDS or subject.edge != _FRONTED):
        return "question"
    known = subject.edge == _THAT and is_known(sentence, first, end)
    if left & HEDGES:  # "I think gnommoweb is a repo"
        return "hedged"
    # "You should know that gnommoweb is a repo": what should be is only the knowing.
    heeded = known and sentence.word(end - 2) in words.HEEDED
    if left & MODALS and not heeded and _has_modal(sentence, first, end):
        return "modal"
    # "It is not true that …"; but in "dobby is no worker but gnommoweb is …" another clause denies.
    if left & DENIALS and not _is_own_clause(sentence, subject):
        return "denied"
    if subject.edge == _THAT and not known:
        return "wanted" if _is_wanted(sentence, first, end) else ""
    return reason_of_label(begins, left) if subject.edge == _LABEL else ""


def _has_modal(sentence: Sentence, first: int, end: int) -> bool:
    """Return whether a modal verb is there, and not only the month of May."""
    return any(
        sentence.lists(at) & MODALS
        and not (
            sentence.reads(at, "may")
            and at > first
            and sentence.word(at - 1) in words.BEFORE_MAY
        )
        for at in range(first, end)
    )


def is_known(sentence: Sentence, first: int, end: int) -> bool:
    """Return whether "… that" presents a fact as known: "note that", "we know that"."""
    if end - first < 2 or not sentence.lists(end - 2) & FACTIVES:
        return False
    if sentence.word(end - 2) in words.HEEDED:
        return True
    before = [sentence.word(at) for at in range(first, end - 2)]
    # "It must be confirmed that" and "it is only half true that" settle nothing.
    if not words.UNSETTLED.isdisjoint(before):
        return False
    # "I am sure that" is the author's word, "Bob is sure that" somebody's opinion.
    return sentence.word(end - 2) not in ("sure", "certain") or (
        not before or not words.SPEAKING.isdisjoint(before)
    )


def _is_wanted(sentence: Sentence, first: int, end: int) -> bool:
    """Return whether "… that" presents a wish: "ensure that", "forget that"."""
    if end - first < 2:
        return False
    lists = sentence.lists(end - 2)
    if lists & UNFACTIVES and not sentence.reads(end - 2, "sure"):
        return True
    before = [sentence.word(at) for at in range(first, end - 2)]
    return lists & (FACTIVES | UNFACTIVES) != 0 and not words.UNSETTLED.isdisjoint(
        before
    )


def _is_own_clause(sentence: Sentence, subject: Subject) -> bool:
    """Return whether "and" or "but" separates the subject from an earlier denial."""
    before = sentence.lists(subject.start - 1)
    return subject.edge == _CLAUSE and before & CLAUSE_JOINS != 0


def _beside(sentence: Sentence, match: Match, subject: Subject) -> str:
    """Return the reason in an aside: "gnommoweb, I think, is", "gnommoweb (not) is"."""
    if not sentence.gap(subject.end) & (COMMA | DASH | OPEN):
        return ""
    return reason_within(sentence.among(subject.end, match.start))


def _subject(sentence: Sentence, subject: Subject) -> str:
    """Return the reason in the subject: weaker forms must be nearer to the start."""
    edge = subject.edge
    if sentence.among(subject.start, subject.end) & HEDGES:
        return "hedged"
    if edge == _CLAUSE and not _joins_clauses(sentence, subject):
        return "joined"  # "Alice and Bob is a couple"
    if _has_possessive(sentence, subject.start + 1, subject.end):
        return "possessive"
    if subject.kind == _GENERIC and edge != _START and edge != _OPENED:
        return "generic"
    if subject.kind == _WORD and not sentence.flags(subject.end - 1) & CAPITAL:
        if (edge != _START and edge != _OPENED) or subject.wrapped:
            return "everyday"
        if sentence.lists(subject.start) & ENDS_IN_LY:
            return "everyday"
    return ""


def _joins_clauses(sentence: Sentence, subject: Subject) -> bool:
    """Return whether a clause precedes "and": "Alice and Bob" is none."""
    before = subject.start - 1
    joins = sentence.lists(before) & (AND | BUT) != 0
    if not (joins or sentence.reads(before, "yet") or sentence.reads(before, "so")):
        return True
    return sentence.among(0, subject.start) & FINITE_VERBS != 0


def _parent(sentence: Sentence, match: Match, phrase: Phrase, lexicon: Lexicon) -> str:
    lists, pattern = phrase.lists, match.pattern
    if lists & VAGUE:
        return "vague"  # "a pity", "a lot of fun"
    if lists & ENDS_PHRASE and not has_form_of_name(sentence, phrase.head, lexicon):
        return "vague"
    # "X is a Y", "a hundred times faster".
    if len(phrase.name) == 1 or sentence.lists(phrase.start) & QUANTITIES:
        return "vague"
    # "Runs on Mondays", "is part of the problem", "deployed on April 1st".
    if not pattern.is_isa and (lists & VAGUE_WHOLES or _is_ordinal(phrase.name)):
        return "vague"
    if phrase.determiner & POINTERS:  # "part of our stack"
        return "pointer"
    # "Is a very reliable": the noun is missing.
    if is_adjective(phrase.name, lists) and not sentence.flags(phrase.head) & CAPITAL:
        return "adjective"
    if is_cut_off(sentence, phrase.end):
        return "cut"  # "a YAML/JSON parser"
    if _is_privative(sentence, phrase):  # "a former repo"
        return "privative"
    if (
        pattern is _KIND_OF
        and phrase.name.endswith(_ADJECTIVE_ENDINGS)
        and not has_form_of_name(sentence, phrase.head, lexicon)
    ):
        return "adjective"
    # "Belongs to Alice's team" is about no team that has a name.
    if not pattern.is_isa and _has_possessive(sentence, phrase.start + 1, phrase.head):
        return "possessive"
    return ""


def _is_ordinal(name: str) -> bool:
    """Return whether a name is an ordinal or a day: "1st"."""
    return "0" <= name[0] <= "9" and name.endswith(_ORDINAL_ENDINGS)


def _is_privative(sentence: Sentence, phrase: Phrase) -> bool:
    for at in range(phrase.start, phrase.head + 1):
        lists = sentence.lists(at)
        if lists & PRIVATIVES:
            return True
        if lists & HYPHENATED and sentence.word(at).startswith(_PRIVATIVE_BEGINNINGS):
            return True
    return False


def _has_possessive(sentence: Sentence, first: int, last: int) -> bool:
    return any(sentence.gap(at) & POSSESSIVE for at in range(first, last + 1))


def _label_line(
    sentence: Sentence, match: Match, subject: Subject, phrase: Phrase
) -> str:
    """Return the reason to drop a verbless pattern within a longer clause."""
    pattern = match.pattern
    if not pattern.verbless or pattern is _THE:
        # "The RISC-V ISA specification" has the notation's word as a noun.
        if pattern.prior == KEYWORD and (
            subject.kind == _GENERIC
            or subject.definite
            or phrase.lists & NOTATION_NOISE
        ):
            return "generic"
        return ""
    edge = subject.edge
    # A line of its own is a label: "gnommoweb part of Agent0"; "the kind of repo we like" is none.
    named = subject.kind == _NAME and not subject.definite
    begins = edge in (_START, _OPENED, _LABEL)
    return "" if named and begins and phrase.end >= sentence.count else "verbless"
