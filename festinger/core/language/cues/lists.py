"""The lists of `words` as bits, so that each word is looked up only once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from festinger._fast import Lists
from festinger._fast.values import OPEN_END, OPEN_START, SHORT
from festinger._fast.words import OPENERS as OPENING_VERBS
from festinger.core.language.cues import nounwords, words

# Bits 0, 1, 15 and 60 to 63 are those of the compiled code, as `_fast.values` has them.

# Around the cue.
NEGATIONS: Final = 1 << 2
ADVERBS: Final = 1 << 3
SOFTENERS: Final = 1 << 4
HEDGES: Final = 1 << 5
HALF_DENIALS: Final = 1 << 6
CONDITIONALS: Final = 1 << 7
MODALS: Final = 1 << 8
DENIALS: Final = 1 << 9
AUXILIARIES: Final = 1 << 10
WH_WORDS: Final = 1 << 11
HEDGES_BEHIND: Final = 1 << 12
ASIDES: Final = 1 << 13

# Left of the subject.
OPENING: Final = 1 << 14
LABELS: Final = 1 << 16
FALSE_LABELS: Final = 1 << 17
INSTRUCTIONS: Final = 1 << 18
FACTIVES: Final = 1 << 19
UNFACTIVES: Final = 1 << 20
CLAUSE_JOINS: Final = 1 << 21
FINITE_VERBS: Final = 1 << 22
DETERMINERS: Final = 1 << 23
POINTERS: Final = 1 << 24
OPENERS: Final = 1 << 25

# Subjects.
NO_SUBJECTS: Final = 1 << 26
INTENSIFIERS: Final = 1 << 27
NO_FIRST_WORDS: Final = 1 << 28

# Parents.
VAGUE: Final = 1 << 29
QUANTITIES: Final = 1 << 30
NOTATION_NOISE: Final = 1 << 31
OBJECTS: Final = 1 << 32
VAGUE_WHOLES: Final = 1 << 33
RELATIONAL: Final = 1 << 34
MEMBER_HEADS: Final = 1 << 35
TRANSPARENT: Final = 1 << 36
GENERA: Final = 1 << 37
PRIVATIVES: Final = 1 << 38
ADJECTIVES: Final = 1 << 39
LY_NOUNS: Final = 1 << 40
ENDS_PHRASE: Final = 1 << 41
ATTRIBUTES: Final = 1 << 42
GERUND_NOUNS: Final = 1 << 43
PARTICIPLE_PREPOSITIONS: Final = 1 << 44
ED_NOUNS: Final = 1 << 45

# Single words that are tested often.
ARTICLES: Final = 1 << 46  #: a, an
THE: Final = 1 << 47
OF: Final = 1 << 48
AND: Final = 1 << 49
BUT: Final = 1 << 50
OR: Final = 1 << 51
NO: Final = 1 << 52
IN: Final = 1 << 53
AS: Final = 1 << 54
THAT: Final = 1 << 55
BY: Final = 1 << 56
ON: Final = 1 << 57
TO: Final = 1 << 58
LONGER: Final = 1 << 59


def _listed() -> dict[str, int]:
    """Return the bits of all lists of each word."""
    found: dict[str, int] = {}
    for bit, listed in _LISTS:
        for word in listed:
            found[word] = found.get(word, 0) | bit
    return found


_LISTS: Final[tuple[tuple[int, Iterable[str]], ...]] = (
    (SHORT, words.ABBREVIATIONS),
    (OPEN_END, words.OPEN_ENDS),
    (OPEN_START, words.OPEN_STARTS),
    (NEGATIONS, words.NEGATIONS),
    (ADVERBS, words.ADVERBS),
    (SOFTENERS, words.SOFTENERS),
    (HEDGES, words.HEDGES),
    (HALF_DENIALS, words.HALF_DENIALS),
    (CONDITIONALS, words.CONDITIONALS),
    (MODALS, words.MODALS),
    (DENIALS, words.DENIALS),
    (AUXILIARIES, words.AUXILIARIES),
    (WH_WORDS, words.WH_WORDS),
    (HEDGES_BEHIND, words.HEDGES_BEHIND),
    (ASIDES, words.ASIDES),
    (OPENING, words.OPENING),
    (LABELS, words.LABELS),
    (FALSE_LABELS, words.FALSE_LABELS),
    (INSTRUCTIONS, words.INSTRUCTIONS),
    (FACTIVES, words.FACTIVES),
    (UNFACTIVES, words.UNFACTIVES),
    (CLAUSE_JOINS, words.CLAUSE_JOINS),
    (FINITE_VERBS, words.FINITE_VERBS),
    (DETERMINERS, words.DETERMINERS),
    (POINTERS, words.POINTERS),
    (OPENERS, OPENING_VERBS),
    (NO_SUBJECTS, nounwords.NO_SUBJECTS),
    (INTENSIFIERS, nounwords.INTENSIFIERS),
    (NO_FIRST_WORDS, nounwords.NO_FIRST_WORDS),
    (VAGUE, nounwords.VAGUE),
    (QUANTITIES, nounwords.QUANTITIES),
    (NOTATION_NOISE, nounwords.NOTATION_NOISE),
    (OBJECTS, nounwords.OBJECTS),
    (VAGUE_WHOLES, nounwords.VAGUE_WHOLES),
    (RELATIONAL, nounwords.RELATIONAL),
    (MEMBER_HEADS, nounwords.MEMBER_HEADS),
    (TRANSPARENT, nounwords.TRANSPARENT),
    (GENERA, nounwords.GENERA),
    (PRIVATIVES, nounwords.PRIVATIVES),
    (ADJECTIVES, nounwords.ADJECTIVES),
    (LY_NOUNS, nounwords.LY_NOUNS),
    (ENDS_PHRASE, nounwords.ENDS_PHRASE),
    (ATTRIBUTES, nounwords.ATTRIBUTES),
    (GERUND_NOUNS, nounwords.GERUND_NOUNS),
    (PARTICIPLE_PREPOSITIONS, nounwords.PARTICIPLE_PREPOSITIONS),
    (ED_NOUNS, nounwords.ED_NOUNS),
    (ARTICLES, ["a", "an"]),
    (THE, ["the"]),
    (OF, ["of"]),
    (AND, ["and"]),
    (BUT, ["but"]),
    (OR, ["or"]),
    (NO, ["no"]),
    (IN, ["in"]),
    (AS, ["as"]),
    (THAT, ["that"]),
    (BY, ["by"]),
    (ON, ["on"]),
    (TO, ["to"]),
    (LONGER, ["longer"]),
)

#: Lookup of the lists that contain a word.
LISTS: Final = Lists(_listed())
