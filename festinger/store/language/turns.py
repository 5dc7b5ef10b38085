"""Turns with stored sentences, in Postgres, and the erasure of what people said."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from struct import Struct
from typing import Final

import asyncpg

from festinger.core.language.audience import EVERYBODY, LineAudience
from festinger.core.language.marks import SentenceMark
from festinger.core.language.utterances import Utterance
from festinger.core.lines.turns import SpokenTurn
from festinger.core.system.principals import plain
from festinger.core.world.publishing import forget_concepts, forget_origins, take_turns
from festinger.core.world.world import World
from festinger.store.graph import origins
from festinger.store.graph.rows import to_time
from festinger.store.system.pool import Connection
from festinger.store.system.queries import columns_of, fields_of, sql
from festinger.store.world.batches import AggregateWrites, BatchTransaction

_MARK: Final = Struct(">H")  # 16 bits
"""The marks of one sentence, as bits."""


@dataclass(slots=True)
class TurnWrites(AggregateWrites):
    """Writes of turns with their sentences.

    Attributes:
        said: New turns with sentences to store, still without numbers.
        reworded: Turns after sentences were forgotten.
        marked: Turns whose sentences were marked by a model.
        confirmed: Turns whose instructions were confirmed.
        removed: The numbers of turns that are forgotten completely.
        evidence_before: Time before which quotes are erased, in seconds since the
            epoch; 0 for none.
        stored: Written or changed turns, as stored; empty until then.
        gone: The numbers of the removed turns.
    """

    said: list[SpokenTurn] = field(default_factory=list)
    reworded: list[SpokenTurn] = field(default_factory=list)
    marked: list[SpokenTurn] = field(default_factory=list)
    confirmed: list[SpokenTurn] = field(default_factory=list)
    removed: set[int] = field(default_factory=set)
    evidence_before: float = 0.0
    stored: Sequence[SpokenTurn] = ()
    gone: Collection[int] = ()

    def keep(self, turns: Iterable[SpokenTurn]) -> None:
        """Add turns without duplicates; of equal turns the newest one is kept."""
        for turn in turns:
            # A prompt may bring a turn twice, and a batch several prompts.
            places = (i for i, it in enumerate(self.said) if it.is_same(turn))
            at = next(places, None)
            if at is None:
                self.said.append(turn)
            # In an older history it may be copied; the newest message is somebody's own words.
            elif turn.is_newest:
                self.said[at] = turn

    async def write(self, transaction: BatchTransaction) -> None:
        """Write the turns, and remove those that are forgotten."""
        connection, tenant = transaction.connection, transaction.tenant
        kept: dict[int, SpokenTurn] = {}
        gone = set(self.removed)
        for changed in self.reworded:
            # An empty turn keeps its row, so that a client that sends its history again
            # does not restore it.
            await _reword(connection, tenant, changed)
            if changed.is_empty:
                gone.add(changed.id)
            else:
                kept[changed.id] = changed
        if self.removed:
            await connection.execute(sql("remove_turns"), tenant, sorted(self.removed))
        if self.evidence_before:
            before = to_time(self.evidence_before)
            # The ledger and candidates quote prompts too.
            await connection.execute(sql("forget_evidence"), tenant, before)
            await connection.execute(sql("forget_candidates_evidence"), tenant, before)
        for turn in self.confirmed:
            kept[turn.id] = turn
            await connection.execute(
                sql("confirm_turn"), tenant, turn.id, sorted(turn.confirmed)
            )
        for marked in self.marked:
            kept[marked.id] = marked
            await _reword(connection, tenant, marked)
        if self.said:
            kept |= await _keep(transaction, self.said)
        self.stored, self.gone = list(kept.values()), gone
        transaction.log.turns |= {*gone, *kept}

    def publish(self, world: World, version: int) -> None:
        """Replace the sentences of the turns in the index."""
        take_turns(world, self.stored, self.gone)


async def read(
    connection: Connection, tenant: str, numbers: Collection[int]
) -> list[SpokenTurn]:
    """Return the stored turns with these numbers, the oldest first."""
    if not numbers:
        return []
    rows = await connection.fetch(sql("turns_of"), tenant, sorted(numbers))
    return [to_turn(row) for row in rows]


def to_turn(row: asyncpg.Record) -> SpokenTurn:
    """Convert a row to a turn."""
    # The marks tell how many sentences there are: all texts may be empty.
    marks = [mark for (mark,) in _MARK.iter_unpack(row["marks"])]
    texts, headings, answers = (
        # A column is null if all its lines are empty.
        row[name].split("\n") if row[name] else [""] * len(marks)
        for name in ("sentences", "headings", "answers")
    )
    return SpokenTurn(
        id=row["id"],
        speaker=row["speaker"],
        principal=row["principal"],
        project=row["project"],
        session=row["session"],
        said=row["said_at"].timestamp(),
        digest=row["digest"],
        utterances=[
            Utterance(text, heading, SentenceMark(mark), answer)
            for text, heading, mark, answer in zip(
                texts, headings, marks, answers, strict=True
            )
        ],
        audience=_audience(row["audience"]),
        confirmed=frozenset(row["confirmed"] or ()),
    )


async def _keep(
    transaction: BatchTransaction, said: Sequence[SpokenTurn]
) -> dict[int, SpokenTurn]:
    """Write new turns; return those that were written, by their numbers."""
    joining, tenant = transaction.joining, transaction.tenant
    # One round trip for the numbers and the spellings.
    numbers = await joining.later("reserve", "turn", len(said))
    spellings = await joining.later("spellings", [turn.digest for turn in said])
    await joining.flush()
    # As hexadecimal, since all of a joined statement's results are text arrays.
    known = {bytes.fromhex(digest) for digest, _, _ in spellings}
    (first,) = numbers
    kept: dict[int, SpokenTurn] = {}
    for number, turn in enumerate(_as_spelt_before(said, spellings), first):
        new = replace(turn, id=number)
        if turn.is_newest and turn.digest not in known:
            # No stored turn is in its way, so that nothing waits for its number.
            await joining.later("keep_turns", *_row(new))
            kept[number] = new
        else:
            # An equal turn may be stored: then its row is updated and its number returned, or none.
            found = await transaction.connection.fetchval(
                sql("keep_turns"), tenant, *_row(new)
            )
            if found:
                kept[found] = replace(turn, id=found)
    return kept


def _as_spelt_before(
    said: Sequence[SpokenTurn], spellings: Sequence[tuple[str, str, str]]
) -> list[SpokenTurn]:
    """Return turns with speaker and project spelled as in the stored duplicate."""
    # Keys ignore case, so that `Alice` and `alice` are one speaker, spelt as at first.
    spelt = {
        (bytes.fromhex(digest), plain(speaker), plain(project)): (speaker, project)
        for digest, speaker, project in spellings
    }
    return [
        replace(turn, speaker=found[0], project=found[1])
        if (found := spelt.get(turn.key))
        else turn
        for turn in said
    ]


def _row(turn: SpokenTurn) -> tuple[object, ...]:
    """Return the arguments of `keep_turns` behind the tenant."""
    audience = turn.audience
    return (
        *fields_of(turn, "id speaker principal project session"),
        to_time(turn.said),
        turn.digest,
        *_columns(turn),
        json.dumps({"only": sorted(audience.only), "without": sorted(audience.without)})
        if audience.is_limited
        else None,
        turn.is_newest,
        turn.is_imported,
    )


async def _reword(connection: Connection, tenant: str, turn: SpokenTurn) -> None:
    await connection.execute(sql("reword_turn"), tenant, turn.id, *_columns(turn))


def _columns(turn: SpokenTurn) -> tuple[object, ...]:
    """Return sentences, headings, marks and answers in their stored form."""
    utterances = turn.utterances
    return (
        _lines([each.text for each in utterances]),
        # Headings and answers are rare, and cost nothing when there are none.
        _lines([each.heading for each in utterances]) or None,
        b"".join(_MARK.pack(each.marks) for each in utterances),
        _lines([each.answers for each in utterances]) or None,
    )


def _lines(texts: Sequence[str]) -> str:
    """Join texts as lines; return an empty string if all of them are empty."""
    # Newlines are replaced, because `to_turn` splits the result at them.
    return "\n".join(text.replace("\n", " ") for text in texts) if any(texts) else ""


def _audience(value: str | None) -> LineAudience:
    if value is None:
        return EVERYBODY
    found = json.loads(value)
    return LineAudience(True, frozenset(found["only"]), frozenset(found["without"]))


@dataclass(slots=True)
class ErasureWrites(AggregateWrites):
    """Erasure of copies outside the turns, after all that may hold one is written.

    Attributes:
        sentences: Sentences with their speakers, all copies of which are erased.
        digests: The turns of these sentences.
        before: Time before which quotes are erased, in seconds since the epoch; 0 for
            none.
        unnamed: Tokens to drop if they have no references any more.
        dropped: The numbers of concepts that were dropped.
        unquoted: The concepts of statements whose origin was deleted, by ledger row.
    """

    sentences: list[tuple[str, str]] = field(default_factory=list)
    digests: list[bytes] = field(default_factory=list)
    before: float = 0.0
    unnamed: set[str] = field(default_factory=set)
    dropped: Collection[int] = ()
    unquoted: Mapping[int, int] = field(default_factory=dict)

    async def finish(self, transaction: BatchTransaction) -> None:
        """Erase the copies, and drop the tokens."""
        connection, tenant = transaction.connection, transaction.tenant
        # Unread turns that are older than what is kept.
        if self.before:
            before = to_time(self.before)
            await connection.execute(sql("forget_unread"), tenant, before)
        # Turns that are forgotten as a whole.
        if self.digests:
            await connection.execute(sql("erase_unread_turns"), tenant, self.digests)
        # Copies of forgotten sentences elsewhere.
        if self.sentences:
            texts, speakers = columns_of(self.sentences)
            # The ledger and candidates name the speaker: another one's same words stay there.
            await connection.execute(sql("erase_unread"), tenant, texts)
            for statement in (sql("erase_ledger"), sql("erase_candidates")):
                await connection.execute(statement, tenant, texts, speakers)
            # Messages and conversations are erased by the words alone.
            for statement in (sql("erase_messages"), sql("erase_conversations")):
                await connection.execute(statement, tenant, texts)
        self.unquoted = await origins.forget(
            connection, tenant, self.sentences, self.before
        )
        # At last, as a token may be dropped once nothing names it.
        self.dropped = await drop_tokens(connection, tenant, self.unnamed)
        # Other servers reload what lost its concept or its origin.
        transaction.log.places |= {*self.dropped, *self.unquoted.values()}

    def publish(self, world: World, version: int) -> None:
        """Forget the origins and the concepts."""
        # Words that were met, but not written yet, are known to the world only.
        world.forget_unsaved(self.unnamed)
        forget_origins(world, self.unquoted)
        forget_concepts(world, self.dropped)


async def drop_tokens(
    connection: Connection, tenant: str, tokens: Collection[str]
) -> list[int]:
    """Drop tokens without references; return the numbers of their concepts."""
    if not tokens:
        return []
    rows = await connection.fetch(sql("drop_tokens"), tenant, sorted(tokens))
    return [row["id"] for row in rows]
