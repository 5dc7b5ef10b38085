"""Waves, documents and their chunks, in Postgres."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import astuple

from festinger.core.review.waves import Wave, WaveState, WaveTally
from festinger.errors import PermissionDenied, WaveClosed
from festinger.store.graph.rows import time_or_none, to_time
from festinger.store.review.results import (
    KnownDocument,
    NewWave,
    OfferedDocument,
    ReadDocument,
    not_found,
    to_wave,
)
from festinger.store.system.pool import Connection, acquired
from festinger.store.system.queries import arrays_of, fields_of, sql
from festinger.store.system.tenancy import TenantTables, transaction

ANALYSE_CHUNKS = 1_000
"""The number of new chunks after which Postgres is told to update its statistics: until
its own next update it would plan queries for the previous, smaller tables."""


class PostgresDocuments(TenantTables):
    """Store of documents in the database; the caller closes the pool."""

    async def start(
        self, tenant: str, opening: NewWave, now: float
    ) -> tuple[Wave, bool]:
        """Start a wave, or continue the running one of the same project and root.

        Returns:
            The wave, and whether it was running already.

        Raises:
            PermissionDenied: The root belongs to another principal.
        """
        # Another client may begin a wave first: then the next look finds it.
        while True:
            async with transaction(self._pool, tenant) as connection:
                row = await connection.fetchrow(
                    sql("lock_root"), tenant, opening.project, opening.root
                )
                if row:
                    _require_owner(to_wave(row), opening)
                if row and row["state"] == WaveState.RUNNING:
                    # The same part of the root: a client that was interrupted goes on with it.
                    if row["scope"] == opening.scope:
                        row = await connection.fetchrow(
                            sql("set_extract"), tenant, row["id"], opening.extract
                        )
                        assert row is not None, "it is locked"
                        return to_wave(row), True
                    # One wave at a time reads a root: its end marks what it did not see.
                    await connection.execute(
                        sql("overtake_wave"),
                        tenant,
                        row["id"],
                        to_time(now),
                        "another wave of the same root took its place",
                    )
                if wave := await _add_wave(connection, tenant, opening, now):
                    return wave, False

    async def wave(self, tenant: str, wave_id: int) -> Wave:
        """Return a wave, or raise `WaveNotFound`."""
        row = await self._row("wave", tenant, wave_id)
        if row is None:
            raise not_found(wave_id)
        return to_wave(row)

    async def waves(self, tenant: str, *, before: int, limit: int) -> list[Wave]:
        """Return waves with numbers below `before`, newest first; 0 for all."""
        rows = await self._rows("waves", tenant, before, limit)
        return [to_wave(row) for row in rows]

    async def tally(self, tenant: str, wave_id: int) -> WaveTally:
        """Return the current counts of a wave."""
        async with transaction(self._pool, tenant) as connection:
            return await _tally(connection, tenant, wave_id)

    async def see(
        self, tenant: str, wave: Wave, documents: Sequence[OfferedDocument]
    ) -> Mapping[str, KnownDocument]:
        """Mark unchanged documents as seen; return them by path."""
        async with transaction(self._pool, tenant) as connection:
            await _hold(connection, tenant, wave)
            rows = await connection.fetch(
                sql("see_documents"),
                tenant,
                wave.project,
                wave.root,
                [each.path for each in documents],
                [each.digest for each in documents],
                wave.id,
            )
        return {
            row["path"]: KnownDocument(row["digest"], row["problem"]) for row in rows
        }

    async def write(
        self, tenant: str, wave: Wave, documents: Sequence[ReadDocument]
    ) -> Mapping[str, int]:
        """Write documents and their chunks; return the number of new chunks by path."""
        paths = [each.path for each in documents]
        # A transaction of its own, because a reservation locks the number's row.
        async with transaction(self._pool, tenant) as connection:
            known = await connection.fetch(
                sql("known_paths"), tenant, wave.project, wave.root, paths
            )
            count = len(documents) - len(known)
            first = 0
            if count:
                first = await connection.fetchval(
                    sql("reserve"), tenant, "document", count
                )
        before = {row["path"] for row in known}
        # 0 stands for a document that is there: its own number comes back.
        numbers = {path: 0 for path in paths if path in before}
        for path in paths:
            if path not in before:
                numbers[path], first = first, first + 1
        async with transaction(self._pool, tenant) as connection:
            await _hold(connection, tenant, wave)
            ids = await _write_documents(connection, tenant, wave, documents, numbers)
            # Another client may have added a path meanwhile: then its number comes back, too.
            old = [ids[path] for path in paths if ids[path] != numbers[path]]
            new = await _write_chunks(connection, tenant, wave, documents, ids, old)
        return {path: new[number] for path, number in ids.items()}

    async def finish(self, tenant: str, wave_id: int, now: float) -> Wave:
        """Finish the reading of a wave: mark unseen documents as removed, and count."""
        async with transaction(self._pool, tenant) as connection:
            row = await connection.fetchrow(sql("lock_wave"), tenant, wave_id)
            if row is None:
                raise not_found(wave_id)
            wave = to_wave(row)
            # A repeated call finds it finished.
            if wave.state is not WaveState.RUNNING:
                return wave
            await connection.execute(
                sql("remove_documents"),
                tenant,
                wave_id,
                *fields_of(wave, "project root scope"),
            )
            tally = await _tally(connection, tenant, wave_id)
            row = await connection.fetchrow(
                sql("finish_wave"), tenant, wave_id, to_time(now), *astuple(tally)
            )
            assert row is not None, "it is locked"
        if tally.chunks_new > ANALYSE_CHUNKS:
            # As the user of the DSN, because it needs the owner's rights.
            async with acquired(self._pool) as connection:
                await connection.execute(sql("analyse_documents"))
                await connection.execute(sql("analyse_chunks"))
        return to_wave(row)


async def _add_wave(
    connection: Connection, tenant: str, opening: NewWave, now: float
) -> Wave | None:
    number = await connection.fetchval(sql("reserve"), tenant, "wave", 1)
    row = await connection.fetchrow(
        sql("add_wave"),
        tenant,
        number,
        *fields_of(opening, "project root scope principal extract"),
        to_time(now),
    )
    return to_wave(row) if row else None


async def _hold(connection: Connection, tenant: str, wave: Wave) -> None:
    # Until the transaction ends nobody can end the wave, and others can add to it.
    state = await connection.fetchval(sql("hold_wave"), tenant, wave.id)
    if state != WaveState.RUNNING:
        raise WaveClosed(
            f"wave {wave.id} reads no more documents: it is {state}. Begin another one "
            "with festinger ingest",
            wave_id=str(wave.id),
        )


async def _write_documents(
    connection: Connection,
    tenant: str,
    wave: Wave,
    documents: Sequence[ReadDocument],
    numbers: Mapping[str, int],
) -> dict[str, int]:
    rows = await connection.fetch(
        sql("write_documents"),
        tenant,
        *fields_of(wave, "project root id"),
        [numbers[each.path] for each in documents],
        *arrays_of(documents, "path digest size"),
        [time_or_none(each.modified) for each in documents],
        [each.problem for each in documents],
    )
    return {row["path"]: row["id"] for row in rows}


async def _write_chunks(
    connection: Connection,
    tenant: str,
    wave: Wave,
    documents: Sequence[ReadDocument],
    ids: Mapping[str, int],
    old: Sequence[int],
) -> Counter[int]:
    """Write the chunks of documents; return the number of new ones by document.

    Args:
        old: Documents that may have other chunks already, which are retired.
    """
    chunks = [(ids[each.path], chunk) for each in documents for chunk in each.chunks]
    if old:
        # A chunk that is still in its document keeps its row, which records refer to.
        names = [chunk.id for _, chunk in chunks]
        await connection.execute(sql("retire_chunks"), tenant, old, names)
    rows = await connection.fetch(
        sql("write_chunks"),
        tenant,
        wave.id,
        [chunk.id for _, chunk in chunks],
        [number for number, _ in chunks],
        [chunk.ordinal for _, chunk in chunks],
        [json.dumps(chunk.headings) for _, chunk in chunks],
        [chunk.start for _, chunk in chunks],
        [chunk.end for _, chunk in chunks],
        [chunk.text for _, chunk in chunks],
    )
    return Counter(row["document_id"] for row in rows if row["new"])


async def _tally(connection: Connection, tenant: str, wave_id: int) -> WaveTally:
    row = await connection.fetchrow(sql("tally_wave"), tenant, wave_id)
    assert row is not None, "a count is always there"
    return WaveTally(*row.values())


def _require_owner(wave: Wave, opening: NewWave) -> None:
    # Whoever reads a root can have its documents marked as removed.
    if wave.principal != opening.principal and not opening.operator:
        raise PermissionDenied(
            f"{opening.root!r} is read by {wave.principal}; ask an operator",
            wave_id=str(wave.id),
        )
