"""Keep notes: records of a form of their own, with the statements that they make."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from secrets import token_bytes
from typing import NamedTuple

from festinger.config import PromptStorage
from festinger.core.graph.origins import ReadStatement
from festinger.core.graph.proposal import Proposal
from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.language.utterances import Utterance
from festinger.core.lines.turns import DIGEST_BYTES, SpokenTurn, lines_of
from festinger.core.system.secrets import redact
from festinger.errors import NothingKept
from festinger.services.language.said import Say
from festinger.services.language.saying import SayResult, statements_in
from festinger.services.language.stating import settle_changes
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.world.batches import RequestKey


class GivenNote(NamedTuple):
    """A note to keep.

    Attributes:
        text: The note, kept exactly, without secrets.
        reading: Sentence from which its statements are read; empty for none.
    """

    text: str
    reading: str


async def keep_notes(
    memory: TenantMemory,
    notes: Sequence[GivenNote],
    *,
    session: str,
    principal: str,
    subject: str = "",
    project: str = "",
    request: RequestKey | None = None,
) -> SayResult:
    """Keep notes, each as a turn of its own, and return the result after the commit.

    Args:
        session: Name of the collection that they belong to.
        subject: Speaker; empty if that is the principal.

    Raises:
        NothingKept: The settings do not allow keeping sentences.
        RequestIdReused: The request's id came with other notes.
        DatabaseUnavailable: Repeat the request under its id.
        Overloaded: Try again.
    """
    # A note is kept as a sentence: without sentences there are no notes.
    if memory.keeps is not PromptStorage.UTTERANCES:
        raise NothingKept(
            "no notes are kept here, as the setting memory.keep says. Set it to "
            "`utterances` and start the server again"
        )
    turns: list[SpokenTurn] = []
    proposals: list[Proposal] = []
    statements: list[ReadStatement] = []
    for number, note in enumerate(notes):
        turn = SpokenTurn(
            id=0,
            speaker=subject or principal,
            principal=principal,
            project=project,
            session=session,
            said=memory.now(),
            # A note that was forgotten may be kept again, and equal ones are two.
            digest=_digest(request, number),
            utterances=[Utterance(_safe(note.text))],
        )
        # A note has a form of its own: its statements are read from a sentence beside it.
        found, read = statements_in(
            memory, _safe(note.reading), principal, subject, project, turn
        )
        turns.append(turn)
        proposals += found
        statements += read
    # All notes in one transaction, so that a collection is kept whole or not at all.
    saved = await memory.writer.submit(
        Say(proposals, statements, turns, request=request)
    )
    settled = await settle_changes(memory, saved.stated)
    outcomes = [*saved.outcomes, *(it.outcome for it in settled if it.outcome)]
    lines = [line for turn in saved.kept for line in lines_of(turn)]
    return SayResult(outcomes, lines, (), saved.version)


def _digest(request: RequestKey | None, number: int) -> bytes:
    """Return the digest of a note: no other one's, but the same in a repeated call."""
    if request is None:
        return token_bytes(DIGEST_BYTES)
    named = f"{request.principal}\0{request.id}\0{number}".encode()
    return blake2b(named, digest_size=DIGEST_BYTES).digest()


def _safe(text: str) -> str:
    """Return a text on one line, without secrets and without blocks of ours."""
    # On one line: a line of a block has no breaks.
    return redact(blank_own_blocks(text.replace("\n", " ")))
