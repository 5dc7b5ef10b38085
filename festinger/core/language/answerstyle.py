"""Recognise rules about all answers: their language, length, tone and form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from festinger.core.language.marks import SentenceMark

_ANSWERS: Final = r"(?:answers?|repl(?:y|ies)|responses?|explanations?)"
_STYLE: Final = re.compile(
    r"\b(?:answer|reply|respond|speak|talk|write)(?: (?:to )?me)?(?: back)?"
    r" (?:in|briefly|concisely|politely|formally|informally)\b"
    rf"|\b(?:your|all|the) {_ANSWERS}\b|\bcall me\b|\b(?:metric|imperial) units\b"
    r"|\b(?:emojis?|emoticons?|bullet points?|disclaimers?|apologi[sz]e|small talk)\b"
)
_PREFERRED: Final = re.compile(
    # Not "I would like a short answer", which is one.
    r"\bi(?: really| do)?(?: not|n't)? (?:prefer|like|hate|love)\b"
    rf"[^.,;]{{0,30}}\b{_ANSWERS}\b"
)


def is_answer_rule(sentence: str, marks: SentenceMark) -> bool:
    """Return whether a sentence says how its speaker wants all answers to be."""
    found = _STYLE if SentenceMark.INSTRUCTION in marks else _PREFERRED
    return found.search(sentence.lower()) is not None


def are_answer_rules(said: Sequence[tuple[str, SentenceMark]]) -> bool:
    """Return whether all of some sentences are such rules; False for none."""
    return bool(said) and all(is_answer_rule(text, marks) for text, marks in said)
