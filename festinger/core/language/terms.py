"""Index terms of texts: stems of words, and identifiers with their parts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

import Stemmer

from festinger.core.graph.wordlists import STOPWORDS, SYNONYMS

CHARACTERS_MAX: Final = 64
"""Maximum number of characters of a term; longer words are unlikely to recur."""

_WORD: Final = re.compile(r"[^\W_]+(?:[._'’/:@-][^\W_]+)*")  # "db-prod-1", "a/b"
_JOINT: Final = re.compile(r"[._'’/:@-]")
WIDE: Final = re.compile(r"[぀-ヿ㐀-鿿가-힯]")
"""Characters of scripts without spaces between words."""
_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")  # names that need no folding
# A call holds the interpreter's lock, so that threads share it.
_STEMMER: Final = Stemmer.Stemmer("english", 0)


def terms(text: str) -> list[str]:
    """Return the terms of a text in order, including repetitions.

    `db-prod-1` yields itself, `db`, `prod` and `1`; `deployed` yields `deploy`; stop
    words yield nothing; CJK text yields its pairs of characters.
    """
    return [term for _, found in words_with_terms(text) for term in found]


# Lines are compared with each other again for each prompt.
@lru_cache(maxsize=8_000)
def term_set(text: str) -> frozenset[str]:
    """Return the distinct terms of a line or a part of one."""
    return frozenset(terms(text))


def name_terms(name: str) -> Iterable[str]:
    """Return the same terms for a single name, such as `billing_service`."""
    # Not by the cache of words, since the many names of a memory would fill it.
    word = name.replace("_", "-")
    return _parts_of(word) if _NAME.fullmatch(word) else terms(name)


def words_with_terms(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each word of a text in lower case, and its terms."""
    for word in _WORD.findall(text.lower().replace("_", "-")):
        yield word, _terms_of(word)


@lru_cache(maxsize=2_000)
def sentence_terms(sentence: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return each word of a sentence that has terms, in lower case, and its terms."""
    # Cached, since a sentence is asked with, kept, and asked with again by the next prompts.
    return tuple(it for it in words_with_terms(sentence) if it[1])


@lru_cache(maxsize=200_000)
def _terms_of(word: str) -> tuple[str, ...]:
    """Return the terms of a word in lower case."""
    word = unicodedata.normalize("NFKC", word.replace("’", "'"))
    if WIDE.search(word):
        return tuple(word[at : at + 2] for at in range(max(1, len(word) - 1)))
    return _parts_of(word.removesuffix("'s"))


def _parts_of(word: str) -> tuple[str, ...]:
    """Return a normalised word's stem, or the word and the stems of its parts."""
    if word in STOPWORDS or len(word) > CHARACTERS_MAX:
        return ()
    if word in SYNONYMS:
        return (SYNONYMS[word],)
    parts = [part for part in _JOINT.split(word) if part]
    if len(parts) == 1:
        return (stem(word),)
    # Of the parts, single letters are no terms ("e.g"), single digits are ("db-prod-1").
    stems = [
        SYNONYMS.get(part) or stem(part)
        for part in parts
        if part not in STOPWORDS and (len(part) > 1 or part.isdigit())
    ]
    return (word, *stems)


def stem(word: str) -> str:
    """Return the stem of a word in lower case (Porter2)."""
    return str(_STEMMER.stemWord(word))
