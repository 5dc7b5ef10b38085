"""Compose the requests that ask a model to read turns, within a limit of tokens."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Final, NamedTuple

from festinger.core.graph.origins import KnownStatement, StatementKind
from festinger.core.graph.values.dates import local_time
from festinger.core.language.reader.unread import TurnPart, end_of_part

STATEMENTS_MAX: Final = 200
"""Maximum number of statements in an answer; one with more is refused."""
KNOWN_MAX: Final = 60
"""Maximum number of held statements in a request."""
UNKNOWN_MAX: Final = 5
"""Maximum number of unknown names in a request."""
TOPICS_MAX: Final = 6
BYTES_PER_TOKEN: Final = 3
"""Bytes of a prompt per token: fewer than any tokenizer needs on average, so that the
estimate is an upper bound."""
TURNS_SHARE: Final = 0.45
"""Maximum share of the turns in the available tokens of a prompt."""
CONTEXT_SHARE: Final = 3
"""Divisor: preceding turns may take this fraction of the remaining tokens."""
CONTEXT_TOKENS_MIN: Final = 12
"""Minimum number of tokens of a preceding turn; fewer are not informative."""

SYSTEM: Final = (
    "Extract what is worth remembering from the user turns: facts, preferences, rules, "
    "decisions, events. Skip questions, guesses, plans, jokes, quoted speech and "
    "requests. quote: exact words of a user turn. subject: what or whom it is about, in "
    "full; I for the speaker, we for the project. predicate: short, as runs_on, owner, "
    "port. value: short. single: only one such value at a time. negated: it says that "
    "this is not so. replaces: number of the known line that it ends or replaces, else "
    "null. Name things as known lines do; say what an unknown name is (predicate is_a) if "
    "a turn says so. topics: up to 6 tasks for which it matters. "
    "Nothing to remember: an empty list."
)
"""System message, the same for all requests so that its evaluation is cached."""

_TEXT: Final = {"type": "string"}
SCHEMA: Final[Mapping[str, Any]] = {
    "title": "statements",
    "type": "object",
    "properties": {
        "statements": {
            "type": "array",
            "maxItems": STATEMENTS_MAX,
            "items": {
                "type": "object",
                "properties": {
                    "turn": {"type": "integer"},
                    "quote": _TEXT,
                    "subject": _TEXT,
                    "predicate": _TEXT,
                    "value": _TEXT,
                    "kind": {
                        "type": "string",
                        "enum": [str(it) for it in StatementKind],
                    },
                    "single": {"type": "boolean"},
                    "negated": {"type": "boolean"},
                    "replaces": {"type": ["integer", "null"]},
                    "topics": {"type": "array", "maxItems": TOPICS_MAX, "items": _TEXT},
                },
                "required": [
                    "turn",
                    "quote",
                    "subject",
                    "predicate",
                    "value",
                    "kind",
                    "single",
                    "negated",
                    "replaces",
                    "topics",
                ],
            },
        }
    },
    "required": ["statements"],
}
"""JSON Schema of the answer."""


class ReadingRequest(NamedTuple):
    """A request to a model.

    Attributes:
        prompt: User message: JSON lines.
        parts: Parts of turns in it, in order.
        tokens: Estimated tokens of both messages.
    """

    prompt: str
    parts: Sequence[TurnPart]
    tokens: int


def estimate_tokens(text: str) -> int:
    """Return an approximate upper bound of the number of tokens of a text."""
    return -(-len(text.encode("utf-8", "replace")) // BYTES_PER_TOKEN)  # rounded up


SYSTEM_TOKENS: Final = estimate_tokens(SYSTEM) + 16
"""Tokens of the system message, including those of the model's chat template."""
TOKENS_MIN: Final = SYSTEM_TOKENS + 120
"""Minimum number of tokens of a request."""


def choose_parts(parts: Iterable[TurnPart], tokens_max: int) -> list[TurnPart]:
    """Return the parts of turns that fit into a prompt, oldest first.

    Args:
        parts: Rest of each turn; one that failed before is read alone.
        tokens_max: Maximum number of tokens of the whole prompt, at least `TOKENS_MIN`.
    """
    chosen: list[TurnPart] = []
    room = max(
        int((tokens_max - SYSTEM_TOKENS) * TURNS_SHARE), TOKENS_MIN - SYSTEM_TOKENS
    )
    for part in parts:
        # A turn that failed before is read alone, so that it spoils no others.
        if chosen and (part.attempts or chosen[0].attempts):
            break
        needed = estimate_tokens(_turn_line(0, part)) + 1
        if needed > room:
            # The oldest turn is cut rather than skipped, else it would wait for ever.
            if not chosen:
                chosen.append(_shorten(part, room))
            break
        chosen.append(part)
        room -= needed
    return [replace(part, place=place) for place, part in enumerate(chosen, 1)]


def compose(
    parts: Sequence[TurnPart],
    known: Iterable[KnownStatement],
    tokens_max: int,
    unknown: Sequence[str] = (),
) -> ReadingRequest:
    """Return the request for some parts of turns.

    Args:
        known: Held statements about them, most important first; as many are included as
            fit.
        tokens_max: Maximum number of tokens of the whole prompt.
        unknown: Frequent names in the turns of which nothing is held.
    """
    turns = {number: _turn_line(number, it) for number, it in numbered(parts).items()}
    tokens = SYSTEM_TOKENS + sum(estimate_tokens(it) + 1 for it in turns.values())
    lines: list[str] = []
    # What remains is shared by the turns before and the held statements.
    each = (tokens_max - tokens) // CONTEXT_SHARE // max(1, len(parts))
    for number, part in numbered(parts).items():
        # The turn before is needed at the beginning of a turn only.
        if part.start == 0 and (context := _context_line(number - 1, part, each)):
            lines.append(context)
            tokens += estimate_tokens(context) + 1
        lines.append(turns[number])
    asked = [_line(unknown=name) for name in unknown[:UNKNOWN_MAX]]
    held = [_known_line(each) for each in islice(known, KNOWN_MAX)]
    shown: list[str] = []
    # From the most important on, until one does not fit.
    for line in [*asked, *held]:
        needed = estimate_tokens(line) + 1
        if tokens + needed > tokens_max:
            break
        shown.append(line)
        tokens += needed
    return ReadingRequest("\n".join([*shown, *lines]), parts, tokens)


def numbered(parts: Sequence[TurnPart]) -> dict[int, TurnPart]:
    """Return the parts by the number of their turn in the request.

    The preceding number is that of the turn before it, whether or not it is included.
    """
    return {2 * part.place: part for part in parts}


def _turn_line(number: int, part: TurnPart) -> str:
    turn = part.turn
    time = local_time(turn.said).strftime("%Y-%m-%dT%H:%M")
    return _line(
        turn=number,
        role="user",
        by=turn.speaker,
        project=turn.project,
        time=time,
        text=part.text,
    )


def _context_line(number: int, part: TurnPart, tokens: int) -> str:
    """Return the end of the preceding turn as a line; empty if it does not fit."""
    said = part.turn.before
    role = part.turn.before_role
    room = tokens - estimate_tokens(_line(turn=number, role=role, text=""))
    if not said or room < CONTEXT_TOKENS_MIN:
        return ""
    # Escapes and letters of other scripts take more than one byte.
    size = len(json.dumps(said, ensure_ascii=False).encode("utf-8", "replace"))
    kept = int(len(said) * min(1.0, room * BYTES_PER_TOKEN / size))
    return _line(turn=number, role=role, text=said[len(said) - kept :])


def _known_line(statement: KnownStatement) -> str:
    return _line(
        known=statement.assertion_id,
        subject=statement.subject,
        predicate=statement.predicate,
        value=statement.value,
    )


def _shorten(part: TurnPart, room: int) -> TurnPart:
    """Return a part shortened at its end to a number of tokens."""
    most, end = len(part.text), part.end
    while most > 1:
        end = end_of_part(part.turn.text, part.start, most)
        shorter = replace(part, end=end)
        size = estimate_tokens(_turn_line(0, shorter)) + 1
        if size <= room:
            return shorter
        # In proportion, but by one at least, so that the loop ends.
        most = min(most - 1, most * room // size)
    return replace(part, end=end)


def _line(**fields: Any) -> str:
    # With spaces: denser requests hold more turns, and what two turns of a request say about
    # one thing is then named differently.
    return json.dumps(fields, ensure_ascii=False)
