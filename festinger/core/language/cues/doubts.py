"""Rules that doubt a statement, and the confidences of doubtful statements.

Each rule returns a word, which is the reason, or "". A statement is doubted if it was
asserted but is too general or ambiguous.
"""

from __future__ import annotations

from typing import Final

from festinger._fast import CAPITAL, CLOSED, Sentence
from festinger._fast.values import COMMA, PLAIN, QUOTED
from festinger.core.language.cues import words
from festinger.core.language.cues.lists import (
    AND,
    AS,
    CONDITIONALS,
    FINITE_VERBS,
    LABELS,
    NO,
    OBJECTS,
    OPENERS,
)
from festinger.core.language.cues.patterns import LABEL, PATTERNS, Match
from festinger.core.language.cues.phrases import (
    Lexicon,
    Phrase,
    has_form_of_name,
    is_compound_at,
)
from festinger.core.language.cues.rules import is_known
from festinger.core.language.cues.subjects import Subject, SubjectEdge, SubjectKind

# Looking up a member of an enum takes longer than looking up a global.
_FRONTED: Final = SubjectEdge.FRONTED
_LABEL: Final = SubjectEdge.LABEL
_THAT: Final = SubjectEdge.THAT
_WORD: Final = SubjectKind.WORD
_GENERIC: Final = SubjectKind.GENERIC
_THE: Final = PATTERNS["is the"]
_KIND_OF: Final = PATTERNS["is kind of"]

#: Confidences of doubtful statements, highest first. Below them there is no candidate.
CERTAIN: Final = 1.0  #: no reason to doubt
WORD: Final = 0.65  #: a dictionary word as bare subject
DOUBTFUL: Final = 0.60  #: one reason to doubt
GENERIC: Final = 0.50  #: a general statement, or one without a verb
DROPPED: Final = 0.20

#: Maximum confidence of a statement that is doubted for one of these reasons; for any
#: other, `DOUBTFUL`.
MOST: Final = {
    "generic": GENERIC,
    "definition": LABEL,
    "verbless": LABEL,
    "definite": WORD,
    "everyday": WORD,
}


def doubt(sentence: Sentence, match: Match, lexicon: Lexicon) -> str:
    """Return the reason to limit a statement's confidence by `MOST`; "" for none."""
    subject = match.subject
    if subject.kind == _GENERIC:  # "a container is a process"
        return "generic"
    if match.pattern.prior == LABEL:
        return "definition" if match.pattern is _THE else "verbless"
    if subject.kind == _WORD:  # "the Gnommoweb is a repo", "Python is a snake"
        return "definite" if subject.definite else "everyday"
    if subject.quoted:  # the word rather than what it names
        return "mentioned"
    if subject.wrapped:  # the line above may be its beginning
        return "line"
    reason = _doubt_of_edge(sentence, subject)
    other = _doubt_of_parent(sentence, match, match.phrase, lexicon)
    # Both have the same weight; `min` makes the choice deterministic.
    return min(reason, other) if reason and other else reason or other


def _doubt_of_edge(sentence: Sentence, subject: Subject) -> str:
    edge, end = subject.edge, subject.start
    if edge == _LABEL:
        # "FYI: …" and "Note: …" introduce facts, "Alice: …" may be a claim.
        return "" if all(sentence.lists(at) & LABELS for at in range(end)) else "label"
    if edge == _THAT and not is_known(sentence, 0, end):
        return "reported"
    if edge == _FRONTED:
        begins = sentence.lists(0)
        # "In Python, gnommoweb is a module" may be so there only; "hi Bob," limits nothing.
        greeted = sentence.word(0) in words.GREETINGS or (begins & NO and end == 1)
        if not greeted and not sentence.among(0, end) & FINITE_VERBS:
            return "scoped"
    return ""


def _doubt_of_parent(
    sentence: Sentence, match: Match, phrase: Phrase, lexicon: Lexicon
) -> str:
    """Return the doubt about an object: a vague whole, or an ambiguous denial."""
    pattern, head = match.pattern, phrase.head
    if match.softened:  # "is usually a repo"
        return "softened"
    if match.negated and head > phrase.start:  # "not a small repo"
        return "modifier"
    if sentence.gap(head) & QUOTED:
        return "mentioned"
    # "Is kind of repo" may be a hedge or lack its article.
    if pattern is _KIND_OF and not has_form_of_name(sentence, head, lexicon):
        return "loose"
    if _is_restricted(sentence, phrase):
        return "conditional"
    if not pattern.is_isa and _is_for_a_part(sentence, phrase):
        return "scoped"
    if pattern.is_isa:
        return "list" if _goes_on(sentence, phrase) else ""
    # "Runs on a server" names none, "runs on docker" probably does.
    alone = not phrase.determiner and head == phrase.start
    return "" if alone or has_form_of_name(sentence, head, lexicon) else "common"


def _is_restricted(sentence: Sentence, phrase: Phrase) -> bool:
    """Return whether the statement is limited in time: "a repo when public"."""
    at = phrase.end
    if at >= sentence.count:
        return False
    if sentence.lists(at) & CONDITIONALS or sentence.reads(at, "only"):
        return True
    if sentence.lists(at) & AS:
        return sentence.reads(at + 1, "soon")
    return sentence.word(at) in words.LIMITING


def _is_for_a_part(sentence: Sentence, phrase: Phrase) -> bool:
    """Return whether it holds for a part only: "on Fly.io for the demo tenant"."""
    at = phrase.end
    if at + 1 >= sentence.count or not sentence.reads(at, "for"):
        return False
    named = sentence.flags(at + 1) & CAPITAL
    return bool(named) or sentence.word(at + 1) in words.PARTS


def _goes_on(sentence: Sentence, phrase: Phrase) -> bool:
    """Return whether the head may follow, as in "a fast, clean proxy"."""
    at, count = phrase.end, sentence.count
    if at >= count:
        return False
    if sentence.follows(at, AND):
        at += 1
    elif sentence.gap(at) & ~PLAIN != COMMA:
        return False
    if not is_compound_at(sentence, at) or sentence.lists(at) & OPENERS:
        return False
    end = at + 2
    while end < count and not sentence.flags(end) & CLOSED:
        end += 1
    # "Please delete it", "Alice likes it": this is a clause.
    if end < count and sentence.lists(end) & OBJECTS:
        return False
    # And so is "is a repo, dobby is a worker".
    return not sentence.among(at, min(end + 1, count)) & FINITE_VERBS
