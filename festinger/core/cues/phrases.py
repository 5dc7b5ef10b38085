"""What a subject is said to be.

The head of a noun phrase is its last noun: "a small, well-tested web service for
students" is a service. Without a tagger the phrase ends at the first word that no noun
phrase goes on with.
"""

from __future__ import annotations

from typing import Final, Protocol

from festinger._fast import CAPITAL, CLOSED, COMPOUND, CONCEPT, CUE
from festinger._fast.values import HIDDEN, OPAQUE
from festinger.core.cues.marks import CLOSE, COMMA, ODD, OPEN, PLAIN, POSSESSIVE, QUOTED
from festinger.core.cues.sentences import Sentence
from festinger.core.cues.words import (
    ADJECTIVE_ENDINGS,
    ADJECTIVES,
    ATTRIBUTES,
    DETERMINERS,
    ED_NOUNS,
    ENDS_PHRASE,
    FINITE_VERBS,
    GERUND_NOUNS,
    INTENSIFIERS,
    LY_NOUNS,
    PARTICIPLE_PREPOSITIONS,
    POINTERS,
)

PHRASE_WORDS_MAX: Final = 12

_BEFORE_NOUNS: Final = DETERMINERS | POINTERS

_BLANK: Final = " \t\r\n*_" + HIDDEN
_CUTTING: Final = frozenset(["/", "&", "+", "-", "\\", OPAQUE])


class Lexicon(Protocol):
    """What the scanner asks of the world."""

    def is_everyday(self, token: str) -> bool:
        """Whether a token is a word of the dictionary."""

    def is_known(self, token: str) -> bool:
        """Whether somebody placed that concept here already."""


class Phrase:
    """What a subject is said to be.

    Attributes:
        name: The head noun's token.
        start: The first word behind the determiner.
        head: The head's position.
        end: The word behind the phrase.
        determiner: The word before it, or "".
        named: Whether the head has the form of a name.
    """

    def __init__(
        self,
        name: str,
        start: int,
        head: int,
        end: int,
        determiner: str,
        named: bool,
    ) -> None:
        """Note what was found."""
        self.name = name
        self.start = start
        self.head = head
        self.end = end
        self.determiner = determiner
        self.named = named

    @property
    def is_single(self) -> bool:
        """Whether the head is all there is."""
        return self.head == self.start


def read_phrase(sentence: Sentence, start: int, lexicon: Lexicon) -> Phrase | None:
    """Return the noun phrase that begins at a word, or None if it has no noun."""
    words, gaps = sentence.words, sentence.gaps
    determiner = ""
    if start < len(words) and gaps[start] & ~(PLAIN | QUOTED):
        return None
    while start < len(words) and words[start] in _BEFORE_NOUNS:
        if gaps[start] & ~(PLAIN | QUOTED):
            return None
        determiner, start = words[start], start + 1
    end = _end_of_phrase(sentence, start, start, lexicon)
    resumed = _resumes_at(sentence, end, lexicon) if end > start else 0
    if resumed:
        end = _end_of_phrase(sentence, resumed, resumed, lexicon)
    head = end - 1
    # "Ubuntu 22.04", "Python 3": a version names no other thing.
    while head > start and not sentence.flags[head] & (CONCEPT | CLOSED):
        head -= 1
    if head < start or not sentence.flags[head] & CONCEPT:
        return None
    name = without_emphasis(words[head])
    return Phrase(
        name, start, head, end, determiner, has_form_of_name(sentence, head, lexicon)
    )


def _end_of_phrase(sentence: Sentence, start: int, at: int, lexicon: Lexicon) -> int:
    """Walk right to the word behind a noun phrase."""
    while at < len(sentence.words) and at - start < PHRASE_WORDS_MAX:
        if at > start and not _reaches_over(sentence, at):
            break
        if _ends_phrase(sentence, start, at, lexicon):
            break
        at += 1
    return at


def _resumes_at(sentence: Sentence, end: int, lexicon: Lexicon) -> int:
    """Return where a phrase goes on behind what interrupts it, or 0.

    "A cloud (public or private) operator", "a networking and concurrency library".
    """
    words, gaps, flags = sentence.words, sentence.gaps, sentence.flags
    at = end
    if at < len(words) and gaps[at] & OPEN:
        while at < len(words) and not gaps[at] & CLOSE:
            at += 1
        if at >= len(words) or gaps[at] & ~(CLOSE | PLAIN):
            return 0
    elif sentence.follows(end, "and") and words[end - 1] in GERUND_NOUNS:
        at = end + 1
        if not is_compound_at(sentence, at):
            return 0
    if at == end or at >= len(words) or flags[at] & CLOSED or words[at] in ENDS_PHRASE:
        return 0
    if words[at] in GERUND_NOUNS:
        return at
    return 0 if words[at].endswith(("ed", "ing", "ly")) else at


def is_compound_at(sentence: Sentence, at: int) -> bool:
    """Whether two nouns or more follow each other, as in "… and concurrency library"."""
    if at + 1 >= len(sentence.words) or sentence.gaps[at + 1] & ~PLAIN:
        return False
    return not (sentence.flags[at] | sentence.flags[at + 1]) & (CLOSED | CUE)


def has_form_of_name(sentence: Sentence, at: int, lexicon: Lexicon) -> bool:
    """Whether a word is written like a name: Glitch University, agent_pool, k8s."""
    word, flags = sentence.words[at], sentence.flags[at]
    if not flags & CONCEPT:
        return False
    if flags & (CAPITAL | COMPOUND) or lexicon.is_known(word):
        return True
    letters = word.replace("'", "")
    return letters != "" and not letters.isalpha()


def is_cut_off(sentence: Sentence, at: int) -> bool:
    """Whether a phrase was ended by what it would have to reach across: "YAML/JSON".

    Or by a verb, so that it was no phrase: "a server.dobby is".
    """
    if at >= len(sentence.words):
        return False
    if not sentence.gaps[at] & ~PLAIN and sentence.words[at] in FINITE_VERBS:
        return True
    if not sentence.gaps[at] & ODD:
        return False
    between = sentence.text[sentence.ends[at - 1] : sentence.starts[at]]
    return between.strip(_BLANK)[:1] in _CUTTING


def is_adjective(word: str) -> bool:
    """Whether a word is known, or looks, as if it only stood before a noun."""
    if word in ADJECTIVES or (word.endswith("ly") and word not in LY_NOUNS):
        return True
    return "-" in word and word.endswith(ADJECTIVE_ENDINGS)


def _reaches_over(sentence: Sentence, at: int) -> bool:
    """Whether a noun phrase goes on over the gap before a word."""
    gap, word = sentence.gaps[at], sentence.words[at - 1]
    if gap & ~(PLAIN | COMMA | QUOTED | POSSESSIVE):
        return False
    if not gap & COMMA:
        return True
    # "a small, well-tested service": only between adjectives.
    looks = is_adjective(word) or "-" in word or word.endswith(ADJECTIVE_ENDINGS)
    return looks and not sentence.flags[at] & CLOSED


def _ends_phrase(sentence: Sentence, start: int, at: int, lexicon: Lexicon) -> bool:
    words, flags = sentence.words, sentence.flags
    word = words[at]
    following = words[at + 1] if at + 1 < len(words) else ""
    if word in INTENSIFIERS:
        return False
    if flags[at] & CLOSED:
        return not _joins_adjectives(sentence, start, at)
    if _are_adjectives(words, start, at):
        # There is no noun yet, so this is it, or stands before it.
        return at > start and word in ENDS_PHRASE and word not in ATTRIBUTES
    if word in ENDS_PHRASE or (word.endswith("ly") and word not in LY_NOUNS):
        return True
    if word.endswith("ing") and word not in GERUND_NOUNS:
        return True
    if word.endswith("ed") and word not in ED_NOUNS and not flags[at] & CAPITAL:
        closes = not following or sentence.gaps[at + 1] & ~PLAIN != 0
        adverb = following.endswith("ly") and following not in LY_NOUNS
        return closes or adverb or following in PARTICIPLE_PREPOSITIONS
    # "a repo Alice wrote": a name behind a noun begins a clause of its own.
    return bool(
        flags[at] & CAPITAL
        and not flags[at - 1] & CAPITAL
        and words[at - 1] not in ADJECTIVES
        and not lexicon.is_everyday(word)
        and following.endswith(("ed", "wrote", "made", "built", "owns", "uses"))
    )


def _are_adjectives(words: list[str], start: int, end: int) -> bool:
    for at in range(start, end):
        if not is_adjective(words[at]):
            return False
    return True


def _joins_adjectives(sentence: Sentence, start: int, at: int) -> bool:
    """ "A small and fast service": the phrase goes on over this "and"."""
    words = sentence.words
    return (
        words[at] in ("and", "but", "yet")
        and at > start
        and is_adjective(words[at - 1])
        and at + 1 < len(words)
        and not sentence.flags[at + 1] & CLOSED
    )


def without_emphasis(word: str) -> str:
    """Return `name` for `_name_` and `name_`: emphasis, and a link in reST."""
    if len(word) > 2 and word[-1] == "_" and word[-2] != "_" and word[:2] != "__":
        return word.strip("_")
    return word
