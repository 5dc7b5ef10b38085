"""Predicates: their names, questions, cardinalities and wordings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Self

from festinger.core.graph.predicates.words import split_words
from festinger.core.graph.seeddata import SEEDED
from festinger.core.graph.statement import to_token
from festinger.core.graph.values.kinds import ValueKind
from festinger.core.system.excerpt import printable
from festinger.errors import InvalidArgument

URI_CHARACTERS_MAX: Final = 100
QUESTION_CHARACTERS_MAX: Final = 200
SYNONYMS_MAX: Final = 50  # of one memory, besides those of the release
SYNONYM_CHARACTERS_MAX: Final = 80
# Valid whatever they look like: `never` is no token of a concept.
SEEDED_DIMENSIONS: Final = frozenset(table["dimension"] for table in SEEDED)

# Full addresses would be links in prompts (E4).
_URI: Final = re.compile(r"[a-z]+:[A-Za-z0-9]+")
# The places of a question: {subject} and {object}.
_PLACE: Final = re.compile(r"\{([^{}]*)\}")
_PLACES: Final = ["object", "subject"]


class Cardinality(StrEnum):
    """Number of values that a subject can have at a time."""

    SINGLE = "single"
    """A second value contradicts the first."""
    MULTI = "multi"
    SYMMETRIC = "symmetric"
    """Many values, each of which also holds with subject and value exchanged."""
    EVENT = "event"
    """An event: it never contradicts another one."""
    RULE = "rule"  # `never`, `always`, `must`: side by side, as events are


@dataclass(frozen=True, slots=True)
class PredicateWords:
    """The wordings of a predicate, besides its dimension.

    Attributes:
        verbs: Words that follow `it` (`runs on`) or `it is` (`hosted on`).
        nouns: Words that stand in `its … is`. Example: `owner`.
        synonyms: Other wordings, matched exactly.
        inverse: Wordings with subject and value exchanged. Example: `owns`.
        timed: Wordings that count only before a date, a weekday or a time.
    """

    verbs: tuple[str, ...] = ()
    nouns: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    inverse: tuple[str, ...] = ()
    timed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate.

    Attributes:
        uri: Its name. Example: `t:worksAt`.
        dimension: Dimension of its statements. Example: `works-at`.
        is_isa: Whether it classifies its subject (ISA) instead of placing it in a
            whole (ISPART).
        question: Wording of its question, with `{subject}` and `{object}`; empty for
            the default wording.
        cardinality: Number of values that a subject can have; None if unspecified.
        values: Kinds of values that it accepts; empty for all.
        wording: Words that people and models write for it.
        offered: Whether it is listed in the prompt of a model that reads single
            sentences; fewer predicates make a shorter prompt.
    """

    uri: str
    dimension: str
    is_isa: bool
    question: str = ""
    cardinality: Cardinality | None = None
    values: frozenset[ValueKind] = frozenset()
    wording: PredicateWords = field(default_factory=PredicateWords)
    offered: bool = True

    @classmethod
    def checked(
        cls,
        uri: str,
        dimension: str,
        is_isa: bool,
        question: str = "",
        cardinality: str | None = None,
        synonyms: Iterable[str] = (),
    ) -> Self:
        """Return a predicate after validating its parts.

        Raises:
            NotATokenError: Its dimension is not one token.
            InvalidArgument: Its URI, question, cardinality or a synonym is invalid.
        """
        return cls(
            check_uri(uri),
            check_dimension(dimension),
            is_isa,
            _check_question(question.strip()),
            _check_cardinality(cardinality) if cardinality else None,
            wording=PredicateWords(synonyms=check_synonyms(synonyms)),
        )

    @property
    def words(self) -> tuple[str, ...]:
        """All wordings of the predicate, besides the name of its dimension."""
        wording = self.wording
        return (*wording.synonyms, *wording.verbs, *wording.nouns)


def check_uri(uri: str) -> str:
    """Return a URI unchanged if it is valid for a predicate.

    Raises:
        InvalidArgument: It is invalid: full addresses would get into prompts (E4).
    """
    if len(uri) > URI_CHARACTERS_MAX or not _URI.fullmatch(uri):
        raise InvalidArgument(
            f"{printable(uri[:80])!r} is no predicate: write small letters, a colon, and "
            f"letters or digits, as t:worksAt, at most {URI_CHARACTERS_MAX} characters",
            field="predicate",
        )
    return uri


def uri_of(dimension: str) -> str:
    """Return the URI for an unregistered dimension: `t:giveUpAt` for `give-up-at`."""
    # Without a letter there is nothing to name it by.
    first, *rest = re.findall(r"[a-z0-9]+", dimension) or [""]
    return check_uri(f"t:{first}{''.join(map(str.capitalize, rest))}")


def check_dimension(name: str, field: str = "dimension") -> str:
    """Return the token of a dimension; the built-in ones (`never`) are always valid.

    Raises:
        NotATokenError: It is not one token.
    """
    known = name.strip().lower()
    return known if known in SEEDED_DIMENSIONS else to_token(name, field)


def _check_cardinality(cardinality: str) -> Cardinality:
    try:
        return Cardinality(cardinality)
    except ValueError:
        raise InvalidArgument(
            f"{printable(cardinality[:40])!r} is no cardinality: write one of "
            + ", ".join(Cardinality),
            field="cardinality",
        ) from None


def check_synonyms(synonyms: Iterable[str]) -> tuple[str, ...]:
    """Return synonyms as they are stored: in lower case and without duplicates.

    Raises:
        InvalidArgument: They are too many, or one has no words or is too long.
    """
    # Split and joined: `hosted_on` and "hosted on" are one synonym.
    kept = tuple(dict.fromkeys(" ".join(split_words(each)) for each in synonyms))
    if len(kept) > SYNONYMS_MAX:
        raise InvalidArgument(
            f"a predicate has at most {SYNONYMS_MAX} synonyms", field="synonyms"
        )
    for each in kept:
        if not each or len(each) > SYNONYM_CHARACTERS_MAX:
            raise InvalidArgument(
                f"a synonym is words of at most {SYNONYM_CHARACTERS_MAX} characters",
                field="synonyms",
            )
    return kept


def _check_question(question: str) -> str:
    """Return the wording of a question unchanged if it is valid.

    Raises:
        InvalidArgument: It is too long, or does not name both sides once.
    """
    if not question:
        return ""
    if len(question) > QUESTION_CHARACTERS_MAX or printable(question) != question:
        raise InvalidArgument(
            f"a question is one line of at most {QUESTION_CHARACTERS_MAX} characters",
            field="question",
        )
    bare = _PLACE.sub("", question)
    # No other braces, either.
    if sorted(_PLACE.findall(question)) != _PLACES or {"{", "}"} & set(bare):
        raise InvalidArgument(
            "a question names {subject} and {object} once each, as in 'did {subject} "
            "join {object}?'",
            field="question",
        )
    return question
