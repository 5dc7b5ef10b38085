"""Rendering of questions as blocks of Slack's Block Kit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from festinger.api.v1.validation_pb2 import Question
from festinger.chat.wording import heading, lines_of

ACTION: Final = "festinger"
TEXT_LENGTH_MAX: Final = 2900  # Slack takes 3000 characters in a block's text
LABEL_LENGTH_MAX: Final = 75  # of a button
FALLBACK_LENGTH_MAX: Final = 300
_LABELS: Final = ("Yes", "No", "Not sure")  # in the order of `wording.RESPONSES`


def of(questions: Sequence[Question], name: str) -> list[dict[str, Any]]:
    """Return the blocks of a message; each question's first has the ID `NAME.LINE`."""
    several = len(questions) > 1
    made: list[dict[str, Any]] = []
    if several:
        made.append({"type": "section", "text": _plain(heading(questions))})
    for line, question in enumerate(questions, 1):
        number = f"{line}. " if several else ""
        text = number + "\n".join(lines_of(question))
        # The ID tells the message after a restart, and names the question of a digest.
        made.append(
            {"type": "section", "block_id": f"{name}.{line}", "text": _plain(text)}
        )
        # A closed question can be read, and not answered.
        if question.state != Question.STATE_CLOSED:
            made.append(_buttons(question, line if several else 0))
    return made


def fallback(questions: Sequence[Question]) -> str:
    """Return the text of notifications, escaped because Slack parses it as markup."""
    lines = lines_of(questions[0]) or [""]
    text = heading(questions) if len(questions) > 1 else lines[0]
    return escaped(text[:FALLBACK_LENGTH_MAX])


def escaped(text: str) -> str:
    """Escape a text so that Slack finds neither links nor mentions in it."""
    # Only these three begin entities; the ampersand comes first, as the others add some.
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _buttons(question: Question, line: int) -> dict[str, Any]:
    # The position of a label is its response, so that there are at most three.
    labels = list(question.options)[:3] or _LABELS
    elements: list[dict[str, Any]] = [
        {
            "type": "button",
            "action_id": f"{ACTION}.{line}.{number}",
            "value": f"{line}.{number}",
            "text": _plain(label, LABEL_LENGTH_MAX),
        }
        for number, label in enumerate(labels)
    ]
    # A link is a button too; its click is sent to the bot, and ignored by its name.
    if question.more_url:
        elements.append(
            {
                "type": "button",
                "action_id": f"more.{line}",
                "text": _plain("More info"),
                "url": question.more_url,
            }
        )
    return {"type": "actions", "elements": elements}


def _plain(text: str, length_max: int = TEXT_LENGTH_MAX) -> dict[str, Any]:
    # Slack refuses a message with a longer text.
    if len(text) > length_max:
        text = f"{text[: length_max - 1]}…"
    # Slack finds neither markup nor mentions in plain text, and refuses an empty one.
    return {"type": "plain_text", "text": text or " ", "emoji": False}
