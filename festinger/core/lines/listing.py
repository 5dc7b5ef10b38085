"""List lines for people: their names, texts and sources, and selections of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from festinger.core.graph.origins import StatementOrigin
from festinger.core.graph.proposal import Triple
from festinger.core.language.audience import EVERYBODY, LineAudience
from festinger.core.language.marks import SentenceMark
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine, LineFilter, LineKind, folded
from festinger.core.lines.quotes import word
from festinger.core.system.principals import plain

# `said-7.2`; the bounds keep the numbers within a 64-bit and a 32-bit integer.
_UTTERANCE: Final = re.compile(r"said-(?P<turn>\d{1,18})\.(?P<ordinal>\d{1,6})")


# `gnommoweb: [type?] repo`; `?` and `~` mark contested facts and beliefs.
_STATEMENT: Final = re.compile(
    r"(?P<subject>.+?): \[(?P<predicate>[^\]?~]+)[?~]?\] (?P<value>.+)"
)


class LineStatus(StrEnum):
    """State of a listed line."""

    ACTIVE = "active"
    CANDIDATE = "candidate"
    """It waits for confirmation by a person."""
    CLOSED = "closed"
    """It was replaced or retracted."""


class HeldDetails(NamedTuple):
    """Standing of a statement, so that another memory can hold it the same way.

    Attributes:
        confidence: In [0.0, 1.0].
        many: Whether its concept may have other parents in its dimension.
        belief: Whether it is its author's belief only.
        origin: Quote that it was read from; None if it was stated as a triple.
    """

    triple: Triple
    confidence: float
    many: bool = False
    belief: bool = False
    origin: StatementOrigin | None = None


class KeptDetails(NamedTuple):
    """Values stored with a sentence.

    Attributes:
        heading: Introduction of the list that contains it.
        answers: Text of another speaker's turn that it confirms.
        audience: Principals who may see it.
    """

    digest: bytes
    heading: str = ""
    answers: str = ""
    marks: SentenceMark = SentenceMark(0)
    audience: LineAudience = EVERYBODY


@dataclass(frozen=True, slots=True)
class ListedLine:
    """A line as it is shown to people.

    Attributes:
        name: Identifier for commands that forget or confirm the line.
        text: Text as it is rendered for agents.
        quote: Words that it comes from; may be empty.
        speaker: Name of the speaker; empty if it was not said by a person.
        said: Time at which it was said or last confirmed, in seconds since the epoch.
        subject: Subject of a statement; empty for other lines.
        predicate: Predicate of a statement; empty for other lines.
        value: Value of a statement; empty for other lines.
        confirmed: Whether a person confirmed it for everybody.
        limited: Whether the speaker limited its audience.
        held: Details of a statement, in an export; None elsewhere.
        kept: Details of a sentence; None for other lines.
    """

    name: str
    kind: LineKind
    text: str
    quote: str = ""
    speaker: str = ""
    project: str = ""
    session: str = ""
    said: float = 0.0
    status: LineStatus = LineStatus.ACTIVE
    subject: str = ""
    predicate: str = ""
    value: str = ""
    instruction: bool = False
    confirmed: bool = False
    limited: bool = False
    held: HeldDetails | None = None
    kept: KeptDetails | None = None


class UtteranceFilter(NamedTuple):
    """Conditions that select utterances; all that are set must hold.

    Attributes:
        phrase: Words that it contains, case-insensitive.
        name: Name of a single line.
        names: Names of lines; empty for any.
    """

    speaker: str = ""
    project: str = ""
    session: str = ""
    phrase: str = ""
    name: str = ""
    names: frozenset[str] = frozenset()

    @property
    def is_empty(self) -> bool:
        """True if no condition is set."""
        # An empty selection selects everything: callers refuse to forget by one.
        return not self.names and not any(
            isinstance(each, str) and each.strip() for each in self
        )

    def selects(self, line: IndexedLine) -> bool:
        """Return whether a line satisfies all conditions."""
        return (
            line.kind is LineKind.UTTERANCE
            and (not self.name or name_of(line) == self.name)
            and (not self.names or name_of(line) in self.names)
            # Names in any spelling: people forget what "Nadia" said in "Shop".
            and (not self.speaker or plain(line.speaker) == plain(self.speaker))
            and (not self.project or plain(line.project) == plain(self.project))
            and (not self.session or line.session == self.session)
            and (not self.phrase or folded(self.phrase) in folded(_all_of(line)))
        )


def name_of(line: IndexedLine) -> str:
    """Return the name of a line: `said-7.2` is the third utterance of turn 7."""
    if line.kind is LineKind.UTTERANCE:
        return f"said-{line.key}.{line.ordinal}"
    return f"{line.kind}-{line.key}"


def is_wrong(index: LineIndex, line: IndexedLine) -> bool:
    """Return whether somebody says that a line is wrong, so that it is not told."""
    wrong = index.votes.wrong
    # Asked for each candidate line: most memories have no votes, and build no names.
    return bool(wrong) and name_of(line) in wrong


def line_named(index: LineIndex, name: str) -> IndexedLine | None:
    """Return the line with a name, as `listed` gives it; None if there is none."""
    # The name begins with the kind: `said-7.2`, `memory-12`, `statement-x/type`.
    kind = name.partition("-")[0]
    place = place_in_turn(name)
    if place is not None:
        lines = index.sources.lines_of(LineKind.UTTERANCE, place[0])
        return next((it for it in lines if it.ordinal == place[1]), None)
    if kind not in set(LineKind):
        return None
    wanted = LineFilter(kinds={LineKind(kind)})
    # Few lines are rated, so that their names need no index.
    return next((it for it in index.every(wanted) if _named(it, name)), None)


def _named(line: IndexedLine, name: str) -> bool:
    # Statements without an origin are listed by their words, `statement-x/type`.
    return name in (name_of(line), listed(line, now=0.0).name)


def place_in_turn(name: str) -> tuple[int, int] | None:
    """Return turn id and ordinal of an utterance's name; None if it is no such name."""
    match = _UTTERANCE.fullmatch(name)
    return (int(match["turn"]), int(match["ordinal"])) if match else None


def find(index: LineIndex, selection: UtteranceFilter) -> list[IndexedLine]:
    """Return the selected utterances, newest first."""
    # Named lines are looked up by turn, without a pass over all utterances.
    if names := {selection.name} - {""} or selection.names:
        places = [place for each in names if (place := place_in_turn(each))]
        turns = sorted({turn for turn, _ in places}, reverse=True)
        lines = (
            it
            for turn in turns
            for it in index.sources.lines_of(LineKind.UTTERANCE, turn)
        )
        return [line for line in lines if selection.selects(line)]
    return [line for line in index.sources.recent() if selection.selects(line)]


def listed(line: IndexedLine, *, now: float) -> ListedLine:
    """Return a line as it is shown to people."""
    # The parts are shown in columns; a text of another form is listed as it is.
    stated = _STATEMENT.fullmatch(line.text)
    if line.kind is LineKind.STATEMENT and stated:
        subject, predicate = stated["subject"], stated["predicate"]
        read = line.origin is not None
        return ListedLine(
            # A ledger row identifies a statement that was read, its place any other one.
            name=name_of(line)
            if read
            else f"{LineKind.STATEMENT}-{subject}/{predicate}",
            kind=line.kind,
            text=word([line], asker="", project="", now=now) if read else line.text,
            quote=line.origin.quote if line.origin else "",
            speaker=line.speaker,
            project=line.project,
            session=line.session,
            said=line.said,
            subject=subject,
            predicate=predicate,
            value=stated["value"],
            limited=line.audience.is_limited,
        )
    return ListedLine(
        name=name_of(line),
        kind=line.kind,
        text=word([line], asker="", project="", now=now),
        quote=line.text if line.kind is LineKind.UTTERANCE else "",
        speaker=line.speaker,
        project=line.project,
        session=line.session,
        said=line.said,
        # A reader found no statement in it: it is kept, but not rendered as known.
        status=LineStatus.CANDIDATE
        if SentenceMark.UNSTATED in line.marks
        else LineStatus.ACTIVE,
        instruction=SentenceMark.INSTRUCTION in line.marks,
        confirmed=line.confirmed,
        limited=line.audience.is_limited,
        kept=KeptDetails(
            line.digest, line.heading, line.answers, line.marks, line.audience
        )
        if line.kind is LineKind.UTTERANCE
        else None,
    )


def words_left(index: LineIndex, gone: Collection[IndexedLine]) -> set[str]:
    """Return the terms of lines that other lines contain as well.

    Args:
        gone: Lines of the index that are about to be removed.
    """
    counts = Counter(term for line in gone for term in line.terms)
    # A term that more lines have than are going is also in a line that stays.
    return {term for term, having in counts.items() if index.frequency(term) > having}


def _all_of(line: IndexedLine) -> str:
    return f"{line.heading} {line.content}"
