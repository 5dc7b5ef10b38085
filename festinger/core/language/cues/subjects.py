"""Read the subjects of statements.

The subject must fill its clause from the beginning up to the cue; a noun that merely
precedes "is" ("the owner of gnommoweb is a …") is no subject.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from festinger._fast import CAPITAL, CLOSED, COMPOUND, CONCEPT, Sentence
from festinger._fast.values import (
    CLOSE,
    COLON,
    COMMA,
    DASH,
    ODD,
    OPEN,
    PLAIN,
    POSSESSIVE,
    QUOTED,
    WRAP,
)
from festinger.core.language.cues.lists import (
    ADJECTIVES,
    AND,
    ARTICLES,
    AS,
    BUT,
    CLAUSE_JOINS,
    DETERMINERS,
    LISTS,
    NO_FIRST_WORDS,
    NO_SUBJECTS,
    OF,
    OPENING,
    OR,
    POINTERS,
    THAT,
    THE,
)
from festinger.core.language.cues.phrases import Lexicon, without_emphasis

NAME_WORDS_MAX: Final = 5  # as many as are merged to a name (B3)
NAME_CHARACTERS_MAX: Final = 64  # as of all names (E4)
_ENUMERATOR_CHARACTERS: Final = 3  # "1)" and "ii)" have fewer


class SubjectKind(IntEnum):
    """Kind of a subject, by its form."""

    NOTHING = 0  #: no nameable subject
    NAME = 1  #: gnommoweb, Glitch University, node.js
    WORD = 2  #: a bare dictionary word: State, michigan
    GENERIC = 3  #: a container, agile software development


class SubjectEdge(IntEnum):
    """Context to the left of a subject."""

    WITHIN = 0  #: words of its own clause, so that it is no subject
    START = 1  #: the begin of the sentence
    OPENED = 2  #: introductory words: "FYI, …"
    CLAUSE = 3  #: a conjunction, or another clause's comma
    FRONTED = 4  #: "In Python, …"
    LABEL = 5  #: "Note: …"
    THAT = 6  #: "… that …"


# Looking up a member of an enum takes longer than looking up a global.
_WITHIN: Final = SubjectEdge.WITHIN
_START: Final = SubjectEdge.START
_OPENED: Final = SubjectEdge.OPENED
_CLAUSE: Final = SubjectEdge.CLAUSE
_FRONTED: Final = SubjectEdge.FRONTED
_LABEL: Final = SubjectEdge.LABEL
_THAT: Final = SubjectEdge.THAT
_NOTHING: Final = SubjectKind.NOTHING
_NAME: Final = SubjectKind.NAME
_WORD: Final = SubjectKind.WORD
_GENERIC: Final = SubjectKind.GENERIC


class Subject:
    """The subject of a statement.

    Attributes:
        name: Its token, or the joined words of a generic phrase.
        edge: Context to its left.
        start: Its first word, including a determiner.
        end: The word behind it.
        wrapped: Whether it begins at a line break that may end a sentence.
    """

    name: str
    kind: SubjectKind
    edge: SubjectEdge
    start: int
    end: int
    definite: bool
    quoted: bool
    wrapped: bool


def read_subject(sentence: Sentence, cue: int, lexicon: Lexicon) -> Subject | None:
    """Return the subject that ends before a cue; None if there is no nameable one."""
    end = _end_of_subject(sentence, cue)
    if end <= 0:
        return None
    service = _as_a_service(sentence, end)
    if service is not None:
        return service
    start = _start_of_words(sentence, end)
    if start == end:
        return None
    # "btw gnommoweb": an introductory word is no part of the name.
    while (
        start < end - 1
        and sentence.lists(start) & OPENING
        and _all_opening(sentence, start)
    ):
        start += 1
    first, determiner = start, 0
    if start and not sentence.gap(start) & ~PLAIN:
        before = sentence.lists(start - 1)
        # "This module is" does not say which one; "that" may also join clauses.
        if before & POINTERS and (start < 2 or not before & THAT):
            return None
        if before & DETERMINERS:
            first, determiner = start - 1, before
        elif before & (OF | AS):  # "Internet of Things is"
            return _joined_by_preposition(sentence, start, end)
    edge = _edge(sentence, first)
    if edge == _WITHIN:
        return None
    return _subject(sentence, first, start, end, determiner, edge, lexicon)


def _subject(
    sentence: Sentence,
    first: int,
    start: int,
    end: int,
    determiner: int,
    edge: SubjectEdge,
    lexicon: Lexicon,
) -> Subject | None:
    if not _are_concepts(sentence, start, end):
        return None
    word = sentence.word(start)
    name = without_emphasis(word) if end - start == 1 else _joined(sentence, start, end)
    if name is None:
        return None
    # "BTW Gnommoweb" was merged to a name by its capitals.
    if sentence.flags(start) & COMPOUND and edge == _START:
        opened = _without_opening(name)
        if opened != name:
            name, edge = opened, _OPENED
    lists = sentence.lists(start) if name is word else LISTS.of(name)
    last = sentence.lists(end - 1) & NO_SUBJECTS
    # "The first step is", "something is", unless somebody has placed a concept of that name.
    if (last or lists & (NO_SUBJECTS | ADJECTIVES)) and not lexicon.is_known(name):
        return None
    kind = _kind(sentence, start, end, name, determiner, lexicon)
    if kind == _NOTHING:
        return None
    found = _named(name, kind, edge, first, end)
    found.definite = determiner & THE != 0
    found.quoted = (sentence.gap(start) | sentence.gap(end)) & QUOTED != 0
    found.wrapped = first > 0 and sentence.is_wrapped_at(first)
    return found


def _named(
    name: str, kind: SubjectKind, edge: SubjectEdge, start: int, end: int
) -> Subject:
    found = Subject()
    found.name = name
    found.kind = kind
    found.edge = edge
    found.start = start
    found.end = end
    found.definite = found.quoted = found.wrapped = False
    return found


def _kind(
    sentence: Sentence,
    start: int,
    end: int,
    name: str,
    determiner: int,
    lexicon: Lexicon,
) -> SubjectKind:
    if determiner & THE:
        return _definite_kind(sentence, start, end, name, lexicon)
    if determiner:
        return _GENERIC
    if end - start > 1:
        # "Using Docker is a good idea" has a clause as its subject.
        return _NOTHING if sentence.lists(start) & NO_FIRST_WORDS else _GENERIC
    if lexicon.is_known(name):
        return _NAME
    # "Python is a snake": a bare everyday word may mean anything.
    return _WORD if lexicon.is_everyday(name) else _NAME


def _definite_kind(
    sentence: Sentence, start: int, end: int, name: str, lexicon: Lexicon
) -> SubjectKind:
    """Return the kind of a subject behind "the"."""
    flags = sentence.flags(start)
    # "The server" refers to one mentioned before; "the Glitch University" is a name.
    if end - start > 1 or not flags & CAPITAL:
        return _NOTHING
    if flags & COMPOUND:
        return _NAME
    return _NOTHING if lexicon.is_everyday(name) else _WORD


def _end_of_subject(sentence: Sentence, cue: int) -> int:
    """Return the end of the subject before a cue, without interpolations."""
    end, gap = cue, sentence.gap(cue)
    # "Function as a Service (FaaS) is": back to the parenthesis that belongs to the last.
    if end and gap & CLOSE:
        depth = 0
        while end > 0:
            gap = sentence.gap(end)
            depth += (gap & CLOSE != 0) - (gap & OPEN != 0)
            if depth <= 0:
                break
            end -= 1
        if sentence.gap(end) & ~(OPEN | PLAIN | QUOTED | POSSESSIVE):
            return 0
    elif end and gap & (COMMA | DASH):
        # "Kubernetes, often abbreviated as K8s, is".
        end = _end_before_apposition(sentence, cue)
    elif end and gap & ~(PLAIN | QUOTED):
        return 0
    # "Site Reliability Engineering or SRE is".
    alias = _start_of_alias(sentence, end)
    return alias if alias else end


def _end_before_apposition(sentence: Sentence, cue: int) -> int:
    """Return the end of the phrase that begins the clause and ends at a comma."""
    start = 0
    for at in range(cue - 1, 0, -1):
        if sentence.gap(at) & COLON or sentence.lists(at - 1) & (THAT | AND | BUT):
            start = at
            break
    # From the start of the sentence, else behind the last "that", "and" or colon.
    return _end_of_leading_phrase(sentence, 0, cue) or (
        _end_of_leading_phrase(sentence, start, cue) if start else 0
    )


def _end_of_leading_phrase(sentence: Sentence, start: int, cue: int) -> int:
    end = start
    while end < cue - 1 and end - start <= NAME_WORDS_MAX:
        lists = sentence.lists(end)
        # A verb or pronoun before the comma: this is a clause and no name with an apposition.
        if sentence.flags(end) & CLOSED and not lists & (DETERMINERS | AS | OF):
            return 0
        end += 1
        if sentence.gap(end) & (COMMA | DASH | OPEN):
            return 0 if lists & OPENING else end  # "however, …"
        if sentence.gap(end) & ~PLAIN:
            return 0
    return 0


def _start_of_alias(sentence: Sentence, end: int) -> int:
    """Return the position of "or" in "X or XYZ", if XYZ abbreviates X."""
    if end < 3 or not sentence.lists(end - 2) & OR:
        return 0
    if not sentence.flags(end - 1) & CAPITAL:
        return 0
    if (sentence.gap(end - 2) | sentence.gap(end - 1)) & ~PLAIN:
        return 0
    start = _start_of_words(sentence, end - 2)
    words = [sentence.word(at) for at in range(start, end - 2)]
    initials = "".join([part[:1] for part in "_".join(words).split("_")])
    return end - 2 if sentence.word(end - 1) == initials else 0


def _start_of_words(sentence: Sentence, end: int) -> int:
    """Return the leftmost word of the noun phrase that ends at a position."""
    start = end
    while start > 0 and end - start < NAME_WORDS_MAX:
        if sentence.flags(start - 1) & CLOSED:
            break
        if start < end and (
            sentence.gap(start) & ~PLAIN or sentence.lists(start - 1) & OPENING
        ):
            break
        start -= 1
    return start


def _joined_by_preposition(sentence: Sentence, start: int, end: int) -> Subject | None:
    """Return a name with "of" or "as code": "Internet of Things"."""
    middle = start - 1
    first = _start_of_words(sentence, middle)
    if first == middle or end - start > 1:
        return None
    # "The owner of gnommoweb is a person" is not about gnommoweb: both need a capital.
    if sentence.lists(middle) & OF:
        is_name = sentence.flags(first) & sentence.flags(start) & CAPITAL != 0
    else:
        is_name = sentence.reads(start, "code")
    return _with_preposition(sentence, first, end) if is_name else None


def _as_a_service(sentence: Sentence, end: int) -> Subject | None:
    """Return the subject of "Function as a Service (FaaS) is a …"."""
    if end < 4 or not sentence.lists(end - 3) & AS:
        return None
    if not (sentence.reads(end - 2, "a") and sentence.reads(end - 1, "service")):
        return None
    first = _start_of_words(sentence, end - 3)
    return None if first == end - 3 else _with_preposition(sentence, first, end)


def _with_preposition(sentence: Sentence, first: int, end: int) -> Subject | None:
    name = _joined(sentence, first, end)
    start = first - (first > 0 and sentence.lists(first - 1) & ARTICLES != 0)
    edge = _edge(sentence, start)
    if name is None or edge != _START:
        return None
    return _named(name, _GENERIC, edge, start, end)


def _edge(sentence: Sentence, first: int) -> SubjectEdge:
    """Return the context to the left of a subject."""
    gap = sentence.gap(first)
    if first == 0:
        return _WITHIN if gap & ODD else _START  # "/usr/bin/foo is"
    if first == 1 and gap & CLOSE and len(sentence.word(0)) < _ENUMERATOR_CHARACTERS:
        return _START  # "1) …"
    if gap & (COLON | DASH):
        return _LABEL
    if _all_opening(sentence, first):
        return _OPENED
    # A comma behind anything but introductory words: "in Python, gnommoweb is".
    if gap & COMMA:
        return _FRONTED
    if gap & OPEN:
        return _CLAUSE
    if gap & ~(PLAIN | QUOTED):
        return _WITHIN
    before = sentence.lists(first - 1)
    if before & THAT:
        return _THAT
    return _CLAUSE if before & CLAUSE_JOINS or gap & WRAP else _WITHIN


def _joined(sentence: Sentence, start: int, end: int) -> str | None:
    """Join the words of a phrase to a token; None if it could not be rendered (E4)."""
    if end - start > NAME_WORDS_MAX:
        return None
    name = "_".join([sentence.word(at) for at in range(start, end)])
    return None if len(name) > NAME_CHARACTERS_MAX else name


def _are_concepts(sentence: Sentence, start: int, end: int) -> bool:
    for at in range(start, end):
        if not sentence.flags(at) & CONCEPT:
            return False
    return True


def _without_opening(name: str) -> str:
    """Return `docker` for `btw_docker`: a compound with an introductory word."""
    first, _, rest = name.partition("_")
    return rest if rest and LISTS.of(first) & OPENING else name


def _all_opening(sentence: Sentence, end: int) -> bool:
    for at in range(end):
        if not sentence.lists(at) & OPENING:
            return False
    return True
