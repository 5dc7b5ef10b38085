"""Recognise rules about all answers: their language, length, tone and form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from festinger.core.language.marks import SentenceMark

_ANSWERS: Final = r"(?:answers?|repl(?:y|ies)|responses?|explanations?)"
_DEVICE_FORMS: Final = {
    "emojis": r"(?:emojis?|emoticons?|smileys?)",
    "bullet points": r"bullet points?",
    "disclaimers": r"disclaimers?",
    "apologies": r"apologi\w+",
    "small talk": r"small talk",
    "jargon": r"jargon",
    "flattery": r"flattery",
    "exclamation marks": r"exclamation marks?",
}
_DEVICES: Final = rf"(?:{'|'.join(_DEVICE_FORMS.values())})"
_STYLE: Final = re.compile(
    r"\b(?:answer|reply|respond|speak|talk|write)(?: (?:to )?me)?(?: back)?"
    r" (?:in|briefly|concisely|politely|formally|informally)\b"
    rf"|\b(?:your|all|the) {_ANSWERS}\b|\bcall me\b|\b(?:metric|imperial) units\b|\b{_DEVICES}\b"
)
# What somebody wants of all answers without saying "always". Not "I would like a short answer",
# which is one, nor "answer in Dutch", which may be.
_WISHED: Final = re.compile(
    r"\bi(?: really| do)?(?: not|n't)? (?:prefer|like|hate|love)\b"
    rf"[^.,;]{{0,30}}\b{_ANSWERS}\b"
    rf"|\bi (?:prefer|like|love|hate|dislike|(?:don.?t|do not) (?:like|want|need)|can.?t stand) (?:\w+ )?{_DEVICES}\b"
    r"|(?:^|\bi (?:want|need|.d rather have) |\bi.d rather have )(?:prefer )?(?:\w+ and )?"
    r"(?:short|brief|concise|direct|long|detailed)\w* (?:answers|replies|responses|explanations)\b"
    rf"|\b(?:keep|make) (?:your|all) {_ANSWERS}\b"
    rf"|^(?:(?:please|pls|and|also|but)[\s,]+)*(?:no(?: more)?|stop(?: using)?|avoid|skip(?: the)?|(?:don.?t|do not) (?:use|add)) {_DEVICES}\b"
    r"|\bcall me (?!at\b|on\b|when\b|if\b|back\b|later\b|in\b|to\w+\b|after\b|before\b|a\b|an\b|now\b|again\b|soon\b|asap\b|please\b|pls\b|by\b"
    r"|(?:\w+day|mon|tues?|wed|thurs?|fri|sat|sun)\b)\w+[\s.!]*$"
    # "You can use emojis again" ends what was wished before.
    rf"|^(?:(?:and|also|ok|okay)[\s,]+)*(?:you (?:can|may)|feel free to) use {_DEVICES}\b"
    rf"|^{_DEVICES} (?:is|are) (?:fine|ok|okay|allowed|welcome)(?: again| now)?[\s.!]*$"
    r"|\buse (?:metric|imperial|si) units\b|\buse (?:british|american) (?:spelling|english)\b"
)
# Each match of `_WISHED`, which is slow, contains one of these.
_WISHABLE: Final = re.compile(
    rf"\b(?:{_ANSWERS}|{_DEVICES}|call me|units|spelling|english)\b"
)


_ASPECTS: Final = {
    name: re.compile(form)
    for name, form in {
        "language": r"\b(?:answer|reply|respond|speak|talk|write)(?: (?:to )?me)?(?: back)? in (?!(?:an?|one|two|three|\d)\b)",
        "name": r"\bcall me\b",
        "length": rf"\b(?:short|brief|concise|long|detailed)\w*\b|\b{_ANSWERS} (?:short|brief|long)|\bin (?:an?|one|two|three|\d) ",
        "units": r"\bunits\b",
        "spelling": r"\b(?:british|american)\b",
        **{device: rf"\b{it}\b" for device, it in _DEVICE_FORMS.items()},
    }.items()
}


def aspects_of(rule: str) -> frozenset[str]:
    """Return what a rule about answers sets, such as their language; empty if unknown."""
    text = rule.lower()
    return frozenset(it for it, form in _ASPECTS.items() if form.search(text))


def is_answer_rule(sentence: str, marks: SentenceMark) -> bool:
    """Return whether a sentence says how its speaker wants all answers to be."""
    text = sentence.lower()
    is_always = SentenceMark.INSTRUCTION in marks and _STYLE.search(text)
    return bool(is_always or (_WISHABLE.search(text) and _WISHED.search(text)))


def are_answer_rules(said: Sequence[tuple[str, SentenceMark]]) -> bool:
    """Return whether all of some sentences are such rules; False for none."""
    return bool(said) and all(is_answer_rule(text, marks) for text, marks in said)
