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
_SENTENCE_END: Final = re.compile(
    r"(?<![ .][A-Za-z]\.)(?<!\b[DM]r\.)(?<!\bMrs\.)(?<=[.!?:\n])[^\w\s]*\s+"
)
_PIECE: Final = (
    r"(?:lists?|tables?|plans?|examples?|drafts?|versions?|outlines?|summar(?:y|ies)|schedules?|checklists?|recipes?"
    r"|templates?|suggestions?|ideas?|tips?|details?|explanations?|comparisons?|alternatives?|options?|scripts?|snippets?)"
)
_ANSWERING: Final = (
    r"(?:explain|elaborate|expand|clarify|go (?:into|over|deeper|through|ahead|further)|dive|walk you|show|give|provide|list(?! you\b)|suggest|recommend"
    r"|write|rewrite|draft|generate|translate|summari[sz]e|rephrase|reword|tweak|refine|polish|shorten|help|assist|share|tell you|describe|break"
    r"|compare|put together|come up|look (?:up|for|into)|find|recap|brainstorm|outline|point you|answer|discuss|cover|continue"
    rf"|(?:create|make|add|adjust|format|turn|prepare|include|offer|do|try)\b.*\b(?:it|this|that|these|them|the same|another|{_PIECE}))"
)
_OFFERED: Final = re.compile(
    rf"\b(?:like|want|need|prefer) (?:for )?me to (?:also |just )?{_ANSWERING}\b"
    # "Should I add it for Friday at 3?" proposes to do something.
    rf"|\b(?:shall|should|can|could|may|might|if) (?:i|we) (?:also |just )?(?!.*(?:\d|day\b)){_ANSWERING}\b|\blet me {_ANSWERING}\b"
    # A choice is none: "do you want to go by train or by plane?".
    r"|\b(?:would|do) you (?:also |still )?(?:like|want|need)"
    r" (?:to (?:know|see|hear|learn|explore|discuss|dive|go|try|continue|talk|dig)\b(?!.* or )"
    rf"|more|another|further|additional|help\b|(?:(?:a|an|the|some|any|few|more|other|specific|\w+er)\b ?)++(?:[\w-]+ ){{0,2}}{_PIECE}\b)"
    rf"|^(?:want|need|fancy|interested in)\b.*\b(?:{_PIECE}|more|help|another|to (?:know|see|hear|learn|try))\b"
    r"|\b(?:any|some)thing else\b|\bwhat else (?:can|could|should|would)\b|\bany (?:other|more|specific|further|particular) (?:questions?|requests?|topics?|details?|areas?|aspects?|parts?|concerns?|help)\b"
    r"|\bis there (?:any|some)thing (?:more|specific|in particular)\b"
    r"|\b(?:does|do|did) (?:that|this|it|these|those) (?:\w+ )?(?:help|make sense|answer|clarify)\b"
    r"|\bwhat do you think\b|^(?:sounds? good|make sense|ready (?:to|for))\b|\b(?:how|what) (?:can|may) i (?:help|assist|do)\b"
    r"|\bwhat would you like (?:to (?:know|do|talk|discuss|explore)|help)\b"
    # Openings of a conversation, and questions about the answer itself.
    r"|\bon your mind\b|\bhow are you\b|\byour question\b|\bwhere (?:should|shall|do) we (?:start|begin)\b|\bdid i (?:get|answer|miss|understand)\b",
    re.IGNORECASE,
)
_PERSON: Final = re.compile(r"\b(?:you|i|we)\b", re.IGNORECASE)
_OF_PERSON: Final = re.compile(r"\b(?:your|i)\b", re.IGNORECASE)
# "Which one do you like?" asks about the answer.
_WISH: Final = re.compile(
    r"\bwhich (?:one|of|version|option)\b|\b(?:do|would|did) you (?:like|want|prefer|think|mean|see)\b"
    r"|\b(?:looking|aiming) (?:for|to|at)\b|\bbetter\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=32)
def last_question(turn: str) -> str:
    """Return the question with which an assistant's turn ends; empty for none."""
    tail = turn[-TAIL_CHARACTERS:].replace("？", "?").rstrip()
    # A remark may follow: "What is your budget? Let me know and I'll tailor it!".
    for sentence in reversed(_SENTENCE_END.split(tail)[-2:]):
        question = _CLOSING.sub("", sentence)
        if question.endswith("?"):
            return question
    return ""


def offers_more(question: str) -> bool:
    """Return whether a question offers a further answer instead of asking for facts."""
    return _OFFERED.search(question) is not None


def asks_about_person(question: str) -> bool:
    """Return whether a question asks how somebody is, lives or decides."""
    # "Where do you live?", "what is your budget?", "shall I book Thursday?".
    is_personal = _PERSON.search(question) and not _WISH.search(question)
    asks = is_personal or _OF_PERSON.search(question)
    return bool(asks) and not offers_more(question)
