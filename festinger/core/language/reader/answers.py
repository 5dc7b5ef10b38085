"""Parse the answers of models that were asked for statements."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from festinger.core.graph.origins import StatementKind
from festinger.core.language.reader.questions import STATEMENTS_MAX, TOPICS_MAX
from festinger.core.system.excerpt import printable
from festinger.errors import BadAnswer

ANSWER_CHARACTERS_MAX: Final = 1_000_000
"""Maximum number of characters of an answer; a longer one is refused."""
FIELD_CHARACTERS_MAX: Final = 400
TOPIC_CHARACTERS_MAX: Final = 80

# Some models write their thoughts or a code fence around the JSON that they are asked for.
_THOUGHT: Final = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)
_FENCED: Final = re.compile(r"```[\w-]*\s*\n(.*?)\n?\s*```", re.DOTALL)


class AnsweredStatement(NamedTuple):
    """A statement as a model wrote it, not yet checked against the turns.

    Attributes:
        turn: Number of the turn that it names; 0 for none.
        replaces: Number of the held statement that it names; 0 for none.
        problem: Reason why its form is invalid; empty if it is valid.
    """

    turn: int = 0
    quote: str = ""
    subject: str = ""
    predicate: str = ""
    value: str = ""
    kind: StatementKind = StatementKind.FACT
    single: bool | None = None
    negated: bool = False
    replaces: int = 0
    topics: tuple[str, ...] = ()
    problem: str = ""


def parse_answer(text: str) -> Sequence[AnsweredStatement]:
    """Return the statements of an answer; invalid ones with their problem.

    Raises:
        BadAnswer: The answer as a whole has the wrong form.
    """
    if len(text) > ANSWER_CHARACTERS_MAX:
        raise BadAnswer(
            f"the answer has more than {ANSWER_CHARACTERS_MAX:,} characters"
        )
    value = _json_in(_THOUGHT.sub("", text))
    items = value.get("statements") if isinstance(value, dict) else value
    if not isinstance(items, list):
        raise BadAnswer("the answer has no list of statements")
    if len(items) > STATEMENTS_MAX:
        raise BadAnswer(
            f"the answer has {len(items)} statements, more than a batch can"
        )
    return [_read(item) for item in items]


def _json_in(text: str) -> Any:
    """Return the JSON value of a text, or of its first code fence.

    Raises:
        BadAnswer: The text is empty or not JSON.
    """
    text = text.strip()
    if not text:
        raise BadAnswer("the answer is empty")
    fence = _FENCED.search(text)
    for attempt in (text, fence[1] if fence else ""):
        if attempt:
            try:
                return json.loads(attempt, parse_constant=_refuse)  # NaN is not JSON
            except (ValueError, RecursionError):  # or nested too deeply
                continue
    raise BadAnswer("the answer is not JSON")


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")


def _read(item: Any) -> AnsweredStatement:
    # One bad statement does not spoil the others.
    if not isinstance(item, dict):
        return AnsweredStatement(problem="not an object")
    texts: dict[str, str] = {}
    for name in ("quote", "subject", "predicate", "value"):
        text = item.get(name)
        # Models write numbers as numbers.
        if isinstance(text, int | float) and not isinstance(text, bool):
            text = f"{text:g}" if isinstance(text, float) else str(text)
        if not isinstance(text, str) or not text.strip():
            return AnsweredStatement(problem=f"no {name}")
        if len(text) > FIELD_CHARACTERS_MAX:
            return AnsweredStatement(problem=f"{name} too long")
        # Quotations are matched by their words alone.
        texts[name] = " ".join(printable(text).split())
    return AnsweredStatement(
        turn=_number(item.get("turn")),
        **texts,
        kind=_kind(item.get("kind")),
        single=single if isinstance(single := item.get("single"), bool) else None,
        negated=item.get("negated") is True,
        replaces=_number(item.get("replaces")),
        topics=_topics(item),
    )


def _number(value: Any) -> int:
    usable = isinstance(value, int) and not isinstance(value, bool)
    # Up to Postgres' largest bigint; anything else names no statement.
    return value if usable and 0 < value < 2**63 else 0


def _kind(value: Any) -> StatementKind:
    known = isinstance(value, str) and value in set(StatementKind)
    return StatementKind(value) if known else StatementKind.FACT


def _topics(item: Mapping[str, Any]) -> tuple[str, ...]:
    value = item.get("topics")
    if not isinstance(value, list):
        return ()
    texts = [" ".join(printable(it).split()) for it in value if isinstance(it, str)]
    short = [it for it in texts if 0 < len(it) <= TOPIC_CHARACTERS_MAX]
    return tuple(dict.fromkeys(short))[:TOPICS_MAX]
