"""Wording of questions by three bots, each with its tone (4-validation).

    Barkeep    Hey @Alice - quick check: did you join the Chess Club?
               (Yes / No / Not sure)
    Critic     We have a claim that Alice joined the Chess Club, but records show
               otherwise (...): is the claim correct? (Yes / No / Not sure)
    Historian  Community: did Alice join the Chess Club? (Yes / No / Not sure)

Names and sentences of others are sanitised (`escaping`).
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from festinger.core.graph.candidates import Candidate, Lane
from festinger.core.graph.statement import parse_fact
from festinger.core.validation import grammar
from festinger.core.validation.escaping import cut, name_of, quoted, visible
from festinger.core.validation.questions import OPTIONS, BotName, wording_hash
from festinger.errors import FactSyntaxError, NotATokenError

PHRASE_CHARACTERS_MAX = 60
HELD_CHARACTERS_MAX = 120
WHY_CHARACTERS_MAX = 240

# Repeated in the text, for platforms without buttons.
_OPTIONS = f"({' / '.join(OPTIONS)})"
_EVERYBODY = frozenset(("all", "channel", "everyone", "group", "here", "room"))
"""Names that are not prefixed with `@`: platforms would notify everybody."""
# Clients name messages, as in "m:0x998"; any other character could be markup.
_NOT_IDENTIFIER = re.compile(r"[^\w.:+-]")
# "worksAt", "works-at" and "works at" all begin with "works".
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[-_ ]+")


class QuestionAudience(NamedTuple):
    """Audience of a question: a person, or a channel."""

    lane: Lane
    recipient: str = ""
    channel: str = ""


class QuestionWording(NamedTuple):
    """Wording of a question.

    Attributes:
        bot: The bot whose tone it has.
        text: The question in one sentence, and the source sentence below it.
        why: The reason for the question, in a line.
        prompt_hash: Hash of bot, text, reason and options.
    """

    bot: BotName
    text: str
    why: str
    prompt_hash: str


def worded(
    candidate: Candidate,
    audience: QuestionAudience,
    *,
    template: str = "",
    evidence: bool = False,
) -> QuestionWording:
    """Return the wording of a question about a candidate.

    Args:
        template: Question of its predicate, with `{subject}` and `{object}`; empty for
            the default wording.
        evidence: Whether to ask for evidence too.
    """
    bot = bot_for(candidate, audience)
    listener = audience.recipient
    said = grammar.said(candidate, template=template, listener=listener)
    # A contradiction is stated, not asked: the reader should compare the two.
    if bot is BotName.CRITIC:
        held = _held(candidate, template, listener)
        asked = (
            f"We have a claim that {said.statement}, but records show otherwise "
            f"({held}): is the claim correct"
        )
    elif bot is BotName.BARKEEP:
        asked = (
            f"Hey {_called(candidate, audience)} \u2014 quick check: {said.question}"
        )
    else:
        whom = "Moderators" if audience.lane is Lane.MODERATOR else "Community"
        asked = f"{whom}: {said.question}"
    # The buttons stay: evidence comes as a note beside the answer.
    if evidence:
        asked += ", and where can we read of it"
    text = "\n".join(filter(None, (f"{asked}? {_OPTIONS}", _source(candidate))))
    why = _why(candidate, evidence=evidence)
    return QuestionWording(bot, text, why, wording_hash(bot, text, why, OPTIONS))


def bot_for(candidate: Candidate, audience: QuestionAudience) -> BotName:
    """Return the bot whose tone a question has."""
    if candidate.contradicts:
        return BotName.CRITIC
    return BotName.BARKEEP if audience.recipient else BotName.HISTORIAN


def _called(candidate: Candidate, audience: QuestionAudience) -> str:
    """Return the salutation of a recipient, spelt as in the candidate's subject."""
    called = grammar.person(audience.recipient)
    spoken = grammar.subject_of(candidate)
    # "@Alice" as she is written in the sentence, not as her account spells it.
    if spoken.casefold() == called.casefold():
        called = spoken
    return called if called.casefold() in _EVERYBODY else f"@{called}"


def _source(candidate: Candidate) -> str:
    """Return the source sentence of a candidate, with the CID of its message."""
    # A bare identifier below a question helps nobody.
    if not candidate.evidence.strip():
        return ""
    message = cut(_NOT_IDENTIFIER.sub("", visible(candidate.message_cid)), 80)
    where = f"message {message}" if message else ""
    return " \u2014 ".join(filter(None, (quoted(candidate.evidence), where)))


def _why(candidate: Candidate, *, evidence: bool) -> str:
    """Return the reason for a question.

    Example: `We read “I joined” — is this true?`.
    """
    phrase = _phrase(candidate)
    if phrase:
        why = f"We read {quoted(phrase, PHRASE_CHARACTERS_MAX)} \u2014 is this true?"
    else:
        guesser = candidate.extractor_version or candidate.proposer
        why = f"{name_of(guesser, 'Somebody')} put it forward \u2014 is this true?"
    if evidence:
        why += " A moderator asks for evidence."
    if candidate.justification.strip():
        why += f" Why it was guessed: {quoted(candidate.justification, 120)}"
    return cut(why, WHY_CHARACTERS_MAX)


def _phrase(candidate: Candidate) -> str:
    """Return the words that suggest a candidate: the verb with the word before it.

    If the verb is not found, return the whole source sentence.
    """
    source = visible(candidate.evidence)
    # Six letters of the verb find its other forms: "organi" is in "organised" and "organises".
    uri = candidate.predicate.rpartition(":")[2] or candidate.triple.dimension
    stem = _HUMP.split(uri)[0].lower()[:6]
    # The rule that found it is more exact than the name of the predicate.
    for words in filter(None, (candidate.rule.lower(), stem)):
        found = re.search(
            rf"(?:[\w'\u2019-]+ )?(?<!\w){re.escape(words)}\w*", source, re.IGNORECASE
        )
        if found:
            return found[0]
    return source


def _held(candidate: Candidate, template: str, listener: str) -> str:
    """Return the held fact that a candidate contradicts, in words."""
    # `contradicts` is text from whoever proposed it, and may be no fact at all.
    try:
        triple = parse_fact(candidate.contradicts)
    except (FactSyntaxError, NotATokenError):
        return quoted(candidate.contradicts, HELD_CHARACTERS_MAX)
    # The candidate's raw names and sentence are not those of the held fact.
    held = replace(candidate, triple=triple, subject_raw="", object_raw="", evidence="")
    same = triple.dimension == candidate.triple.dimension
    # The template asks for the candidate's predicate, not another one.
    template = template if same else ""
    said = grammar.said(held, template=template, listener=listener)
    return quoted(said.statement, HELD_CHARACTERS_MAX)
