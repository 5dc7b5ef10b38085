"""How questions are written in a chat, and how answers are read."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from festinger.api.v1.validation_pb2 import Question
from festinger.core.system.printing import printable
from festinger.core.validation.events import AnswerEvent

MARKS = ("✅", "❌", "🤷")
"""What is clicked for the options of a question, in their order."""
RESPONSES = (AnswerEvent.CONFIRMED, AnswerEvent.REJECTED, AnswerEvent.ABSTAIN)
NOTE_LENGTH_MAX = 1000

_ALIKE = {
    **dict(zip(MARKS, RESPONSES, strict=True)),
    **dict.fromkeys(("✔", "☑", "👍"), AnswerEvent.CONFIRMED),
    **dict.fromkeys(("✖", "❎", "👎"), AnswerEvent.REJECTED),
    **dict.fromkeys(("❓", "❔"), AnswerEvent.ABSTAIN),
}
_NAMED = {
    **dict.fromkeys(
        ("white_check_mark", "heavy_check_mark", "ballot_box_with_check", "+1"),
        AnswerEvent.CONFIRMED,
    ),
    **dict.fromkeys(
        ("x", "heavy_multiplication_x", "negative_squared_cross_mark", "-1"),
        AnswerEvent.REJECTED,
    ),
    **dict.fromkeys(
        ("shrug", "man-shrugging", "woman-shrugging", "question", "grey_question"),
        AnswerEvent.ABSTAIN,
    ),
}
_SAID = {
    **dict.fromkeys(
        ("yes", "y", "yep", "yeah", "true", "correct", "confirmed"), AnswerEvent.CONFIRMED
    ),
    **dict.fromkeys(("no", "n", "nope", "false", "wrong"), AnswerEvent.REJECTED),
    **dict.fromkeys(
        (
            "not sure", "unsure", "no idea", "i don't know", "don't know", "dunno",
            "maybe",
        ),
        AnswerEvent.ABSTAIN,
    ),
}  # fmt: skip
# What looks the same or says only whose hand it is: variants, skin tones, genders.
_SHADES = re.compile("[\ufe0e\ufe0f\u200d♀♂\U0001f3fb-\U0001f3ff]")
_LINE = re.compile(r"\s*(?:#?([0-9]{1,3})|all)[\s.:)]+(.+)", re.IGNORECASE | re.DOTALL)
_FIRST = re.compile(r"([^,.;:!\n]+)(?:[,.;:!\n]\s*(.*))?", re.DOTALL)


class WordedAnswer(NamedTuple):
    """An answer in words.

    Attributes:
        line: The question of a digest, from 1; 0 if none was named.
        everything: Whether all questions of a digest are answered.
    """

    response: AnswerEvent
    note: str = ""
    line: int = 0
    everything: bool = False
    disputes: bool = False


def whole(text: str) -> str:
    """A text without halves of characters, which JSON may hold and nothing can keep."""
    return text.encode("utf-8", "replace").decode()


def read_mark(mark: str) -> WordedAnswer | None:
    """The answer of a reaction, such as `✅`, or `2 ❌` in a digest; None if it is none."""
    number, _, rest = mark.strip().rpartition(" ")
    if number and not (number.isascii() and number.isdigit() and len(number) < 4):
        return None
    response = _ALIKE.get(_SHADES.sub("", rest))
    return None if response is None else WordedAnswer(response, line=int(number or 0))


def read_name(name: str) -> AnswerEvent | None:
    """The answer of a reaction that has a name, as on Slack; None if it is none."""
    return _NAMED.get(name.split("::")[0])


def read_text(text: str) -> list[WordedAnswer]:
    """The answers of a text: `Yes`, `no, it was Bob`, `1 yes, 2 no`; none if it is other.

    Only a text that begins with an answer is one, and the rest of it is a note.
    """
    parts = re.split(r"[,;\n]+(?=\s*#?[0-9]{1,3}[\s.:)])", text.strip())
    said = [_one(part) for part in parts]
    return [it for it in said if it is not None] if None not in said else []


def read_wish(text: str) -> bool | None:
    """Whether somebody opts out with a text: `stop` is yes, `start` no, others None."""
    return {"stop": True, "start": False}.get(text.strip(" .!\t\r\n").casefold())


def _one(text: str) -> WordedAnswer | None:
    numbered = _LINE.fullmatch(text)
    line = int(numbered[1] or 0) if numbered else 0
    first = _FIRST.fullmatch((numbered[2] if numbered else text).strip())
    if first is None:
        return None
    word = " ".join(first[1].replace("\u2019", "'").casefold().split())
    note = (first[2] or "").strip()[:NOTE_LENGTH_MAX]
    if word == "dispute":
        return WordedAnswer(AnswerEvent.ABSTAIN, note, line, disputes=True)
    response = read_said(word)
    if response is None:
        return None
    return WordedAnswer(
        response, note, line, everything=numbered is not None and not line
    )


def read_said(word: str) -> AnswerEvent | None:
    """The answer of a word or a reaction's sign; None if it is none."""
    if word in _SAID:
        return _SAID[word]
    mark = read_mark(word)
    return mark.response if mark else None


def lines_of(question: Question) -> list[str]:
    """A question as lines of plain text; the last ones say what became of it."""
    lines = [printable(line) for line in question.text.splitlines() if line.strip()]
    if question.why:
        lines.append(printable(question.why))
    if ending := ending_of(question):
        lines.append(ending)
    return lines


def ending_of(question: Question) -> str:
    """What became of a question that is closed; empty for an open one."""
    if question.state != Question.STATE_CLOSED:
        return ""
    if question.outcome:
        return printable(question.outcome)
    return _ENDINGS.get(question.closed_because, "This question is closed.")


def heading(questions: Sequence[Question]) -> str:
    """What a digest begins with."""
    waiting = sum(it.state != Question.STATE_CLOSED for it in questions)
    what = "statement waits" if waiting == 1 else "statements wait"
    return f"{waiting} {what} for you." if waiting else "Nothing here waits any more."


_ENDINGS = {
    "answered": "Thank you: this was answered.",
    "decided": "This was decided.",
    "expired": "Nobody has to answer this any more: its time is over.",
    "disputed": "This was disputed; somebody looks into it.",
}
