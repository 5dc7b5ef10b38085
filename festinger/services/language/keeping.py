"""Keep what people say: which turns of a prompt become part of the memory."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.config import Trust
from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.language.reader.unread import UnreadTurn, context_of, readable_text
from festinger.core.language.turns import Role, Turn
from festinger.core.language.utterances import read_turn
from festinger.core.lines.turns import SpokenTurn, digest_of
from festinger.core.recollection.reading import Reader

TURN_CHARACTERS_MAX = 64_000
"""Of one message, the last ones: sentences in front of them are not kept."""


def spoken_turns(
    turns: Sequence[Turn], reader: Reader, *, project: str, session: str, now: float
) -> list[SpokenTurn]:
    """Return what is to be kept of the turns that people typed and nobody read before.

    Args:
        turns: Of the prompt, without secrets, the oldest first.
        project: Where the prompt was typed; empty for nowhere in particular.
        session: Names the conversation; may be empty.
        now: Seconds since the epoch.
    """
    if reader.trust[Role.USER] is not Trust.ASSERTS:
        return []
    found: list[SpokenTurn] = []
    answered = ""
    for at, turn in enumerate(turns):
        if turn.role is Role.ASSISTANT:
            answered = turn.text
        elif turn.role is Role.USER:
            if not turn.seen:
                text = blank_own_blocks(turn.text).replace("\0", " ")
                kept = read_turn(text[-TURN_CHARACTERS_MAX:], answered)
                if kept.utterances:
                    found.append(
                        SpokenTurn(
                            id=0,
                            speaker=reader.subject or reader.principal,
                            principal=reader.principal,
                            project=project,
                            session=session,
                            said=now,
                            digest=digest_of(text),
                            utterances=kept.utterances,
                            audience=kept.audience,
                            is_newest=at == len(turns) - 1,
                        )
                    )
            answered = ""
    return found


def unread_turns(
    turns: Sequence[Turn], reader: Reader, *, project: str, session: str, now: float
) -> list[UnreadTurn]:
    """Return what a model is to read of the turns that nobody read before.

    Args:
        turns: As for `spoken_turns`, as the others.
    """
    if reader.trust[Role.USER] is not Trust.ASSERTS:
        return []
    found: list[UnreadTurn] = []
    before: Turn | None = None
    for at, turn in enumerate(turns):
        if turn.role is Role.USER and not turn.seen:
            text = blank_own_blocks(turn.text).replace("\0", " ")
            readable = readable_text(text)
            answered = before.text if before else ""
            kept = read_turn(text[-TURN_CHARACTERS_MAX:], answered)
            # What is kept from somebody stays words of its speaker: a statement has no
            # audience.
            if readable and kept.utterances and not kept.audience.is_limited:
                found.append(
                    UnreadTurn(
                        text=readable,
                        speaker=reader.subject or reader.principal,
                        principal=reader.principal,
                        project=project,
                        session=session,
                        said=now,
                        digest=digest_of(text),
                        before=_shown(before) if before else "",
                        before_role=before.role.value if before else "",
                        is_newest=at == len(turns) - 1,
                    )
                )
        # A system message between them is the client's.
        if turn.role is not Role.SYSTEM:
            before = turn if turn.role is not Role.USER else None
    return found


def _shown(before: Turn) -> str:
    return context_of(blank_own_blocks(before.text).replace("\0", " "))
