"""Kinds of words, one bit each, that decide whether a cue word leads to a statement.

The scanner of cues assigns the kinds to words; `CueFilter` tests them.
"""

from __future__ import annotations

from collections.abc import Mapping

from .words import PATTERN_WORDS

# The cue words themselves.
COPULA = 1 << 0  #: is, isn't
KEYWORD = 1 << 1  #: isa, ispart
VERB = 1 << 2  #: a verb that an adverb may separate from its preposition: runs
BARE = 1 << 3  #: a verb that states nothing unless it is denied: run
HEAD = 1 << 4  #: a noun or a participle with its preposition: part, owned

# Words that may stand in a cue.
WITHIN = 1 << 5  #: between a copula and the rest: also, not, often
ADVERB = 1 << 6  #: between a verb and its preposition
BACK = 1 << 7  #: before the cue
LONGER = 1 << 8  #: "no longer"
HEDGE = 1 << 9  #: ends in "ly", but may not stand there
DENIAL = 1 << 10  #: before a bare verb: doesn't, not
ARTICLE = 1 << 11  #: a, an
THE = 1 << 12
GENUS = 1 << 13  #: what "the" may define: practice

# Words that stand left of a subject.
POINTER = 1 << 14  #: refers to something without a name: my, this, every
JOIN = 1 << 15  #: a subject may begin behind it: that, because, btw
OPENING = 1 << 16  #: states nothing, and is no part of a name: btw
AND = 1 << 17
OR = 1 << 18
SHORT = 1 << 19  #: a full stop behind it ends no sentence: etc

# The prepositions, and the kinds of words that need them.
OF = 1 << 20
BY = 1 << 21
ON = 1 << 22
IN = 1 << 23
TO = 1 << 24
NEEDS = 5  #: shift of a preposition's bit for words that need that preposition
PREPOSITIONS = OF | BY | ON | IN | TO

_PATTERN = KEYWORD | HEAD | WITHIN | ADVERB | ARTICLE | THE | PREPOSITIONS


def check(words: Mapping[str, int]) -> None:
    """Check that each word of a kind that occurs in patterns is in `PATTERN_WORDS`.

    Args:
        words: Words and their kinds.

    Raises:
        ValueError: A word is neither in `words.PATTERN_WORDS` nor ends in "ly".
    """
    for word, kinds in words.items():
        if kinds & _PATTERN and word not in PATTERN_WORDS and not word.endswith("ly"):
            raise ValueError(f"{word!r} is not of PATTERN_WORDS; add it there")
