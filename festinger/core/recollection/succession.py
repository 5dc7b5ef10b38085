"""Find later lines that change an earlier one, so that both are recalled together.

Example: "prod is on pg 14" is never recalled without "prod db is on postgres 16 now".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from functools import cached_property, lru_cache
from typing import Final, NamedTuple

from festinger.core.language.denials import denied_values, has_value
from festinger.core.language.marks import SentenceMark, changing_marks_of, marks_of
from festinger.core.language.sentences import split
from festinger.core.language.stated_literals import differs
from festinger.core.language.terms import term_set, terms
from festinger.core.language.utterances import is_worth_keeping
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.recollection.features import features_of
from festinger.core.recollection.scopes import is_elsewhere, proper_names
from festinger.core.recollection.topics import (
    ends,
    gone_names,
    is_code,
    is_supposed,
    topics,
)
from festinger.core.recollection.weighing import RelevanceWeights
from festinger.core.system.principals import plain

TERMS_MAX: Final = 16
"""Maximum number of terms in a search for successors, the rarest ones."""
READ_MAX: Final = 4_000
"""Maximum number of postings read: more frequent terms do not find a successor."""
CANDIDATES_MAX: Final = 12
"""Maximum number of later lines that are scored."""
DENIED: Final = 0.5
"""Minimum probability that a sentence changes one whose value it denies: "8 minutes
instead of 5". Of 11 such pairs in labelled conversations 10 are changes."""
GONE: Final = 0.3
"""The same of one that says that somebody or something named in the line is gone."""
_values_of_marks: Final = features_of(
    SentenceMark.CHANGE, SentenceMark.NEGATION, SentenceMark.HEDGE
)
_ADDS: Final = re.compile(r"\beither[\s.!)]*$", re.IGNORECASE)
# "New contact: uwe@brandt.example" is no news of all that was said of Brandt, and two things
# that are called something have nothing else in common.
_NO_WORDS: Final = re.compile(r"\S+@\S+\.\w+|\bcalled\b", re.IGNORECASE)
_NO_BRACKETS: Final = str.maketrans(":[]?~", "     ")
_ENDING: Final = int(SentenceMark.CHANGE | SentenceMark.NEGATION)
"""Marks of sentences that need no new word to change what was said."""
SENTENCE_CHARACTERS_MAX: Final = 400
"""Maximum length of a rough piece; a text without full stops is cut there."""
_CHANGING: Final = SentenceMark.CHANGE | SentenceMark.NEGATION
# A full stop behind a single letter usually belongs to an abbreviation.
_ROUGH_END: Final = re.compile(r"(?<=[^\W_]{2}[.!?…])\s+|\n")


class LaterText(NamedTuple):
    """A sentence that may change what was said before it.

    Attributes:
        same_speaker: Whether it has the speaker of the earlier line.
        same_project: Whether it was said in the project of the earlier line.
        same_session: Whether it was said in the session of the earlier line.
    """

    text: str
    words: Set[str]
    marks: SentenceMark
    same_speaker: bool = True
    same_project: bool = True
    # People talk on about a topic more often than they change it at once.
    same_session: bool = True


class EarlierLine:
    """A line whose changes are sought.

    Args:
        line: A sentence, or a statement with an origin.
    """

    def __init__(self, index: LineIndex, line: IndexedLine) -> None:
        self._index = index
        self._line = line
        self._is_stated = line.origin is not None
        self._value = ""
        self.words: Set[str]
        # A sentence is compared as a whole, a statement by subject, predicate and value.
        if self._is_stated:
            said = split_statement(line.text)
            self._value, parts = said[2], [*map(_words_of, said)]
            # A statement is recognised by its quote, too.
            self.words = frozenset().union(*parts, _words_of(_quote_of(line)))
        else:
            self.words = _words_of_line(line)
            parts = [self.words]
        self._parts = [_ComparedTerms(index, part) for part in parts]

    def values(self, later: LaterText) -> tuple[float, ...]:
        """Return the features of a later sentence, as `features.SUCCESSOR`.

        Those of a statement are those in `features.STATEMENT_SUCCESSOR`.
        """
        shared = self.words & later.words
        common = (
            *_values_of_marks(int(later.marks)),
            float(later.same_speaker),
            float(later.same_project),
            float(later.same_session),
            len(shared) / len(later.words) if shared else 0.0,
            *[part.share_of(shared) for part in self._parts],
        )
        if not self._is_stated:
            return common
        # Another literal of the same kind: "at 17:00" and "till 18:30", "pier 6" and "pier 9".
        return (*common, float(differs(self._value, later.text)))

    def probability(self, later: LaterText, weighing: RelevanceWeights) -> float:
        """Return the probability that a later sentence changes the line, in [0.0, 1.0]."""
        fitted = weighing.of_change(self._line).probability(self.values(later))
        if self._is_denied_by(later):
            return max(fitted, DENIED)
        is_gone = any(name <= self.words for name in gone_names(later.text))
        return max(fitted, GONE) if is_gone else fitted

    def denied(self, later: str) -> Sequence[str]:
        """Return the values of the line that a later text says are no more."""
        content = self._line.content
        return [it for it in denied_values(later) if has_value(content, it)]

    def _is_denied_by(self, later: LaterText) -> bool:
        """Return whether a later sentence says that a value of the line is no more."""
        # "Not on the 12th" may be about anything: they must share another word.
        shared = {it for it in self.words & later.words if not it.isdigit()}
        return any(not shared <= term_set(it) for it in self.denied(later.text))

    def later(self, after: int = 0) -> list[LaterLine]:
        """Return sentences of later turns that share terms with the line, best first.

        Args:
            after: Id of a turn; only later turns are considered.
        """
        # Later than the words, not than the day on which a reader read them.
        source = self._source()
        if source is None:
            return []
        # Few turns since the last check: they are all compared, without a search.
        lines = self._index.sources.said_since(after, CANDIDATES_MAX) if after else None
        if lines is None:
            lines = self._found(source, after)
        later = [LaterLine(it, later_text(it, self._line)) for it in lines]
        return [it for it in later if self.may_change(it.text)]

    def _found(self, source: IndexedLine, after: int) -> list[IndexedLine]:
        """Return the sentences of later turns that share the rarest terms."""
        found = self._index.sources.search(
            # Frequent terms find too much, and postings that are not read cost nothing.
            [(term, 1.0) for term in self._rarest()],
            self._line.project,
            CANDIDATES_MAX,
            after=source,
            after_turn=after,
            read_max=READ_MAX,
        )
        return [
            it.line
            for it in found
            if it.line.kind is LineKind.UTTERANCE and int(str(it.line.key)) > after
        ]

    def may_change(self, later: LaterText) -> bool:
        """Return whether a later sentence is about the same and says something new."""
        # "We don't support Quilt either" adds to what was said before.
        if _ADDS.search(later.text) or is_supposed(later.text):
            return False
        about = self._is_about_same(later) or self._is_denied_by(later)
        # Who repeats a sentence changes nothing. As numbers, since flags are slow to combine.
        new = bool(int(later.marks) & _ENDING) or not later.words <= self.words
        return about and new

    def _is_about_same(self, later: LaterText) -> bool:
        """Return whether a later sentence is about what the line says."""
        about = topics(self.words & later.words)
        if not about:
            return False
        names = proper_names(self._line.content) | proper_names(later.text)
        # Of somebody there are many news: only one that ends something, or another value
        # of the same kind, can change what else was said of them.
        return (
            not about <= names
            or any(map(is_code, about))
            or ends(later.text)
            or differs(self._line.content, later.text)
        )

    def _source(self) -> IndexedLine | None:
        """Return a sentence of the turn in which the line was said; None if unkept."""
        if not self._is_stated:
            return self._line if self._line.kind is LineKind.UTTERANCE else None
        return next(iter(self._index.sources.turn_of(self._line.digest)), None)

    def _rarest(self) -> list[str]:
        if len(self.words) <= TERMS_MAX:
            return list(self.words)
        return sorted(self.words, key=self._index.frequency)[:TERMS_MAX]


def later_text(later: IndexedLine, line: IndexedLine) -> LaterText:
    """Return what is compared of a line that was said after another one."""
    said = later.content if later.origin is None else _content_of(later)
    return LaterText(
        said,
        _words_of(said),
        later.marks,
        plain(later.speaker) == plain(line.speaker),
        plain(later.project) == plain(line.project),
        bool(line.session) and later.session == line.session,
    )


def _content_of(line: IndexedLine) -> str:
    """Return the quote of a statement, and its subject and value."""
    return f"{_quote_of(line)} {line.text.translate(_NO_BRACKETS)}"


class _ComparedTerms:
    """Terms that are compared together."""

    def __init__(self, index: LineIndex, words: Set[str]) -> None:
        self._index = index
        self._words = words

    def share_of(self, shared: Set[str]) -> float:
        """Return the share of the terms among others by rarity, in [0.0, 1.0]."""
        found = self._words & shared
        if not found:
            return 0.0
        worths, whole = self._worths
        return sum([worths[it] for it in found]) / whole

    @cached_property
    def _worths(self) -> tuple[Mapping[str, float], float]:
        """The rarity of each term, and their sum, on demand: most share nothing."""
        worths = {it: self._index.said_rarity(it) for it in self._words}
        return worths, sum(worths.values())


class LaterLine(NamedTuple):
    """A sentence of a later turn, and what is compared of it."""

    line: IndexedLine
    text: LaterText


def successor_of(
    index: LineIndex,
    line: IndexedLine,
    weighing: RelevanceWeights,
    after: int = 0,
    *,
    least: float = 0.0,
) -> IndexedLine | None:
    """Return the later sentence that most likely changes a line; None for none.

    Args:
        line: A sentence, or a statement with an origin.
        after: Id of a turn; only later turns are considered.
        least: Minimum probability, where it exceeds the fitted threshold.
    """
    # Models for sentences and for statements have different features.
    earlier = EarlierLine(index, line)
    threshold = max(least, weighing.later_from)
    best: IndexedLine | None = None
    for later, text in earlier.later(after):
        probability = earlier.probability(text, weighing)
        # Names are expensive to compare, and most sentences are unlikely.
        if probability >= threshold and (
            not is_elsewhere(later, line.project) or _has_common_name(line, later)
        ):
            # The threshold rises: from here on only a likelier one counts.
            best, threshold = later, probability
    return best


def _has_common_name(line: IndexedLine, later: IndexedLine) -> bool:
    """Return whether lines of two projects share a name, and so possibly a topic."""
    # Across projects, a common noun is another thing (J5): only a name connects them.
    names = proper_names(line.content) | proper_names(later.content)
    return not names.isdisjoint(term_set(line.content) & term_set(later.content))


def split_statement(text: str) -> tuple[str, str, str]:
    """Return the subject, predicate and value of a statement's text."""
    subject, _, rest = text.partition(": [")
    predicate, _, value = rest.partition("] ")
    return subject, predicate, value


def _words_of_line(line: IndexedLine) -> Set[str]:
    return _words_of(f"{line.content} {line.heading}" if line.heading else line.content)


def _quote_of(line: IndexedLine) -> str:
    return line.origin.quote if line.origin else ""


# A prompt uses some hundred lines, most of which the next one uses again.
@lru_cache(maxsize=8_000)
def _words_of(text: str) -> Set[str]:
    """Return the terms of a text, without those of addresses and namings."""
    return frozenset(terms(_NO_WORDS.sub(" ", text)))


class PromptChanges:
    """The changes that a prompt makes to lines."""

    def __init__(
        self, index: LineIndex, prompt: str, weighing: RelevanceWeights
    ) -> None:
        self._index = index
        self._prompt = prompt
        self._weighing = weighing
        self._known: dict[int, bool] = {}

    def replace(self, line: IndexedLine) -> bool:
        """Return whether the prompt changes what a line says."""
        # A line is asked about as a candidate, as a neighbour and as a successor.
        if line.number not in self._known:
            # Most prompts change nothing, and reading a long one takes longer than recalling
            # lines for it: only what passes the rough check is read.
            self._known[line.number] = self._is_replaced(
                line, self._rough
            ) and self._is_replaced(line, self._read)
        return self._known[line.number]

    @cached_property
    def _rough(self) -> Sequence[LaterText]:
        return [
            # By default, as if said by the line's speaker and in its project.
            LaterText(text, term_set(text), marks)
            # The rough check must miss no change: it also looks at code and pasted text.
            for text in rough_pieces(self._prompt)
            if (marks := changing_marks_of(text))
        ]

    @cached_property
    def _read(self) -> Sequence[LaterText]:
        return [
            LaterText(each.text, term_set(each.text), marks)
            for each in split(self._prompt)
            if (marks := marks_of(each.text)) & _CHANGING
            # A question changes nothing: "did prod move to kubernetes?"
            and SentenceMark.QUESTION not in marks
            and is_worth_keeping(each)
        ]

    def _is_replaced(self, line: IndexedLine, stated: Sequence[LaterText]) -> bool:
        """Return whether any of some new sentences would change what a line says."""
        if not stated:
            return False
        earlier = EarlierLine(self._index, line)
        return any(
            earlier.probability(each, self._weighing) >= self._weighing.later_from
            for each in stated
            if earlier.may_change(each)
        )


def rough_pieces(text: str) -> list[str]:
    """Return a text split at apparent sentence ends, without the white space there."""
    return [
        piece[at : at + SENTENCE_CHARACTERS_MAX]
        for piece in _ROUGH_END.split(text)
        for at in range(0, len(piece), SENTENCE_CHARACTERS_MAX)
    ]
