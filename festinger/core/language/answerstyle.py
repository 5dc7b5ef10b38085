"""Recognise rules about answers: their language, length, tone and form, and their scope."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from functools import lru_cache
from typing import Final

from festinger.core.language.marks import SentenceMark
from festinger.core.language.terms import terms

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
    rf"|\b(?:keep|make) (?:your |all |the )?{_ANSWERS}\b"
    rf"|^(?:(?:please|pls|and|also|but|in (?:the )?future|from now on|for me|going forward)[\s,]+)*(?:no(?: more)?|stop(?: using)?|avoid|skip(?: the)?|(?:don.?t|do not) (?:use|add)) {_DEVICES}\b"
    r"|\bcall me (?!at\b|on\b|when\b|if\b|back\b|later\b|in\b|to\w+\b|after\b|before\b|a\b|an\b|now\b|again\b|soon\b|asap\b|please\b|pls\b|by\b"
    r"|(?:\w+day|mon|tues?|wed|thurs?|fri|sat|sun)\b)\w+[\s.!]*$"
    # "You can use emojis again" ends what was wished before.
    rf"|^(?:(?:and|also|ok|okay)[\s,]+)*(?:you (?:can|may)|feel free to) use {_DEVICES}\b"
    rf"|^{_DEVICES} (?:is|are) (?:fine|ok|okay|allowed|welcome)(?: again| now)?[\s.!]*$"
    r"|\buse (?:metric|imperial|si) units\b|\b(?:use|with|in) (?:british|american|canadian|australian) (?:spelling|english)\b"
)
# Each match of `_WISHED`, which is slow, contains one of these.
_WISHABLE: Final = re.compile(
    rf"\b(?:{_ANSWERS}|{_DEVICES}|call me|units|spelling|english)\b"
)
_ONCE: Final = re.compile(
    r"\b(?:in|for) (?:this|that|the next)(?: (?:one|answer|reply|time|case|text|mail|e-?mail|message))?\b"
    r"|\b(?:needed|necessary|required)\b"
)


_ASPECTS: Final = {
    name: re.compile(form)
    for name, form in {
        "language": r"\b(?:answer|reply|respond|speak|talk|write)(?: (?:to )?me)?(?: back)? in (?!(?:an?|one|two|three|\d)\b)",
        "name": r"\bcall me\b",
        "length": rf"\b(?:short|brief|concise|long|detailed)\w*\b|\b{_ANSWERS} (?:short|brief|long)|\bin (?:an?|one|two|three|\d) ",
        "units": r"\bunits\b",
        "spelling": r"\b(?:british|american|canadian|australian)\b",
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
    # "No emojis in this one" is about one answer.
    if _ONCE.search(text):
        return False
    is_always = SentenceMark.INSTRUCTION in marks and _STYLE.search(text)
    return bool(is_always or (_WISHABLE.search(text) and _WISHED.search(text)))


def are_answer_rules(said: Sequence[tuple[str, SentenceMark]]) -> bool:
    """Return whether all of some sentences are such rules; False for none."""
    return bool(said) and all(is_answer_rule(text, marks) for text, marks in said)


# "Keep answers short btw", "no bullet points for me pls", "in future no emojis".
_STANDING: Final = re.compile(
    r"\bbtw\b|\bby the way\b|\bfor me (?:pls|please|always)\b|\bfor me[\s.!]*$|\b(?:in|for) (?:the )?future\b|\bgoing forward\b"
    r"|\bfrom now(?: on)?\b|\bby default\b|\bin general\b|\b(?:every|each) time\b|\balways\b[\s.!]*$"
)
_PRODUCED: Final = (
    r"(?:letters?|e-?mails?|texts?|messages?|posts?|articles?|figures?|charts?|plots?|diagrams?|tables?|code|scripts?|snippets?"
    r"|functions?|quer(?:y|ies)|configs?|recipes?|reports?|summar(?:y|ies)|documents?|docs?|notes?|prs?|pull requests?|commits?|reviews?"
    r"|slides?|tickets?|invoices?|quotes?|worksheets?|exercises?|translations?|captions?|tweets?|plans?|lists?)"
)
_ORDERED: Final = re.compile(
    r"(?<!\bi )(?<!\bwe )(?<!\bthey )\b(?:always|never|no|please|pls|use|write|give|keep|put|make|add|show|answer|sign|explain|spell)\b"
)
# "Whenever I ask Japanese stuff write kana", "in any figure you make use viridis". An order
# before its scope is a task of today: "write tests for every function".
_SCOPED: Final = re.compile(
    r"\b(?:(?:whenever|every time|each time) (?:i|we) (?:ask|want|need)|when (?:i|we) ask"
    r"|when(?:ever)? (?:you|u) (?:write|correct|translate|draft|explain|review|edit|code)(?! (?:this|that|these|the)\b))"
    r"(?: (?:you|u))?(?: (?:for|about|to|anything|something|in))* (?P<asked>[^.,;:!?]{2,60})"
    rf"|(?:^\W*(?:(?:and|also|please|pls|note|aye|yes|ok|in|the|future|from|now|on)\b[\s,:]*)*|\b(?:always|never)\b[^.;!?]{{0,60}} )"
    rf"(?:for|in|on|with) (?:all|any|every|each)(?: of)?(?: (?:my|our|the|your))? (?P<all>(?:[\w-]+ )?{_PRODUCED}\b(?: and [\w-]+)?)"
    r"|(?<!\bi )(?<!\bwe )(?<!\bhe )(?<!\bshe )(?<!\bthey )\balways\b[^.,;:!?]{3,40}\b(?:with|wi|for|in) (?P<stuff>[^.,;:!?]{2,40}?) (?:stuff|questions|things)\b"
)
_BEHIND_SCOPE: Final = re.compile(
    rf"{_ORDERED.pattern}|\b(?:you|u|i|we|it|that|which)\b"
)
_WORD: Final = re.compile(r"[^\W\d_]{3,}")
_ANY: Final = frozenset(
    terms(
        "thing stuff question answer time one some other case day please new same way"
    )
)
"""Terms that limit nothing."""


def is_standing(sentence: str) -> bool:
    """Return whether a rule about answers says that it holds beyond its own task."""
    return _STANDING.search(sentence.lower()) is not None


@lru_cache(maxsize=1024)
def scope_of(sentence: str) -> Set[str]:
    """Return the terms of what a rule holds for: "when I ask for recipes write grams".

    Returns:
        Terms of which a prompt must have one; empty if the sentence is no such rule.
    """
    text = sentence.lower()
    match = _SCOPED.search(text)
    if match is None:
        return frozenset()
    scope = match["asked"] or match["all"] or match["stuff"]
    around = f"{text[: match.start()]} {scope}{text[match.end() :]}"
    # "When you explain something" orders nothing, nor does "whenever I want coffee".
    if not match["stuff"] and not _ORDERED.search(around) and "always" not in match[0]:
        return frozenset()
    # "… recipes write grams": the order may follow without a comma.
    words = _WORD.findall(_BEHIND_SCOPE.split(scope)[0])
    return frozenset(terms(" ".join(words))) - _ANY
