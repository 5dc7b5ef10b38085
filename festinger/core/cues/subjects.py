"""Who a statement is about.

The subject must fill its clause from the beginning up to the cue; a noun that only
happens to stand before "is" ("the owner of gnommoweb is a …") is nobody.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from festinger._fast import CAPITAL, CLOSED, COMPOUND, CONCEPT
from festinger.core.cues.marks import (
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
from festinger.core.cues.phrases import Lexicon, without_emphasis
from festinger.core.cues.sentences import Sentence
from festinger.core.cues.words import (
    ADJECTIVES,
    CLAUSE_JOINS,
    DETERMINERS,
    NO_FIRST_WORDS,
    NO_SUBJECTS,
    OPENING,
    POINTERS,
)

NAME_WORDS_MAX: Final = 5
NAME_CHARACTERS_MAX: Final = 64
_ENUMERATOR_CHARACTERS: Final = 3


class Kind(Enum):
    """What a subject is, by its form."""

    NAME = auto()  #: gnommoweb, Glitch University, node.js
    WORD = auto()  #: a bare dictionary word: State, michigan
    GENERIC = auto()  #: a container, agile software development


class Edge(Enum):
    """What stands before a subject."""

    START = auto()  #: nothing: the sentence begins
    OPENED = auto()  #: words that state nothing: "FYI, …"
    CLAUSE = auto()  #: a conjunction, or another clause's comma
    FRONTED = auto()  #: "In Python, …"
    LABEL = auto()  #: "Note: …"
    THAT = auto()  #: "… that …"


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


class Subject:
    """Who a statement is about.

    Attributes:
        name: The token, or the words of a generic phrase joined.
        start: Its first word, determiner included.
        definite: Whether "the" stands before it.
        quoted: Whether it is a quoted word.
        wrapped: Whether it begins at a line break that may be more than a wrap.
    """

    def __init__(
        self,
        name: str,
        kind: Kind,
        edge: Edge,
        start: int,
        end: int,
        definite: bool = False,
        quoted: bool = False,
        wrapped: bool = False,
    ) -> None:
        """Note what was found."""
        self.name = name
        self.kind = kind
        self.edge = edge
        self.start = start
        self.end = end
        self.definite = definite
        self.quoted = quoted
        self.wrapped = wrapped


def read_subject(sentence: Sentence, cue: int, lexicon: Lexicon) -> Subject | None:
    """Return the subject that ends before a cue, or None if there is none to name."""
    end = _end_of_subject(sentence, cue)
    if end <= 0:
        return None
    start = _start_of_words(sentence, end)
    if start == end:
        return None
    words, gaps = sentence.words, sentence.gaps
    # "btw gnommoweb": what opens the sentence is no part of the name.
    while start < end - 1 and words[start] in OPENING and _all_opening(words, start):
        start += 1
    first, determiner = start, ""
    if start and gaps[start] & ~PLAIN == 0:
        before = words[start - 1]
        if before in POINTERS and (before != "that" or start < 2):
            return None
        if before in DETERMINERS:
            first, determiner = start - 1, before
        elif before in ("of", "as"):
            return _joined_by_preposition(sentence, start, end, lexicon)
    edge = _edge(sentence, first)
    if edge is None:
        return None
    return _subject(sentence, first, start, end, determiner, edge, lexicon)


def _subject(
    sentence: Sentence,
    first: int,
    start: int,
    end: int,
    determiner: str,
    edge: Edge,
    lexicon: Lexicon,
) -> Subject | None:
    words = sentence.words[start:end]
    name = without_emphasis(words[0]) if len(words) == 1 else _joined(words)
    if name is None or not _are_concepts(sentence, start, end):
        return None
    opened = _without_opening(name) if sentence.flags[start] & COMPOUND else name
    if opened != name and edge is _START:
        name, edge = opened, _OPENED
    nobody = words[-1] in NO_SUBJECTS or name in NO_SUBJECTS or name in ADJECTIVES
    if nobody and not lexicon.is_known(name):
        return None
    kind = _kind(sentence, start, end, name, determiner, lexicon)
    if kind is None:
        return None
    return Subject(
        name,
        kind,
        edge,
        first,
        end,
        definite=determiner == "the",
        quoted=bool(sentence.gaps[start] & QUOTED or sentence.gaps[end] & QUOTED),
        wrapped=first > 0 and sentence.is_wrapped_at(first),
    )


def _kind(
    sentence: Sentence,
    start: int,
    end: int,
    name: str,
    determiner: str,
    lexicon: Lexicon,
) -> Kind | None:
    if determiner == "the":
        return _definite_kind(sentence, start, end, name, lexicon)
    if determiner:
        return _GENERIC
    if end - start > 1:
        first = sentence.words[start]
        return None if first in NO_FIRST_WORDS else _GENERIC
    if lexicon.is_known(name):
        return _NAME
    return _WORD if lexicon.is_everyday(name) else _NAME


def _definite_kind(
    sentence: Sentence, start: int, end: int, name: str, lexicon: Lexicon
) -> Kind | None:
    """ "The Glitch University" is a name; "the server" is one that was meant before."""
    flags = sentence.flags[start]
    if end - start > 1 or not flags & CAPITAL:
        return None
    if flags & COMPOUND:
        return _NAME
    return None if lexicon.is_everyday(name) else _WORD


def _end_of_subject(sentence: Sentence, cue: int) -> int:
    """Step back over what may stand between a subject and its verb.

    "Function as a Service (FaaS) is", "Kubernetes, often abbreviated as K8s, is",
    "Site Reliability Engineering or SRE is".
    """
    gaps, end = sentence.gaps, cue
    if end and gaps[end] & CLOSE:
        depth = 0
        while end > 0:
            depth += bool(gaps[end] & CLOSE) - bool(gaps[end] & OPEN)
            if depth <= 0:
                break
            end -= 1
        if gaps[end] & ~(OPEN | PLAIN | QUOTED | POSSESSIVE):
            return 0
    elif end and gaps[end] & (COMMA | DASH):
        end = _end_before_apposition(sentence, cue)
    elif end and gaps[end] & ~(PLAIN | QUOTED):
        return 0
    alias = _start_of_alias(sentence, end)
    return alias if alias else end


def _end_before_apposition(sentence: Sentence, cue: int) -> int:
    """Return the end of the phrase that begins the clause and ends in a comma."""
    words, gaps = sentence.words, sentence.gaps
    start = 0
    for at in range(cue - 1, 0, -1):
        if gaps[at] & COLON or words[at - 1] in ("that", "and", "but"):
            start = at
            break
    return _end_of_leading_phrase(sentence, 0, cue) or (
        _end_of_leading_phrase(sentence, start, cue) if start else 0
    )


def _end_of_leading_phrase(sentence: Sentence, start: int, cue: int) -> int:
    words, gaps, flags = sentence.words, sentence.gaps, sentence.flags
    end = start
    while end < cue - 1 and end - start <= NAME_WORDS_MAX:
        if flags[end] & CLOSED and words[end] not in ("a", "an", "the", "as", "of"):
            return 0
        end += 1
        if gaps[end] & (COMMA | DASH | OPEN):
            return 0 if words[end - 1] in OPENING else end
        if gaps[end] & ~PLAIN:
            return 0
    return 0


def _start_of_alias(sentence: Sentence, end: int) -> int:
    """Return where "X or XYZ" has its "or", if XYZ abbreviates X."""
    words, flags = sentence.words, sentence.flags
    if end < 3 or words[end - 2] != "or" or flags[end - 1] & CAPITAL == 0:
        return 0
    if any(sentence.gaps[i] & ~PLAIN for i in (end - 2, end - 1)):
        return 0
    start = _start_of_words(sentence, end - 2)
    parts = "_".join(words[start : end - 2]).split("_")
    initials = "".join([part[:1] for part in parts])
    return end - 2 if words[end - 1] == initials else 0


def _start_of_words(sentence: Sentence, end: int) -> int:
    """Walk left over the words of a noun phrase."""
    words, gaps, flags = sentence.words, sentence.gaps, sentence.flags
    start = end
    while start > 0 and end - start < NAME_WORDS_MAX:
        if flags[start - 1] & CLOSED or (start < end and gaps[start] & ~PLAIN):
            break
        if start < end and words[start - 1] in OPENING:
            break
        start -= 1
    return start


def _joined_by_preposition(
    sentence: Sentence, start: int, end: int, lexicon: Lexicon
) -> Subject | None:
    """ "Internet of Things", "Function as a Service": names with a small word in them.

    Everything else before which "of" stands is not what the sentence is about.
    """
    words, flags = sentence.words, sentence.flags
    middle = start - 1
    first = _start_of_words(sentence, middle)
    if first == middle or end - start > 1:
        return None
    capitals = flags[first] & CAPITAL and flags[start] & CAPITAL
    is_name = words[middle] == "of" and capitals
    is_as = words[middle] == "as" and words[start] == "code"
    if not (is_name or is_as):
        return None
    return _with_preposition(sentence, first, end)


def read_as_a_service(sentence: Sentence, cue: int) -> Subject | None:
    """Return the subject of "Function as a Service (FaaS) is a …"."""
    end = _end_of_subject(sentence, cue)
    if end < 4 or sentence.words[end - 3 : end] != ["as", "a", "service"]:
        return None
    first = _start_of_words(sentence, end - 3)
    return None if first == end - 3 else _with_preposition(sentence, first, end)


def _with_preposition(sentence: Sentence, first: int, end: int) -> Subject | None:
    name = _joined(sentence.words[first:end])
    start = first - (first > 0 and sentence.words[first - 1] in ("a", "an"))
    edge = _edge(sentence, start)
    if name is None or edge is not _START:
        return None
    return Subject(name, _GENERIC, edge, start, end)


def _edge(sentence: Sentence, first: int) -> Edge | None:
    """Say what stands before a subject; None if it is no clause's beginning."""
    words, gaps = sentence.words, sentence.gaps
    if first == 0:
        return None if gaps[0] & ODD else _START
    gap = gaps[first]
    if first == 1 and gap & CLOSE and len(words[0]) < _ENUMERATOR_CHARACTERS:
        return _START  # "1) …"
    if gap & (COLON | DASH):
        return _LABEL
    if _all_opening(words, first):
        return _OPENED
    if gap & COMMA:
        return _FRONTED
    if gap & OPEN:
        return _CLAUSE
    if gap & ~(PLAIN | QUOTED):
        return None
    if words[first - 1] == "that":
        return _THAT
    if words[first - 1] in CLAUSE_JOINS or gap & WRAP:
        return _CLAUSE
    return None


def _joined(words: list[str]) -> str | None:
    """Join the words of a phrase into a token that may be rendered (E4), if it may."""
    name = "_".join(words)
    if len(words) > NAME_WORDS_MAX or len(name) > NAME_CHARACTERS_MAX:
        return None
    return name


def _are_concepts(sentence: Sentence, start: int, end: int) -> bool:
    for at in range(start, end):
        if not sentence.flags[at] & CONCEPT:
            return False
    return True


def _without_opening(name: str) -> str:
    """Return `docker` for `btw_docker`: a compound that swallowed an opening word."""
    first, _, rest = name.partition("_")
    return rest if rest and first in OPENING else name


def _all_opening(words: list[str], end: int) -> bool:
    for at in range(end):
        if words[at] not in OPENING:
            return False
    return True
