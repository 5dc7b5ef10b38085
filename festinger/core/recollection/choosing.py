"""Choose the likeliest lines with their neighbours, and the facts, within limits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from math import ceil
from typing import Final

from festinger import _fast
from festinger.core.language.marks import SentenceMark
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine
from festinger.core.recollection.scoring import ScoredLine
from festinger.core.recollection.succession import successor_of
from festinger.core.recollection.weighing import RelevanceWeights

LINES_MAX: Final = 8
"""Maximum number of quotations that are chosen by relevance."""
STATEMENTS_MAX: Final = 10
"""Maximum number of statements with an origin, which are shorter than quotations."""
STATED_LIKELY: Final = 0.4
"""Factor of a statement's probability threshold, relative to that of a quotation."""
TRIED_MAX: Final = 12
"""Maximum number of lines for which a successor is searched."""
STATEMENTS_TRIED_MAX: Final = 4
"""The same of statements: later statements already record what they replace."""
LINE_WORDS: Final = 44
"""Maximum number of words of a line, including the sentences around the match."""
LINE_CHARACTERS_MAX: Final = 400
"""Maximum number of characters counted per line; a longer one is truncated."""
CHARACTERS_A_TOKEN: Final = 4.0
"""Approximate number of characters per token in English text."""
HEARD: Final = frozenset(("present", "told", "stated"))
"""Reasons why a line is withheld that say that the model knows it."""
_ALONE: Final = SentenceMark.INSTRUCTION
"""Lines with this mark are not combined with lines without it."""
FACTS_MAX: Final = 4
"""Maximum number of statements and memories that are chosen by relevance."""

Wording = Callable[[IndexedLine], "_fast.Line | str"]
"""Renders a statement or memory, or returns a one-word reason not to recall it."""


@dataclass(frozen=True, slots=True)
class ChosenLine:
    """A chosen line, with its neighbouring sentences.

    Attributes:
        lines: Lines of one source, in order.
        found: The match for which they are recalled.
        later: A later line that changes the match; None for none.
    """

    lines: Sequence[IndexedLine]
    found: ScoredLine
    later: IndexedLine | None = None


@dataclass(frozen=True, slots=True)
class RejectedLine:
    """A candidate line that is not recalled, with a one-word reason."""

    found: ScoredLine
    why: str


def choose(
    index: LineIndex,
    scored: Sequence[ScoredLine],
    weighing: RelevanceWeights,
    *,
    tokens: int,
    lines_max: int = LINES_MAX,
    withheld: Callable[[IndexedLine], str] = lambda line: "",
    replaced: Callable[[IndexedLine], bool] = lambda line: False,
    beside: Callable[[ChosenLine], Collection[int]] = lambda choice: (),
) -> tuple[list[ChosenLine], list[RejectedLine]]:
    """Return the lines that are recalled, likeliest first, and the rejected ones.

    Args:
        scored: Candidates, likeliest first.
        weighing: Thresholds, and the model that judges later lines.
        tokens: Token budget of all lines.
        lines_max: Maximum number of quotations.
        withheld: Returns the reason why a line must not be recalled; empty if it may.
        replaced: Returns whether the prompt itself changes what a line says. It is
            called only for lines that would otherwise be recalled.
        beside: Returns the numbers of lines made redundant by a chosen one.
    """
    left = tokens * CHARACTERS_A_TOKEN
    choosing = _SelectionState(
        index, weighing, left, lines_max, withheld, replaced, beside
    )
    rejected: list[RejectedLine] = []
    for each in scored:
        # Lines that are part of a chosen one, or redundant to it, are no rejections.
        if each.line.number not in choosing.taken and (why := choosing.consider(each)):
            rejected.append(RejectedLine(each, why))
    return choosing.chosen, rejected


@dataclass(slots=True)
class _SelectionState:
    """State of a selection: the chosen lines and the characters left."""

    index: LineIndex
    weighing: RelevanceWeights
    left: float
    lines_max: int
    withheld: Callable[[IndexedLine], str]
    replaced: Callable[[IndexedLine], bool]
    beside: Callable[[ChosenLine], Collection[int]]
    chosen: list[ChosenLine] = field(default_factory=list)
    taken: set[int] = field(default_factory=set)
    # Probability of the best line that may be told; others are compared with it.
    best: float = 0.0
    tried: int = 0

    def consider(self, found: ScoredLine) -> str:
        """Choose a line if possible; return the reason if not, otherwise ""."""
        why = self._why_not(found)
        if why:
            return why
        is_stated = found.line.origin is not None
        self.tried += 1
        # A stale statement does the most harm if it is among the likeliest.
        is_sought = not is_stated or self.tried <= STATEMENTS_TRIED_MAX
        later = _later(self.index, found.line, self.weighing) if is_sought else None
        # What replaced it is told already.
        if later is not None and later.number in self.taken:
            return "superseded"
        # A later line that must not be told does not hide the earlier one.
        if later is not None and self.withheld(later):
            later = None
        choice = _choice(
            self.index, found, later, self.taken, self._is_untold, self.left
        )
        if choice is None:
            return "full"
        self._take(choice)
        return ""

    def _why_not(self, found: ScoredLine) -> str:
        line, is_stated = found.line, found.line.origin is not None
        least = self.weighing.least_beside(self.best)
        # The most expensive checks come last: most lines are unlikely.
        # A statement costs fewer words than a quotation, and is one clear fact.
        if found.probability < least * (STATED_LIKELY if is_stated else 1.0):
            return "unlikely"
        if _is_full(self.chosen, self.lines_max, is_stated=is_stated) or (
            self.tried >= TRIED_MAX and not is_stated
        ):
            return "full"
        why = self.withheld(line)
        # The first is the likeliest, as they come in that order. Beside what the
        # conversation has already, a line that may help is noise as well.
        if not why or why in HEARD:
            self.best = self.best or found.probability
        if why:
            return why
        if _characters(ChosenLine([line], found)) > self.left:
            return "full"
        # It may read the whole prompt, so that it is asked of what would be told only.
        return "replaced" if self.replaced(line) else ""

    def _take(self, choice: ChosenLine) -> None:
        self.left -= _characters(choice)
        self.taken.update(line.number for line in choice.lines)
        if choice.later is not None:
            self.taken.add(choice.later.number)
        # A sentence and the statements read from it are not both told.
        self.taken.update(self.beside(choice))
        self.chosen.append(choice)

    def _is_untold(self, line: IndexedLine) -> bool:
        return bool(self.withheld(line)) or self.replaced(line)


def _later(
    index: LineIndex, line: IndexedLine, weighing: RelevanceWeights
) -> IndexedLine | None:
    """Return the later line that changes what a line says; None if there is none."""
    later = successor_of(index, line, weighing)
    if later is None or line.origin is None or index.read is None:
        return later
    # The gate has judged what was read from the later sentence, and did not replace it.
    return None if index.read.read_from(later) else later


def _is_full(chosen: Sequence[ChosenLine], lines_max: int, *, is_stated: bool) -> bool:
    """Return whether the maximum number of quotations or statements is chosen."""
    stated = sum(it.found.line.origin is not None for it in chosen)
    return stated == STATEMENTS_MAX if is_stated else len(chosen) - stated == lines_max


def tokens_of(text: str) -> int:
    """Return the approximate number of tokens of a text."""
    return ceil(len(text) / CHARACTERS_A_TOKEN)


def _choice(
    index: LineIndex,
    found: ScoredLine,
    later: IndexedLine | None,
    taken: set[int],
    is_untold: Callable[[IndexedLine], bool],
    characters: float,
) -> ChosenLine | None:
    """Return a line with its neighbours or successor; None if it does not fit."""
    # A changed line is told without neighbours, which its successor may change as well.
    options = [ChosenLine([found.line], found, later)]
    if later is None:
        lines = _with_neighbours(index, found.line, taken, is_untold)
        options.insert(0, ChosenLine(lines, found))
    return next((it for it in options if _characters(it) <= characters), None)


def _with_neighbours(
    index: LineIndex,
    line: IndexedLine,
    taken: set[int],
    is_untold: Callable[[IndexedLine], bool],
) -> list[IndexedLine]:
    """Return a line with its neighbours in the turn, as many as fit."""
    turn = index.lines_of(line.kind, line.key)
    start = end = next(at for at, it in enumerate(turn) if it.number == line.number)
    words = _words(line) + (len(line.heading.split()) if line.heading else 0)
    # The sentence before often names its subject, the one behind its reason.
    while True:
        options = [
            at
            for at in (end + 1, start - 1)
            if 0 <= at < len(turn)
            # A sentence between them may have been forgotten.
            and turn[at].ordinal in (turn[start].ordinal - 1, turn[end].ordinal + 1)
            and turn[at].number not in taken
            and words + _words(turn[at]) <= LINE_WORDS
            # An instruction is rendered as a rule, which a neighbour is not.
            and (turn[at].marks ^ line.marks) & _ALONE == 0
            and not is_untold(turn[at])
        ]
        if not options:
            return turn[start : end + 1]
        start, end = min(start, options[0]), max(end, options[0])
        words += _words(turn[options[0]])


def _words(line: IndexedLine) -> int:
    return len(line.content.split())


def _characters(choice: ChosenLine) -> int:
    lines = [*choice.lines, *([choice.later] if choice.later else [])]
    # Only an entity or an item of state is longer; it is truncated.
    told = sum(min(len(it.content), LINE_CHARACTERS_MAX) + 1 for it in lines)
    # 24 for the speaker, the day and the quotation marks.
    return told + len(lines[0].heading) + 24


def untold(line: IndexedLine) -> str:
    """Return the reason of rejection where there is no renderer for facts."""
    return "unworded"


def choose_facts(
    scored: Sequence[ScoredLine],
    worded: Wording,
    weighing: RelevanceWeights,
    *,
    tokens: int,
    withheld: Callable[[IndexedLine], str],
) -> tuple[list[tuple[ChosenLine, _fast.Line]], list[RejectedLine]]:
    """Return the recalled facts with their lines, likeliest first; and the others.

    Args:
        scored: Lines of any kind, likeliest first; lines that are not facts are
            skipped.
        weighing: Thresholds; the relative one refers to the best line of any kind.
        tokens: Token budget of all facts.
        withheld: Returns the reason why a line must not be recalled; empty if it may.
    """
    chosen: list[tuple[ChosenLine, _fast.Line]] = []
    rejected: list[RejectedLine] = []
    concepts: set[str] = set()
    left = tokens * CHARACTERS_A_TOKEN
    # Relative to the best line of any kind, so that a weak fact does not join a good quote.
    threshold = weighing.least_beside(scored[0].probability if scored else 0.0)
    for each in scored:
        if not each.line.is_fact:
            continue
        # The most expensive checks come last.
        if each.probability < threshold:
            rejected.append(RejectedLine(each, "unlikely"))
        elif isinstance(told := worded(each.line), str):
            rejected.append(RejectedLine(each, told))
        # The line of a concept has all its facts: a second fact of it adds nothing.
        elif told.concept in concepts:
            rejected.append(RejectedLine(each, "told"))
        elif why := withheld(each.line):
            rejected.append(RejectedLine(each, why))
        # Plus 1 for the line break.
        elif len(chosen) == FACTS_MAX or len(told.text) + 1 > left:
            rejected.append(RejectedLine(each, "full"))
        else:
            left -= len(told.text) + 1
            concepts.add(told.concept)
            chosen.append((ChosenLine([each.line], each), told))
    return chosen, rejected
