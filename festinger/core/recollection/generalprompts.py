"""Tell prompts that any model answers alone from turns that state something to keep.

"A toast for a wedding, short" has no mark of a question or a request. Kept as something
that was said, such prompts would fill the memory and be told later.
"""

from __future__ import annotations

import re
from functools import lru_cache, reduce
from math import log
from operator import or_
from typing import Final

from festinger.core.language.afterthoughts import is_withdrawal
from festinger.core.language.marks import FINITE, UNMARKED, SentenceMark
from festinger.core.language.offering import last_question, offers_more
from festinger.core.language.sentencereading import read_sentence
from festinger.core.language.utterances import KeptTurn, Utterance
from festinger.core.recollection.features import values_of_marks
from festinger.core.recollection.promptwords import values_of_words
from festinger.core.recollection.weighing import shipped
from festinger.core.recollection.wording import FORM_CHARACTERS, values_of_wording

_STANDING: Final = SentenceMark.INSTRUCTION | SentenceMark.STANDING
"""Marks of what agents are told once and for all."""
_FINITE: Final = (
    rf"(?:{FINITE}|am|have|haven.?t|do|don.?t"
    r"|(?<!to )(?:keep|live|work|need|use|like|want|meet|take|run|come|get|belong|sit|play|pay|cost|own))\b"
)
# A subject and a finite verb: "my dog is a beagle", "i take the blue pill", "key's under the mat".
_DECLARED: Final = re.compile(
    r"(?:(?:and|also|ok|okay|so|then|now|but|oh|btw|well|yes|no|fyi)\b[\s,.:!-]*)*"
    r"(?:(?:i|we|you|he|she|they|it|my|our|his|their|there|that|this)\b(?:[^\w\s](?:m|re|ve|ll|s|d))? \S"
    rf"|(?!(?:which|who|what|when|where|why|how|whose)\b)(?:[^\s,:;?]+\s){{1,5}}{_FINITE}"
    r"|(?!(?:which|who|what|when|where|why|how|that|it|there|let|here)s?\b)[\w-]+[^\w\s](?:s|re)\s"
    r"(?:an?|the|in|on|at|under|off|not|now|by|with|from|away|back|\w+ing|\w+ed)\b)",
    re.IGNORECASE,
)
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
    # Whoever answers a question speaks of their own affairs.
    question = last_question(answered)
    if not kept.utterances or (question and not offers_more(question)):
        return False
    return _judged(text, kept) >= shipped().general_from


# A turn is judged before it is kept, and again before a model reads it.
@lru_cache(maxsize=32)
def _judged(text: str, kept: KeptTurn) -> float:
    """Return the probability that a turn states nothing to keep."""
    if states_by_form(text, kept):
        return 0.0
    return shipped().general.probability(values_of_turn(text, kept))


def states_by_form(text: str, kept: KeptTurn) -> bool:
    """Return whether a turn states something, whatever its words; see `is_general`."""
    # Whoever writes at length says something about their own affairs.
    return len(text) > FORM_CHARACTERS or any(map(_states, kept.utterances))


def _states(kept: Utterance) -> bool:
    """Return whether a sentence states something by its form, whatever its words."""
    # "Yes" behind a proposal, a rule for all answers, "just kidding".
    if kept.answers or kept.marks & _STANDING or is_withdrawal(kept.text):
        return True
    declares = not kept.marks & _ASKING and _DECLARED.match(kept.text) is not None
    # "Wifi: kestrel-9" has no verb.
    return declares or bool(read_sentence(kept.text, "", ()))


def values_of_turn(text: str, kept: KeptTurn) -> tuple[float, ...]:
    """Return the features of a turn (`features.GENERAL`); see `is_general`."""
    low = text.lower()
    marks = reduce(or_, (it.marks for it in kept.utterances), UNMARKED)
    return (
        *values_of_marks(marks),
        float(text[:1].isupper()),
        float(":" in text),
        float("," in text),
        log(len(kept.utterances) or 1),
        float(_INFLECTED.search(low) is not None),
        float(_QUOTED.search(text) is not None),
        *values_of_wording(text),
        *values_of_words(low),
    )
