"""Phrasing of candidates as questions and statements in natural English.

did alice join the chess club        alice joined the chess club
did you join the chess club          you joined the chess club
is it true that alice did not join … alice did not join the chess club
"""

from __future__ import annotations

import re
from typing import NamedTuple

from festinger.core.graph.candidates import Candidate
from festinger.core.graph.proposal import MEMBERSHIP, TYPE
from festinger.core.system.wordsets import word_set
from festinger.core.validation.escaping import name_of

YOU = "you"

# "did {subject} join {object}": an auxiliary verb in front of the subject, which turns
# to a statement by moving it.
_TEMPLATE = re.compile(
    r"(?P<verb>did|does|do|is|are|was|were|has|have|had|can|will) \{subject\} "
    r"(?P<rest>.*)",
    re.IGNORECASE,
)
# "does alice live" asks Alice as "do you live"; "did" and "can" stay.
_OF_YOU = {"does": "do", "is": "are", "was": "were", "has": "have"}
# Irregular past forms, for templates with "did"; all others follow the rules of `_past`.
_PAST = {
    "become": "became", "begin": "began", "buy": "bought", "build": "built",
    "choose": "chose", "come": "came", "do": "did", "find": "found", "get": "got",
    "give": "gave", "go": "went", "have": "had", "hold": "held", "know": "knew",
    "lead": "led", "leave": "left", "make": "made", "meet": "met", "pay": "paid",
    "run": "ran", "say": "said", "see": "saw", "sell": "sold", "send": "sent",
    "speak": "spoke", "take": "took", "teach": "taught", "win": "won", "write": "wrote",
}  # fmt: skip
_DEFINITE = word_set("""
    army association band board choir church club committee community council crew
    department foundation group guild league navy network orchestra party project society
    squad team union
""")
"""Last words of names that take an article: the Chess Club."""
_ARTICLE = re.compile(r"\b(?:the|a|an|my|his|her|its|our|their|your) ", re.IGNORECASE)
_ENDS_IN_ARTICLE = re.compile(rf"{_ARTICLE.pattern}$", re.IGNORECASE)
_SPEAKER = frozenset(("i", "me", "myself", "we"))
# "a user", "a European" and "a one-way street" begin with a vowel and sound as a consonant.
_VOWEL = re.compile(r"(?!(?:uni|use|one|eu))[aeiou]", re.IGNORECASE)


class CandidateWords(NamedTuple):
    """A candidate in words, without initial capital and full stop.

    Attributes:
        question: Example: `did alice join the chess club`.
        statement: Example: `alice joined the chess club`.
    """

    question: str
    statement: str


def said(
    candidate: Candidate, *, template: str = "", listener: str = ""
) -> CandidateWords:
    """Phrase a candidate.

    Args:
        template: Question of its predicate, with `{subject}` and `{object}`; empty for
            the default wording.
        listener: Principal who is addressed, as `you` if they are the subject; empty
            for a channel.
    """
    you = _is_about(candidate, listener)
    subject = YOU if you else subject_of(candidate)
    # Templates come from the registry or an operator, with or without a question mark.
    words = template.strip().rstrip("? ") or _usual(candidate)
    match = _TEMPLATE.fullmatch(words)
    # "would you say that …": its words cannot be reordered, so the question is quoted whole.
    if match is None:
        question = _filled(words, subject, candidate)
        statement = f"the answer to \u2018{question}\u2019 is yes"
        if candidate.triple.negated:
            statement = f"the answer to \u2018{question}\u2019 is no"
            question = f"is it true that {statement}"
        return CandidateWords(question, statement)
    verb, rest = match["verb"].lower(), _filled(match["rest"], subject, candidate)
    verb = _OF_YOU.get(verb, verb) if you else verb
    # "did you not join" would be answered with yes or no for the same thing.
    if candidate.triple.negated:
        statement = f"{subject} {_denied(verb)} {rest}"
        return CandidateWords(f"is it true that {statement}", statement)
    return CandidateWords(
        f"{verb} {subject} {rest}", f"{subject} {_stated(verb, rest)}"
    )


def subject_of(candidate: Candidate) -> str:
    """Return the subject as it was written, or else its name in the graph."""
    # "Did I join" would ask its readers of themselves: name the author.
    if candidate.subject_raw.casefold() in _SPEAKER:
        if candidate.author:
            return person(candidate.author)
        return _name("", candidate.triple.concept)
    return _name(candidate.subject_raw, candidate.triple.concept)


def _is_about(candidate: Candidate, listener: str) -> bool:
    """Return whether a candidate's subject is the listener."""
    if not listener:
        return False
    # What somebody said of themselves is about them, whatever the graph calls them.
    if candidate.subject_raw.casefold() in _SPEAKER and candidate.author:
        return listener == candidate.author
    return subject_of(candidate).casefold() == person(listener).casefold()


def person(principal: str) -> str:
    """Return a principal's display name.

    Example: `alice` for `user:alice` or `@alice:example.org`.
    """
    # Only known kinds are cut off: in "@alice:example.org" the colon is the server's.
    kind, colon, rest = principal.partition(":")
    bare = rest if colon and kind.lower() in _KINDS else principal
    return name_of(bare.lstrip("@").partition(":")[0], otherwise="somebody")


_KINDS = frozenset(("user", "matrix", "slack", "webhook", "agent"))


def _filled(words: str, subject: str, candidate: Candidate) -> str:
    held = _with_article(
        _name(candidate.object_raw, candidate.triple.parent), candidate
    )
    before = words.partition("{object}")[0]
    # One article is enough: "join their {object}" and "the Chess Club".
    if (article := _ARTICLE.match(held)) and _ENDS_IN_ARTICLE.search(before):
        held = held[article.end() :]
    return words.replace("{subject}", subject).replace("{object}", held)


def _with_article(name: str, candidate: Candidate) -> str:
    """Return a name, with `the` if the source has it or its last word requires it."""
    if _ARTICLE.match(name):
        return name
    # "the Chess Club" as it was written, or by its kind if the text has another form of it.
    source = candidate.evidence.casefold()
    written = f"the {name.casefold()}" in source
    kind = name.rpartition(" ")[2].casefold()
    definite = " " in name and kind in _DEFINITE and name.casefold() not in source
    return f"the {name}" if written or definite else name


def _usual(candidate: Candidate) -> str:
    """Return the default template of a candidate."""
    triple = candidate.triple
    words = name_of(triple.dimension.replace("-", " ").replace("_", " "))
    if triple.is_isa:
        held = _name(candidate.object_raw, triple.parent)
        article = "an" if _VOWEL.match(held) else "a"
        # A name of several words takes no article: "is gnommoweb Glitch Web", but "… a repo".
        bare = _ARTICLE.match(held) or (held[:1].isupper() and " " in held)
        kind = "{object}" if bare else f"{article} {{object}}"
        context = "" if triple.dimension == TYPE else f" in the context of {words}"
        return f"is {{subject}} {kind}{context}"
    if triple.dimension == MEMBERSHIP:
        return "does {subject} belong to {object}"
    # "owned-by" reads as a passive; other dimensions are no verbs.
    if words.endswith(" by"):
        return f"is {{subject}} {words} {{object}}"
    return f"is {{subject}} part of {{object}} in the context of {words}"


def _name(raw: str, token: str) -> str:
    """Return a name as it was written, or else as the graph has it, in words."""
    # An underscore may be part of an identifier; only a token that nobody wrote is split.
    if "_" in raw and raw.casefold() == token.casefold():
        raw = raw.replace("_", " ")  # a token that nobody wrote so
    return name_of(raw) or name_of(token.replace("_", " "), otherwise="something")


def _stated(verb: str, rest: str) -> str:
    """Return the predicate of a statement, for a question of this verb and rest."""
    first, space, behind = rest.partition(" ")
    # "did join" is "joined", "does join" is "joins", and "do join" is "join".
    if verb == "did":
        return f"{_past(first)}{space}{behind}"
    if verb == "does":
        return f"{_third(first)}{space}{behind}"
    return rest if verb == "do" else f"{verb} {rest}"


def _denied(verb: str) -> str:
    return "cannot" if verb == "can" else f"{verb} not"


def _past(verb: str) -> str:
    if verb in _PAST:
        return _PAST[verb]
    if verb.endswith("e"):
        return f"{verb}d"
    if re.search(r"[^aeiou]y$", verb):  # "carry" is "carried", "play" is "played"
        return f"{verb[:-1]}ied"
    return f"{verb}ed"


def _third(verb: str) -> str:
    if verb in ("have", "do", "go"):
        return {"have": "has", "do": "does", "go": "goes"}[verb]
    if re.search(r"[^aeiou]y$", verb):
        return f"{verb[:-1]}ies"
    return f"{verb}es" if re.search(r"(?:s|x|z|ch|sh)$", verb) else f"{verb}s"
