"""Check whether quotes and notes that a prompt contains still hold, and replace them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from festinger import _fast
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.lines.quotes import word
from festinger.core.recollection.disputes import disputed_again, is_dispute
from festinger.core.recollection.names import NoteName, QuoteSource
from festinger.core.recollection.overlap import held_instead, why_unsayable
from festinger.core.recollection.recall import is_kept_from
from festinger.core.recollection.succession import successor_of
from festinger.core.recollection.weighing import shipped

REWRITE_FROM: Final = 0.5
"""Minimum probability that a later sentence changes a quote that was told. More than for
a quote that is told anew: rewriting an earlier message costs the model's prefix cache."""


def told_again(
    index: LineIndex, name: str, *, asker: str, project: str, now: float
) -> tuple[bool, _fast.Line | None]:
    """Return whether a quote in a prompt still holds, and else the line in its place.

    Args:
        name: Name of the quote (`QuoteSource.name`).
        asker: Principal whose prompt contains it.
    """
    quote = QuoteSource.from_name(name)
    if quote is None:
        return _noted_again(index, name, asker=asker, project=project, now=now)
    kept = [
        it
        for it in index.sources.lines_of(LineKind.UTTERANCE, quote.turn)
        if it.ordinal in quote.ordinals
    ]
    people = index.sources.speakers
    lines = [it for it in kept if not why_unsayable(index, it)]
    # None of its sentences may be told any more: a statement that took their place is.
    if kept and not lines:
        instead = next((it for each in kept for it in held_instead(index, each)), None)
        if instead is None or is_kept_from(instead, asker, people):
            return False, None
        return False, _noted(instead, asker, project, now)
    # All of it was forgotten, or its audience is limited by now.
    if not lines or any(is_kept_from(it, asker, people) for it in lines):
        return False, None
    # A sentence of it was forgotten, and must not stay in the prompt.
    is_whole = len(lines) == len(quote.ordinals)
    # Those up to the gap: sentences on either side of it must not read as one.
    if not is_whole:
        lines = [
            it for at, it in enumerate(lines) if it.ordinal == lines[0].ordinal + at
        ]
    known = index.sources.newest_turn
    # The later line that it was told with, unless that was forgotten.
    later = next((it for it in _later_of(index, quote) if it is not None), None)
    news = None
    # Only turns since the last check can bring news.
    until = max(quote.until, index.checked.until(name, asker))
    if known > until:
        news = _newer_successor(index, lines, until, asker, people)
        if news is None:
            # Only "nothing new" is noted: a change gives the quote another name.
            index.checked.note(name, asker, known)
    if is_whole and news is None and (quote.later is None or later is not None):
        return True, None
    later = news or later
    again = QuoteSource(
        quote.turn,
        range(lines[0].ordinal, lines[-1].ordinal + 1),
        (int(str(later.key)), later.ordinal) if later else None,
        known,
    )
    text = word(lines, later, asker=asker, project=project, now=now)
    return False, _fast.Line(
        again.name, text, _fast.GraphLineKind.QUOTE, "it was changed"
    )


def _noted_again(
    index: LineIndex, name: str, *, asker: str, project: str, now: float
) -> tuple[bool, _fast.Line | None]:
    """Return the same as `told_again` for a note, which holds until its text changes."""
    note = NoteName.from_name(name)
    if is_dispute(name):
        return disputed_again(index, name, now)
    lines = index.lines_of(note.kind, note.key) if note else []
    if note and not lines and index.read and isinstance(note.key, int):
        # A statement that was replaced: what replaced it is told.
        lines = index.read.successor_of(note.key)
    if not lines or is_kept_from(lines[0], asker, index.sources.speakers):
        return False, None
    if why_unsayable(index, lines[0]):
        return False, None
    # Names contain a hash of the text.
    if NoteName.of(lines[0]) == note:
        return True, None
    return False, _noted(lines[0], asker, project, now)


def _noted(line: IndexedLine, asker: str, project: str, now: float) -> _fast.Line:
    """Return the line of a note that replaces an outdated one."""
    text = word([line], asker=asker, project=project, now=now)
    name = NoteName.of(line).name
    return _fast.Line(name, text, _fast.GraphLineKind.QUOTE, "it was changed")


def _later_of(index: LineIndex, quote: QuoteSource) -> Iterable[IndexedLine | None]:
    if quote.later is not None:
        turn, ordinal = quote.later
        for it in index.sources.lines_of(LineKind.UTTERANCE, turn):
            if it.ordinal == ordinal:
                yield it


def _newer_successor(
    index: LineIndex,
    lines: Sequence[IndexedLine],
    until: int,
    asker: str,
    people: Iterable[str],
) -> IndexedLine | None:
    """Return a line after a turn that changes one of the lines; None for none."""
    for line in lines:
        later = successor_of(index, line, shipped(), until, least=REWRITE_FROM)
        if later is not None and not is_kept_from(later, asker, people):
            return later
    return None
