"""The fact syntax of `gutask iknowthat`.

gnommoweb -isa repo in context of glitch_university
gnommoweb -ispart glitch_university
gnommoweb -not -isa repo
"""

from __future__ import annotations

import re
from collections.abc import Callable

from festinger.core.graph.proposal import MEMBERSHIP, TYPE, Triple
from festinger.core.graph.tokens import is_renderable, only_token
from festinger.errors import FactSyntaxError, NotATokenError

FACT_CHARACTERS_MAX = 400
SHOWN_MAX = 80
"""Maximum number of quoted characters in an error, which is sent in a header."""

SYNTAX = (
    "Write: gutask iknowthat '<concept> -isa <parent> in context of <dimension>', or "
    "-ispart; for example: gutask iknowthat 'gnommoweb -isa repo in context of "
    "glitch_university'"
)

_FACT = re.compile(
    r"(?P<concept>.*?) (?P<negated>-not )?-(?P<flag>isa|ispart) "
    r"(?P<parent>.*?)(?: in context of (?P<dimension>.*?))?",
    re.IGNORECASE,
)
TokenOf = Callable[[str, str], str]
"""Return the token of a name in a field; raise NotATokenError for none."""
_ARTICLES = frozenset(("a", "an", "the"))
_PLACEHOLDER = re.compile(r"<[^<>]*>")  # "<concept>", pasted from the manual
_FLAG = re.compile(r"(?:^|\s)-(?:isa|ispart|not)\b", re.IGNORECASE)


def to_token(name: str, field: str) -> str:
    """Return the one token that a name consists of.

    Raises:
        NotATokenError: It has no token, several, or one that may not be rendered.
    """
    token = only_token(name)
    if token is None or not is_renderable(token):
        raise NotATokenError(
            f"the {field} {name.strip()[:80]!r} is not a name{_advice(name)}",
            name=name[:80],
            field=field,
        )
    return token


def parse_fact(fact: str, token_of: TokenOf = to_token) -> Triple:
    """Parse a fact.

    Raises:
        FactSyntaxError: It does not match the syntax above.
        NotATokenError: A name in it is not one token.
    """
    if len(fact) > FACT_CHARACTERS_MAX:
        raise FactSyntaxError(
            f"a fact has at most {FACT_CHARACTERS_MAX} characters, this one has "
            f"{len(fact)}. {SYNTAX}",
            fact=fact[:SHOWN_MAX],
        )
    if placeholder := _PLACEHOLDER.search(fact):
        raise FactSyntaxError(
            f"{placeholder[0][:SHOWN_MAX]} is a placeholder: put a name in its place. "
            f"{SYNTAX}",
            fact=fact,
        )
    # Line breaks and double blanks are how people paste.
    match = _FACT.fullmatch(" ".join(fact.split()))
    # A second flag: two facts in one.
    if match is None or _FLAG.search(match["parent"]):
        raise FactSyntaxError(f"{_what_is_wrong(fact)}. {SYNTAX}", fact=fact)
    return normalise(
        match["concept"],
        match["parent"],
        match["dimension"] or "",
        is_isa=match["flag"].lower() == "isa",
        negated=match["negated"] is not None,
        token_of=token_of,
    )


def normalise(
    concept: str,
    parent: str,
    dimension: str,
    *,
    is_isa: bool,
    negated: bool = False,
    token_of: TokenOf = to_token,
) -> Triple:
    """Return the triple of names as people write them.

    Args:
        dimension: Name of the dimension; blank for the usual one.
        is_isa: Whether it says what kind of thing the concept is.

    Raises:
        NotATokenError: A name is not one token.
    """
    return Triple(
        concept=token_of(concept, "concept"),
        parent=token_of(parent, "parent"),
        dimension=token_of(dimension, "dimension")
        # Without a context: what kind it is, or what it belongs to.
        if dimension.strip()
        else (TYPE if is_isa else MEMBERSHIP),
        is_isa=is_isa,
        negated=negated,
    )


def written_token(name: str, field: str) -> str:
    """Return the one token of a name, as people or models write it in a text.

    Words that are not a proper name by their capitals are joined to one token, without
    the article before them.

    Raises:
        NotATokenError: It has no token, or one that may not be rendered.
    """
    # "the chess club" is `chess_club`; a capitalised name is one token anyway.
    if only_token(name) is None:
        words = name.split()
        if len(words) > 1 and words[0].casefold() in _ARTICLES:
            words = words[1:]
        if only_token(joined := "_".join(words)):
            name = joined
    return to_token(name, field)


def _advice(name: str) -> str:
    joined = "_".join(re.findall(r"\w+", name))[:64]
    if only_token(joined) is None:  # nothing to suggest
        return ": articles, pronouns, numbers and the like name nothing"
    return (
        f": write {joined!r}, or capitals for a proper name, as in 'Glitch University'"
    )


def _what_is_wrong(fact: str) -> str:
    shown = fact.strip()[:SHOWN_MAX]
    if not shown:
        return "the fact is empty"
    if not _FLAG.search(fact):
        return f"there is no -isa or -ispart in {shown!r}"
    return f"{shown!r} needs one concept before and one parent behind the flag"
