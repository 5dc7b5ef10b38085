"""What a prompt asks the index: its terms, and what each of them is worth."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import log
from typing import Final

from festinger.core.language.sentences import split
from festinger.core.language.terms import words_with_terms
from festinger.core.lines.index import LineIndex

TERMS_MAX: Final = 32
"""Terms of a query, those that tell most."""
SENTENCES_WHOLE: Final = 6
"""The last sentences of the newest message, which count in full."""
READ_CHARACTERS: Final = 1_200
"""Of the newest message, the last ones: sentences in front of them weigh nothing."""
HALVED_EVERY: Final = 2.0
"""Sentences further back after which a term is worth half."""
WEIGHT_MIN: Final = 0.05
"""What is worth less is not asked."""
CODE_WEIGHT: Final = 0.3
"""Of the words of a message that has no prose."""
EVERYDAY_RARITY: Final = 0.25
"""How much an everyday word says, against any other."""
NAMED_CHARACTERS: Final = 1_000
"""Of the newest message, the last ones: there names of several words are looked for."""
_PLAIN: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Query:
    """A prompt as a query of the index.

    Attributes:
        prompt: The newest message.
        terms: What is looked for.
        weights: Of the terms, by their place in the prompt.
        rarities: Of the terms: 1 for what is no everyday word.
        idf: Of the terms, in the index.
        asker: Whose prompt it is.
        project: Where it was typed; empty for nowhere in particular.
    """

    prompt: str
    terms: Sequence[str]
    weights: Sequence[float]
    rarities: Sequence[float]
    idf: Sequence[float]
    asker: str
    project: str

    @property
    def wanted(self) -> list[tuple[str, float]]:
        """The terms with their weights, for the index."""
        return list(zip(self.terms, self.weights, strict=True))

    @property
    def named(self) -> list[tuple[str, float]]:
        """The terms for statements, where an everyday word is hardly what is meant."""
        columns = zip(self.terms, self.weights, self.rarities, strict=True)
        return [(term, weight * rarity) for term, weight, rarity in columns]

    @property
    def names(self) -> list[str]:
        """The terms of names that words of the prompt would make, two or three of them."""
        words = _PLAIN.findall(self.prompt[-NAMED_CHARACTERS:].lower())
        pairs = ["-".join(pair) for pair in pairwise(words)]
        triples = [
            f"{pair}-{word}" for pair, word in zip(pairs, words[2:], strict=False)
        ]
        return list(dict.fromkeys([*pairs, *triples]))

    def is_everyday(self, term: str) -> bool:
        """Return whether one of the terms is of an everyday word."""
        return self.rarities[self.terms.index(term)] < 1.0

    def shared(self, terms: Collection[str]) -> int:
        """Return which of the query's terms are among others, as bits."""
        return sum(1 << at for at, term in enumerate(self.terms) if term in terms)


def read_query(
    index: LineIndex,
    prompt: str,
    earlier: Sequence[str] = (),
    *,
    asker: str,
    project: str = "",
    dictionary: Collection[str] = frozenset(),
) -> Query:
    """Return what a prompt asks the index.

    Args:
        prompt: The newest message of a person.
        earlier: What they wrote before it in this conversation, the newest first.
        asker: Whose prompt it is.
        project: Where it was typed.
        dictionary: Everyday words.
    """
    weights: dict[str, float] = {}
    rarities: dict[str, float] = {}
    for text, weight in _weighed(prompt, earlier):
        for word, found in words_with_terms(text):
            rarity = EVERYDAY_RARITY if word in dictionary else 1.0
            for term in found:
                weights[term] = max(weight, weights.get(term, 0.0))
                rarities[term] = max(rarity, rarities.get(term, 0.0))
    size = index.counted
    idf = {}
    for term in weights:
        having = index.frequency(term)
        idf[term] = log(1 + (size - having + 0.5) / (having + 0.5))
    chosen = list(weights)
    if len(chosen) > TERMS_MAX:
        worth = {term: weights[term] * idf[term] * rarities[term] for term in chosen}
        best = set(sorted(chosen, key=worth.__getitem__, reverse=True)[:TERMS_MAX])
        chosen = [term for term in chosen if term in best]
    return Query(
        prompt,
        chosen,
        [weights[term] for term in chosen],
        [rarities[term] for term in chosen],
        [idf[term] for term in chosen],
        asker,
        project,
    )


def _weighed(prompt: str, earlier: Sequence[str]) -> list[tuple[str, float]]:
    """Return the sentences of a conversation with their weights, the newest first."""
    newest = [_whole(each) for each in reversed(split(_end_of(prompt)))]
    weighed = [
        (text, 0.5 ** (max(0, back - SENTENCES_WHOLE + 1) / HALVED_EVERY))
        for back, text in enumerate(newest)
    ] or [(prompt[-READ_CHARACTERS:], CODE_WEIGHT)]
    back = max(HALVED_EVERY, len(newest))
    for message in earlier:
        for each in reversed(split(_end_of(message))):
            weighed.append((_whole(each), 0.5 ** (back / HALVED_EVERY)))
            back += 1
            if 0.5 ** (back / HALVED_EVERY) < WEIGHT_MIN:
                return [it for it in weighed if it[1] >= WEIGHT_MIN]
    return [it for it in weighed if it[1] >= WEIGHT_MIN]


def _end_of(text: str) -> str:
    """Return the last lines of a text; what is code at its beginning stays code."""
    if len(text) <= READ_CHARACTERS:
        return text
    cut = len(text) - READ_CHARACTERS
    # A line is left out as a whole, unless it is longer than what is read.
    cut = text.find("\n", cut) + 1 or text.find(" ", cut) + 1 or cut
    fences = text.count("\n```", 0, cut) + text.startswith("```")
    return ("```\n" if fences % 2 else "") + text[cut:]


def _whole(sentence: tuple[str, str]) -> str:
    text, heading = sentence
    return f"{heading} {text}" if heading else text
