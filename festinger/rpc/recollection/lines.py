"""Conversion of lines and of items to import."""

from __future__ import annotations

from typing import Final

from festinger.api.v1 import line_service_pb2 as pb
from festinger.core.graph.origins import StatementKind, StatementOrigin, StatementReader
from festinger.core.graph.proposal import Triple
from festinger.core.language.audience import LineAudience
from festinger.core.language.marks import SentenceMark
from festinger.core.lines.line import LineKind
from festinger.core.lines.listing import (
    HeldDetails,
    KeptDetails,
    LineStatus,
    ListedLine,
)
from festinger.core.lines.turns import DIGEST_BYTES
from festinger.errors import InvalidArgument
from festinger.rpc import convert
from festinger.rpc.fields import message_of
from festinger.rpc.system.callers import NAME_MAX, checked_name, checked_project
from festinger.services.language.import_items import (
    ImportedItem,
    TypedText,
    WordedStatement,
)
from festinger.services.language.importing import ImportReport
from festinger.services.language.notes import GivenNote

TEXT_CHARACTERS_MAX: Final = 64_000  # of a typed turn or a note
QUOTE_CHARACTERS_MAX: Final = 400  # a quotation has up to 40 words (J6)
WORDS_CHARACTERS_MAX: Final = 400

KINDS: Final = {
    pb.MemoryLine.KIND_UTTERANCE: LineKind.UTTERANCE,
    pb.MemoryLine.KIND_STATEMENT: LineKind.STATEMENT,
    pb.MemoryLine.KIND_MEMORY: LineKind.MEMORY,
    pb.MemoryLine.KIND_ENTITY: LineKind.ENTITY,
    pb.MemoryLine.KIND_STATE: LineKind.STATE,
}
# Any other number stands for an active line.
_STATUSES: Final = {
    pb.MemoryLine.STATUS_CANDIDATE: LineStatus.CANDIDATE,
    pb.MemoryLine.STATUS_CLOSED: LineStatus.CLOSED,
}


def to_line(line: ListedLine, *, whole: bool = False) -> pb.MemoryLine:
    """Convert a line to a message.

    Args:
        whole: Whether to include what another memory needs to import it.
    """
    # Only an export needs these; lists stay short without.
    held, kept = (line.held, line.kept) if whole else (None, None)
    return message_of(
        pb.MemoryLine,
        line,
        held=_to_held(held) if held else None,
        kept=_to_kept(kept) if kept else None,
    )


def from_item(item: pb.ImportItem) -> ImportedItem:
    """Convert an item to import. Raises `InvalidArgument`: empty, or out of range."""
    content: TypedText | GivenNote | WordedStatement | ListedLine
    match item.WhichOneof("content"):
        case "typed":
            # What the assistant had said before it: "yes, do that" is understood by it.
            content = TypedText(
                _text(item.typed, "typed"), _text(item.answers, "answers")
            )
            empty = not content.text.strip()
        case "note":
            note = item.note
            content = GivenNote(
                _text(note.text, "text"), _text(note.reading, "reading")
            )
            empty = not content.text.strip()
        case "statement":
            content = _from_words(item.statement)
            empty = False
        case "line":
            content = _from_line(item.line)
            empty = False  # checked by its parts
        case _:
            raise InvalidArgument("an item has no content", field="items")
    if empty:
        raise InvalidArgument("an item is empty", field="items")
    return ImportedItem(
        content,
        checked_name(item.speaker, "speaker") if item.speaker else "",
        checked_project(item.project, "project"),
        convert.checked(item.session, "session", NAME_MAX),
        # Without a time the words are as old as the import.
        convert.from_time(item.say_time, "say_time")
        if item.HasField("say_time")
        else 0.0,
        item.instruction,
    )


def to_response(report: ImportReport) -> pb.ImportLinesResponse:
    """Convert the result of an import."""
    return pb.ImportLinesResponse(
        kept_count=report.kept,
        known_count=report.known,
        secret_count=report.secrets,
        outcomes=map(convert.to_outcome, report.outcomes),
        refusals=[
            pb.ImportLinesResponse.Refusal(item_index=index, reason=reason)
            for index, reason in report.refusals
        ],
        version=report.version,
    )


def _to_held(held: HeldDetails) -> pb.HeldStatement:
    origin = held.origin and message_of(
        pb.HeldStatement.Origin, held.origin, digest=held.origin.turn_digest
    )
    return message_of(pb.HeldStatement, held, origin=origin)


def _to_kept(kept: KeptDetails) -> pb.KeptSentence:
    return message_of(
        pb.KeptSentence,
        kept,
        only=sorted(kept.audience.only),
        without=sorted(kept.audience.without),
    )


def _from_words(given: pb.WordedStatement) -> WordedStatement:
    subject, predicate, value = (
        convert.checked(getattr(given, name), name, WORDS_CHARACTERS_MAX)
        for name in ("subject", "predicate", "value")
    )
    quote = convert.checked(given.quote, "quote", QUOTE_CHARACTERS_MAX)
    return WordedStatement(subject, predicate, value, given.negated, quote)


def _from_line(line: pb.MemoryLine) -> ListedLine:
    said = convert.from_time(line.say_time, "say_time")
    return ListedLine(
        name=line.name[:NAME_MAX],
        # An unknown kind is refused by the import, as memories are.
        kind=KINDS.get(line.kind, LineKind.MEMORY),
        text=line.text[:TEXT_CHARACTERS_MAX],
        quote=_text(line.quote, "quote"),
        speaker=checked_name(line.speaker, "speaker") if line.speaker else "",
        project=checked_project(line.project, "project"),
        session=convert.checked(line.session, "session", NAME_MAX),
        said=said if line.HasField("say_time") else 0.0,
        status=_STATUSES.get(line.status, LineStatus.ACTIVE),
        confirmed=line.confirmed,
        held=_from_held(line) if line.HasField("held") else None,
        kept=_from_kept(line) if line.HasField("kept") else None,
    )


def _from_held(line: pb.MemoryLine) -> HeldDetails:
    held, triple = line.held, line.held.triple
    if not 0.0 <= held.confidence <= 1.0:
        raise InvalidArgument("confidence must be 0 to 1", field="confidence")
    names = (triple.concept, triple.parent, triple.dimension)
    concept, parent, dimension = (
        convert.checked(it, "triple", WORDS_CHARACTERS_MAX) for it in names
    )
    return HeldDetails(
        Triple(concept, parent, dimension, triple.is_isa, triple.negated),
        held.confidence,
        held.many,
        held.belief,
        _from_origin(line) if held.HasField("origin") else None,
    )


def _from_origin(line: pb.MemoryLine) -> StatementOrigin:
    # A reader or a kind of a later version is none that this one knows.
    origin = line.held.origin
    try:
        reader, kind = StatementReader(origin.reader), StatementKind(origin.kind)
    except ValueError as error:
        raise InvalidArgument(
            f"of a statement's origin, {error}", field="origin"
        ) from None
    return StatementOrigin(
        quote=convert.checked(line.quote, "quote", QUOTE_CHARACTERS_MAX),
        speaker=line.speaker,
        principal="",  # that of who imports: a file proves no principal (E5)
        project=line.project,
        session=convert.checked(line.session, "session", NAME_MAX),
        said=convert.from_time(origin.say_time, "say_time"),
        turn_digest=_digest(origin.digest),
        reader=reader,
        kind=kind,
        topics=tuple(
            convert.checked(it, "topics", WORDS_CHARACTERS_MAX)
            for it in origin.topics[:6]
        ),
        subject=convert.checked(origin.subject, "subject", WORDS_CHARACTERS_MAX),
        value=convert.checked(origin.value, "value", WORDS_CHARACTERS_MAX),
    )


# A sentence of an export, with what it needs to be found and told as it was.
def _from_kept(line: pb.MemoryLine) -> KeptDetails:
    kept = line.kept
    if not line.quote.strip():
        raise InvalidArgument("a sentence is empty", field="quote")
    # Flags; the highest known one bounds their sum.
    if not 0 <= kept.marks < 2 * max(SentenceMark):
        raise InvalidArgument("marks has unknown bits", field="marks")
    only, without = (
        # In lower case, as speakers are compared.
        frozenset(convert.checked(it, "only", NAME_MAX).lower() for it in names)
        for names in (kept.only, kept.without)
    )
    # A line that is kept from others stays so, even if it does not say from whom.
    is_limited = bool(only or without or line.limited)
    return KeptDetails(
        _digest(kept.digest),
        _text(kept.heading, "heading"),
        _text(kept.answers, "answers"),
        SentenceMark(kept.marks),
        LineAudience(is_limited, only, without),
    )


def _digest(digest: bytes) -> bytes:
    if len(digest) not in (0, DIGEST_BYTES):  # 0 bytes: the export did not know it
        raise InvalidArgument(f"a digest has {DIGEST_BYTES} bytes", field="digest")
    return digest


def _text(text: str, field: str) -> str:
    return convert.checked(text, field, TEXT_CHARACTERS_MAX)
