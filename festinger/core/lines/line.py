"""Lines of a memory (sentences that people said, statements, memories, notes), filtered."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from festinger.core.graph.tokens import split_concept
from festinger.core.language.audience import EVERYBODY, LineAudience
from festinger.core.language.marks import UNMARKED, SentenceMark
from festinger.core.language.terms import terms
from festinger.core.system.principals import is_same

if TYPE_CHECKING:
    from festinger.core.graph.origins import StatementOrigin


class LineKind(StrEnum):
    """Kind of a line."""

    UTTERANCE = "utterance"
    STATEMENT = "statement"
    """An edge of the graph."""
    MEMORY = "memory"
    ENTITY = "entity"
    STATE = "state"
    """Trusted state of a project."""


# Removes the signs of a rendered statement, so that its words are left.
_UNMARKED_TEXT: Final = str.maketrans("", "", "[]:")

_ASKS: Final = int(SentenceMark.QUESTION | SentenceMark.REQUEST)

FACT_KINDS: Final = frozenset([LineKind.STATEMENT, LineKind.MEMORY])
"""Kinds rendered as currently known, rather than as said on a day."""


@dataclass(frozen=True, slots=True)
class IndexedLine:
    """A line that can be rendered in a prompt.

    Attributes:
        key: Key of its source within the kind; the turn's id for an utterance.
        heading: Introduction of the list that contains it; may be empty.
        ordinal: Index of the utterance within its turn.
        speaker: Name of the speaker; empty if it was not said by a person.
        project: Project in which it was said; empty for none.
        said: Time at which it was said, in seconds since the epoch.
        audience: Principals who may see it.
        digest: Digest of the turn; empty if it was not said by a person.
        session: Session in which it was said; may be empty.
        confirmed: Whether a person confirmed an instruction for everybody.
        subject: Person that it is about, so that only their agents see it; empty for
            none.
        is_scoped: Whether it is valid in its project only.
        origin: Quote that a statement was read from; None for other lines.
        formerly: Value that held before that of a statement; empty for none.
    """

    number: int
    # Key and kind together identify the source; the number is valid in one index only.
    kind: LineKind
    key: Hashable
    text: str
    heading: str = ""
    ordinal: int = 0
    speaker: str = ""
    project: str = ""
    said: float = 0.0
    marks: SentenceMark = UNMARKED
    audience: LineAudience = EVERYBODY
    digest: bytes = b""
    # A bare "yes" is kept with the question that it answers.
    answers: str = ""
    session: str = ""
    confirmed: bool = False
    subject: str = ""
    is_scoped: bool = False
    origin: StatementOrigin | None = None
    formerly: str = ""

    @property
    def is_fact(self) -> bool:
        """True if it is rendered as currently known, rather than as said on a day."""
        # A statement with an origin names its speaker and day, as a quotation does.
        return self.kind in FACT_KINDS and self.origin is None

    @property
    def asks(self) -> bool:
        """True if it is a question or a request."""
        # As a number: flags are slow to combine.
        return bool(int(self.marks) & _ASKS)

    @property
    def embedded(self) -> str:
        """The text that an embedding is computed of."""
        if self.origin:
            # `checkout: [runs on] podman` is embedded as the sentence that it stands for.
            return self.text.translate(_UNMARKED_TEXT)
        return f"{self.heading} {self.content}" if self.heading else self.content

    @property
    def content(self) -> str:
        """All words of the line, without those of the list's heading."""
        return f"{self.answers} {self.text}" if self.answers else self.text

    @property
    def terms(self) -> set[str]:
        """The terms by which the line can be found."""
        return {*terms(self.content), *terms(self.heading)}


class LineMatch(NamedTuple):
    """A line that shares terms with a query.

    Attributes:
        score: BM25 score of the line's own terms.
        shared: Bit mask of the query's terms in the line: bit `i` for term `i`.
        around: Bit mask of the query's terms in its source, including the line.
    """

    line: IndexedLine
    score: float
    shared: int
    around: int = 0


def stands_in(quote: str, text: str) -> bool:
    """Return whether a sentence contains a quote, or the quote the sentence."""
    # Rules quote a clause or the sentence, models several sentences: either may be longer.
    words, said = _folded(quote), _folded(text)
    return words in said or said in words


def folded(text: str) -> str:
    """Return a text without regard to case and white space, to be compared."""
    return " ".join(text.casefold().split())


# The same quotes and sentences are compared again for each prompt of a conversation.
_folded = lru_cache(maxsize=4096)(folded)


def subject_in_words(token: str, quote: str = "") -> tuple[str, bool]:
    """Return the rendering of a subject, and whether it is specific to its project."""
    # A common noun's concept contains its project (J5), which no line repeats.
    scope, name = split_concept(token)
    return readable(name, quote), bool(scope)


def readable(token: str, quote: str = "") -> str:
    """Return the rendering of a name or value, in separate words unless said as one.

    Args:
        quote: Quote that it was read from; a spelling that occurs there is kept.
    """
    # `max_connections` stays as it was said; `billing_service` is told in words.
    if "_" not in token or token in quote.casefold():
        return token
    return token.replace("_", " ")


@dataclass(frozen=True, slots=True)
class LineFilter:
    """Conditions that must all hold; an empty one admits any line.

    Attributes:
        project: Project in which it was said, in any spelling.
        speaker: Name of the speaker, in any spelling.
        about: Words that the line or the speaker's name must all contain.
        since: Earliest time at which it was said, in seconds since the epoch.
        allowed: Predicate that checks whether the searching principal may see a line.
        session: Session in which it was said.
    """

    kinds: Collection[LineKind] = ()
    project: str = ""
    speaker: str = ""
    about: str = ""
    since: float = 0.0
    allowed: Callable[[IndexedLine], bool] | None = None
    session: str = ""

    def admits(self, line: IndexedLine) -> bool:
        """Return whether a line satisfies all conditions."""
        return (
            (not self.kinds or line.kind in self.kinds)
            and _is_like(line.project, self.project)
            and _is_like(line.speaker, self.speaker)
            and (not self.since or line.said >= self.since)
            and (not self.about or _is_about(line, self.about))
            and (self.allowed is None or self.allowed(line))
            and (not self.session or line.session == self.session)
        )


ANY_LINE: Final = LineFilter()


def _is_like(has: str, wanted: str) -> bool:
    return not wanted or is_same(has, wanted)


def _is_about(line: IndexedLine, about: str) -> bool:
    # The speaker counts as a word: "about nadia" finds what nadia said.
    has = line.terms.union(terms(line.speaker))
    wanted = terms(about)
    # Words without a term, such as punctuation, admit nothing rather than everything.
    return bool(wanted) and has.issuperset(wanted)
