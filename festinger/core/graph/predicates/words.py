"""Split and inflect the words of predicates, and derive the names of dimensions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from festinger.core.graph.seeddata import ALIASES
from festinger.core.graph.tokens import is_renderable
from festinger.core.system.wordsets import word_set
from festinger.errors import NotATokenError

WORDS_CHARACTERS_MAX: Final = 200
"""Maximum number of characters of a predicate that are read."""

_COPULAS: Final = frozenset(  # "is hosted on" is "hosted on"
    ["is", "are", "was", "were", "be", "been", "being", "am", "'s", "'re"]
)
_TAILS: Final = frozenset(["is", "are", "was", "were"])  # "owner is"
_AUXILIARIES: Final = frozenset(["has", "have", "had", "having", "does", "do"])
_ARTICLES: Final = word_set("a an the its his her their our my your")
# Words that change nothing: "is now hosted on", "the current owner".
_ADVERBS: Final = word_set("""
    now currently still also already again actually just really presently nowadays today
    current new own officially
""")
# "c++", "node.js" and "o'brien" are one word each.
_WORD: Final = re.compile(r"'s\b|[^\W_]+(?:[.+#'][^\W_]+)*(?:\+\+|#)?")
_URI: Final = re.compile(r"[a-z]+:(?P<name>[A-Za-z0-9]+)")
_HUMPED: Final = re.compile(r"[a-z]+(?:[A-Z][a-z0-9]+)+")  # runsOn
# Between "runs" and "On", and between "HTTP" and "Server".
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Verbs that double their last letter: "run", "running".
_SHORT: Final = re.compile(r"[^aeiou]*[aeiou][bdgmnprt]")
_IRREGULAR: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {"has": ("have", "having"), "goes": ("go", "going"), "does": ("do", "doing"),
     "lies": ("lie", "lying"), "dies": ("die", "dying")}
)  # fmt: skip


def words_of(uri: str) -> list[str]:
    """Return the words of a URI's name in lower case: `works`, `at` for `t:worksAt`."""
    _, _, name = uri.partition(":")
    return [word.lower() for word in _HUMP.split(name)]


def split_words(text: str) -> list[str]:
    """Return the words of a predicate in lower case, whatever joins them.

    `runs on`, `runs-on`, `runs_on`, `runsOn` and `t:runsOn` are two words.
    """
    text = " ".join(text[:WORDS_CHARACTERS_MAX].replace("\u2019", "'").split())
    if found := _URI.fullmatch(text):
        text = found["name"]
    if _HUMPED.fullmatch(text):  # before the lower case, which would hide the humps
        return [word.lower() for word in _HUMP.split(text)]
    return _WORD.findall(text.lower())


def readings(words: list[str]) -> Iterator[tuple[str, ...]]:
    """Yield the wordings that words may be registered as, the most literal first.

    `is now hosted on` is registered as `hosted on`, `the current owner is` as `owner`.
    """
    # The most literal reading first, since a literal wording is surer than a stripped one.
    yield tuple(words)
    words = [word for word in words if word not in _ADVERBS]
    yield tuple(words)
    while words and words[0] in _COPULAS | _AUXILIARIES | _ARTICLES:
        words = words[1:]
        yield tuple(words)
    while words and words[-1] in _TAILS:
        words = words[:-1]
    yield tuple(words)


def is_reversed(words: list[str]) -> bool:
    """Return whether words are like `is the owner of`: the noun is the value's."""
    return words[-1:] == ["of"] and words[0] in _COPULAS


def is_possessive(words: list[str]) -> bool:
    """Return whether words are like `has a budget of`: the noun is the subject's."""
    return words[-1:] == ["of"] and words[0] in _AUXILIARIES


def verb_forms(verb: str) -> Iterator[tuple[str, ...]]:
    """Yield the forms of a verb with the words behind it: `runs on`, `running on`."""
    first, *rest = split_words(verb)
    yield (first, *rest)
    if first in _IRREGULAR:
        forms: tuple[str, ...] = _IRREGULAR[first]
    elif first.endswith("s") and not first.endswith("ss"):
        base = _base(first)
        forms = base, continuous(base)
    # A participle ("hosted on") has one form: "hosts" has another meaning.
    else:
        return
    for form in forms:
        yield (form, *rest)


def noun_forms(noun: str) -> Iterator[tuple[str, ...]]:
    """Yield a noun and its plural."""
    words = split_words(noun)
    yield tuple(words)
    yield (*words[:-1], with_s(words[-1]))


def dimension_of(words: str) -> str:
    """Return the dimension of an unregistered predicate: `gives-up-waiting-at`.

    Raises:
        NotATokenError: It has no words, or more than a prompt may contain.
    """
    found = split_words(words)
    kept = [it for it in found if it not in _ARTICLES and it != "'s"] or found
    # "is named after" is `named-after`.
    while len(kept) > 1 and kept[0] in _COPULAS:
        kept = kept[1:]
    while len(kept) > 1 and kept[-1] in _TAILS:
        kept = kept[:-1]
    if kept and kept[0] in _COPULAS:  # "are" and "was" are `is`
        kept = ["is"]
    token = "-".join(ALIASES.get(it, it).replace("_", "-") for it in kept)
    if len(words) > WORDS_CHARACTERS_MAX or not is_renderable(token):
        raise NotATokenError(
            f"the predicate {words.strip()[:80]!r} is no name: write one to five words, "
            "at most 64 characters, as in 'runs on'",
            name=words[:80],
            field="predicate",
        )
    return token


def _base(verb: str) -> str:
    """Return a verb without the ending of the third person."""
    if verb.endswith("ies"):  # "carries" is "carry"
        return f"{verb[:-3]}y"
    if verb.endswith(("shes", "ches", "sses", "xes")):
        return verb[:-2]
    return verb[:-1]


def with_s(word: str) -> str:
    """Return the plural of a noun, or the third person of a verb."""
    if word.endswith("y") and word[-2:-1] not in set("aeiou"):
        return f"{word[:-1]}ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def continuous(base: str) -> str:
    """Return the gerund of a verb: `using`, `lying`, `running`."""
    if base.endswith("ie"):
        return f"{base[:-2]}ying"
    # "see" and "canoe" keep their e.
    if base.endswith("e") and not base.endswith(("ee", "oe")):
        return f"{base[:-1]}ing"
    return f"{base}{base[-1]}ing" if _SHORT.fullmatch(base) else f"{base}ing"
