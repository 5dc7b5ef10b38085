"""Tell questions about people's affairs from an assistant's offers of more answers.

Most answers of models end with a question. Behind "Would you like me to suggest a wine?"
the next prompt answers nothing, behind "Which database do you use?" it does.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

TAIL_CHARACTERS: Final = 400
"""Number of characters at the end of a turn in which its last question is sought."""

# Emoji and marks of Markdown may follow the question.
_CLOSING: Final = re.compile(r"[^\w?]+\Z")
_SENTENCE_END: Final = re.compile(r"[.!?:\n]\W*\s")
_PIECE: Final = (
    r"(?:lists?|tables?|plans?|examples?|drafts?|versions?|outlines?|summar(?:y|ies)|schedules?|checklists?|recipes?"
    r"|templates?|suggestions?|ideas?|tips?|details?|explanations?|comparisons?|alternatives?|options?|scripts?|snippets?)"
)
_ANSWERING: Final = (
    r"(?:explain|elaborate|expand|clarify|go (?:into|over|deeper|through|ahead|further)|dive|walk you|show|give|provide|list|suggest|recommend"
    r"|write|rewrite|draft|generate|translate|summari[sz]e|rephrase|reword|tweak|refine|polish|shorten|help|assist|share|tell|describe|break"
    r"|compare|put together|come up|look (?:up|for|into)|find|recap|brainstorm|outline|point you|answer|discuss|cover|continue"
    rf"|(?:create|make|add|adjust|format|turn|prepare|include|offer|do|try)\b.*\b(?:it|this|that|these|them|another|{_PIECE}))"
)
_OFFERED: Final = re.compile(
    rf"\b(?:(?:like|want|need|prefer) (?:for )?me to|(?:shall|should|can|could|may|might|if) (?:i|we)|let me)\b(?: also| just)? {_ANSWERING}\b"
    r"|\b(?:would|do) you (?:also |still )?(?:like|want|need)"
    rf" (?:to (?:know|see|hear|learn|explore|discuss|dive|go|try|continue|talk|dig)|more|another|further|additional|help\b|(?:(?:a|an|the|some|any|few|more|other|specific|\w+er)\b ?)++{_PIECE})\b"
    rf"|^(?:want|need|fancy|interested in)\b.*\b(?:{_PIECE}|more|help|another|to (?:know|see|hear|learn|try))\b"
    r"|\b(?:anything|something|what) else\b|\bany (?:other|more|specific|further|particular) (?:questions?|requests?|topics?|details?|areas?|aspects?|parts?|concerns?|help)\b"
    r"|\bis there (?:anything|something|a (?:particular|specific))\b"
    r"|\b(?:does|do|did) (?:that|this|it|these|those) (?:\w+ )?(?:help|make sense|work|sound|answer|look|clarify|fit)\b"
    r"|\bhow (?:does|do|is|.s) (?:that|this|it|these)\b(?: (?:sound|look|feel|work))?|\bwhat do you think\b|^(?:sounds? good|make sense|ready (?:to|for))\b"
    r"|\b(?:how|what) (?:can|may|else can) i (?:help|assist|do)\b|\bwhat(?: else)? would you like (?:to (?:know|do|talk|discuss|explore)|help)\b",
    re.IGNORECASE,
)

_PERSON: Final = re.compile(r"\b(?:you|i|we)\b", re.IGNORECASE)
_OF_PERSON: Final = re.compile(r"\b(?:your|i)\b", re.IGNORECASE)
# "Which one do you like?" asks about the answer.
_WISH: Final = re.compile(
    r"\b(?:like|want|prefer|think|mean|feel|see|get|tr(?:y|ied|ying)|looking|would|could|can|which|better|have|aiming|after)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=32)
def last_question(turn: str) -> str:
    """Return the question with which an assistant's turn ends; empty for none."""
    tail = _CLOSING.sub("", turn[-TAIL_CHARACTERS:])
    return _SENTENCE_END.split(tail)[-1] if tail.endswith("?") else ""


def offers_more(question: str) -> bool:
    """Return whether a question offers a further answer instead of asking for facts."""
    return _OFFERED.search(question) is not None


def asks_about_person(question: str) -> bool:
    """Return whether a question asks how somebody is, lives or decides."""
    # "Where do you live?", "what is your budget?", "shall I book Thursday?".
    is_personal = _PERSON.search(question) and not _WISH.search(question)
    return bool(is_personal or _OF_PERSON.search(question)) and not offers_more(
        question
    )
