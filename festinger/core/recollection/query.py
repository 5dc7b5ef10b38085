"""Query of the index for a prompt: terms and their weights."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from festinger.core.language.sentences import split
from festinger.core.language.terms import sentence_terms
from festinger.core.lines.index import LineIndex
from festinger.core.lines.vectors import Embedding
from festinger.core.lines.weights import inverse_frequency

TERMS_MAX: Final = 32
"""Maximum number of terms of a query, the most informative ones."""
SENTENCES_WHOLE: Final = 6
"""Number of last sentences of the newest message that have full weight."""
READ_CHARACTERS: Final = 1_200
"""Number of characters at the end of a message that are read."""
HALVED_EVERY: Final = 2.0
"""Number of sentences after which the weight of a term halves."""
WEIGHT_MIN: Final = 0.05
"""Minimum weight of a sentence; others are ignored."""
CODE_WEIGHT: Final = 0.3
"""Weight of the words of a message without prose."""
EVERYDAY_RARITY: Final = 0.25
"""Rarity of an everyday word; that of others is 1."""
LINES_ASSUMED_MIN: Final = 100
"""Minimum number of lines assumed when computing the rarity of a word: what the only line
of a memory says would look more common than what no line says."""
NAMED_CHARACTERS: Final = 1_000
"""Number of characters at the end of the newest message searched for compound names."""
# Letters and digits alone: the parts of `billing-service`.
_PLAIN: Final = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Query:
    """A prompt as a query of the index.

    Attributes:
        prompt: Newest message.
        weights: Weights of the terms, by their position in the conversation.
        rarities: Rarities of the terms: 1 unless it is an everyday word.
        idf: Inverse document frequencies of the terms in the index.
        asker: Principal whose prompt it is.
        project: Project of the prompt; empty for none.
        follows: Whether its speaker has sent others before it in the conversation.
    """

    prompt: str
    terms: Sequence[str]
    weights: Sequence[float]
    rarities: Sequence[float]
    idf: Sequence[float]
    asker: str
    project: str
    embedding: Embedding | None = None
    follows: bool = False

    @property
    def wanted(self) -> list[tuple[str, float]]:
        """The terms with their weights, for the index."""
        return list(zip(self.terms, self.weights, strict=True))

    @property
    def named(self) -> list[tuple[str, float]]:
        """The terms with weights for statements, lower for everyday words."""
        # Statements are few words: an everyday one in common says nothing.
        columns = zip(self.terms, self.weights, self.rarities, strict=True)
        return [(term, weight * rarity) for term, weight, rarity in columns]

    @property
    def names(self) -> list[str]:
        """The terms of compound names from two or three adjacent words."""
        # People write "billing service" where the concept is `billing-service`.
        words = _PLAIN.findall(self.prompt[-NAMED_CHARACTERS:].lower())
        pairs = ["-".join(pair) for pair in pairwise(words)]
        triples = [
            f"{pair}-{word}" for pair, word in zip(pairs, words[2:], strict=False)
        ]
        return list(dict.fromkeys([*pairs, *triples]))


def read_query(
    index: LineIndex,
    prompt: str,
    earlier: Sequence[str] = (),
    *,
    asker: str,
    project: str = "",
    dictionary: Collection[str] = frozenset(),
    embedding: Embedding | None = None,
) -> Query:
    """Return the query of a prompt.

    Args:
        prompt: Newest message of a person.
        earlier: Their earlier messages in this conversation, newest first.
        asker: Principal whose prompt it is.
        dictionary: Everyday words.
    """
    weights: dict[str, float] = {}
    rarities: dict[str, float] = {}
    for text, weight in _weighed(prompt, earlier):
        # A term keeps the weight of its newest mention, and the rarity of its rarest form.
        for word, found in sentence_terms(text):
            rarity = EVERYDAY_RARITY if word in dictionary else 1.0
            for term in found:
                if weight > weights.get(term, 0.0):
                    weights[term] = weight
                if rarity > rarities.get(term, 0.0):
                    rarities[term] = rarity
    size = max(index.counted, LINES_ASSUMED_MIN)
    idf = {it: inverse_frequency(index.frequency(it), size) for it in weights}
    chosen = list(weights)
    # Cut only after all sentences are weighed: by rarity alone, old pasted words would win.
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
        embedding,
        bool(earlier),
    )


def _weighed(prompt: str, earlier: Sequence[str]) -> list[tuple[str, float]]:
    """Return the sentences of a conversation with their weights, newest first."""
    newest = _sentences_of(_end_of(prompt))
    # Halved every two sentences backwards, but for the newest six.
    # Without prose it is code or a log, whose words say little of what is needed.
    weighed = [
        (text, 0.5 ** (max(0, back - SENTENCES_WHOLE + 1) / HALVED_EVERY))
        for back, text in enumerate(newest)
    ] or [(prompt[-READ_CHARACTERS:], CODE_WEIGHT)]
    # Earlier messages begin at half the weight or less, even behind a single sentence.
    back = max(HALVED_EVERY, len(newest))
    for message in earlier:
        for text in _sentences_of(_end_of(message)):
            weighed.append((text, 0.5 ** (back / HALVED_EVERY)))
            back += 1
            # The messages before weigh even less: they need not be split.
            if 0.5 ** (back / HALVED_EVERY) < WEIGHT_MIN:
                return [it for it in weighed if it[1] >= WEIGHT_MIN]
    return [it for it in weighed if it[1] >= WEIGHT_MIN]


def _end_of(text: str) -> str:
    """Return the last lines of a text; a code block that is cut stays a code block."""
    if len(text) <= READ_CHARACTERS:
        return text
    cut = len(text) - READ_CHARACTERS
    # Lines are left out as a whole, unless one is longer than the limit.
    cut = text.find("\n", cut) + 1 or text.find(" ", cut) + 1 or cut
    # An odd number of fences before the cut: it is within a code block.
    fences = text.count("\n```", 0, cut) + text.startswith("```")
    return ("```\n" if fences % 2 else "") + text[cut:]


# A conversation's messages come again with each of its prompts, and many conversations are
# led at a time: `split` remembers a few texts only, since they may be long.
@lru_cache(maxsize=2_000)
def _sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of the end of a message with their headings, the last first."""
    return tuple(
        f"{heading} {said}" if heading else said
        for said, heading in reversed(split(text))
    )
