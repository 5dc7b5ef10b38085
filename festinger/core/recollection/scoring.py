"""Score lines by the probability that they help with a prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from math import log
from typing import Final, NamedTuple

from festinger.core.language.answers import asks_for, offers
from festinger.core.language.marks import SentenceMark
from festinger.core.language.terms import sentence_terms, terms
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine, LineMatch
from festinger.core.lines.listing import name_of
from festinger.core.lines.notes import NOTE_KINDS
from festinger.core.lines.weights import raised
from festinger.core.recollection.features import (
    EMBEDDED,
    LINE,
    STATEMENT,
    values_of_marks,
)
from festinger.core.recollection.query import Query
from festinger.core.recollection.scopes import ELSEWHERE, is_elsewhere, shares_name
from festinger.core.recollection.succession import split_statement
from festinger.core.recollection.weighing import RelevanceWeights
from festinger.core.recollection.wording import asks_for_own
from festinger.core.system.principals import is_same, plain
from festinger.core.system.secrets import SECRET

UNSTATED: Final = 0.8
"""Factor of the probability of a sentence in which a model found no statement."""
_UNSTATED: Final = int(SentenceMark.UNSTATED)
HIDDEN: Final = 0.3
"""Factor of the probability of a short line of which a secret was cut out: what else it
says, such as that there is a password, seldom helps."""
HIDDEN_WORDS_MAX: Final = 10
"""Maximum number of words of such a line."""
HIDDEN_TERMS_MIN: Final = 2
"""Number of words of such a line from which a prompt asks for it."""
UNMET: Final = 0.1
"""Factor of the probability of a note that shares one everyday word with a prompt: it
was said to nobody, at no moment of the work, so that nothing else speaks for it."""
TURNS_BESIDE: Final = 8
"""Number of best sentences, and of best statements, whose turns are scored entirely."""
TOPIC_WORDS: Final = 3
"""Number of words at the beginning of a line that usually name its topic."""
UNKNOWN_LIKENESS: Final = 0.25
"""Likeness of a line without an embedding, as lines that share words have on average."""
SENTENCES_MIN: Final = 8
"""Number of sentences from which all are considered that are near a prompt; of fewer only
those that are like it."""
NEAR_FROM: Final = 0.2
"""Minimum cosine of a line to be like a prompt."""
LINES_COUNTED: Final = (SENTENCES_MIN, 200)
"""Numbers of lines below and above which the size of a memory makes no difference."""
RECENT_LINES: Final = 10.0
"""Number of later lines after which the recency of a line is one half: few, since prompts
often need what was said last."""


class ScoredLine(NamedTuple):
    """A line with its probability to help, and its features.

    Attributes:
        probability: In [0.0, 1.0].
        values: Values of its features, in the order of `features.LINE`, or of
            `features.STATEMENT` for a statement with an origin.
        shared: Bit mask of the query's terms in the line: bit `i` for term `i`.
        helped: How many people say that the line has helped them.
    """

    line: IndexedLine
    probability: float
    values: Sequence[float]
    shared: int
    helped: int = 0

    @property
    def features(self) -> Mapping[str, float]:
        """The values of its features by name."""
        names = LINE if self.line.origin is None else STATEMENT
        # The last are there only if the prompt has an embedding.
        found = dict(zip((*names, *EMBEDDED), self.values, strict=False))
        return found | {"helped": float(self.helped)} if self.helped else found


def score(
    index: LineIndex, query: Query, weighing: RelevanceWeights
) -> list[ScoredLine]:
    """Return the lines that may help, likeliest first."""
    # Before the searches: `near` and the likeness of lines need the comparison.
    embedded = index.vectors.compare(query.embedding)
    # First of the searches: the others take the terms matched around a line from it.
    said = index.sources.search(query.wanted, query.project, around=True)
    read = index.read_lines(query.wanted, query.project)
    matches = [
        *said,
        *read,
        *_beside(index, said, read),
        # Everyday words weigh less here: a statement consists of few words.
        *index.facts(query.named, query.asker, query.names),
    ]
    praised = index.votes.helped
    if embedded:
        # Lines that share no word with the prompt: a task often names nothing that it needs.
        known = {match.line.number for match in matches}
        # Of a few sentences each may answer a question about oneself, and none a haiku.
        is_small = len(index.sources) < SENTENCES_MIN
        is_bound = is_small and not asks_for_own(query.prompt)
        matches += index.near(known, NEAR_FROM if is_bound else -1.0)
    found = values_of(index, query, matches)
    if embedded:
        found = [
            (*values, _likeness(index, match.line))
            for values, match in zip(found, matches, strict=True)
        ]
    scored = []
    for match, values in zip(matches, found, strict=True):
        probability = weighing.of(match.line).probability(values)
        if is_elsewhere(match.line, query.project):
            probability *= _nearness(query, match)
        elif match.line.kind in NOTE_KINDS and not _is_met(query, match):
            probability *= UNMET
        if _is_hidden(match):
            probability *= HIDDEN
        # A model that found nothing in a sentence is some evidence that it says nothing.
        if int(match.line.marks) & _UNSTATED:
            probability *= UNSTATED
        helped = praised.get(name_of(match.line), 0) if praised else 0
        if helped:
            probability = raised(probability, helped)
        scored.append(ScoredLine(match.line, probability, values, match.shared, helped))
    # Ties are broken in favour of newer lines.
    scored.sort(key=lambda it: (it.probability, it.line.number), reverse=True)
    return scored


def with_probabilities(
    index: LineIndex, query: Query, lines: Mapping[IndexedLine, float]
) -> list[ScoredLine]:
    """Return lines with given probabilities, whatever they share with the prompt."""
    matches = [LineMatch(line, 0.0, 0) for line in lines]
    values = values_of(index, query, matches)
    return [
        ScoredLine(line, probability, each, 0)
        for (line, probability), each in zip(lines.items(), values, strict=True)
    ]


def _beside(
    index: LineIndex, said: Sequence[LineMatch], read: Sequence[LineMatch]
) -> list[LineMatch]:
    """Return statements from the turns of the best lines that share no term themselves."""
    # A prompt seldom names all that it needs; the statements of a turn belong together.
    best = [*said[:TURNS_BESIDE], *read[:TURNS_BESIDE]]
    return index.read_beside(best, {match.line.number for match in read})


def _nearness(query: Query, match: LineMatch) -> float:
    """Return 1, or less for a line of another project that shares no name (J5)."""
    # The indexer of another project is not ours; Kassel is the same everywhere (J5).
    rare = [query.terms[at] for at in _bits(match.shared) if query.rarities[at] == 1.0]
    return 1.0 if shares_name(match.line, rare) else ELSEWHERE


def _is_hidden(match: LineMatch) -> bool:
    """Return whether a line says little without its secret, and a prompt names not that."""
    text = match.line.text
    return (
        SECRET in text
        and text.count(" ") < HIDDEN_WORDS_MAX
        and len(_bits(match.shared)) < HIDDEN_TERMS_MIN
    )


def _is_met(query: Query, match: LineMatch) -> bool:
    """Return whether a prompt shares two words with a note, or one that is not everyday."""
    shared = _bits(match.shared)
    # One everyday word in common is chance (`UNMET`).
    return len(shared) > 1 or any(query.rarities[at] == 1.0 for at in shared)


def values_of(
    index: LineIndex, query: Query, matches: Sequence[LineMatch]
) -> list[tuple[float, ...]]:
    """Return the features of lines that share terms with a query (`features.LINE`).

    Args:
        matches: Matches, best first; some features are relative to the others.
    """
    if not matches:
        return []
    worth = [w * it for w, it in zip(query.weights, query.idf, strict=True)]
    rare = [w * it for w, it in zip(query.weights, query.rarities, strict=True)]
    # Shares of the prompt's terms, so that long and short prompts compare.
    whole, whole_rare = sum(worth) or 1.0, sum(rare) or 1.0
    # Computed once per speaker, project and set of terms: there are few of each.
    speakers = {
        it: _values_of_speaker(query, it) for it in {it.line.speaker for it in matches}
    }
    projects = {
        it: float(is_same(it, query.project))
        for it in {it.line.project for it in matches}
    }
    covered = {
        it: (_sum_of(worth, it) / whole, _sum_of(rare, it) / whole_rare)
        for it in {it.shared for it in matches}
    }
    rarest = {
        it: max([query.idf[at] for at in _bits(it)], default=0.0) for it in covered
    }
    # Terms that only the rest of the turn has: the line's own count by its score.
    arounds = [match.around & ~match.shared for match in matches]
    context = {it: _sum_of(worth, it) for it in set(arounds)}
    age_of = index.sources.age_of
    size = value_of_size(index)
    asked = frozenset(query.terms)
    found: list[tuple[float, ...]] = []
    for match, around in zip(matches, arounds, strict=True):
        line = match.line
        first, length = _beginning(line.text)
        topic = [worth[at] for at in _bits(match.shared) if query.terms[at] in first]
        found.append(
            (
                match.score,
                context[around],
                *covered[match.shared],
                sum(topic, 0.0) / whole,
                rarest[match.shared],
                projects[line.project],
                *speakers[line.speaker],
                *values_of_marks(int(line.marks)),
                # Age in lines instead of days: a memory that rests for weeks does not grow old.
                1 / (1 + age_of(line) / RECENT_LINES),
                length,
                size,
                # In the order of `features.LINE` and `features.STATEMENT`.
                *(_values_of_statement(line, query, asked) if line.origin else ()),
            )
        )
    return found


def value_of_size(index: LineIndex) -> float:
    """Return the feature of a memory's size: of few lines more of them help."""
    least, most = LINES_COUNTED
    return log(1 + max(least, min(most, len(index))))


def _sum_of(values: Sequence[float], mask: int) -> float:
    """Return the sum of the values at the bits of a mask."""
    return sum([values[at] for at in _bits(mask)], 0.0) if mask else 0.0


# Lines of a conversation are scored again for each of its prompts.
@lru_cache(maxsize=16_384)
def _beginning(text: str) -> tuple[frozenset[str], float]:
    """Return the terms at the beginning of a line, and its length as a feature."""
    words = sentence_terms(text)[:TOPIC_WORDS]
    first = frozenset(term for _, found in words for term in found)
    return first, log(1 + text.count(" ") + 1)


def _likeness(index: LineIndex, line: IndexedLine) -> float:
    """Return the feature of a line for a prompt with an embedding (`EMBEDDED`)."""
    likeness = index.vectors.likeness(line.number)
    # A line without an embedding is neither favoured nor put back.
    return UNKNOWN_LIKENESS if likeness is None else likeness


def _values_of_statement(
    line: IndexedLine, query: Query, asked: Set[str]
) -> tuple[float, ...]:
    """Return the additional features of statements with an origin."""
    # "When …" asks for a time, and `[scheduled] 04:25` offers one. As numbers, since flags
    # are slow to combine.
    answers = float(int(asks_for(query.prompt)) & int(offers(line.text)) > 0)
    subject, predicate = _parts_of(line.text)
    return _share(subject, asked), _share(predicate, asked), answers


def _share(words: Sequence[str], asked: Set[str]) -> float:
    """Return the share of terms that are asked for."""
    return sum(map(asked.__contains__, words)) / (len(words) or 1)


# The prompts of a conversation match the same lines.
@lru_cache(maxsize=4096)
def _parts_of(text: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return the terms of a statement's subject and of its predicate."""
    subject, predicate, _ = split_statement(text)
    return terms(subject), terms(predicate)


def _values_of_speaker(query: Query, speaker: str) -> tuple[float, float]:
    """Return whether a speaker is the asker, and whether the prompt names them."""
    name = plain(speaker)
    return (
        float(is_same(speaker, query.asker)),
        # "What did nadia say" for the speaker `Nadia Okafor`.
        1.0 if name and _first_name(name) in query.terms else 0.0,
    )


@lru_cache(maxsize=4096)
def _bits(mask: int) -> tuple[int, ...]:
    return tuple(at for at in range(mask.bit_length()) if mask >> at & 1)


@lru_cache(maxsize=4096)
def _first_name(name: str) -> str:
    """Return the term of a person's first name; empty if there is none."""
    # Names from credentials: `nadia-okafor`, `nadia_o`.
    found = terms(name.replace("-", " ").replace("_", " "))
    return found[0] if found else ""
