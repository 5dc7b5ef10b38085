"""Name the subjects of statements as concepts: names, or common nouns of a project."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from typing import Final, NamedTuple

from festinger.core.graph.origins import ReadStatement
from festinger.core.graph.proposal import Proposal
from festinger.core.graph.seeddata import ALIASES
from festinger.core.graph.tokens import (
    RENDERED_WORDS_MAX,
    SCOPE,
    is_concept,
    split_concept,
)
from festinger.core.graph.values import canonical
from festinger.core.graph.wordlists import STOPWORDS
from festinger.core.system.principals import plain
from festinger.core.system.wordsets import phrase_set, word_set
from festinger.errors import NotATokenError, NotAValueError

SPEAKER: Final = frozenset(("i", "me", "my", "myself", "mine"))
# "We use xero" is about the project.
SPEAKERS: Final = phrase_set("we, us, our, ours, ourselves, team, the team")
HEADS: Final = ("service", "app", "server")
"""Nouns that people omit behind a name."""
TEAM: Final = "team"
"""Subject for `we` if there is no project."""
# They name nothing for somebody who reads the statement alone.
_UNCLEAR: Final = word_set("""
    it this that these those they them he she him her his their its you your there here
    someone somebody something everyone everybody everything anyone one
""")
_WORD: Final = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_DETERMINERS: Final = "the|our|my|your|this|that|a|an"
_DETERMINER: Final = re.compile(rf"^(?:{_DETERMINERS})\s+", re.IGNORECASE)
_DETERMINED: Final = re.compile(rf"\b(?:{_DETERMINERS})\s+$", re.IGNORECASE)
_JOINT: Final = re.compile(r"[_.+#'-]")
_ENDING: Final = re.compile(r"(?:ers?|ors?|ings?|s|ed)$")  # of "indexer", "billing"


class KnownNames(NamedTuple):
    """Names that a memory knows.

    Attributes:
        dictionary: Everyday words.
        has_facts: Returns whether anything is held of a concept.
        is_speaker: Returns whether a person of this name has said something.
    """

    dictionary: Collection[str]
    has_facts: Callable[[str], bool]
    is_speaker: Callable[[str], bool]


def subject_of(statement: ReadStatement, names: KnownNames) -> str:
    """Return the concept that a statement is about.

    Raises:
        NotATokenError: The subject names nothing, or is too long.
    """
    origin = statement.origin
    words = " ".join(statement.subject.split())
    key = words.lower()
    if key in SPEAKER:
        return name_of(origin.speaker)
    if key in SPEAKERS:
        return name_of(origin.project or TEAM)
    has_facts = names.has_facts
    noun = _as_known(name_of(words), has_facts)
    if not origin.project:
        return noun
    # Names hold everywhere, "the port" in the project in which it was said (J5).
    if is_common(noun, words, origin.quote, names):
        return in_project(noun, origin.project, has_facts)
    # "Timeout is 20" is about what was "the timeout" in this project before.
    return noun if has_facts(noun) else _as_scoped(noun, origin.project, has_facts)


def in_project(noun: str, project: str, has_facts: Callable[[str], bool]) -> str:
    """Return the concept of a common noun in a project.

    Raises:
        NotATokenError: The project's name is no valid concept.
    """
    # With global facts a noun stays global, so that what is known of it is found.
    scoped = f"{name_of(project)}{SCOPE}{noun}"
    if has_facts(noun) and not has_facts(scoped):
        return noun
    return scoped


def _as_scoped(noun: str, project: str, has_facts: Callable[[str], bool]) -> str:
    """Return a noun as a concept of a project if it has facts as such."""
    try:
        scoped = f"{name_of(project)}{SCOPE}{noun}"
    except NotATokenError:
        return noun
    return scoped if has_facts(scoped) else noun


def scope_proposals(
    proposals: Iterable[Proposal], project: str, names: KnownNames
) -> list[Proposal]:
    """Return proposals with the concepts that statements would name.

    A spelling is its canonical name, and a common noun a concept of its project (J5).
    """
    named = map(_by_canonical_name, proposals)
    if not project:
        return list(named)
    found = []
    for proposal in named:
        noun = proposal.triple.concept
        if is_common(noun, noun, proposal.evidence.sentence, names):
            try:
                scoped = in_project(noun, project, names.has_facts)
            except NotATokenError:
                # Without a name for the project its nouns could be those of any other.
                continue
            triple = proposal.triple._replace(concept=scoped)
            proposal = proposal._replace(triple=triple)
        found.append(proposal)
    return found


def _by_canonical_name(proposal: Proposal) -> Proposal:
    """Return a proposal about `production` where it says `prod`, as statements do."""
    triple = proposal.triple
    if triple.concept not in ALIASES:
        return proposal
    # Else what a statement ends would stay held under the other spelling.
    return proposal._replace(triple=triple._replace(concept=ALIASES[triple.concept]))


def _as_known(noun: str, has_facts: Callable[[str], bool]) -> str:
    """Return the variant of a name that has facts: `billing`, `the billing service`."""
    bare, _, head = noun.rpartition("_")
    # People say "billing" and "the billing service" of the same thing.
    others = [bare] if head in HEADS else [f"{noun}_{head}" for head in HEADS]
    if has_facts(noun):
        return noun
    return next((it for it in others if it and has_facts(it)), noun)


def said_subject(words: str, concept: str) -> str:
    """Return a subject in its speaker's words; empty to use the concept's name."""
    said = _DETERMINER.sub("", " ".join(words.split()))
    _, noun = split_concept(concept)
    # "I" and "we" would be others for whoever is told.
    if said.lower() in SPEAKER | SPEAKERS or said == noun:
        return ""
    try:
        return said if name_of(words) == noun else ""
    except NotATokenError:
        return ""


def name_of(words: str) -> str:
    """Return the concept of a noun phrase: `billing_service` for `the billing service`.

    Raises:
        NotATokenError: It names nothing, or is too long.
    """
    try:
        # In the form of values, so that a subject and a value of the same words are one concept.
        token = canonical(words).token
    except NotAValueError as error:
        raise NotATokenError(
            f"the subject {words[:80]!r} names nothing: {error}", name=words[:80]
        ) from error
    parts = [it for it in re.split(r"[\s,;:()/&_]+", plain(token)) if it]
    if len(parts) > RENDERED_WORDS_MAX:
        # `the stock csv of the Kassel warehouse` is named by its content words.
        parts = [it for it in parts if it not in STOPWORDS][:RENDERED_WORDS_MAX]
    token = "_".join(parts)
    while len(parts) > 2 and not is_concept(token):
        # The parts of a compound count as words as well: `ap-southeast-2`.
        parts.pop()
        token = "_".join(parts)
    if token in _UNCLEAR or not is_concept(token):
        raise NotATokenError(
            f"the subject {words[:80]!r} is not one to "
            f"{RENDERED_WORDS_MAX} words that name something",
            name=words[:80],
        )
    return token


def is_common(noun: str, words: str, quote: str, names: KnownNames) -> bool:
    """Return whether a subject is a common noun: one word of everyday language.

    Args:
        noun: Token of the subject.
        words: Subject as it was written.
        quote: Sentence that contains it.
        names: Names that are known.
    """
    if _JOINT.search(noun):
        # People use compounds to distinguish things without a name.
        return False
    # Capitals make a name of everyday words, but not at the beginning of a sentence.
    first = _WORD.search(quote)
    begins = first[0] if first else ""
    if any(
        word[0].isupper() and word != begins
        for word in _WORD.findall(words)
        if word in quote
    ):
        return False
    bare = _DETERMINER.sub("", words)
    if bare != words or is_behind(_DETERMINED, bare, quote):
        return True
    if names.is_speaker(noun):
        return False  # "rose is off", unlike "the rose", is about a person
    # "Room 42" is a name, "42" alone means something in its project only.
    return noun.isdigit() or _is_everyday(noun, names.dictionary)


def is_behind(pattern: re.Pattern[str], words: str, quote: str) -> bool:
    """Return whether words follow a pattern, which ends with `$`, in a quote."""
    at = quote.lower().find(words.lower())
    return at > 0 and pattern.search(quote[:at]) is not None


def _is_everyday(word: str, dictionary: Collection[str]) -> bool:
    """Return whether a word is an everyday word or derived from one: `indexer`."""
    if word in dictionary:
        return True
    stem = _ENDING.sub("", word)
    return stem != word and (stem in dictionary or f"{stem}e" in dictionary)
