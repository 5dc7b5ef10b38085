"""Check whether sentences are questions, quotations or hedged."""

from __future__ import annotations

from festinger import _fast
from festinger.core.language.cues.lists import LISTS
from festinger.core.language.cues.words import AUXILIARIES, BEFORE_MAY, HEDGES, WH_WORDS

_HEDGES = HEDGES | {"might", "may", "could", "would", "should"}
_QUESTIONS = WH_WORDS | AUXILIARIES


def one_line(text: str) -> str:
    """Return a sentence on one line, as it can be stored."""
    # Text other than prose was blanked out; Postgres cannot store NUL.
    return " ".join(text.replace("\0", " ").replace("\1", " ").split())


def unstated(text: str) -> str:
    """Return in one word why a text asserts nothing; "" if all its sentences do."""
    scan = _fast.scan(text)
    reader = _fast.SentenceReader(scan, _fast.readable(scan.text), LISTS)
    done = 0
    for at in range(len(scan)):
        if at < done:
            continue
        first = reader.around(at)
        # Each sentence is read once: `around` says where it begins and ends.
        done = max(reader.done, at + 1)
        if first < 0:
            return "no_prose"
        if doubt := doubt_of(reader.sentence(first)):
            return doubt
    return ""


def doubt_of(sentence: _fast.Sentence) -> str:
    """Return why a sentence asserts nothing, in one word; empty if it does."""
    words = [sentence.word(at) for at in range(sentence.count)]
    # Questions are often typed without their mark: "is billing on podman".
    if sentence.asked or words[0] in _QUESTIONS:
        return "asked"
    if sentence.quoted:
        return "quoted"
    pairs = zip(("", *words), words, strict=False)
    # "In May" is a month, "it may be" a hedge.
    hedged = any(
        word in _HEDGES and not (word == "may" and before in BEFORE_MAY)
        for before, word in pairs
    )
    return "hedged" if hedged else ""
