"""What predicates are in the graph (I3).

Who puts a candidate forward names a predicate by its URI, as `t:joined`; the graph knows
dimensions. Those that come with the product are here, a memory may have more of its own,
and one that nobody registered is a dimension named after it until somebody does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from festinger.core.printing import printable
from festinger.core.proposal import MEMBERSHIP, TYPE
from festinger.core.statement import to_token
from festinger.errors import InvalidArgument

URI_CHARACTERS_MAX = 100
QUESTION_CHARACTERS_MAX = 200

_URI = re.compile(r"[a-z]+:[A-Za-z0-9]+")
_PLACE = re.compile(r"\{([^{}]*)\}")
_PLACES = ["object", "subject"]
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class Predicate:
    """A predicate.

    Attributes:
        uri: Its name. Example: `t:worksAt`.
        dimension: Where its statements are held. Example: `works-at`.
        is_isa: Whether it says what something is, and not what it is part of.
        question: How it is asked, with `{subject}` and `{object}`; empty for the usual
            words.
    """

    uri: str
    dimension: str
    is_isa: bool
    question: str = ""

    @classmethod
    def checked(
        cls, uri: str, dimension: str, is_isa: bool, question: str = ""
    ) -> Self:
        """A predicate as somebody describes it.

        Raises:
            NotATokenError: Its dimension is not one token.
            InvalidArgument: Its name or its question cannot be used.
        """
        return cls(
            check_uri(uri),
            to_token(dimension, "dimension"),
            is_isa,
            _check_question(question.strip()),
        )

    def asked(self, subject: str, object: str) -> str:
        """The question about two names; empty if it has no words of its own."""
        names = {"subject": subject, "object": object}
        return _PLACE.sub(lambda place: names[place[1]], self.question)


BUILT_IN = (
    Predicate("t:isA", TYPE, True, "is {subject} a kind of {object}?"),
    Predicate("t:partOf", MEMBERSHIP, False, "is {subject} part of {object}?"),
    Predicate("t:memberOf", MEMBERSHIP, False, "is {subject} a member of {object}?"),
    Predicate("t:belongsTo", MEMBERSHIP, False, "does {subject} belong to {object}?"),
    Predicate("t:runsOn", "runs-on", False, "does {subject} run on {object}?"),
    Predicate("t:hostedBy", "runs-on", False, "is {subject} hosted by {object}?"),
    Predicate("t:uses", "tech", False, "does {subject} use {object}?"),
    Predicate("t:builtWith", "tech", False, "is {subject} built with {object}?"),
    Predicate("t:ownedBy", "owned-by", False, "is {subject} owned by {object}?"),
    Predicate("t:locatedIn", "geography", False, "is {subject} located in {object}?"),
    Predicate("t:joined", "joined", False, "did {subject} join {object}?"),
    Predicate("t:worksAt", "works-at", False, "does {subject} work at {object}?"),
)
"""Those that come with the product; of several for one dimension the first speaks for
it."""


class Registry:
    """The predicates of a memory.

    Args:
        own: Those that it has besides the built-in ones, or instead of them.
    """

    def __init__(self, own: Iterable[Predicate] = ()) -> None:
        self._by_uri = {each.uri: each for each in (*BUILT_IN, *own)}
        self._by_place: dict[tuple[str, bool], Predicate] = {}
        for each in self._by_uri.values():
            self._by_place.setdefault((each.dimension, each.is_isa), each)

    def __contains__(self, uri: object) -> bool:
        """Whether somebody registered it, or it comes with the product."""
        return uri in self._by_uri

    def __iter__(self) -> Iterator[Predicate]:
        """All that are registered, by URI."""
        return iter(sorted(self._by_uri.values(), key=lambda each: each.uri))

    def of_uri(self, uri: str) -> Predicate:
        """The predicate of that name; one that nobody registered is named as it reads.

        `t:xyzAbc` is the dimension `xyz-abc`, in which something is part of something.

        Raises:
            InvalidArgument: It is no URI of a predicate.
            NotATokenError: Nobody registered it, and no dimension can be named after it.
        """
        known = self._by_uri.get(uri)
        return known or Predicate(uri, _dimension(check_uri(uri)), is_isa=False)

    def of(self, dimension: str, is_isa: bool) -> Predicate | None:
        """The predicate that speaks for a dimension; None if there is none."""
        return self._by_place.get((dimension, is_isa))

    def named(self, name: str) -> Predicate:
        """The predicate that is meant by a URI, or by the name of a dimension.

        What no predicate speaks for has none: its URI is empty.

        Raises:
            InvalidArgument: It is neither.
            NotATokenError: It is no name.
        """
        if ":" in name:
            return self.of_uri(name)
        dimension = to_token(name, "predicate")
        for is_isa in (True, False):
            if known := self.of(dimension, is_isa):
                return known
        return Predicate("", dimension, is_isa=dimension == TYPE)


def check_uri(uri: str) -> str:
    """A URI that a predicate can have.

    Raises:
        InvalidArgument: It cannot: full addresses would come into prompts (E4).
    """
    if len(uri) > URI_CHARACTERS_MAX or not _URI.fullmatch(uri):
        raise InvalidArgument(
            f"{printable(uri[:80])!r} is no predicate: write small letters, a colon, and "
            f"letters or digits, as t:worksAt, at most {URI_CHARACTERS_MAX} characters",
            field="predicate",
        )
    return uri


def words_of(uri: str) -> list[str]:
    """The words of a URI's name, in small letters: `works` and `at` of `t:worksAt`."""
    _, _, name = uri.partition(":")
    return [word.lower() for word in _HUMP.split(name)]


def _dimension(uri: str) -> str:
    """The name of a dimension that a URI reads as."""
    return to_token("-".join(words_of(uri)), "predicate")


def _check_question(question: str) -> str:
    """The words of a question.

    Raises:
        InvalidArgument: They are too many, or do not name both sides once.
    """
    if not question:
        return ""
    if len(question) > QUESTION_CHARACTERS_MAX or printable(question) != question:
        raise InvalidArgument(
            f"a question is one line of at most {QUESTION_CHARACTERS_MAX} characters",
            field="question",
        )
    bare = _PLACE.sub("", question)
    if sorted(_PLACE.findall(question)) != _PLACES or {"{", "}"} & set(bare):
        raise InvalidArgument(
            "a question names {subject} and {object} once each, as in 'did {subject} "
            "join {object}?'",
            field="question",
        )
    return question
