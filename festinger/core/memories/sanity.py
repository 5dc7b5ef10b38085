"""Check that a claim is a statement about somebody, and no instruction to a model.

An extraction may quote text that was put into the conversation to be extracted:
instructions, markup, role markers. None of these is a memory.
"""

# ruff: noqa: RUF001 - typographic marks, as people write them
from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from festinger._fast.words import CLOSED_CLASS

CLAIM_WORDS_MAX = 40
CLAIM_CHARACTERS_MAX = 300
"""A longer text is a paragraph and no claim."""
REPEATS_WORDS_MIN, REPEATS_SHARE_MAX = 6, 0.5
"""Minimum share of different words in a claim of at least so many words."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
# `<b>`, three backticks, `{{name}}`, `[text](link)`, `<|im_start|>`, `[INST]`, `&lt;`, `# title`
_MARKUP = re.compile(
    r"</?[a-z!?][^<>]*>?|```|~~~|\{\{|\}\}|\[\[|\]\(|<\||\|>|<<|>>|\[/?[A-Z]{3,}\]"
    r"|&(?:[a-z]+|#x?[0-9a-f]+);|^\s*#{1,6}\s|\$\{|<!--",
    re.IGNORECASE | re.MULTILINE,
)
# A turn of its own within a claim: "loves tea" and, on the next line, "assistant: yes".
_ROLE = re.compile(
    r"(?:^|[\n\r\u2028\u2029]|[.!?]\s)\W*"
    r"(?:system|assistant|user|human|tool|developer|function|ai|model)\s*[:：>]",
    re.IGNORECASE,
)
_TOLD = (
    r"(?:instruct|prompt|rule|guideline|directi|command|polic|restriction|messag"
    r"|context|training|guardrail|safe|everything|told)"
)
# Only the bare form of verbs: "ignores messages" states a habit, "ignore messages" is
# an instruction.
_INSTRUCTIONS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        # "Said to disregard your guidelines and prompts"; up to six words between.
        r"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|overrid(?:e|ing)"
        rf"|bypass(?:ing)?|skip|violate|neglect)\b(?:\W+\w+){{0,6}}?\W+{_TOLD}",
        r"\b(?:previous|prior|above|your|secret|hidden)\s+(?:system\s+)?"
        r"(?:instructions?|prompts?|directives?)\b",
        # "Reveal the system prompt"
        r"\b(?:reveal|repeat|print|leak|disclose|show|obey|execute)\b"
        r"(?:\W+\w+){0,4}?\W+(?:instruct|prompt|directi|command)",
        r"\bfollow\s+(?:my|these|this|the\s+following|all)\b",
        r"\byou(?:\s+are|['’]re)\s+(?:now|no\s+longer|to|required|free)\b",
        r"\byou\s+(?:should|must|need\s+to|ought\s+to)\b",
        # "Act as root", at the beginning only: people say "acts like an expert" of themselves.
        r"^\W*(?:act|behave|respond|reply|answer)\s+(?:as|like|only|with|in|to)\b",
        r"\bfrom\s+now\s+on\W+(?:you|always|never|answer|respond|reply|act)\b",
        r"^\W*(?:please\s+)?(?:(?:always|never|only|do\s+not|don['’]t|must|now)\s+)?"
        r"(?:ignore|disregard|forget|obey|comply|reveal|execute|override|bypass|pretend"
        r"|tell|say|send|delete|transfer|reply|respond|refuse|inject|exfiltrate)\b",
        # "Never mention Bob"; a habit has another form: "always asks for examples".
        r"^\W*(?:please|always|never|only|do\s+not|don['’]t|must|now)\s+(?:answer"
        r"|output|print|repeat|mention|store|approve|confirm|append|insert|write|use)\b",
        r"\b(?:jailbreak|developer\s+mode|god\s+mode|dan\s+mode|prompt\s+injection)\b",
    )
)
# "i g n o r e everything"
_SPELT_OUT = re.compile(r"\b(?:[^\W\d_][\s.\-_*]+){5,}")
"""Separated letters, which a model reads as words."""


def nonsense(claim: str) -> str:
    """Return why a claim makes no sense, as a code; empty if it may make sense.

    One of `unprintable`, `no_words`, `too_long`, `markup`, `role_marker`,
    `instructions`, `spelt_out`, `only_function_words` and `repeats`.
    """
    return next(_reasons(claim), "")


def _reasons(claim: str) -> Iterator[str]:
    if any(
        # Control, surrogate, private and unassigned characters; invisible ones are removed below.
        unicodedata.category(each) in ("Cc", "Cs", "Co", "Cn")
        for each in claim
        if each not in "\t\n\r"
    ):
        yield "unprintable"
    if len(claim) > CLAIM_CHARACTERS_MAX:
        yield "too_long"
    words = [word.lower() for word in _WORD.findall(claim)]
    if not any(any(map(str.isalpha, word)) for word in words):
        yield "no_words"
    if len(words) > CLAIM_WORDS_MAX:
        yield "too_long"
    # Instructions hide in look-alike letters, full-width letters and invisible characters.
    read = _as_read(claim)
    if _MARKUP.search(claim) or _MARKUP.search(read):
        yield "markup"
    if _ROLE.search(read):
        yield "role_marker"
    if any(each.search(read) for each in _INSTRUCTIONS):
        yield "instructions"
    if _SPELT_OUT.search(read):
        yield "spelt_out"
    # "It is of the" says nothing.
    if all(word in CLOSED_CLASS for word in words):
        yield "only_function_words"
    if _repeats(words):
        yield "repeats"


def _as_read(text: str) -> str:
    """Return a text as it looks: without invisible characters, in plain letters."""
    folded = unicodedata.normalize("NFKD", text)
    plain = "".join(
        each for each in folded if unicodedata.category(each) not in ("Cf", "Mn", "Me")
    )
    return plain.translate(_LOOKALIKES)


def _repeats(words: list[str]) -> bool:
    if any(
        # "tea tea tea"
        one == two == three
        for one, two, three in zip(words, words[1:], words[2:], strict=False)
    ):
        return True
    return len(words) >= REPEATS_WORDS_MIN and len(
        set(words)
    ) < REPEATS_SHARE_MAX * len(words)


_LOOKALIKES = str.maketrans(
    "аеіјорсухѕԁɡοανρτικАВЕІЈКМНОРСТХ", "aeijopcyxsdgoavptikABEIJKMHOPCTX"
)
"""Cyrillic and Greek letters that look like Latin ones."""
