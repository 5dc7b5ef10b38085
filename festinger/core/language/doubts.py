"""Why a text states nothing, although it may hold every word of a fact."""

from __future__ import annotations

from festinger import _fast
from festinger.core.language.cues.lists import LISTS
from festinger.core.language.cues.words import AUXILIARIES, HEDGES, WH_WORDS

_HEDGES = HEDGES | {"might", "may", "could", "would", "should"}
_QUESTIONS = WH_WORDS | AUXILIARIES


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
