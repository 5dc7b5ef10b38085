"""Choose the turns of a prompt that are stored."""

from __future__ import annotations

from collections.abc import Sequence

from festinger.config import PromptStorage, RoleTrust
from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.language.afterthoughts import is_withdrawal
from festinger.core.language.reader.unread import UnreadTurn, context_of, readable_text
from festinger.core.language.turns import Role, Turn
from festinger.core.language.utterances import KeptTurn, Utterance, left_out, read_turn
from festinger.core.lines.turns import SpokenTurn, digest_of
from festinger.core.recollection.generalprompts import is_general
from festinger.core.recollection.reading import Reader
from festinger.errors import NothingKept

TURN_CHARACTERS_MAX = 64_000
"""Maximum number of characters per message; sentences before the last ones are not
stored."""


def check_keeping(keeps: PromptStorage) -> None:
    """Raise `NothingKept` if nothing may be stored."""
    # Refused instead of lost: whoever says it expects that it is remembered.
    if keeps is PromptStorage.NOTHING:
        raise NothingKept(
            "nothing is remembered here, as the setting memory.keep says. Set it to "
            "`utterances` or `statements` and start the server again"
        )


def spoken_turns(
    turns: Sequence[Turn], reader: Reader, *, project: str, session: str, now: float
) -> list[SpokenTurn]:
    """Return what is stored of the new turns that people typed.

    Args:
        turns: Turns of the prompt without secrets, the oldest first.
        now: Seconds since the epoch.
    """
    # Only words that may assert are kept as what somebody said (E1).
    if reader.trust[Role.USER] is not RoleTrust.ASSERTS:
        return []
    found: list[SpokenTurn] = []
    for at, turn in enumerate(turns):
        if turn.role is not Role.USER or turn.seen:
            continue
        # Our blocks are not what somebody said (B7), and Postgres stores no NUL.
        text = blank_own_blocks(turn.text).replace("\0", " ")
        read = kept_of(text, _answered(turns, at))
        utterances = read.utterances
        if _takes_back_a_request(turns, at, utterances):
            utterances = utterances[1:]
        if utterances:
            found.append(
                SpokenTurn(
                    id=0,
                    speaker=reader.subject or reader.principal,
                    principal=reader.principal,
                    project=project,
                    session=session,
                    said=now,
                    # Of the whole text, as other servers and the shim compute it.
                    digest=digest_of(text),
                    utterances=utterances,
                    audience=read.audience,
                    is_newest=at == len(turns) - 1,
                )
            )
    return found


def _answered(turns: Sequence[Turn], at: int) -> str:
    """Return the assistant's message that a turn answers; empty behind a person's."""
    for turn in reversed(turns[:at]):
        if turn.role is Role.ASSISTANT:
            return turn.text
        if turn.role is Role.USER:
            break
    return ""


def _takes_back_a_request(
    turns: Sequence[Turn], at: int, utterances: Sequence[Utterance]
) -> bool:
    """Return whether a turn begins by taking back a message that is not kept.

    "Scratch that" behind "write a haiku" leaves alone what was said before both.
    """
    if not utterances or not is_withdrawal(utterances[0].text):
        return False
    typed = (it for it in reversed(range(at)) if turns[it].role is Role.USER)
    last = next(typed, None)
    return last is not None and not (
        kept_of(turns[last].text, _answered(turns, last)).utterances
    )


def kept_of(text: str, answered: str = "") -> KeptTurn:
    """Return the sentences of a typed turn that are kept, and its audience.

    Args:
        text: The turn, without secrets.
        answered: Preceding turn of the assistant; empty if there is none.
    """
    text = text[-TURN_CHARACTERS_MAX:]
    read = read_turn(text, answered)
    return read._replace(utterances=()) if is_general(text, read, answered) else read


def unkept(text: str, answered: str = "") -> list[tuple[str, str]]:
    """Return the sentences of a typed turn that are not kept, with reasons."""
    text = text[-TURN_CHARACTERS_MAX:]
    if is_general(text, read_turn(text, answered), answered):
        return [(text, "a prompt that any model answers alone")]
    return left_out(text, answered)


def unread_turns(
    turns: Sequence[Turn], reader: Reader, *, project: str, session: str, now: float
) -> list[UnreadTurn]:
    """Return what a model is to read of the new turns that people typed."""
    if reader.trust[Role.USER] is not RoleTrust.ASSERTS:
        return []
    found: list[UnreadTurn] = []
    before: Turn | None = None
    for at, turn in enumerate(turns):
        if turn.role is Role.USER and not turn.seen:
            text = blank_own_blocks(turn.text).replace("\0", " ")
            readable = readable_text(text)
            read = kept_of(text, _answered(turns, at))
            # Words with a limited audience are not read, since statements have no
            # audience.
            if readable and read.utterances and not read.audience.is_limited:
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
        # System messages are the client's and do not separate turns.
        if turn.role is not Role.SYSTEM:
            before = turn if turn.role is not Role.USER else None
    return found


def _shown(before: Turn) -> str:
    return context_of(blank_own_blocks(before.text).replace("\0", " "))
