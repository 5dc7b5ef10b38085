"""Check the words behind the object for a hedge, a condition or a denial."""

from __future__ import annotations

from typing import Final

from festinger._fast import Sentence
from festinger._fast.values import COLON, COMMA, DASH, OPEN, PLAIN, POSSESSIVE
from festinger.core.language.cues import words
from festinger.core.language.cues.lists import (
    AND,
    AS,
    ASIDES,
    BUT,
    DENIALS,
    FINITE_VERBS,
    HEDGES_BEHIND,
    IN,
    NO,
    OR,
    PARTICIPLE_PREPOSITIONS,
)
from festinger.core.language.cues.patterns import PATTERNS, Match
from festinger.core.language.cues.phrases import Phrase
from festinger.core.language.cues.subjects import Subject, SubjectKind

# Looking up a member of an enum takes longer than looking up a global.
_GENERIC: Final = SubjectKind.GENERIC
_THE: Final = PATTERNS["is the"]


def behind(sentence: Sentence, match: Match, subject: Subject, phrase: Phrase) -> str:
    """Return the reason to drop in the words between object and next clause."""
    for at in range(phrase.end, sentence.count):
        lists, gap = sentence.lists(at), sentence.gap(at)
        # "Is not a repo anymore": words of denial behind a denial belong to it.
        denies = not match.negated and lists & (DENIALS | NO) != 0
        if denies and _takes_back(sentence, at):
            return "denied"
        if gap & COLON:
            return "hedged" if _is_lone_hedge(sentence, at) else ""
        # Another clause begins, which denies or doubts only itself.
        if lists & (AND | BUT) and _begins_clause(sentence, at):
            break
        hedges = lists & HEDGES_BEHIND != 0
        if hedges and (not lists & ASIDES or _is_aside(sentence, phrase.end, at)):
            return "hedged"
        if lists & PARTICIPLE_PREPOSITIONS and _is_as_far_as(sentence, at):
            return "hedged"
        # "Or" expresses doubt about a named subject; in a definition it lists synonyms.
        defines = subject.kind == _GENERIC or match.pattern is _THE
        if lists & OR and at == phrase.end and not defines:
            return "or"
    return ""


def _takes_back(sentence: Sentence, at: int) -> bool:
    """Return whether a word denies what precedes it: "no longer", "which is wrong"."""
    word, gap = sentence.word(at), sentence.gap(at)
    if word == "anymore":  # "runs on Docker not anymore"
        return True
    if word == "no":
        more = sentence.reads(at + 1, "longer") or sentence.reads(at + 1, "more")
        return more and _ends_at(sentence, at + 1)
    if word in words.TAGS:  # "is a repo, isn't it"
        return at + 2 == sentence.count and sentence.word(at + 1) in words.POINTING
    # "A repo, not a worker" denies what follows.
    if word == "not" or word == "never":
        return _ends_at(sentence, at)
    if word not in words.FALSE_WORDS or not _closes(sentence, at):
        return False
    # "A repo (false)" and "a repo, which is wrong" take it back.
    apart = gap & (COMMA | DASH | OPEN | COLON | POSSESSIVE) != 0
    return apart or sentence.word(at - 1) in words.SAID_OF


def _ends_at(sentence: Sentence, at: int) -> bool:
    """Return whether a denial ends the clause: "not", "not true"."""
    if _closes(sentence, at):
        return True
    return sentence.word(at + 1) in words.TRUE_WORDS and _closes(sentence, at + 1)


def _closes(sentence: Sentence, at: int) -> bool:
    return at + 1 >= sentence.count or sentence.gap(at + 1) & ~PLAIN != 0


def _is_lone_hedge(sentence: Sentence, at: int) -> bool:
    """Return whether only a hedge follows a colon: ": maybe", ": I think"."""
    lists = sentence.among(at, sentence.count)
    is_short = sentence.count - at <= 2  # ": maybe the first of many" is another clause
    return is_short and lists & HEDGES_BEHIND != 0 and not lists & ASIDES


def _is_aside(sentence: Sentence, first: int, at: int) -> bool:
    """Return whether a word belongs to an aside: ", right", ", they told me"."""
    if sentence.lists(at - 1) & IN:  # "in theory"
        return True
    # ", they told me": at most three words stand between the comma and the word.
    for start in range(max(first, at - 3), at + 1):
        if sentence.gap(start) & (COMMA | DASH):
            return True
    return False


def _is_as_far_as(sentence: Sentence, at: int) -> bool:
    """Return whether "as far as I know" or "from what I hear" begins at a word."""
    if sentence.lists(at) & AS:
        return sentence.reads(at + 1, "far")
    if sentence.lists(at) & IN:
        return sentence.reads(at + 1, "name") and sentence.reads(at + 2, "only")
    return sentence.reads(at, "from") and sentence.reads(at + 1, "what")


def _begins_clause(sentence: Sentence, at: int) -> bool:
    """Return whether "and" or "but" begins a clause about something else."""
    end = min(at + 5, sentence.count)  # a clause has its verb early
    if not sentence.among(at + 1, end) & FINITE_VERBS:
        return False
    return sentence.word(at + 1) not in words.POINTING  # "but that is wrong"
