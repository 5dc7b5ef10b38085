"""Tell prompts that any model answers alone from turns that state something to keep.

Prompts such as "a toast for a wedding, short" have no mark of a question or a request,
nor has "shorter, less stiff" behind an answer. Kept as something that was said, they would
fill the memory and be told later.
"""

from __future__ import annotations

import re
from functools import lru_cache, reduce
from math import log
from operator import or_
from typing import Final

from festinger.core.language.afterthoughts import is_withdrawal
from festinger.core.language.marks import FINITE, UNMARKED, SentenceMark
from festinger.core.language.offering import (
    asks_about_person,
    last_question,
    offers_more,
)
from festinger.core.language.sentencereading import read_sentence
from festinger.core.language.utterances import KeptTurn, Utterance
from festinger.core.recollection.features import values_of_marks
from festinger.core.recollection.weighing import shipped
from festinger.core.recollection.wording import (
    FORM_CHARACTERS,
    FORM_FEATURES,
    values_of_wording,
    values_of_words,
)

_STANDING: Final = SentenceMark.INSTRUCTION | SentenceMark.STANDING
"""Marks of what agents are told once and for all."""
_BEFORE: Final = (
    r"(?:(?:and|also|ok|okay|so|then|now|but|oh|btw|well|yes|no|yeah|fyi)\b[\s,.:!-]*)*"
)
# "My dog is a beagle", "ok so we meet at nine": who speaks of people says how they are.
# "I need a poem" is judged by what is needed.
_PERSONAL: Final = re.compile(
    rf"{_BEFORE}(?:(?!i (?:need|want|would like)\b)(?:i|im|ive|we|my|our|he|she|they|his|her|their)\b"
    r"|there(?:[^\w\s]?s| is| are) (?:an?|no|\d+)\b)"
    # What somebody must not eat is never dropped.
    r"|.*\b(?:allergic|intolerant|allergy to)\b",
    re.IGNORECASE,
)
# A subject and a finite verb: "prod is a cluster", "key's under the mat".
_DECLARED: Final = re.compile(
    rf"{_BEFORE}(?!(?:which|who|what|when|where|why|how|whose|there|that|it|this|let|here)s?\b)"
    rf"(?:(?:(?!(?:that|which|who|to)\b)[^\s,:;?]+\s){{1,8}}(?:{FINITE}|am|have|haven.?t|do|don.?t"
    r"|(?<!to )(?:keep|live|work|need|use|like|want|meet|take|run|come|get|belong|sit|play|pay|cost|own))\b"
    r"|[\w-]+[^\w\s](?:s|re)\s(?:an?|the|in|on|at|under|off|not|now|by|with|from|away|back|\w+ing|\w+ed)\b)",
    re.IGNORECASE,
)
# With any verb, if it is written as a sentence: "Kassel delivers the file at 05:40."
_WRITTEN: Final = re.compile(
    r"(?!An? )[A-Z](?:(?!(?:that|which|who|to|for|with|without|of)\b)[^\s,:;?]+\s){1,3}"
    r"[a-z]{2,}(?:[^s]s|es|ed)\s\S.*\.$"
)
_GENERAL_FORMS: Final = tuple(
    FORM_FEATURES.index(it)
    for it in (
        "world", "choice", "how_to", "arithmetic", "code", "fiction", "wording",
        "given", "advice",
    )
)  # fmt: skip
"""Forms of prompts that any model answers, whatever they begin with."""
_ASKING: Final = SentenceMark.QUESTION | SentenceMark.REQUEST
_INFLECTED: Final = re.compile(r"\w(?:ed|es)\b")
_QUOTED: Final = re.compile(r"[\"“]")


def is_general(text: str, kept: KeptTurn, answered: str = "") -> bool:
    """Return whether a turn is a prompt for any model and states nothing to keep.

    Args:
        text: The turn as it was typed, without secrets.
        kept: Its sentences that would be kept.
        answered: Preceding turn of the assistant; empty if there is none.
    """
    return bool(kept.utterances) and (
        _judged(text, kept, answered) >= shipped().general_from
    )


# A turn is judged before it is kept, and again before a model reads it.
@lru_cache(maxsize=32)
def _judged(text: str, kept: KeptTurn, answered: str) -> float:
    """Return the probability that a turn states nothing to keep."""
    if states_by_form(text, kept, answered):
        return 0.0
    return shipped().general.probability(values_of_turn(text, kept, answered))


def states_by_form(text: str, kept: KeptTurn, answered: str = "") -> bool:
    """Return whether a turn states something, whatever its words; see `is_general`."""
    if any(map(_states, kept.utterances)):
        return True
    # Whoever is asked about themselves answers so: "in Leeds".
    is_asked = asks_about_person(last_question(answered))
    if is_asked or any(map(_declares, kept.utterances)):
        forms = values_of_wording(text)
        if not any(map(forms.__getitem__, _GENERAL_FORMS)):
            return True
    # "Wifi: kestrel-9" has no verb. To read many sentences takes longer than all else.
    return len(text) <= FORM_CHARACTERS and any(
        read_sentence(it.text, "", ()) for it in kept.utterances
    )


def _states(kept: Utterance) -> bool:
    """Return whether a sentence states something by its form, whatever its words."""
    # "Yes" behind a proposal, a rule for all answers, "just kidding".
    if kept.answers or kept.marks & _STANDING or is_withdrawal(kept.text):
        return True
    return not kept.marks & _ASKING and _PERSONAL.match(kept.text) is not None


def _declares(kept: Utterance) -> bool:
    said = _DECLARED.match(kept.text) or _WRITTEN.match(kept.text)
    return not kept.marks & _ASKING and said is not None


def values_of_turn(text: str, kept: KeptTurn, answered: str = "") -> tuple[float, ...]:
    """Return the features of a turn (`features.GENERAL`); see `is_general`."""
    low = text.lower()
    marks = reduce(or_, (it.marks for it in kept.utterances), UNMARKED)
    question = last_question(answered)
    is_offer = offers_more(question)
    return (
        *values_of_marks(marks),
        float(text[:1].isupper()),
        float(":" in text),
        float("," in text),
        log(len(kept.utterances) or 1),
        float(_INFLECTED.search(low) is not None),
        float(_QUOTED.search(text) is not None),
        float(len(text) > FORM_CHARACTERS),
        float(bool(answered)),
        float(is_offer),
        float(bool(question) and not is_offer),
        *values_of_wording(text),
        *values_of_words(low),
    )
