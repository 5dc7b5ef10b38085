"""Checks for claims that a text states only of other people or of the past."""

# ruff: noqa: RUF001 - typographic marks, as people write them
from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from festinger._fast.words import CLOSED_CLASS
from festinger.core.language.grounding import StemmedSentence, stem
from festinger.core.memories.breaches import comes_after, words
from festinger.core.memories.support import Support

_ENDED = words(
    r"used to|stopped|stops?|quit|gave up|given up|ceased|once|formerly|previously"
    r"|avoid(?:s|ed)?|refus(?:es?|ed)|tired of|sick of|instead of|rather than|without|unlike"
)


def about_another(
    claim: str, supports: Sequence[Support], names: Collection[str]
) -> bool:
    """Return True if all sources of a text state the claim of somebody else.

    Example: "my brother loves tea". Only a possessive with a noun, or a name, before
    the claim's first word is recognised.

    Args:
        names: The person's own names, in lower case.
    """
    stems = {stem(word) for word in StemmedSentence(claim).spoken if word[0].isalnum()}
    return any(
        each.sources
        and all(_of_another(source, stems, names) for source in each.sources)
        for each in supports
    )


def no_longer(claim: str, supports: Sequence[Support]) -> bool:
    """Return True if all sources of a text say that the claim ended or is avoided."""
    return comes_after(_ENDED, claim, supports)


def own_names(texts: Iterable[str]) -> Iterator[str]:
    """Yield the names by which people introduce themselves, in lower case."""
    for text in texts:
        for found in _INTRODUCED.finditer(text):
            yield from found["name"].lower().split()


_INTRODUCED = re.compile(
    r"\b(?:[Ii]['’]m|[Ii] am|[Nn]ame is|[Uu]ser(?:,| is)?|(?:named|called)|[Tt]his is)\s+"
    r"(?P<name>[A-Z][\w-]+(?:\s+[A-Z][\w-]+)?)"
)
_ANOTHER = re.compile(
    r"(?:\b(?:my|our|his|her|their|your)|\w['’]s)\s+"
    r"(?!favou?rite|own|\w+ly\b|username)[^\W\d]+(?:\s+[A-Z]\w+)?\s+$",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?P<name>[A-Z][^\W\d]+)\s+$")
_NO_NAMES = frozenset(
    ["user", "person", "always", "often", "also", "currently", "still"]
)


def _of_another(
    source: StemmedSentence, stems: set[str], names: Collection[str]
) -> bool:
    for word in _WORD.finditer(source.text):
        if stem(word[0].lower()) not in stems:
            continue
        before = source.text[: word.start()]
        if named := _NAMED.search(before):
            name = named["name"].lower()
            return not (
                name in names
                or name in _NO_NAMES
                or name in CLOSED_CLASS
                or name.endswith("ly")
            )
        return bool(_ANOTHER.search(before))
    return False


_WORD = re.compile(r"[^\W_]+")
