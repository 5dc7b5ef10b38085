"""How people are asked: three bots, each with its tone (4-validation).

    Barkeep    Hey @Alice - quick check: did you join the Chess Club? (Yes / No / Not sure)
    Critic     We have a claim that Alice joined the Chess Club, but records show
               otherwise (...): is the claim correct? (Yes / No / Not sure)
    Historian  Community: did Alice join the Chess Club? (Yes / No / Not sure)

A question is one sentence; below it stands the sentence that it comes from. Names and
sentences of others are disarmed in it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

from festinger.core.graph.candidates import Factoid, Lane
from festinger.core.graph.statement import parse_fact
from festinger.core.validation import grammar
from festinger.core.validation.disarming import cut, name_of, quoted, visible
from festinger.core.validation.questions import OPTIONS, BotName
from festinger.errors import FactSyntaxError, NotATokenError

PHRASE_CHARACTERS_MAX = 60
HELD_CHARACTERS_MAX = 120
WHY_CHARACTERS_MAX = 240

_OPTIONS = f"({' / '.join(OPTIONS)})"
_EVERYBODY = frozenset(("all", "channel", "everyone", "group", "here", "room"))
"""Whoever is called so is not called with an `@`: platforms call everybody then."""
_NOT_IDENTIFIER = re.compile(r"[^\w.:+-]")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[-_ ]+")


class QuestionAudience(NamedTuple):
    """Who is asked: a person, or a channel."""

    lane: Lane
    recipient: str = ""
    channel: str = ""


class QuestionWording(NamedTuple):
    """How it is asked.

    Attributes:
        text: One sentence, and the source sentence below it.
        why: Why we ask, in a line.
        prompt_hash: Names the two of them, with the answers to click.
    """

    bot: BotName
    text: str
    why: str
    prompt_hash: str


def worded(
    factoid: Factoid,
    audience: QuestionAudience,
    *,
    template: str = "",
    evidence: bool = False,
) -> QuestionWording:
    """Puts the question about a candidate into words.

    Args:
        template: How its predicate is asked, with `{subject}` and `{object}`; empty for
            the usual words.
        evidence: Whether it is asked where that can be read, besides.
    """
    bot = bot_for(factoid, audience)
    listener = audience.recipient
    said = grammar.said(factoid, template=template, listener=listener)
    if bot is BotName.CRITIC:
        held = _held(factoid, template, listener)
        asked = (
            f"We have a claim that {said.statement}, but records show otherwise "
            f"({held}): is the claim correct"
        )
    elif bot is BotName.BARKEEP:
        asked = f"Hey {_called(factoid, audience)} \u2014 quick check: {said.question}"
    else:
        whom = "Moderators" if audience.lane is Lane.MODERATOR else "Community"
        asked = f"{whom}: {said.question}"
    if evidence:
        asked += ", and where can we read of it"
    text = "\n".join(filter(None, (f"{asked}? {_OPTIONS}", _source(factoid))))
    why = _why(factoid, evidence=evidence)
    named = "\0".join((bot, text, why, *OPTIONS))
    return QuestionWording(bot, text, why, sha256(named.encode()).hexdigest())


def bot_for(factoid: Factoid, audience: QuestionAudience) -> BotName:
    """In whose tone somebody is asked."""
    if factoid.contradicts:
        return BotName.CRITIC
    return BotName.BARKEEP if audience.recipient else BotName.HISTORIAN


def _called(factoid: Factoid, audience: QuestionAudience) -> str:
    """How somebody is addressed: as they are called where they are spoken of."""
    called = grammar.person(audience.recipient)
    spoken = grammar.subject_of(factoid)
    if spoken.casefold() == called.casefold():
        called = spoken
    return called if called.casefold() in _EVERYBODY else f"@{called}"


def _source(factoid: Factoid) -> str:
    """The sentence that it comes from, and where that is found."""
    if not factoid.evidence.strip():
        return ""
    message = cut(_NOT_IDENTIFIER.sub("", visible(factoid.message_cid)), 80)
    where = f"message {message}" if message else ""
    return " \u2014 ".join(filter(None, (quoted(factoid.evidence), where)))


def _why(factoid: Factoid, *, evidence: bool) -> str:
    """Why we ask. Example: `We read “I joined” — is this true?`."""
    phrase = _phrase(factoid)
    if phrase:
        why = f"We read {quoted(phrase, PHRASE_CHARACTERS_MAX)} \u2014 is this true?"
    else:
        guesser = factoid.extractor_version or factoid.proposer
        why = f"{name_of(guesser, 'Somebody')} put it forward \u2014 is this true?"
    if evidence:
        why += " A moderator asks for evidence."
    if factoid.justification.strip():
        why += f" Why it was guessed: {quoted(factoid.justification, 120)}"
    return cut(why, WHY_CHARACTERS_MAX)


def _phrase(factoid: Factoid) -> str:
    """The words that made us ask: the verb with the word before it, or the beginning."""
    source = visible(factoid.evidence)
    uri = factoid.predicate.rpartition(":")[2] or factoid.triple.dimension
    stem = _HUMP.split(uri)[0].lower()[:6]
    for words in filter(None, (factoid.rule.lower(), stem)):
        found = re.search(
            rf"(?:[\w'\u2019-]+ )?(?<!\w){re.escape(words)}\w*", source, re.IGNORECASE
        )
        if found:
            return found[0]
    return source


def _held(factoid: Factoid, template: str, listener: str) -> str:
    """The fact that is held, in words."""
    try:
        triple = parse_fact(factoid.contradicts)
    except (FactSyntaxError, NotATokenError):
        return quoted(factoid.contradicts, HELD_CHARACTERS_MAX)
    held = replace(factoid, triple=triple, subject_raw="", object_raw="", evidence="")
    same = triple.dimension == factoid.triple.dimension
    template = template if same else ""
    said = grammar.said(held, template=template, listener=listener)
    return quoted(said.statement, HELD_CHARACTERS_MAX)
