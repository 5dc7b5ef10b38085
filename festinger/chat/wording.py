"""Formatting of questions as chat messages, and parsing of answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from festinger.api.v1.validation_pb2 import Question
from festinger.chat.adapter import EVERY, PlatformAnswer
from festinger.core.system.excerpt import printable
from festinger.core.validation.votes import EventResponse

MARKS = ("✅", "❌", "🤷")
"""The reactions for the options of a question, in their order."""
RESPONSES = (EventResponse.CONFIRMED, EventResponse.REJECTED, EventResponse.ABSTAIN)
NOTE_LENGTH_MAX = 1000

# Alone or in front of a text: `👍`, `2 ❌`. What looks alike means the same.
_ALIKE = {
    **dict(zip(MARKS, RESPONSES, strict=True)),
    **dict.fromkeys(("✔", "☑", "👍"), EventResponse.CONFIRMED),
    **dict.fromkeys(("✖", "❎", "👎"), EventResponse.REJECTED),
    **dict.fromkeys(("❓", "❔"), EventResponse.ABSTAIN),
}
# Slack's names of the same emoji.
_NAMED = {
    **dict.fromkeys(
        ("white_check_mark", "heavy_check_mark", "ballot_box_with_check", "+1"),
        EventResponse.CONFIRMED,
    ),
    **dict.fromkeys(
        ("x", "heavy_multiplication_x", "negative_squared_cross_mark", "-1"),
        EventResponse.REJECTED,
    ),
    **dict.fromkeys(
        ("shrug", "man-shrugging", "woman-shrugging", "question", "grey_question"),
        EventResponse.ABSTAIN,
    ),
}
# Only these begin an answer, so that other talk in a room is none.
_SAID = {
    **dict.fromkeys(
        (
            "yes", "y", "yep", "yeah", "true", "correct", "confirmed", "accept",
            "accepted",
        ),
        EventResponse.CONFIRMED
    ),
    **dict.fromkeys(
        ("no", "n", "nope", "false", "wrong", "reject", "rejected"),
        EventResponse.REJECTED
    ),
    **dict.fromkeys(
        (
            "not sure", "unsure", "no idea", "i don't know", "don't know", "dunno",
            "maybe", "later", "defer", "skip",
        ),
        EventResponse.ABSTAIN
    ),
}  # fmt: skip
# Modifiers that do not change the meaning: variants, skin tones, genders.
_SHADES = re.compile("[\ufe0e\ufe0f\u200d♀♂\U0001f3fb-\U0001f3ff]")
# `2 yes`, `#2: no`, `2) not sure`, `all yes`.
_LINE = re.compile(r"\s*(?:#?([0-9]{1,3})|all)[\s.:)]+(.+)", re.IGNORECASE | re.DOTALL)
# `instead: Bob coaches Sam`.
_INSTEAD = re.compile(r"instead[\s,.:\u2014-]+(\S.*)", re.IGNORECASE | re.DOTALL)
# The words up to the first mark, and the rest as a note: `no, it was Bob`.
_FIRST = re.compile(r"([^,.;:!\n]+)(?:[,.;:!\n]\s*(.*))?", re.DOTALL)


class WordedAnswer(NamedTuple):
    """Answer that is parsed from a text or a reaction.

    Attributes:
        note: The text that follows the answer.
        line: The number of the question in a digest, from 1; 0 if none was named.
        everything: Whether all questions of a digest are answered.
        instead: Whether the note is what is so instead, in the person's own words.
        disputes: Whether the answer disputes a fact that the question presupposes.
    """

    response: EventResponse
    note: str = ""
    line: int = 0
    everything: bool = False
    instead: bool = False
    disputes: bool = False


def whole(text: str) -> str:
    """Replace lone surrogates, which JSON allows but UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode()


def text_of(value: Any, *way: str) -> str:
    """Return the text at a path of a JSON value, or an empty string if there is none."""
    for name in way:
        if not isinstance(value, Mapping):
            return ""
        value = value.get(name)
    return whole(value) if isinstance(value, str) else ""


def read_mark(mark: str) -> WordedAnswer | None:
    """Parse a reaction such as `✅`, or `2 ❌` in a digest; None if it is no answer."""
    # `2 ❌` names the question of a digest.
    number, _, rest = mark.strip().rpartition(" ")
    if number and not (number.isascii() and number.isdigit() and len(number) < 4):
        return None
    response = _ALIKE.get(_SHADES.sub("", rest))
    return None if response is None else WordedAnswer(response, line=int(number or 0))


def read_name(name: str) -> EventResponse | None:
    """Return the response of a named reaction of Slack, or None if it is no answer."""
    return _NAMED.get(name.split("::")[0])  # without `::skin-tone-2`


def read_text(text: str) -> list[WordedAnswer]:
    """Parse the answers of a text such as `Yes`, `no, it was Bob` or `1 yes, 2 no`."""
    # Only a comma before a number separates answers: `no, it was Bob` is one.
    parts = re.split(r"[,;\n]+(?=\s*#?[0-9]{1,3}[\s.:)])", text.strip())
    answers = [_one(part) for part in parts]
    # If any part is none, the text is something else: `1 yes, 2 drinks`.
    return [it for it in answers if it is not None] if None not in answers else []


def read_answers(
    text: str, delivery: str, account: str, reference: str, place: str
) -> list[PlatformAnswer]:
    """Parse the answers of a message; see `PlatformAnswer` for the arguments."""
    worded = read_text(text)
    return [
        PlatformAnswer(
            # A delivery for each line, as each answers another question.
            f"{delivery}#{each.line}" if len(worded) > 1 else delivery,
            account,
            reference,
            place,
            # Which questions that are, the state of the bot says.
            line=EVERY if each.everything else each.line,
            response=each.response,
            note=each.note,
            instead=each.instead,
            disputes=each.disputes,
        )
        for each in worded
    ]


def read_wish(text: str) -> bool | None:
    """Return True for `stop` (opt out), False for `start` (opt in), None for others."""
    # The word alone: `stop asking Bob` is no wish.
    return {"stop": True, "start": False}.get(text.strip(" .!\t\r\n").casefold())


def _one(text: str) -> WordedAnswer | None:
    numbered = _LINE.fullmatch(text)
    line = int(numbered[1] or 0) if numbered else 0
    rest = (numbered[2] if numbered else text).strip()
    if own := _INSTEAD.fullmatch(rest):
        words = own[1].strip()[:NOTE_LENGTH_MAX]
        return WordedAnswer(EventResponse.REJECTED, words, line, instead=True)
    first = _FIRST.fullmatch(rest)
    if first is None:
        return None
    # Phones write a typographic apostrophe, as in `don't know`.
    word = " ".join(first[1].replace("\u2019", "'").casefold().split())
    note = (first[2] or "").strip()[:NOTE_LENGTH_MAX]
    if word == "dispute":
        return WordedAnswer(EventResponse.ABSTAIN, note, line, disputes=True)
    response = read_response(word)
    if response is None:
        return None
    # `all` is numbered, without a number.
    return WordedAnswer(
        response, note, line, everything=numbered is not None and not line
    )


def read_response(word: str) -> EventResponse | None:
    """Return the response of a word or an emoji, or None if it is no answer."""
    if word in _SAID:
        return _SAID[word]
    mark = read_mark(word)
    return mark.response if mark else None


def lines_of(question: Question) -> list[str]:
    """Return a question as lines of plain text; a closed one ends with its outcome."""
    # Texts quote people and models: characters that hide or turn text are shown as such.
    lines = [printable(line) for line in question.text.splitlines() if line.strip()]
    if question.why:
        lines.append(printable(question.why))
    if ending := ending_of(question):
        lines.append(ending)
    return lines


def ending_of(question: Question) -> str:
    """Return the outcome of a closed question, or an empty string for an open one."""
    if question.state != Question.STATE_CLOSED:
        return ""
    if question.outcome:
        return printable(question.outcome)
    return _ENDINGS.get(question.closed_because, "This question is closed.")


def heading(questions: Sequence[Question]) -> str:
    """Return the first line of a digest."""
    waiting = sum(it.state != Question.STATE_CLOSED for it in questions)
    what = "statement waits" if waiting == 1 else "statements wait"
    return f"{waiting} {what} for you." if waiting else "Nothing here waits any more."


_ENDINGS = {
    "answered": "Thank you: this was answered.",
    "decided": "This was decided.",
    "expired": "Nobody has to answer this any more: its time is over.",
    "disputed": "This was disputed; somebody looks into it.",
}
