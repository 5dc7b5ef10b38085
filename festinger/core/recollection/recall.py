"""Choose what a prompt is told of what was said before, and why."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from festinger import _fast
from festinger.core.language.audience import may_hear
from festinger.core.language.marks import Mark
from festinger.core.language.utterances import read_turn
from festinger.core.recollection import gate
from festinger.core.recollection.choosing import Choice, Rejected, choose
from festinger.core.recollection.index import IndexedLine, LineIndex, LineKind
from festinger.core.recollection.query import read_query
from festinger.core.recollection.quotes import word
from festinger.core.recollection.scoring import Scored, score
from festinger.core.recollection.succession import replaced_by, stated_in, successor_of
from festinger.core.recollection.turns import digest_of
from festinger.core.recollection.weighing import Weighing, shipped

PROMPT_CHARACTERS_MAX: Final = 16_000
"""Of the newest message, the last ones: what somebody asks stands at the end."""
STATED_CHARACTERS: Final = 400
"""Of the newest message, the last ones: what it changes is not told."""
_NAME: Final = re.compile(
    r"said (?P<turn>\d+)\.(?P<first>\d+)(?:-(?P<last>\d+))?"
    r"(?:>(?P<later>\d+)\.(?P<at>\d+))?@(?P<until>\d+)"
)


class Asked(NamedTuple):
    """A prompt that may be told something.

    Attributes:
        prompt: The newest message.
        earlier: What its speaker wrote before it in this conversation, the newest first.
        asker: Whose prompt it is.
        project: Where it was typed; empty for nowhere in particular.
        present: Digests of turns that the request holds (`digest_of`).
        told: Names of quotes that the request keeps (`Quote.name`).
    """

    prompt: str
    earlier: Sequence[str] = ()
    asker: str = ""
    project: str = ""
    present: Collection[bytes] = frozenset()
    told: Collection[str] = ()


class Quote(NamedTuple):
    """What a line of a block quotes: utterances of a turn, and what was said later.

    Attributes:
        turn: The turn's number.
        ordinals: Which of its utterances.
        later: Turn and utterance of what was said later; None for nothing.
        until: The newest turn that was known when it was told.
    """

    turn: int
    ordinals: range
    later: tuple[int, int] | None
    until: int

    @property
    def name(self) -> str:
        """How a client names the line."""
        first, last = self.ordinals[0], self.ordinals[-1]
        span = f"{first}-{last}" if last > first else f"{first}"
        later = f">{self.later[0]}.{self.later[1]}" if self.later else ""
        return f"said {self.turn}.{span}{later}@{self.until}"

    @classmethod
    def from_name(cls, name: str) -> Quote | None:
        """Return the quote of a name; None if it names none."""
        match = _NAME.fullmatch(name)
        if match is None:
            return None
        first = int(match["first"])
        later = (int(match["later"]), int(match["at"])) if match["later"] else None
        last = int(match["last"] or first)
        return cls(
            int(match["turn"]), range(first, last + 1), later, int(match["until"])
        )


@dataclass(frozen=True, slots=True)
class Recalled:
    """What a prompt is told, and what it is not.

    Attributes:
        lines: In the order of the block: the earliest first.
        choices: What they were worded from, the likeliest first.
        rejected: Lines that were looked at and are not told.
        openness: How likely the prompt needs something from this memory.
        threshold: From which openness on it is told anything.
    """

    lines: Sequence[_fast.Line] = ()
    choices: Sequence[Choice] = ()
    rejected: Sequence[Rejected] = ()
    openness: float = 0.0
    threshold: float = 0.0


def recall(
    index: LineIndex,
    asked: Asked,
    *,
    dictionary: Collection[str],
    tokens: int,
    now: float,
    weighing: Weighing | None = None,
) -> Recalled:
    """Return what a prompt is told of what was said before.

    Args:
        dictionary: Everyday words.
        tokens: What all of it may take; 0 for nothing.
        now: Seconds since the epoch.
        weighing: Another than the one that Festinger comes with.
    """
    weighing = weighing or shipped()
    if not tokens or not len(index):
        return Recalled()
    query = read_query(
        index,
        asked.prompt[-PROMPT_CHARACTERS_MAX:],
        asked.earlier,
        asker=asked.asker,
        project=asked.project,
        dictionary=dictionary,
    )
    found = score(index, query, weighing.line)
    openness = gate.openness(index, query, found, weighing.gate)
    threshold = weighing.open_from
    if openness < threshold:
        rejected = [Rejected(each, "quiet") for each in found]
        return Recalled((), (), rejected, openness, threshold)
    choices, others = choose(
        index,
        found,
        weighing,
        tokens=tokens,
        withheld=_Withheld(index, asked),
        replaced=_Replaced(index, asked, weighing),
    )
    newest = index.newest_turn
    lines = [
        (_quote_of(choice, newest), _worded(choice, asked, now)) for choice in choices
    ]
    lines.sort(key=lambda each: (each[0].turn, each[0].ordinals[0]))
    told = [
        _fast.Line(quote.name, text, _fast.Kind.QUOTE, why)
        for quote, (text, why) in lines
    ]
    return Recalled(told, choices, others, openness, threshold)


def is_quote(name: str) -> bool:
    """Return whether a line of this name is a quote."""
    return _NAME.fullmatch(name) is not None


def place_of(name: str) -> tuple[int, int]:
    """Return the turn and the utterance of a quote, by which quotes are ordered."""
    quote = Quote.from_name(name)
    return (quote.turn, quote.ordinals[0]) if quote else (0, 0)


def told_again(
    index: LineIndex, name: str, *, asker: str, project: str, now: float
) -> tuple[bool, _fast.Line | None]:
    """Return whether a quote that was told still holds, and what is told in its place.

    It holds until a sentence of it is forgotten, or something is said that changes it.

    Args:
        name: Of the quote (`Quote.name`).
        asker: Whose prompt it stands in.
        project: Where that was typed.
        now: Seconds since the epoch.
    """
    quote = Quote.from_name(name)
    if quote is None:
        return False, None
    lines = [
        it
        for it in index.lines_of(LineKind.UTTERANCE, quote.turn)
        if it.ordinal in quote.ordinals
    ]
    people = frozenset(index.speakers)
    if not lines or any(_is_kept_from(it, asker, people) for it in lines):
        return False, None
    known = index.newest_turn
    later = next((it for it in _later_of(index, quote) if it is not None), None)
    news = None
    if known > quote.until:
        news = _newer_successor(index, lines, quote.until, asker, people)
    if news is None and (quote.later is None or later is not None):
        return True, None
    later = news or later
    again = Quote(
        quote.turn,
        quote.ordinals,
        (int(str(later.key)), later.ordinal) if later else None,
        known,
    )
    text = word(lines, later, asker=asker, project=project, now=now)
    return False, _fast.Line(again.name, text, _fast.Kind.QUOTE, "it was changed")


def _later_of(index: LineIndex, quote: Quote) -> Iterable[IndexedLine | None]:
    if quote.later is not None:
        turn, ordinal = quote.later
        for it in index.lines_of(LineKind.UTTERANCE, turn):
            if it.ordinal == ordinal:
                yield it


def _newer_successor(
    index: LineIndex,
    lines: Sequence[IndexedLine],
    until: int,
    asker: str,
    people: Collection[str],
) -> IndexedLine | None:
    """Return what was said after a turn and changes one of the lines; None for nothing."""
    for line in lines:
        later = successor_of(index, line, shipped(), after=until)
        if later is not None and not _is_kept_from(later, asker, people):
            return later
    return None


class _Withheld:
    """Says why a line must not be told to a prompt.

    Args:
        asked: The prompt.
    """

    def __init__(self, index: LineIndex, asked: Asked) -> None:
        self._asked = asked
        self._people = frozenset(index.speakers)
        self._own = digest_of(asked.prompt)
        self._told = {
            (quote.turn, ordinal)
            for name in asked.told
            if (quote := Quote.from_name(name))
            for ordinal in quote.ordinals
        }

    def __call__(self, line: IndexedLine) -> str:
        """Return why, in one word; empty if it may be told."""
        if line.digest == self._own or line.digest in self._asked.present:
            return "present"
        if (line.key, line.ordinal) in self._told:
            return "told"
        if _is_kept_from(line, self._asked.asker, self._people):
            return "private"
        if _is_unconfirmed(line, self._asked.asker):
            return "unconfirmed"
        return ""


class _Replaced:
    """Says whether a prompt changes what a line says.

    Args:
        asked: The prompt.
    """

    def __init__(self, index: LineIndex, asked: Asked, weighing: Weighing) -> None:
        self._index = index
        self._weighing = weighing
        said = read_turn(asked.prompt[-STATED_CHARACTERS:])
        self._stated = stated_in(said.utterances)
        self._known: dict[int, bool] = {}

    def __call__(self, line: IndexedLine) -> bool:
        if not self._stated:
            return False
        if line.number not in self._known:
            self._known[line.number] = replaced_by(
                self._index, line, self._stated, self._weighing
            )
        return self._known[line.number]


def _is_kept_from(line: IndexedLine, asker: str, people: Collection[str]) -> bool:
    return line.audience.is_limited and not may_hear(
        line.audience, asker, line.speaker, people
    )


def _is_unconfirmed(line: IndexedLine, asker: str) -> bool:
    """Return whether it instructs agents of others, who did not agree to that."""
    return (
        Mark.INSTRUCTION in line.marks
        and not line.confirmed
        and line.speaker.casefold() != asker.casefold()
    )


def _quote_of(choice: Choice, newest: int) -> Quote:
    first, last = choice.lines[0], choice.lines[-1]
    later = choice.later
    return Quote(
        int(str(first.key)),
        range(first.ordinal, last.ordinal + 1),
        (int(str(later.key)), later.ordinal) if later else None,
        newest,
    )


def _worded(choice: Choice, asked: Asked, now: float) -> tuple[str, str]:
    text = word(
        choice.lines, choice.later, asker=asked.asker, project=asked.project, now=now
    )
    return text, why(choice.found)


def why(found: Scored) -> str:
    """Return for what a line was chosen, for people."""
    features = found.features
    return (
        f"helps with {found.probability:.0%}: words {features['own']:.1f}, "
        f"around {features['context']:.1f}, shared {found.shared.bit_count()}"
    )
