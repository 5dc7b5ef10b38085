"""Read the noun phrases that are objects of statements.

The head of a noun phrase is its last noun: "a small, well-tested web service for
students" is a service. Without a tagger the phrase ends at the first word that cannot
continue a noun phrase.
"""

from __future__ import annotations

from typing import Final, Protocol

from festinger._fast import CAPITAL, CLOSED, COMPOUND, CONCEPT, CUE, Sentence
from festinger._fast.values import (
    CLOSE,
    COMMA,
    ENDS_IN_ED,
    ENDS_IN_ING,
    ENDS_IN_LY,
    HIDDEN,
    HYPHENATED,
    ODD,
    OPAQUE,
    OPEN,
    PLAIN,
    POSSESSIVE,
    QUOTED,
)
from festinger.core.language.cues.lists import (
    ADJECTIVES,
    AND,
    ATTRIBUTES,
    BUT,
    DETERMINERS,
    ED_NOUNS,
    ENDS_PHRASE,
    FINITE_VERBS,
    GERUND_NOUNS,
    INTENSIFIERS,
    LISTS,
    LY_NOUNS,
    PARTICIPLE_PREPOSITIONS,
    POINTERS,
)
from festinger.core.language.cues.nounwords import ADJECTIVE_ENDINGS

PHRASE_WORDS_MAX: Final = 12

_BLANK: Final = " \t\r\n*_" + HIDDEN
_CUTTING: Final = frozenset(["/", "&", "+", "-", "\\", OPAQUE])  # "YAML/JSON", "R&D"
#: Endings of the verb behind a name that begins a clause of its own.
_VERB_ENDINGS: Final = ("ed", "wrote", "made", "built", "owns", "uses")


class Lexicon(Protocol):
    """Vocabulary lookups that the scanner needs from a world."""

    def is_everyday(self, token: str) -> bool:
        """Return whether a token is a word of the dictionary."""

    def is_known(self, token: str) -> bool:
        """Return whether a concept has been placed already."""


class Phrase:
    """The object of a statement.

    Attributes:
        name: Token of the head noun.
        lists: Word lists of the head noun.
        start: First word behind the determiner.
        head: Position of the head.
        end: Word behind the phrase.
        determiner: Word lists of the determiner before it; 0 if there is none.
    """

    name: str
    lists: int
    start: int
    head: int
    end: int
    determiner: int


def read_phrase(sentence: Sentence, start: int, lexicon: Lexicon) -> Phrase | None:
    """Return the noun phrase that begins at a word; None if it has no noun."""
    determiner = 0
    if start < sentence.count and sentence.gap(start) & ~(PLAIN | QUOTED):
        return None
    while start < sentence.count and sentence.lists(start) & (DETERMINERS | POINTERS):
        if sentence.gap(start) & ~(PLAIN | QUOTED):
            return None
        determiner, start = sentence.lists(start), start + 1
    # Two stretches if something interrupts the phrase; its head is in the last one.
    end = _end_of_phrase(sentence, start, start, lexicon)
    resumed = _resumes_at(sentence, end) if end > start else 0
    if resumed:
        end = _end_of_phrase(sentence, resumed, resumed, lexicon)
    head = end - 1
    # "Ubuntu 22.04", "Python 3": a version is not the head.
    while head > start and not sentence.flags(head) & (CONCEPT | CLOSED):
        head -= 1
    if head < start or not sentence.flags(head) & CONCEPT:
        return None
    word = sentence.word(head)
    phrase = Phrase()
    phrase.name = without_emphasis(word)
    phrase.lists = (
        sentence.lists(head) if phrase.name is word else LISTS.of(phrase.name)
    )
    phrase.start = start
    phrase.head = head
    phrase.end = end
    phrase.determiner = determiner
    return phrase


def _end_of_phrase(sentence: Sentence, start: int, at: int, lexicon: Lexicon) -> int:
    """Return the position behind a noun phrase."""
    while at < sentence.count and at - start < PHRASE_WORDS_MAX:
        if at > start and not _reaches_over(sentence, at):
            break
        if _ends_phrase(sentence, start, at, lexicon):
            break
        at += 1
    return at


def _resumes_at(sentence: Sentence, end: int) -> int:
    """Return the position at which an interrupted phrase continues, or 0."""
    at, count = end, sentence.count
    # "A cloud (public or private) operator".
    if at < count and sentence.gap(at) & OPEN:
        while at < count and not sentence.gap(at) & CLOSE:
            at += 1
        if at >= count or sentence.gap(at) & ~(CLOSE | PLAIN):
            return 0
    # "A networking and concurrency library".
    elif sentence.follows(end, AND) and sentence.lists(end - 1) & GERUND_NOUNS:
        at = end + 1
        if not is_compound_at(sentence, at):
            return 0
    if at == end or at >= count or sentence.flags(at) & CLOSED:
        return 0
    lists = sentence.lists(at)
    if lists & GERUND_NOUNS and not lists & ENDS_PHRASE:
        return at
    # A verb behind it begins another clause: "a repo (old) called x".
    return 0 if lists & (ENDS_PHRASE | ENDS_IN_ED | ENDS_IN_ING | ENDS_IN_LY) else at


def is_compound_at(sentence: Sentence, at: int) -> bool:
    """Return whether two nouns follow each other: "… and concurrency library"."""
    if at + 1 >= sentence.count or sentence.gap(at + 1) & ~PLAIN:
        return False
    return not (sentence.flags(at) | sentence.flags(at + 1)) & (CLOSED | CUE)


def has_form_of_name(sentence: Sentence, at: int, lexicon: Lexicon) -> bool:
    """Return whether a word looks like a name: Glitch University, agent_pool, k8s."""
    flags = sentence.flags(at)
    if not flags & CONCEPT:
        return False
    if flags & (CAPITAL | COMPOUND):
        return True
    word = sentence.word(at)
    if lexicon.is_known(word):
        return True
    letters = word.replace("'", "")
    return letters != "" and not letters.isalpha()


def is_cut_off(sentence: Sentence, at: int) -> bool:
    """Return whether a phrase was ended by a sign that it would span: "YAML/JSON"."""
    if at >= sentence.count:
        return False
    # A verb has ended it, so that its last word was a subject: "a big server.dobby is".
    if not sentence.gap(at) & ~PLAIN and sentence.lists(at) & FINITE_VERBS:
        return True
    if not sentence.gap(at) & ODD:
        return False
    between = sentence.text[sentence.end(at - 1) : sentence.start(at)]
    return between.strip(_BLANK)[:1] in _CUTTING


def is_adjective(word: str, lists: int) -> bool:
    """Return whether a word is or looks like one that only precedes a noun."""
    if lists & ADJECTIVES or _ends_like_an_adverb(lists):
        return True
    return lists & HYPHENATED != 0 and word.endswith(ADJECTIVE_ENDINGS)


def _is_adjective_at(sentence: Sentence, at: int) -> bool:
    lists = sentence.lists(at)
    # The lists decide for most words, without creating their text.
    if not lists & (ADJECTIVES | ENDS_IN_LY | HYPHENATED):
        return False
    return is_adjective(sentence.word(at), lists)


def _ends_like_an_adverb(lists: int) -> bool:
    return lists & (ENDS_IN_LY | LY_NOUNS) == ENDS_IN_LY


def _reaches_over(sentence: Sentence, at: int) -> bool:
    """Return whether a noun phrase continues over the gap before a word."""
    gap = sentence.gap(at)
    if gap & ~(PLAIN | COMMA | QUOTED | POSSESSIVE):
        return False
    if not gap & COMMA:
        return True
    # "a small, well-tested service": a comma only between adjectives.
    looks = (
        _is_adjective_at(sentence, at - 1)
        or sentence.lists(at - 1) & HYPHENATED != 0
        or sentence.word(at - 1).endswith(ADJECTIVE_ENDINGS)
    )
    return looks and not sentence.flags(at) & CLOSED


def _ends_phrase(sentence: Sentence, start: int, at: int, lexicon: Lexicon) -> bool:
    lists, flags = sentence.lists(at), sentence.flags(at)
    if lists & INTENSIFIERS:  # "a very old library"
        return False
    if flags & CLOSED:
        return not _joins_adjectives(sentence, start, at)
    if _are_adjectives(sentence, start, at):
        # There is no noun yet, so that this word is the noun or precedes it.
        return at > start and lists & (ENDS_PHRASE | ATTRIBUTES) == ENDS_PHRASE
    if lists & ENDS_PHRASE or _ends_like_an_adverb(lists):
        return True
    # "A service running on port 80" ends at the participle, "a load balancing service" does not.
    if lists & (ENDS_IN_ING | GERUND_NOUNS) == ENDS_IN_ING:
        return True
    following = sentence.lists(at + 1)
    if lists & (ENDS_IN_ED | ED_NOUNS) == ENDS_IN_ED and not flags & CAPITAL:
        # "A library maintained by Bob" ends at it, "an embedded interpreter" does not.
        closes = sentence.gap(at + 1) & ~PLAIN != 0
        adverb = _ends_like_an_adverb(following)
        return closes or adverb or following & PARTICIPLE_PREPOSITIONS != 0
    # "a repo Alice wrote": a name behind a noun begins a clause of its own.
    return (
        flags & CAPITAL != 0
        and not sentence.flags(at - 1) & CAPITAL
        and not sentence.lists(at - 1) & ADJECTIVES
        and at + 1 < sentence.count
        and sentence.word(at + 1).endswith(_VERB_ENDINGS)
        and not lexicon.is_everyday(sentence.word(at))
    )


def _are_adjectives(sentence: Sentence, start: int, end: int) -> bool:
    for at in range(start, end):
        if not _is_adjective_at(sentence, at):
            return False
    return True


def _joins_adjectives(sentence: Sentence, start: int, at: int) -> bool:
    """Return whether the phrase continues over "and": "a small and fast service"."""
    return (
        (sentence.lists(at) & (AND | BUT) != 0 or sentence.reads(at, "yet"))
        and at > start
        and at + 1 < sentence.count
        and not sentence.flags(at + 1) & CLOSED
        and _is_adjective_at(sentence, at - 1)
    )


def without_emphasis(word: str) -> str:
    """Return `name` for `_name_` (emphasis) and `name_` (a link in reST)."""
    if len(word) > 2 and word[-1] == "_" and word[-2] != "_" and word[:2] != "__":
        return word.strip("_")
    return word
