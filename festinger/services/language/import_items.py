"""Items to import, and what is stored of each."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import NamedTuple

from festinger import _fast
from festinger.config import PromptStorage
from festinger.core.graph.origins import (
    ReadStatement,
    StatementOrigin,
    StatementReader,
)
from festinger.core.graph.proposal import Evidence, Proposal, StatementSource
from festinger.core.graph.tokens import blank_own_blocks
from festinger.core.graph.values.dates import DAY
from festinger.core.language.marks import UNMARKED, SentenceMark
from festinger.core.language.reader.naming import scope_proposals
from festinger.core.language.reader.unread import UnreadTurn
from festinger.core.language.statements import QUOTE_CHARACTERS_MAX, StatedBefore
from festinger.core.language.turns import Role, Turn
from festinger.core.language.utterances import Utterance
from festinger.core.lines.listing import HeldDetails, LineStatus, ListedLine
from festinger.core.lines.turns import DIGEST_BYTES, SpokenTurn, digest_of
from festinger.core.recollection.reading import Reader, propose
from festinger.core.system.secrets import SECRET, redact
from festinger.core.world.placing import SOURCES
from festinger.services.language.keeping import spoken_turns, unkept, unread_turns
from festinger.services.language.notes import GivenNote
from festinger.services.language.saying import statements_in
from festinger.services.language.stating import statements_of_turns
from festinger.services.world.tenant_memory import TenantMemory

IMPORTED = "imported"
"""Rule of statements that another memory held."""


class TypedText(NamedTuple):
    """A message that a person typed, and the assistant's message before it."""

    text: str
    answers: str = ""


class WordedStatement(NamedTuple):
    """A statement in the words of another system, with the sentence that states it."""

    subject: str
    predicate: str
    value: str
    negated: bool = False
    quote: str = ""


@dataclass(frozen=True, slots=True)
class ImportedItem:
    """Something that was said or stated elsewhere.

    Attributes:
        content: What it is. A `ListedLine` is of an export.
        speaker: Name of the speaker; empty for the importing principal.
        project: Project in which it was said; empty for none.
        session: Conversation in which it was said, or file that contains it.
        said: Seconds since the epoch; 0 for now.
        instruction: Whether it is a note that tells agents what to do.
    """

    content: TypedText | GivenNote | WordedStatement | ListedLine
    speaker: str = ""
    project: str = ""
    session: str = ""
    said: float = 0.0
    instruction: bool = False


@dataclass(slots=True)
class PreparedItem:
    """Parts of an item that are stored.

    Attributes:
        index: Index of the item.
        said: Seconds since the epoch.
        turn: Turn with its sentences; None for none.
        unread: Text that a model is to read; None for none.
        proposals: Statements as triples.
        statements: Statements in words.
        origin: Quote that the triples were read from, if another memory knew it.
        left_out: Reasons why a part of it is not stored.
    """

    index: int
    said: float
    turn: SpokenTurn | None = None
    unread: UnreadTurn | None = None
    proposals: list[Proposal] = field(default_factory=list)
    statements: list[ReadStatement] = field(default_factory=list)
    origin: StatementOrigin | None = None
    left_out: list[str] = field(default_factory=list)


class ItemReader:
    """Reads the items of one request.

    Attributes:
        secrets: Number of secrets that were redacted.
    """

    def __init__(self, memory: TenantMemory, principal: str) -> None:
        self.secrets = 0
        self._items: list[PreparedItem] = []
        self._memory = memory
        self._principal = principal
        self._now = round(memory.now(), 6)
        self._stated: OrderedDict[str, StatedBefore] = OrderedDict()

    async def add(self, index: int, item: ImportedItem) -> None:
        """Read an item; long texts do not block other callers."""
        # Never later than now, so that a wrong clock elsewhere makes nothing the newest.
        said = min(round(item.said, 6) or self._now, self._now)
        found = PreparedItem(index, said)
        # The digest of an item has its own time: an item without one is the same tomorrow.
        item = replace(item, speaker=item.speaker or self._principal)
        match item.content:
            case TypedText():
                await self._add_typed(found, item, item.content)
            case GivenNote():
                self._add_note(found, item, item.content)
            case WordedStatement():
                self._add_worded(found, item, item.content)
            case ListedLine():
                self._add_line(found, item.content)
        self._items.append(found)

    def finish(self) -> list[PreparedItem]:
        """Return what is stored, in the order of the items."""
        # At the end, since a sentence may still join the turn of the item before.
        for each in self._items:
            self._limit(each)
        return self._items

    async def _add_typed(
        self, found: PreparedItem, item: ImportedItem, typed: TypedText
    ) -> None:
        memory = self._memory
        text = self._safe(typed.text)
        digest = digest_of(text)
        turn = Turn(Role.USER, text, digest=digest)
        before = [Turn(Role.ASSISTANT, redact(typed.answers))] if typed.answers else []
        reader = Reader(memory.trust, self._principal, item.speaker)
        proposals = propose(_fast.scan(text), turn, memory.world, reader)
        names = memory.world.names
        found.proposals = scope_proposals(proposals, item.project, names)

        def read() -> None:
            """Read the item's turn, its statements and unread parts."""
            where = {"project": item.project, "session": item.session}
            turns = [*before, turn]
            for spoken in spoken_turns(turns, reader, **where, now=found.said):
                # Not the newest: it is read as something said at another time.
                found.turn = replace(spoken, is_newest=False, is_imported=True)
                found.statements += statements_of_turns(self._stated, [spoken])
            for unread in unread_turns(turns, reader, **where, now=found.said):
                # Nothing waits for a model where none reads.
                found.unread = unread if memory.is_read else None
            if not found.turn:
                found.left_out += [why for _, why in unkept(text)][:1]

        # Reading takes a while for long texts; prompts are answered meanwhile.
        await asyncio.to_thread(read)

    def _add_note(
        self, found: PreparedItem, item: ImportedItem, note: GivenNote
    ) -> None:
        text = self._safe(note.text).replace("\n", " ")
        marks = SentenceMark.INSTRUCTION if item.instruction else UNMARKED
        turn = found.turn = SpokenTurn(
            id=0,
            speaker=item.speaker,
            principal=self._principal,
            project=item.project,
            session=item.session,
            said=found.said,
            # By content: the same note of another file, time or project is another one.
            digest=_digest(item, "note", text),
            utterances=[Utterance(text, marks=marks)],
            is_newest=False,
            is_imported=True,
        )
        proposals, found.statements = statements_in(
            self._memory,
            self._safe(note.reading).replace("\n", " "),
            self._principal,
            item.speaker,
            item.project,
            turn,
        )
        # Numbered, so that a repeated import finds them judged already.
        found.proposals = [
            it._replace(
                evidence=it.evidence._replace(segment=turn.digest, ordinal=ordinal)
            )
            for ordinal, it in enumerate(proposals)
        ]

    def _add_worded(
        self, found: PreparedItem, item: ImportedItem, worded: WordedStatement
    ) -> None:
        subject, predicate, value = (
            self._safe(it) for it in (worded.subject, worded.predicate, worded.value)
        )
        denied = "not " if worded.negated else ""
        said = f"{subject} {predicate} {denied}{value}"
        quote = (self._safe(worded.quote) or said)[:QUOTE_CHARACTERS_MAX]
        origin = StatementOrigin(
            quote=quote,
            speaker=item.speaker,
            principal=self._principal,
            project=item.project,
            session=item.session,
            said=found.said,
            turn_digest=_digest(item, said, quote),
            # A statement of another system counts as somebody's, and not as read by rules.
            reader=StatementReader.PERSON,
        )
        if not (subject.strip() and predicate.strip() and value.strip()):
            found.left_out.append("subject, predicate or value is empty")
            return
        statement = ReadStatement(
            subject, predicate, value, origin, negated=worded.negated
        )
        found.statements = [statement]

    def _add_line(self, found: PreparedItem, line: ListedLine) -> None:
        said = min(round(line.said, 6) or self._now, self._now)
        found.said = said
        # A line of an export is a sentence, a held statement, or something that is not imported.
        if line.kept is not None:
            self._add_sentence(found, line)
        elif line.held is not None and line.status is LineStatus.ACTIVE:
            self._add_held(found, line, line.held)
        elif line.status is LineStatus.CLOSED:
            found.left_out.append("it is not held any more")
        # It would lose its votes, and people would be asked twice.
        elif line.status is LineStatus.CANDIDATE:
            found.left_out.append("it waits for a person, who may confirm it there")
        else:
            found.left_out.append(f"a line of the kind {line.kind} cannot be imported")

    def _add_sentence(self, found: PreparedItem, line: ListedLine) -> None:
        """Add a sentence, to the turn of the item before if it is the same."""
        kept = line.kept
        assert kept is not None
        sentence = Utterance(
            self._safe(line.quote),
            self._safe(kept.heading),
            kept.marks,
            self._safe(kept.answers),
        )
        # The digest of the turn in the other memory, so that both have the same turn once.
        digest = kept.digest or digest_of(line.quote)
        turn = SpokenTurn(
            id=0,
            speaker=line.speaker or self._principal,
            principal=self._principal,
            project=line.project,
            session=line.session,
            said=found.said,
            digest=digest,
            utterances=[sentence],
            audience=kept.audience,
            confirmed=frozenset([0] if line.confirmed else ()),
            is_newest=False,
            is_imported=True,
        )
        # Exports list the sentences of a turn one after the other.
        before = self._items[-1].turn if self._items else None
        if before is None or not before.is_same(turn):
            found.turn = turn
            return
        ordinal = len(before.utterances)
        self._items[-1].turn = replace(
            before,
            utterances=[*before.utterances, sentence],
            confirmed={*before.confirmed, *([ordinal] if line.confirmed else [])},
        )

    def _add_held(
        self, found: PreparedItem, line: ListedLine, held: HeldDetails
    ) -> None:
        quote = self._safe(line.quote)
        origin = held.origin
        if origin is not None:
            # The importer vouches for the quote; its speaker and time stay.
            found.origin = replace(origin, quote=quote, principal=self._principal)
        item = ImportedItem(line, line.speaker, line.project, said=line.said)
        source = SOURCES[origin.reader] if origin else StatementSource.GUTASK
        found.proposals = [
            Proposal(
                held.triple,
                confidence=held.confidence,
                source=source,
                principal=self._principal,
                proposer=self._principal,
                subject=line.speaker,
                # It was held elsewhere, whatever its confidence: the gate asks nobody.
                decided=True,
                evidence=Evidence(quote, IMPORTED, _digest(item, str(held.triple))),
                belief=held.belief,
                many=held.many,
            )
        ]

    def _limit(self, found: PreparedItem) -> None:
        """Leave out sentences that are not to be kept."""
        memory = self._memory
        if found.turn is None:
            return
        days = memory.keep_days
        # Statements are kept where sentences are not.
        if memory.keeps is not PromptStorage.UTTERANCES:
            found.left_out.append("sentences are not kept here (memory.keep)")
            found.turn = None
        elif days and found.said < self._now - days * DAY:
            found.left_out.append(
                f"the sentence is older than {days} days (memory.keep_days); what it "
                "states is kept"
            )
            found.turn = found.unread = None

    def _safe(self, text: str) -> str:
        """Return a text without secrets and without blocks of ours."""
        # Postgres stores no NUL.
        text = blank_own_blocks(text).replace("\0", " ")
        safe = redact(text)
        # Those that the text had already are not counted.
        self.secrets += max(0, safe.count(SECRET) - text.count(SECRET))
        return safe


def _digest(item: ImportedItem, *parts: str) -> bytes:
    """Return the digest of an item, by which it is imported once."""
    named = "\0".join([*parts, item.speaker, item.project, repr(round(item.said, 3))])
    data = named.encode("utf-8", "replace")
    # `person` keeps these digests apart from those of turns.
    return blake2b(data, digest_size=DIGEST_BYTES, person=b"import").digest()
