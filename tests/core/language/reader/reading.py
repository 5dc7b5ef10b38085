"""Turns to be read, and what a model might answer about them, for tests."""

from __future__ import annotations

from typing import Any

from festinger.core.graph.origins import KnownStatement
from festinger.core.language.reader.answers import AnsweredStatement
from festinger.core.language.reader.guards import ReadAnswer, check_answer
from festinger.core.language.reader.unread import TurnPart, UnreadTurn

SAID = 1_764_000_000.0
"""2025-11-24, a Monday."""


def part(text: str, place: int = 1, start: int = 0, **fields: Any) -> TurnPart:
    """Return a turn of Nadia's as a batch has it."""
    values = {
        "speaker": "nadia",
        "principal": "key-1",
        "project": "checkout",
        "session": "s1",
        "said": SAID,
        "digest": bytes([place]) * 16,
        **fields,
    }
    turn = UnreadTurn(text, **values)
    return TurnPart(place, turn, start, len(text), place=place)


def answered(
    quote: str, subject: str, predicate: str, value: str, **fields: Any
) -> AnsweredStatement:
    """Return a statement as a model writes it."""
    return AnsweredStatement(
        **{
            "turn": 2,
            "quote": quote,
            "subject": subject,
            "predicate": predicate,
            "value": value,
            **fields,
        }
    )


def check(
    text: str,
    *statements: AnsweredStatement,
    known: tuple[KnownStatement, ...] = (),
    speakers: dict[int, str] | None = None,
    **fields: Any,
) -> ReadAnswer:
    """Return the reliable part of an answer about one turn."""
    held = {it.assertion_id: it for it in known}
    return check_answer(statements, [part(text, **fields)], held, speakers or {})
