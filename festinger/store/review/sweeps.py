"""Extraction from documents: pending chunks, and the progress of waves."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from festinger.core.review.findings import StoredChunk, StoredDocument
from festinger.core.review.waves import Wave, WaveReport, WaveState
from festinger.errors import WaveClosed
from festinger.store.graph.rows import seconds_or_none, to_time
from festinger.store.review.results import (
    ExtractedChunks,
    FindingPlace,
    not_found,
    to_wave,
)
from festinger.store.system.queries import arrays_of, sql
from festinger.store.system.tenancy import Leased, every_tenant, transaction
from festinger.store.world.batches import AggregateWrites, BatchTransaction


class PostgresSweeps(Leased):
    """Store of the progress of extractions; the caller closes the pool."""

    lease_name = "extraction"

    async def extract_again(self, tenant: str, wave_id: int, now: float) -> Wave:
        """Schedule all current chunks of a wave for another extraction.

        Raises:
            WaveNotFound: There is no such wave.
            WaveClosed: The wave still reads documents.
        """
        async with transaction(self._pool, tenant) as connection:
            # Locked, so that nobody finishes the wave in between.
            row = await connection.fetchrow(sql("lock_wave"), tenant, wave_id)
            if row is None:
                raise not_found(wave_id)
            if row["state"] == WaveState.RUNNING:
                raise WaveClosed(
                    f"wave {wave_id} still reads its documents: finish it first, with "
                    "festinger ingest of the same folder",
                    wave_id=str(wave_id),
                )
            # A repeated call: it is under way.
            if row["state"] == WaveState.EXTRACTING:
                return to_wave(row)
            # The marks of an earlier extraction; the records that it brought stay.
            await connection.execute(sql("forget_extraction"), tenant, wave_id)
            row = await connection.fetchrow(
                sql("extract_again"), tenant, wave_id, to_time(now)
            )
            assert row is not None, "it is locked"
            return to_wave(row)

    async def extracting(self) -> list[tuple[str, int]]:
        """Return the waves in extraction with their tenants, oldest first."""
        async with every_tenant(self._pool) as connection:
            rows = await connection.fetch(sql("extracting_waves"))
        return [(row["tenant"], row["id"]) for row in rows]

    async def to_extract(self, tenant: str, wave_id: int) -> int:
        """Return the number of chunks of a wave that are pending extraction."""
        count: int = await self._value("count_to_extract", tenant, wave_id)
        return count

    async def next_part(
        self,
        tenant: str,
        wave_id: int,
        *,
        after: int,
        documents_max: int,
        bytes_max: int,
    ) -> list[StoredDocument]:
        """Return the next documents with pending chunks, by number; one at least."""
        async with transaction(self._pool, tenant) as connection:
            # Up to both limits; a document above `bytes_max` comes alone.
            documents = await connection.fetch(
                sql("next_documents"), tenant, wave_id, documents_max, bytes_max, after
            )
            # All current chunks, extracted or not: extractors see the whole document.
            rows = await connection.fetch(
                sql("chunks_of_documents"), tenant, [each["id"] for each in documents]
            )
        parts: defaultdict[int, list[StoredChunk]] = defaultdict(list)
        for row in rows:
            parts[row["document_id"]].append(
                StoredChunk(
                    row["id"], tuple(row["headings"]), row["text"], row["fresh"]
                )
            )
        return [
            StoredDocument(
                each["id"],
                each["path"],
                each["project"],
                seconds_or_none(each["modified_at"]),
                parts[each["id"]],
            )
            for each in documents
        ]

    async def contents(
        self, tenant: str, project: str, wave_id: int, limit: int
    ) -> list[str]:
        """Return the contents of a project's records before a wave, the newest first."""
        rows = await self._rows("known_contents", tenant, project, limit, wave_id)
        return [row["content"] for row in rows]

    async def found(
        self, tenant: str, wave_id: int, sights: Sequence[FindingPlace]
    ) -> Mapping[FindingPlace, str]:
        """Return the status of the records that this extraction found, by place."""
        rows = await self._rows(
            "found_records",
            tenant,
            *arrays_of(sights, "chunk_id extractor rule start end content"),
            wave_id,
        )
        # All columns but the status, in the order of the fields.
        return {FindingPlace(*tuple(row.values())[:-1]): row["status"] for row in rows}

    async def end(
        self,
        tenant: str,
        wave_id: int,
        *,
        report: WaveReport | None,
        error: str,
        now: float,
    ) -> None:
        """Write the end of an extraction: done, or failed with an error."""
        await self._run(
            "end_wave",
            tenant,
            wave_id,
            error,
            # An object without parts stands for no report: see `to_wave`.
            json.dumps(asdict(report) if report else {}),
            to_time(now),
        )


@dataclass(slots=True)
class SweepWrites(AggregateWrites):
    """Marks on extracted chunks, in the transaction that stores their records."""

    extracted: list[ExtractedChunks] = field(default_factory=list)

    async def write(self, transaction: BatchTransaction) -> None:
        """Mark the chunks as extracted."""
        for each in self.extracted:
            # With the records, in one transaction: a chunk is not read twice, nor left out.
            await transaction.connection.execute(
                sql("mark_extracted"),
                transaction.tenant,
                each.wave_id,
                list(each.chunk_ids),
            )
