"""Checks for claims that a text states only of other people or of the past."""

# ruff: noqa: RUF001 - typographic marks, as people write them
from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from festinger._fast.words import CLOSED_CLASS
from festinger.core.language.grounding import StemmedSentence
from festinger.core.language.terms import stem
from festinger.core.memories.support import Support
from festinger.core.memories.violations import comes_after, words
from festinger.core.system.wordsets import word_set

_ENDED = words(
    r"used to|stopped|stops?|quit|gave up|given up|ceased|once|formerly|previously"
    r"|avoid(?:s|ed)?|refus(?:es?|ed)|tired of|sick of|instead of|rather than|without|unlike"
)


def about_another(
    claim: str, supports: Sequence[Support], names: Collection[str]
) -> bool:
    """Return True if all sources of a text state the claim of somebody else.

    Examples: "my brother loves tea", "Bob said: I live in Oslo". A possessive with a noun, or a
    name, before the claim's first word is recognised, and who is told to have said it.

    Args:
        names: The person's own names, in lower case.
    """
    # "Brother loves tea" names another person itself.
    if _RELATIVE.match(claim):
        return True
    stems = {stem(word) for word in StemmedSentence(claim).spoken if word[0].isalnum()}
    told, lived = supports[0], supports[-1]
    # In a summary "she" is the person, in their own words somebody else.
    narrated = names if told is lived and len(supports) > 1 else {*names, *_NARRATED}
    return any(
        each.sources and all(_of_another(it, stems, own) for it in each.sources)
        for each, own in ((told, narrated), *([(lived, names)] if supports[1:] else []))
    )


def no_longer(claim: str, supports: Sequence[Support]) -> bool:
    """Return True if all sources of a text say that the claim ended or is avoided."""
    return comes_after(_ENDED, claim, supports)


def own_names(texts: Iterable[str]) -> Iterator[str]:
    """Yield the names by which people introduce themselves, in lower case."""
    for text in texts:
        for found in _INTRODUCED.finditer(text):
            yield from found["name"].lower().split()


# "I'm Ada", "my name is Ada Byron", "the user, Ada"
_INTRODUCED = re.compile(
    r"\b(?:[Ii]['’]m|[Ii] am|[Nn]ame is|[Uu]ser(?:,| is)?|(?:named|called)|[Tt]his is)\s+"
    r"(?P<name>[A-Z][\w-]+(?:\s+[A-Z][\w-]+)?)"
)
# "My brother loves", "Bob's wife Ada loves"; not "my favourite", "my own".
_ANOTHER = re.compile(
    r"(?:\b(?:my|our|his|her|their|your)|\w['’]s)\s+"
    r"(?!favou?rite|own|\w+ly\b|username)[^\W\d]+(?:\s+[A-Z]\w+)?\s+$",
    re.IGNORECASE,
)
_RELATIVE = words(
    r"^(?:brother|sister|mother|father|mom|mum|dad|wife|husband|partner|boyfriend|girlfriend|son"
    r"|daughter|child|kid|friend|colleague|boss|co-?worker|neighbou?r|uncle|aunt|cousin|grand\w+"
    r"|parents|teacher|roommate|flatmate)s?"
)
# "Bob just said: I live in Oslo"
_REPORTED = re.compile(
    r"(?P<who>[^\W\d][\w'’]*)[ ,]+(?:(?:has|had|have|just|once|also|always|recently|already)\s+)*"
    r"(?:said|says|told|tells|wrote|writes|thinks|thought|claims|claimed|mentioned|texted|posted|tweeted"
    r"|asked|replied|answered|believes|insists|quoted?)\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"^\W*(?P<who>[A-Z][\w-]+(?: [A-Z][\w-]+)?)\s*:\s")
"""A line of a chat or a script."""
_THEMSELVES = word_set("i we they user person speaker human who")
_NARRATED = frozenset(["he", "she"])
"""Who a summary is about; in somebody's own words they are others."""
# "Bob loves": a capital directly before the claim.
_NAMED = re.compile(r"\b(?P<name>[A-Z][^\W\d]+)\s+$")
# Capitals at the beginning of a sentence that name nobody.
_NO_NAMES = word_set("user person always often also currently still")


def _of_another(
    source: StemmedSentence, stems: set[str], names: Collection[str]
) -> bool:
    for word in _WORD.finditer(source.text):
        # The first word of the claim that the sentence has: who is named before it?
        if stem(word[0].lower()) not in stems:
            continue
        before = source.text[: word.start()]
        if any(
            name not in names and name not in _THEMSELVES
            for said in (*_REPORTED.finditer(before), *_LABELLED.finditer(before))
            for name in [said["who"].lower()]
        ):
            return True
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
