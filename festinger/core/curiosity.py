"""What a memory wants to know: concepts that are met often, and of which it knows nothing.

What was read is only put aside while a prompt is answered. It is looked through later,
when nobody waits: for the few concepts near the write threshold, and for the sentences
in which they stand (B4, F2).
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log10

from festinger import _fast
from festinger.core.cues.lists import LISTS
from festinger.core.cues.words import AUXILIARIES, HEDGES, WH_WORDS
from festinger.core.inquiry import SENTENCES_MAX, Mention
from festinger.core.reading import Heard
from festinger.core.recollection.hints import is_askable
from festinger.core.world import World

HEARD_MAX, HEARD_CHARACTERS_MAX = 1_000, 4_000_000
"""Turns that wait to be looked through, at most; the oldest are let go."""
REMEMBERED_MAX = 2_000
"""Concepts whose sentences are remembered, at most."""
LOOKED_FOR_MAX = 20
"""Concepts whose sentences are looked for in one turn: those that are nearest."""
NEAR = 0.75
"""Sentences are remembered from this share of the encounters that are needed."""

_HEDGES = HEDGES | {"might", "may", "could", "would", "should"}
_QUESTIONS = WH_WORDS | AUXILIARIES


@dataclass(frozen=True, slots=True)
class Wanted:
    """A concept that is to be asked about.

    Attributes:
        encounters: In how many messages it was met.
        mentions: Where it appeared lately, oldest first.
    """

    token: str
    encounters: int
    mentions: Sequence[Mention]


class Curiosity:
    """What one memory wants to know. Only one thread may touch it."""

    def __init__(self) -> None:
        self._heard: deque[Heard] = deque()
        self._characters = 0
        self._mentions: OrderedDict[str, deque[Mention]] = OrderedDict()
        self._enough: OrderedDict[str, int] = OrderedDict()
        """Up to which count a concept was asked about already."""

    def hear(self, turns: Iterable[Heard]) -> None:
        """Puts turns aside; a prompt waits for this."""
        for turn in turns:
            self._heard.append(turn)
            self._characters += len(turn.text)
        while self._characters > HEARD_CHARACTERS_MAX or len(self._heard) > HEARD_MAX:
            self._next()

    @property
    def waiting(self) -> bool:
        """Whether there are turns to look through."""
        return bool(self._heard)

    def listen(self, world: World, *, threshold: float, now: float) -> list[Wanted]:
        """Looks through the oldest turn.

        Args:
            threshold: Saliency from which a concept is asked about.
            now: Seconds since the epoch.

        Returns:
            The concepts that are to be asked about now.
        """
        turn = self._next()
        near = max(0.0, threshold + log10(NEAR))
        scan = _fast.scan(turn.text)
        rows = self._nearest(_unknown(world, scan, near, now))
        self._remember(turn, scan, rows)
        return [
            Wanted(row.token, row.encounters, tuple(self._mentions[row.token]))
            for row in rows
            if row.saliency >= threshold
            and row.token in self._mentions
            and row.encounters >= self._goal(row)
        ]

    def clear(self) -> None:
        """Let go of everything that was heard."""
        self._heard.clear()
        self._characters = 0
        self._mentions.clear()
        self._enough.clear()

    def note(self, token: str, encounters: int) -> None:
        """Remembers that a concept with this count is asked about."""
        self._enough[token] = encounters
        self._enough.move_to_end(token)
        # What is forgotten is looked up in the database again.
        while len(self._enough) > REMEMBERED_MAX:
            self._enough.popitem(last=False)

    def forget(self, token: str) -> None:
        """Has a concept asked about as if it never had been."""
        self._enough.pop(token, None)

    def _next(self) -> Heard:
        turn = self._heard.popleft()
        self._characters -= len(turn.text)
        return turn

    def _goal(self, row: _fast.Row) -> int:
        """From which count on a concept is asked about again."""
        return 2 * self._enough.get(row.token, 0)

    def _nearest(self, rows: Iterable[_fast.Row]) -> list[_fast.Row]:
        """The concepts that are asked about next, and soon."""
        near = [row for row in rows if row.encounters >= NEAR * self._goal(row)]
        if len(near) > LOOKED_FOR_MAX:
            near.sort(key=self._goal)
        return near[:LOOKED_FOR_MAX]

    def _remember(
        self, turn: Heard, scan: _fast.Scan, rows: Sequence[_fast.Row]
    ) -> None:
        if not rows:
            return
        found = _mentions_in(turn, scan, {row.token for row in rows})
        for token, mention in found:
            known = self._mentions.setdefault(token, deque(maxlen=SENTENCES_MAX))
            self._mentions.move_to_end(token)
            # Said again, it is said lately.
            if mention in known:
                known.remove(mention)
            known.append(mention)
        while len(self._mentions) > REMEMBERED_MAX:
            self._mentions.popitem(last=False)


def _unknown(
    world: World, scan: _fast.Scan, threshold: float, now: float
) -> list[_fast.Row]:
    """The concepts of a turn that matter, and of which nothing is known (D3)."""
    met = world.vocabulary.read(scan, now=now, threshold=threshold, count=False)
    unknown = (each for each in met.salient if not world.is_mentioned(each))
    rows = map(world.vocabulary.row, unknown)
    return [row for row in rows if not row.dictionary and is_askable(row.token)]


def _mentions_in(
    turn: Heard, scan: _fast.Scan, tokens: set[str]
) -> list[tuple[str, Mention]]:
    """The sentences of a turn in which concepts stand as prose, in order."""
    text = _fast.readable(scan.text)
    reader = _fast.SentenceReader(scan, text, LISTS)
    found: list[tuple[str, Mention]] = []
    done, mention = 0, None
    for at, token in enumerate(scan):
        if token not in tokens:
            continue
        if at >= done:
            first, mention = reader.around(at), None
            done = reader.done
            if first >= 0:
                said = text[scan.start(first) : scan.end(done - 1)]
                mention = _mention(reader.sentence(first), said, turn)
        if mention:
            found.append((token, mention))
    return found


def _mention(sentence: _fast.Sentence, text: str, turn: Heard) -> Mention:
    return Mention(as_said(text), turn.principal, turn.doubt or doubt_of(sentence))


def as_said(text: str) -> str:
    """A sentence on one line, as it can be kept."""
    # What is no prose was blotted out, and NUL is what Postgres does not store.
    return " ".join(text.replace("\0", " ").replace("\1", " ").split())


def unstated(text: str) -> str:
    """Why a text states nothing, although it may hold every word of a fact.

    Returns:
        A word; empty if all its sentences do state something.
    """
    scan = _fast.scan(text)
    reader = _fast.SentenceReader(scan, _fast.readable(scan.text), LISTS)
    done = 0
    for at in range(len(scan)):
        if at < done:
            continue
        first = reader.around(at)
        done = max(reader.done, at + 1)
        if first < 0:
            return "no_prose"
        if doubt := doubt_of(reader.sentence(first)):
            return doubt
    return ""


def doubt_of(sentence: _fast.Sentence) -> str:
    """Why a sentence states nothing, although it may hold every word of a fact."""
    words = [sentence.word(at) for at in range(sentence.count)]
    if sentence.asked or words[0] in _QUESTIONS:
        return "asked"
    if sentence.quoted:
        return "quoted"
    return "" if _HEDGES.isdisjoint(words) else "hedged"
