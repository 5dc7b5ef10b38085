"""Search for the cue words that may lead to a statement.

Only one in ten cue words states something. The words around the others rule them out:
nothing that a pattern needs follows them, or no subject can end before them. The tests
apply to the words as they stand; where markup, quotes or code may hide some of them,
nothing is ruled out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import Final

from festinger._fast.kinds import (
    ADVERB,
    AND,
    ARTICLE,
    BACK,
    BARE,
    COPULA,
    DENIAL,
    GENUS,
    HEAD,
    HEDGE,
    JOIN,
    KEYWORD,
    LONGER,
    NEEDS,
    OF,
    OPENING,
    OR,
    POINTER,
    PREPOSITIONS,
    SHORT,
    THE,
    VERB,
    WITHIN,
    check,
)
from festinger._fast.values import (
    CAPITAL,
    CLOSED,
    COMPOUND,
    CONCEPT,
    SENTENCE_CHARACTERS_MAX,
)
from tests.oracle.scanner import Scan

WORDS_MAX: Final = 1024
WORD_BYTES_MAX: Final = 16

#: Maximum number of adverbs behind a copula: "is not really also still a".
ADVERBS_MAX: Final = 6
NAME_WORDS_MAX: Final = 5
#: Maximum length of a blank gap, in bytes; a longer one may end a sentence.
BLANKS_MAX: Final = 64

# Kinds of gaps between two words.
ANYTHING: Final = 0
BLANK: Final = 1
LINE: Final = 2  #: blank, with a line break
PARTED: Final = 3  #: no phrase reaches across it

_HINT: Final = re.compile("iknowthat", re.ASCII | re.IGNORECASE)
_BLANKS: Final = frozenset(" \t\n\r")
_PARTING: Final = frozenset(".;:?/&=+#%@$^{}|\\")
# A word in quotes or backticks is part of its sentence or opaque, so an opening mark
# hides no word from a search to the right; only a tag and a link's target do.
_BLANKS_AHEAD: Final = _BLANKS | frozenset("*['`")
_PARTING_AHEAD: Final = _PARTING | frozenset(',()-!~">')


class CueFilter:
    """Search for the cue words of a text that may lead to a statement.

    Args:
        words: The kinds of each word, by `kinds`; in lower case, of at most 16 bytes.
    """

    def __init__(self, words: dict[str, int]) -> None:
        """Create a search with the kinds of some words.

        Raises:
            ValueError: There are too many words, or a word is invalid.
        """
        check(words)
        if len(words) > WORDS_MAX:
            raise ValueError(f"{len(words)} words; at most {WORDS_MAX} can be told")
        for word in words:
            if not 0 < len(word.encode()) <= WORD_BYTES_MAX:
                raise ValueError(f"{word!r} is not of 1 to {WORD_BYTES_MAX} bytes")
        self._kinds: Callable[[str, int], int] = dict(words).get

    def find(self, scan: Scan) -> tuple[list[int], list[int]]:
        """Return the cue words of a text that may be part of a statement.

        Returns:
            Two lists of positions, in order. The cue words of the first are followed by
            the words of a pattern. The cue words of the second are not ruled out by the
            words around them. Each of either list may share a sentence with one of the
            other, so both lists are empty or neither is.
        """
        view = _View(scan, self._kinds)
        cues = scan.cues()
        leads = [at for at in cues if view.may_match(at)]
        hopes = [at for at in cues if view.may_state(at)]
        return _near(scan, leads, hopes), _near(scan, hopes, leads)


def _near(scan: Scan, places: list[int], others: list[int]) -> list[int]:
    """Return the places that may share a sentence with one of the others."""
    starts = [scan.span(other)[0] for other in others]
    found: list[int] = []
    for place in places:
        start = scan.span(place)[0]
        i = bisect_left(starts, start - SENTENCE_CHARACTERS_MAX)
        if i < len(starts) and starts[i] <= start + SENTENCE_CHARACTERS_MAX:
            found.append(place)
    return found


class _View:
    """A scan, with the kinds of its words and of the gaps between them."""

    def __init__(self, scan: Scan, kinds: Callable[[str, int], int]) -> None:
        self.scan = scan
        self.text = scan.text
        self.count = len(scan)
        self.known = kinds

    # -- words and the gaps between them --

    def kinds(self, at: int) -> int:
        return self.known(self.scan[at], 0)

    def stands_within(self, at: int) -> bool:
        """Return whether a word may stand between a copula and its pattern's rest."""
        word, kinds = self.scan[at], self.kinds(at)
        if kinds & WITHIN:
            return True
        return word.endswith("ly") and len(word) > 4 and not kinds & HEDGE

    def is_ascii(self, at: int) -> bool:
        start, end = self.scan.span(at)
        return self.text[start:end].isascii()

    def stands_apart(self, at: int) -> bool:
        """Return whether a blank precedes a word, so that no address contains it."""
        start = self.scan.span(at)[0]
        return start == 0 or self.text[start - 1] in _BLANKS

    def gap(self, at: int) -> str:
        return self.text[self.scan.span(at - 1)[1] : self.scan.span(at)[0]]

    def between(self, at: int) -> int:
        """Return the kind of the gap before a word that is not the first."""
        gap = self.gap(at)
        if not 0 < _bytes(gap) <= BLANKS_MAX:
            return ANYTHING
        if any(c not in _BLANKS and c not in _PARTING for c in gap):
            return ANYTHING
        if not _PARTING.isdisjoint(gap):
            return PARTED
        return LINE if "\n" in gap or "\r" in gap else BLANK

    def ahead(self, at: int) -> int:
        """Return the kind of the gap before a word, for a search to the right."""
        gap = self.gap(at)
        if not 0 < _bytes(gap) <= BLANKS_MAX:
            return ANYTHING
        for character in gap:
            if character not in _BLANKS_AHEAD:
                return PARTED if character in _PARTING_AHEAD else ANYTHING
        return BLANK

    def is_loose(self, at: int) -> bool:
        """Return whether no plain blank precedes a word, or it may begin an address."""
        end = self.scan.span(at)[1]
        return self.between(at) != BLANK or self.text[end : end + 1] == ":"

    def is_hint(self, end: int) -> bool:
        """Return whether the line before an offset may be our own hint (B7)."""
        low = max(0, end - SENTENCE_CHARACTERS_MAX - 1)
        line = self.text.rfind("\n", low, end) + 1 or low
        if _bytes(self.text[line:end]) > SENTENCE_CHARACTERS_MAX:
            return True
        return _HINT.search(self.text, line, end + 8) is not None

    def is_hint_before(self, at: int) -> bool:
        """Return whether a line that may be our own hint ends right before a word."""
        return "\n" in self.gap(at) and self.is_hint(self.scan.span(at - 1)[1])

    # -- right of a cue word --

    def may_match(self, at: int) -> bool:
        """Return whether the words behind a cue word match a pattern.

        The gaps between them are ignored. Two thirds of all cue words are an "is" or an
        "are" of no pattern.
        """
        kinds, i, last = self.kinds(at), at + 1, self.count - 1
        if at == last:
            return False
        if not kinds & COPULA:
            return bool(kinds & KEYWORD or self.kinds(i) & _needed(kinds))
        while i < last and i - at < ADVERBS_MAX and self.stands_within(i):
            i += 1
        behind = self.kinds(i)
        if behind & THE:
            return i < last and bool(self.kinds(i + 1) & GENUS)
        return bool(behind & (ARTICLE | HEAD))

    def may_state(self, at: int) -> bool:
        return self.may_be_followed(at) and self.may_be_preceded(at)

    def may_be_followed(self, at: int) -> bool:
        """Return whether a pattern may follow a cue word, across blanks only."""
        kinds = self.kinds(at)
        if kinds & KEYWORD:
            return True
        if kinds & COPULA:
            return self.may_follow_copula(at)
        if not kinds & (VERB | BARE | HEAD) or at + 1 == self.count:
            return False
        gap = self.ahead(at + 1)
        if gap == PARTED:
            return bool(kinds & VERB)
        if gap == ANYTHING or not self.is_ascii(at + 1):
            return True
        return bool(self.kinds(at + 1) & _needed(kinds))

    def may_follow_copula(self, at: int) -> bool:
        i = at + 1
        while i < self.count:
            gap = self.ahead(i)
            # "Not only" is tested regardless of the gap.
            if i > at + 1 and self.kinds(i - 1) & DENIAL and self.is_loose(i):
                return True
            if gap == PARTED:
                return False
            if gap == ANYTHING or i - at > ADVERBS_MAX or not self.is_ascii(i):
                return True
            if not self.stands_within(i):
                return self.may_end_copula(i)
            i += 1
        return False

    def may_end_copula(self, at: int) -> bool:
        """Return whether a word that is no adverb may follow a copula."""
        kinds = self.kinds(at)
        if kinds & ARTICLE:
            return True
        if not kinds & (THE | HEAD) or at + 1 == self.count:
            return False
        if not self.is_ascii(at + 1):
            return True
        if kinds & HEAD:
            gap = self.ahead(at + 1)
            if gap != BLANK:
                return gap == ANYTHING
            return bool(self.kinds(at + 1) & _needed(kinds))
        # The word behind "the" is tested regardless of the gap.
        return self.is_loose(at + 1) or bool(self.kinds(at + 1) & GENUS)

    # -- left of a cue word --

    def may_be_preceded(self, at: int) -> bool:
        """Return whether a subject may end before a cue."""
        gap = BLANK
        # Adverbs: "now also is", "no longer runs on".
        while at > 0:
            gap = self.between(at)
            if gap not in (BLANK, LINE):
                break
            if self.is_hint_before(at) or not self.is_ascii(at - 1):
                return True
            kinds = self.kinds(at - 1)
            if kinds & (LONGER | DENIAL):
                return True
            if self.kinds(at) & BARE:
                # Only a denial makes it a statement: "doesn't run on".
                return not self.stands_apart(at - 1)
            if not kinds & BACK:
                break
            at -= 1
        if at == 0:
            return False
        # "… and is" may continue the subject of another statement.
        if gap == ANYTHING or self.kinds(at - 1) & AND:
            return True
        if not self.stands_apart(at - 1):
            return True
        if gap == PARTED:
            return self.is_short(at - 1) or self.is_hint_before(at)
        return self.may_end_subject(at - 1)

    def is_short(self, at: int) -> bool:
        """Return whether a full stop behind a word may not end the sentence."""
        word = self.scan[at]
        return bool(self.kinds(at) & SHORT) or _bytes(word) == 1

    def may_end_subject(self, last: int) -> bool:
        """Return whether a word may be the last of a subject."""
        flags, first = self.scan.flags(last), last
        compound = flags & COMPOUND
        if flags & CLOSED or not flags & CONCEPT:
            return self.may_be_alias(last)
        while True:
            if first == 0 or self.between(first) != BLANK:
                return True
            before = first - 1
            if not self.is_ascii(before) or self.kinds(before) & OPENING:
                return True
            if not self.stands_apart(before):
                return True
            flags = self.scan.flags(before)
            if flags & CLOSED or last - first + 1 == NAME_WORDS_MAX:
                break
            first = before
            if not flags & CONCEPT:
                return False
        if compound and self.is_hint(self.scan.span(last)[0]):
            return True
        return self.may_begin_behind(first, last)

    def may_be_alias(self, at: int) -> bool:
        """Return whether a word may be an alias: "Information Technology or IT"."""
        if at == 0 or not self.scan.flags(at) & CAPITAL:
            return False
        gap = self.between(at)
        if gap == PARTED:
            return False
        if gap == ANYTHING or not self.is_ascii(at - 1):
            return True
        return bool(self.kinds(at - 1) & OR)

    def may_begin_behind(self, first: int, last: int) -> bool:
        """Return whether a subject may begin right behind the word before it."""
        kinds = self.kinds(first - 1)
        if kinds & (OF | OR | THE):
            if first != last or not self.scan.flags(last) & CAPITAL:
                return False
            if not kinds & THE:
                return True
        if kinds & (ARTICLE | THE):
            first -= 1
            if first == 0 or self.between(first) != BLANK:
                return True
            if not self.is_ascii(first - 1) or not self.stands_apart(first - 1):
                return True
            kinds = self.kinds(first - 1)
        return bool(kinds & JOIN) and not kinds & POINTER


def _bytes(text: str) -> int:
    return len(text.encode(errors="surrogatepass"))


def _needed(kinds: int) -> int:
    """Return the kinds of words of which one must follow."""
    needed = kinds >> NEEDS & PREPOSITIONS
    return needed | ADVERB if kinds & VERB else needed
