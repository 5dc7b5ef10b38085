"""Store what a client tells the memory explicitly, and return how it was understood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from festinger import _fast
from festinger.config import PromptStorage
from festinger.core.graph.origins import (
    ReadStatement,
    StatementOrigin,
    StatementReader,
)
from festinger.core.graph.outcome import Outcome
from festinger.core.graph.proposal import Evidence, Proposal, StatementSource, Triple
from festinger.core.graph.statement import parse_fact
from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.language.cues import CueVerdict, find_cues
from festinger.core.language.reader.naming import scope_proposals
from festinger.core.language.reader.unread import UnreadTurn, readable_text
from festinger.core.language.statements import (
    QUOTE_CHARACTERS_MAX,
    read_statements,
)
from festinger.core.language.utterances import KeptTurn, left_out, read_turn
from festinger.core.lines.line import IndexedLine
from festinger.core.lines.listing import UtteranceFilter, place_in_turn
from festinger.core.lines.turns import SpokenTurn, digest_of, lines_of
from festinger.core.system.secrets import redact
from festinger.errors import FactSyntaxError, InvalidArgument, NotATokenError
from festinger.services.language.forgetting import prepare_forgetting
from festinger.services.language.keeping import check_keeping
from festinger.services.language.said import Say
from festinger.services.language.stating import settle_changes
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.world.batches import RequestKey

if TYPE_CHECKING:
    pass

SAID: Final = "said"
"""Rule of statements that were told explicitly in plain words."""


@dataclass(frozen=True, slots=True)
class SayResult:
    """Result of telling the memory something.

    Attributes:
        lines: Sentences that are stored as said.
        left_out: Sentences that are not stored, each with the reason.
        version: The tenant's version that has them.
    """

    outcomes: Sequence[Outcome]
    lines: Sequence[IndexedLine]
    left_out: Sequence[tuple[str, str]]
    version: int


async def say(
    memory: TenantMemory,
    text: str,
    *,
    principal: str,
    subject: str = "",
    project: str = "",
    corrects: str = "",
    request: RequestKey | None = None,
) -> SayResult:
    """Store what somebody says and return the result after the commit.

    Args:
        text: Statements in the strict form or in plain words, or any sentences.
        subject: Speaker; empty if that is the principal.
        project: Project in which it is said; empty for none.
        corrects: Name of a line to forget; empty for none.

    Raises:
        InvalidArgument: Nothing in the text can be stored.
        NothingKept: The settings do not allow storing anything.
        LineNotFound: The corrected line is not stored.
        RequestIdReused: The request's id came with other words.
        DatabaseUnavailable: Repeat the request under its id.
        Overloaded: Try again.
    """
    check_keeping(memory.keeps)
    # Before anything reads the text: no secret gets into sentences or statements.
    text = redact(blank_own_blocks(text).replace("\0", " "))
    proposals, statements = statements_in(memory, text, principal, subject, project)
    kept = read_turn(text) if memory.keeps is PromptStorage.UTTERANCES else KeptTurn(())
    # `gnommoweb -isa repo` is no sentence that could be told as a quotation.
    is_strict = _strict(text) is not None
    # What became a fact is told as such, and not as a sentence, too.
    stated = {each.evidence.sentence for each in proposals}
    turn = None
    if kept.utterances and not is_strict:
        turn = _turn_of(memory, text, kept, principal, subject, project)
    # Sentences that a pattern understood are not missing.
    missing = [(it, why) for it, why in left_out(text) if it not in stated]
    if not proposals and not statements and turn is None:
        raise InvalidArgument(_nothing(missing), field="text")
    forgets = None
    if corrects and not await _is_corrected(memory, corrects, turn):
        selection = UtteranceFilter(name=corrects)
        forgets = await prepare_forgetting(memory, selection, principal)
    saved = await memory.writer.submit(
        Say(
            proposals,
            statements,
            [turn] if turn else [],
            forgets,
            _unread(memory, turn, text),
            request,
        )
    )
    # Changes are settled after the commit, as decisions of the speaker (J7).
    settled = await settle_changes(memory, saved.stated)
    outcomes = [*saved.outcomes, *(it.outcome for it in settled if it.outcome)]
    said_lines = (it for turn in saved.kept for it in lines_of(turn))
    lines = [it for it in said_lines if it.text not in stated]
    return SayResult(outcomes, lines, [] if is_strict else missing, saved.version)


def _turn_of(
    memory: TenantMemory,
    text: str,
    kept: KeptTurn,
    principal: str,
    subject: str,
    project: str,
) -> SpokenTurn:
    """Return the turn to store for a text."""
    return SpokenTurn(
        id=0,
        speaker=subject or principal,
        principal=principal,
        project=project,
        session="",
        said=memory.now(),
        digest=digest_of(text),
        utterances=kept.utterances,
        audience=kept.audience,
    )


async def _is_corrected(
    memory: TenantMemory, name: str, turn: SpokenTurn | None
) -> bool:
    """Return whether a line was forgotten and the words in its place are stored.

    Then a call is repeated whose answer was lost.
    """
    place = place_in_turn(name)
    sources = memory.world.lines.sources
    if turn is None or place is None or not sources.turn_number(turn.digest):
        return False
    async with memory.store.reading(memory.tenant) as reads:
        found = await reads.turns([place[0]])
    # A forgotten sentence leaves an empty place; a name that never was has none.
    texts = [it.text for each in found for it in each.utterances]
    return place[1] < len(texts) and not texts[place[1]]


def statements_in(
    memory: TenantMemory,
    text: str,
    principal: str,
    subject: str,
    project: str,
    note: SpokenTurn | None = None,
) -> tuple[list[Proposal], list[ReadStatement]]:
    """Return the statements of a text: found by patterns, and read from its sentences.

    Args:
        text: Statements in the strict form or in plain words, without secrets.
        note: Turn with one sentence to quote instead; None to quote the text.
    """
    proposals = _found(memory, text, principal, subject, project)
    if note:
        quote = note.utterances[0].text
        proposals = [
            it._replace(evidence=Evidence(quote, it.evidence.rule)) for it in proposals
        ]
        # An origin has no room for it, and a part of a note is no quotation.
        if len(quote) > QUOTE_CHARACTERS_MAX:
            return proposals, []
    # The strict form has been read; its words are no sentence.
    if _strict(text):
        return proposals, []
    statements = _read(memory, text, principal, subject, project)
    if note:
        statements = [
            replace(
                it,
                origin=replace(
                    it.origin,
                    quote=note.utterances[0].text,
                    turn_digest=note.digest,
                ),
            )
            for it in statements
        ]
    return proposals, statements


def _read(
    memory: TenantMemory, text: str, principal: str, subject: str, project: str
) -> list[ReadStatement]:
    """Return the statements that the sentences of a text make."""
    origin = StatementOrigin(
        quote="",
        speaker=subject or principal,
        principal=principal,
        project=project,
        session="",
        said=memory.now(),
        turn_digest=digest_of(text),
        # An explicit statement is a person's, not one of fallible rules.
        reader=StatementReader.PERSON,
    )
    return read_statements(read_turn(text), origin)


def _unread(
    memory: TenantMemory, turn: SpokenTurn | None, text: str
) -> UnreadTurn | None:
    """Return the part of a stored turn that a model is to read; None for nothing."""
    readable = readable_text(text)
    # Words with a limited audience are not read, since statements have no audience.
    if turn is None or not readable or not memory.is_read or turn.audience.is_limited:
        return None
    return UnreadTurn(
        text=readable,
        speaker=turn.speaker,
        principal=turn.principal,
        project=turn.project,
        session=turn.session,
        said=turn.said,
        digest=turn.digest,
    )


def _found(
    memory: TenantMemory, text: str, principal: str, subject: str, project: str
) -> list[Proposal]:
    """Return the statements of a text, in the strict form or found by patterns."""

    def stated(triple: Triple, confidence: float, evidence: Evidence) -> Proposal:
        """Return a proposal of the principal."""
        return Proposal(
            triple,
            confidence=confidence,
            source=StatementSource.GUTASK,
            principal=principal,
            proposer=principal,
            subject=subject,
            evidence=evidence,
        )

    if triple := _strict(text):
        return [stated(triple, 1.0, Evidence(rule="iknowthat"))]
    found = [
        stated(
            cue.triple,
            # An explicit statement is certain, unless its wording is doubtful.
            1.0 if cue.verdict is CueVerdict.HELD else cue.confidence,
            Evidence(cue.sentence, SAID),
        )
        # What the patterns drop is asked, hedged or quoted (E2).
        for cue in find_cues(_fast.scan(text), memory.world)
        if cue.verdict is not CueVerdict.DROPPED
    ]
    # A common noun holds in its project (J5).
    return scope_proposals(found, project, memory.world.names)


def _strict(text: str) -> Triple | None:
    """Return the statement of a text in the strict form; None for any other text."""
    try:
        return parse_fact(text)
    except (FactSyntaxError, NotATokenError):
        return None


def _nothing(missing: Sequence[tuple[str, str]]) -> str:
    because = f": {missing[0][1]}" if missing else ""
    return (
        f"nothing in this can be kept{because}. Say what is so, in a sentence of its "
        "own, such as: gnommoweb is a repo"
    )
