"""Lines about the asker, and the asker's rules about all answers (J19).

"Always answer in Dutch" shares no word with a question about Rome, and is meant for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from festinger.core.graph.origins import StatementReader
from festinger.core.language.answerstyle import aspects_of, scope_of
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine
from festinger.core.recollection.query import READ_CHARACTERS, Query
from festinger.core.recollection.scoring import (
    RECENT_LINES,
    ScoredLine,
    with_probabilities,
)
from festinger.core.system.principals import is_same, plain

LINES_MAX: Final = 24
"""Maximum number of lines about the asker that are considered, of each kind."""
SEARCHED_MAX: Final = 2_000
"""Number of newest lines of each kind that are searched."""
FACT: Final = 0.9
"""Probability that a fact about the asker helps."""
SENTENCE: Final = 0.6
"""The same of a new sentence in which they speak of themselves; half of it for old ones."""

_ASKS: Final = re.compile(
    r"\b(?:who (?:am i|i am)\b(?! \w)|(?:know|remember|recall) me\b"
    r"|(?:know|known|remember\w*|recall\w*|learn\w*|stored?|saved?|facts?|notes?"
    r"|memor(?:y|ies)|tell|told|sa(?:y|id)|describe|summari[sz]e)\b"
    r"[^.?!]{0,40}\b(?:about|of|on) (?:me|myself)\b)"
)
_FIRST_PERSON: Final = re.compile(r"\b(?:i|my|me|mine|myself)\b")
# The principal `ada-okafor` is the subject "Ada Okafor".
_AS_WORDS: Final = str.maketrans("-_", "  ")
RULES_MAX: Final = 3
"""Maximum number of rules that are told, the newest ones."""
RULES_READ_MAX: Final = 24
"""Maximum number of rules that are compared, the newest ones."""
RULE_TOKENS: Final = 60
"""Token budget of the rules, which is taken from that of the block."""


def asks_about_asker(prompt: str) -> bool:
    """Return whether a prompt asks what is known about the person who asks."""
    return _ASKS.search(prompt[-READ_CHARACTERS:].lower()) is not None


def lines_about_asker(index: LineIndex, query: Query) -> list[ScoredLine]:
    """Return facts about the asker, and what they said of themselves, likeliest first."""
    facts = list(islice(_facts(index, query.asker), LINES_MAX))
    told = {line.number for line in facts}
    found = dict.fromkeys(facts, FACT)
    for line in islice(_sentences(index, query.asker), LINES_MAX):
        read = index.read.read_from(line) if index.read else []
        # Its facts are told already.
        if not any(it.number in told for it in read):
            late = 1 / (1 + index.sources.age_of(line) / RECENT_LINES)
            found[line] = FACT if read else SENTENCE * (1 + late) / 2
    scored = with_probabilities(index, query, found)
    scored.sort(key=lambda it: (it.probability, it.line.said), reverse=True)
    return scored


def _facts(index: LineIndex, asker: str) -> Iterator[IndexedLine]:
    """Yield the memories and statements whose subject is the asker, or is theirs."""
    for memory in index.memories.recent() if index.memories else ():
        if memory.subject == asker:
            yield memory
    name = plain(asker).translate(_AS_WORDS)
    for line in islice(index.read.recent(), SEARCHED_MAX) if index.read else ():
        subject = plain(line.text.partition(":")[0]).translate(_AS_WORDS)
        # "ada" and "ada's sister". What rules read is less than its sentence.
        if (subject == name or subject.startswith(f"{name}'s ")) and not (
            line.origin
            and line.origin.reader is StatementReader.RULES
            and index.sources.sentences_of(line)
        ):
            yield line


def _sentences(index: LineIndex, asker: str) -> Iterator[IndexedLine]:
    """Yield the sentences in which the asker speaks of themselves, newest first."""
    for line in islice(index.sources.recent(), SEARCHED_MAX):
        if (
            is_same(line.speaker, asker)
            and not line.asks
            and _FIRST_PERSON.search(line.text.lower())
        ):
            yield line


def answer_rules(index: LineIndex, query: Query) -> tuple[list[ScoredLine], set[int]]:
    """Return what the asker wants all answers to be like, the newest first."""
    rules: dict[IndexedLine, float] = {}
    replaced: set[int] = set()
    settled: set[str] = set()
    for line in islice(_said(index, query), RULES_READ_MAX):
        # "When I ask for recipes write grams" holds for these alone.
        if scope := scope_of(line.content):
            if len(rules) < RULES_MAX and not scope.isdisjoint(query.terms):
                rules[line] = 1.0
            continue
        aspects = aspects_of(line.content)
        # "Answer in English from now on" ends "always answer in Dutch".
        if aspects and aspects <= settled:
            replaced.add(line.number)
        elif len(rules) < RULES_MAX:
            rules[line] = 1.0
        settled |= aspects
    return with_probabilities(index, query, rules), replaced


def _said(index: LineIndex, query: Query) -> Iterator[IndexedLine]:
    for line in index.sources.standing():
        # What was asked for in another project holds there.
        is_here = not line.project or is_same(line.project, query.project)
        if is_here and is_same(line.speaker, query.asker):
            yield line
