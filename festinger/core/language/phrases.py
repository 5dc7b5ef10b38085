"""Read the words of a clause as a subject or as a value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from festinger.core.language.clauses import ClauseWord, small_text, typed_text
from festinger.core.language.clausewords import (
    DETERMINERS,
    FUNCTION_WORDS,
    NATIONALITIES,
    NO_NAMES,
    NO_PLACES,
    PRONOUNS,
    TITLES,
    VAGUE_NOUNS,
)
from festinger.core.language.literals import (
    AMOUNTS,
    TIMES,
    LiteralKind,
    is_street,
    literal_kind,
)
from festinger.core.language.verbforms import (
    ATTRIBUTE_PREDICATES,
    ATTRIBUTES,
    LONE_VERSIONS,
    SPELLINGS,
    ValueShape,
)
from festinger.core.system.wordsets import word_set

_NUMERIC: Final = re.compile(r"\d+(?:\.\d+)*")
DECIMAL: Final = re.compile(r"\d+\.\d+")  # "3.5" has the form of a date as well
_HOUR: Final = re.compile(r"1?\d|2[0-4]")  # "7", "24"; "25" is no hour
SUBJECT_WORDS_MAX: Final = 5  # a name that can be rendered has five words (E4)
VALUE_WORDS_MAX: Final = 4
LITERAL_WORDS_MAX: Final = 8
_NO_VALUES: Final = NO_PLACES | NO_NAMES
_LITERALS: Final = (
    (ValueShape.TIME, TIMES),
    (ValueShape.AMOUNT, AMOUNTS),
    (ValueShape.TASK, AMOUNTS),
    (ValueShape.VERSION, (LiteralKind.VERSION,)),
    # Names of hosts and paths are as good as other names: "staging is at stg.example.org".
    (
        ValueShape.ADDRESS | ValueShape.PROPER | ValueShape.STRICT,
        (LiteralKind.ADDRESS,),
    ),
)
"""Kinds of literals that fit one of some shapes."""


class SubjectPhrase(NamedTuple):
    """The subject of a clause.

    Attributes:
        text: Text as it was typed, without an article; empty for a pronoun.
        owner: Owner of `attribute`; empty if it is not named.
        attribute: Attribute that it names; empty for none.
        pronoun: The pronoun, if it is one; empty for a name.
        has_article: Whether an article or a possessive precedes it.
        is_new: Whether it is called new: "the new treasurer".
    """

    text: str
    owner: str = ""
    attribute: str = ""
    pronoun: str = ""
    has_article: bool = False
    is_new: bool = False


class ValuePhrase(NamedTuple):
    """The value in a clause.

    Attributes:
        text: Text as it was typed, without an article.
        kind: Form of the value; NONE for a name.
    """

    text: str
    kind: LiteralKind
    has_article: bool = False


def subject_phrase(words: Sequence[ClauseWord], speaker: str) -> SubjectPhrase | None:
    """Return the subject that words name; None if it is unclear.

    Args:
        words: Words before a verb.
        speaker: Owner in "my laptop".
    """
    small = [word.small for word in words]
    if len(small) == 1:
        if small[0] in PRONOUNS:
            return SubjectPhrase("", pronoun=small[0])
        if small[0] in ("i", "we"):
            return SubjectPhrase(small[0] if small[0] == "we" else "I")
    # "A server runs on Debian", "Tom owns a bike": any, of which there may be more.
    if small[:1] in (["a"], ["an"]):
        return None
    article = bool(small) and small[0] in DETERMINERS
    if article:
        words = words[1:]
    elif small and small[0] == "my" and len(small) > 1:
        words = [*_possessive(speaker), *words[1:]]
        article = True
    # "New York" is a name.
    is_new = (
        len(words) > 1
        and words[0].small == "new"
        and (article or small_text(words[1:]) in ATTRIBUTES)
    )
    if is_new:
        words = words[1:]
    # "The old owner of billing is carol" says nothing about now, "today's meeting" nothing later.
    if words and words[0].small in _NOT_NOW:
        return None
    # "Billing's port", "the port of billing", "the billing port"; signs of owning come first.
    found = _owned(words) or _of_whole(words) or _compound(words)
    return found and found._replace(has_article=article, is_new=is_new or found.is_new)


_NOT_NOW: Final = word_set("""
    old former previous ex next other first second last
    today's tonight's tomorrow's yesterday's
""")
# "The original deadline" has no owner called so.
_QUALIFIERS: Final = word_set("original usual actual real final average current")
# Nor has "the default timeout", but it is known which one is meant.
_SORTS: Final = frozenset(["default", "maximum", "minimum", "max", "min", "standard"])
_ABSENCES: Final = frozenset(["leave", "holiday", "holidays", "vacation"])


def _possessive(speaker: str) -> list[ClauseWord]:
    return [ClauseWord(f"{speaker}'s", f"{speaker.lower()}'s")]


def _owned(words: Sequence[ClauseWord]) -> SubjectPhrase | None:
    """Return the subject of a phrase such as "billing's port"."""
    ends = [at for at, word in enumerate(words) if word.small.endswith(("'s", "s'"))]
    # "Greene's" alone is a name.
    if not ends or ends[-1] == len(words) - 1:
        return None
    owner, thing = words[: ends[-1] + 1], words[ends[-1] + 1 :]
    is_new = thing[0].small == "new" and len(thing) > 1
    if is_new:
        thing = thing[1:]
    noun = small_text(thing)
    if noun in ATTRIBUTES and is_name(owner, SUBJECT_WORDS_MAX):
        return SubjectPhrase(
            typed_text(words), _without_s(typed_text(owner)), noun, is_new=is_new
        )
    if is_name(owner, SUBJECT_WORDS_MAX) and is_name(thing, 3):
        return SubjectPhrase(typed_text(words))
    return None


def _of_whole(words: Sequence[ClauseWord]) -> SubjectPhrase | None:
    """Return the subject of a phrase such as "the port of the billing service"."""
    at = next((at for at, it in enumerate(words) if it.small in ("of", "for")), 0)
    if not at:
        return None
    noun, whole = words[:at], words[at + 1 :]
    if whole and whole[0].small in DETERMINERS:
        whole = whole[1:]
    if not is_name(whole, SUBJECT_WORDS_MAX) or not is_name(noun, 2):
        return None
    if small_text(noun) not in ATTRIBUTES:
        # "Printing of labels" is a name as a whole.
        return SubjectPhrase(typed_text(words)) if words[at].small == "of" else None
    return SubjectPhrase(typed_text(words), typed_text(whole), small_text(noun))


def _compound(words: Sequence[ClauseWord]) -> SubjectPhrase | None:
    """Return the subject of a phrase such as "the billing port"."""
    if (noun := small_text(words)) in ATTRIBUTES:
        return SubjectPhrase(typed_text(words), "", noun)
    # "Moving day" and "exam day" are days as "release day" is.
    if len(words) == 2 and words[1].small == "day" and words[0].small.isalpha():
        return SubjectPhrase(typed_text(words), "", "release day")
    if not is_name(words, SUBJECT_WORDS_MAX):
        return None
    # The longer attribute first: "billing memory limit" is a memory limit of billing.
    for size in (2, 1):
        noun = small_text(words[-size:])
        if len(words) > size and noun in ATTRIBUTES and noun not in LONE_VERSIONS:
            is_single = len(words) == size + 1
            if is_single and words[0].small in _QUALIFIERS:
                return None
            # Nor is the cost the owner in "the cost price is 4.20".
            if is_single and (
                words[0].small in _SORTS
                or _is_amount(words[0].small, noun)
                # Words have no count, "the word count" is one.
                or (noun == "count" and words[0].text.islower())
            ):
                return SubjectPhrase(typed_text(words), "", noun)
            return SubjectPhrase(typed_text(words), typed_text(words[:-size]), noun)
    return SubjectPhrase(typed_text(words))


def _is_amount(*nouns: str) -> bool:
    """Return whether all nouns are attributes that are amounts."""
    return all(ATTRIBUTES.get(it) is ValueShape.AMOUNT for it in nouns)


def is_name(words: Sequence[ClauseWord], most: int) -> bool:
    """Return whether words, at most `most` of them, can be a name."""
    if not 0 < len(words) <= most:
        return False
    if words[0].small.isdigit():
        # "12 Park Lane" is an address, other numbers begin no name.
        is_address = len(words) > 2 and is_street(small_text(words[1:]))
        return is_address and is_name(words[1:], most)
    if words[0].small in VAGUE_NOUNS or words[-1].small in VAGUE_NOUNS:
        return False
    return all(
        (
            word.text
            # "NL and BE are on adyen", "the US office".
            and (word.small not in FUNCTION_WORDS or _is_acronym(word.text))
            and len(word.text) <= 64
            and any(it.isalpha() for it in word.text)
        )
        # A number may follow a word: "godot 4".
        or (at > 0 and _NUMERIC.fullmatch(word.small) is not None)
        for at, word in enumerate(words)
    )


def _is_acronym(text: str) -> bool:
    """Return whether a word such as "BE" is an acronym, not a function word."""
    return text.isupper() and 2 <= len(text) <= 3


def _without_s(text: str) -> str:
    return text[:-2] if text.endswith("'s") else text.removesuffix("'")


def value_phrase(words: Sequence[ClauseWord], shape: ValueShape) -> ValuePhrase | None:
    """Return the value that words represent; None if they do not fit."""
    # Names are shorter than literals.
    if not 0 < len(words) <= LITERAL_WORDS_MAX:
        return None
    # Literals before names: an article belongs to a date ("the 11th") and to no name.
    if kind := _literal_of(words, shape):
        return kind
    article = words[0].small if words[0].small in DETERMINERS else ""
    if article:
        words = words[1:]
    # "Our new landlord is a Mrs Lind" names her.
    if article in ("a", "an") and len(words) > 1 and words[0].small in TITLES:
        article = ""
    text = typed_text(words)
    if not is_name(words, VALUE_WORDS_MAX) or small_text(words) in _NO_VALUES:
        return None
    # "On maternity leave", "on summer holiday".
    if words[-1].small in _ABSENCES:
        return None
    if literal_kind(text) is not LiteralKind.NONE:
        # A literal is no name.
        return None
    if not _fits(words, shape, article):
        return None
    return ValuePhrase(text, LiteralKind.NONE, bool(article))


def _literal_of(words: Sequence[ClauseWord], shape: ValueShape) -> ValuePhrase | None:
    """Return the literal that words represent, if it fits."""
    text = typed_text(words)
    kind = literal_kind(text)
    if kind is LiteralKind.ADDRESS:
        pass  # nor is an IP address a version
    elif kind is LiteralKind.DATE and not DECIMAL.fullmatch(text):
        pass  # 3.5.2026
    elif ValueShape.VERSION in shape and "." in text and _NUMERIC.fullmatch(text):
        kind = LiteralKind.VERSION  # 3.12 is no time there
    elif ValueShape.AMOUNT in shape and _NUMERIC.fullmatch(text):
        kind = LiteralKind.MEASURE
    elif ValueShape.TIME in shape and _HOUR.fullmatch(text):
        kind = LiteralKind.TIME  # "starts at 7"
    for shapes, kinds in _LITERALS:
        if kind in kinds and shapes & shape:
            return ValuePhrase(text, kind)
    return None


def _fits(words: Sequence[ClauseWord], shape: ValueShape, article: str) -> bool:
    """Return whether a name has the shape that a verb requires."""
    if ValueShape.NAME in shape:
        return True
    proper = any(_is_proper(word) for word in words)
    # "My sister is Bron", but not "the teacher is ill".
    if ValueShape.NAMED in shape:
        is_name = words[0].text[:1].isupper() and words[0].small not in NATIONALITIES
        return not article and len(words) <= 3 and is_name
    # "The frontend is Dana's team" tells whose it is.
    if ValueShape.STRICT in shape:
        return proper and not any(it.small.endswith("'s") for it in words[:-1])
    # "Owned by carol" or "by Anna Berg", but not "by the team".
    if ValueShape.PERSON in shape:
        return not article and len(words) <= 3 and (proper or len(words) == 1)
    # "In the safe" and "in Graz" are places, "in trouble" is none.
    if ValueShape.PLACE in shape and (article == "the" or article == "our" or proper):
        return True
    return ValueShape.PROPER in shape and (proper or (len(words) <= 2 and not article))


def _is_proper(word: ClauseWord) -> bool:
    """Return whether a word is written like a name."""
    return not word.text.islower() or any(
        not it.isalpha() and it != "'" for it in word.text
    )


class ClauseReading(NamedTuple):
    """A statement as read from a clause.

    Attributes:
        predicate: Example: `runs on`.
        single: Whether the subject has only one such value at a time.
        changes: Whether the words say that it was otherwise before.
        old_value: Replaced value, where the words name it.
        past: Whether it describes the past, so that it states nothing by itself.
    """

    subject: SubjectPhrase
    predicate: str
    value: str
    kind: LiteralKind = LiteralKind.NONE
    single: bool = True
    negated: bool = False
    changes: bool = False
    old_value: str = ""
    past: bool = False


def attribute_place(subject: SubjectPhrase) -> tuple[SubjectPhrase, str]:
    """Return the owner of an attribute, and the predicate for it."""
    predicate = ATTRIBUTE_PREDICATES.get(subject.attribute, "")
    # "Oncall", "on call" and "on-call" are one subject.
    if not subject.owner and subject.attribute in SPELLINGS:
        subject = subject._replace(text=SPELLINGS[subject.attribute])
    # "The deadline is friday": without an owner the attribute is the subject.
    if not subject.owner:
        return subject, predicate or "is"
    return subject._replace(text=subject.owner), predicate or subject.attribute
