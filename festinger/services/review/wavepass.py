"""Pass of the extractors over one wave: sweep, offer, report."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, asdict, dataclass, field, replace
from typing import Any

from festinger.core.memories.types import Status
from festinger.core.review.findings import StoredDocument
from festinger.core.review.offers import DroppedFinding, offers
from festinger.core.review.queue import KnownTexts
from festinger.core.review.records import ProposedRecord
from festinger.core.review.waves import Wave, WaveReport
from festinger.services.review.offers import OfferFindings, OverflowAdmission
from festinger.services.review.reader import DocumentReader
from festinger.services.world.memory import Memories
from festinger.store.review.reports import ReportFolders
from festinger.store.review.results import ExtractedChunks, FindingPlace
from festinger.store.review.sweeps import PostgresSweeps

# The end of a part follows from its beginning: a resumed pass makes the same parts again.
DOCUMENTS_MAX = 50
BYTES_MAX = 2**20
OFFERS_ENOUGH = 100
"""Limits of a part: documents and bytes at most, and offers after which it ends."""
# A break is only looked for after each slice, so it is part of what makes a part.
SLICE = 8
"""Number of documents that are swept in one call."""
KNOWN_MAX = 1_000
"""Maximum number of records of a project that findings are compared with for novelty."""
CANDIDATES, DROPPED, ERRORS = "candidates.ndjson", "dropped.ndjson", "errors.log"
SUMMARY = "report.json"

Line = Mapping[str, Any]


@dataclass(slots=True)
class _PartResults:
    """Results of the documents of one part."""

    documents: list[StoredDocument] = field(default_factory=list)
    offers: list[ProposedRecord] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)


@dataclass(eq=False)
class WavePass:
    """Extraction from the remaining chunks of a wave.

    Args:
        tell: Called with the number of chunks that are done, and of all chunks.
        complain: Called with a sentence if the report cannot be written.
    """

    tenant: str
    wave: Wave
    _: KW_ONLY
    memories: Memories
    sweeps: PostgresSweeps
    reader: DocumentReader
    reports: ReportFolders
    now: Callable[[], float]
    tell: Callable[[int, int], None]
    complain: Callable[[str], None]
    _unwritten: bool = field(default=False, init=False)
    # Lines of parts that could not be stored; they are counted all the same.
    _held: dict[int, Sequence[Line]] = field(default_factory=dict, init=False)

    async def run(self) -> WaveReport:
        """Sweep the remaining documents, admit the best offers, and write the report.

        Raises:
            FestingerError: The pass cannot go on; what was written stays.
        """
        done, total = 0, await self.sweeps.to_extract(self.tenant, self.wave.id)
        self.tell(done, total)
        # Known before the wave, so that the order of files does not decide which is novel.
        contents = await self.sweeps.contents(
            self.tenant, self.wave.project, self.wave.id, KNOWN_MAX
        )
        known = await asyncio.to_thread(KnownTexts, contents)
        broken = await self.reader.broken()
        await self._keep(0, [{"error": f"extractor {line}"} for line in broken])
        last = 0
        while documents := await self.sweeps.next_part(
            self.tenant,
            self.wave.id,
            after=last,
            documents_max=DOCUMENTS_MAX,
            bytes_max=BYTES_MAX,
        ):
            part = await self._sweep(documents, known)
            # Before the next one is read: the marks of its chunks say where to go on.
            await self._write(part)
            last = part.documents[-1].id
            done += sum(chunk.fresh for each in part.documents for chunk in each.parts)
            self.tell(done, total)
        # May have been closed as idle while the documents were read.
        memory = await self.memories.get(self.tenant)
        # At the end, so that people see the best of the whole wave.
        await memory.writer.submit(
            OverflowAdmission(self.wave.project, principal=self.wave.principal)
        )
        return await self._report()

    async def _sweep(
        self, documents: Sequence[StoredDocument], known: KnownTexts
    ) -> _PartResults:
        part = _PartResults()
        for begin in range(0, len(documents), SLICE):
            some = documents[begin : begin + SLICE]
            swept = await self.reader.sweep(some)
            for document, sweep in zip(some, swept, strict=True):
                # Comparing takes a while; in a thread it does not block prompts.
                offered, dropped = await asyncio.to_thread(
                    offers, document, sweep.found, known, now=self.now()
                )
                part.documents.append(document)
                part.offers += offered
                part.lines += [_found(each) for each in offered]
                part.lines += [_dropped(each, document) for each in dropped]
                part.lines += [
                    {"error": f"{document.path}: {error}"} for error in sweep.errors
                ]
            if len(part.offers) >= OFFERS_ENOUGH:
                break
        chunks = sum(chunk.fresh for each in part.documents for chunk in each.parts)
        part.lines.append({"chunks": chunks})
        return part

    async def _write(self, part: _PartResults) -> None:
        # Chunks that were extracted by an earlier wave are read for context only.
        fresh = [it.id for each in part.documents for it in each.parts if it.fresh]
        # Before the commit: a report with a line too many can be sorted out, a lost one not.
        await self._keep(part.documents[0].id, part.lines)
        memory = await self.memories.get(self.tenant)
        await memory.writer.submit(
            OfferFindings(
                part.offers,
                ExtractedChunks(self.wave.id, fresh),
                principal=self.wave.principal,
            )
        )

    # The report

    async def _keep(self, part: int, lines: Sequence[Line]) -> None:
        if not lines:
            return
        try:
            await self.reports.keep(self.tenant, self.wave.id, part, lines)
        except OSError as error:
            self._say_unwritten(error)
            self._held[part] = lines

    async def _report(self) -> WaveReport:
        """Sort the findings by their outcome, and write the report."""
        tenant, wave = self.tenant, self.wave.id
        await self.reports.clear(tenant, wave, parts=False)
        await self._add({CANDIDATES: [], DROPPED: [], ERRORS: []})
        counts: Counter[str] = Counter()
        rules: Counter[str] = Counter()
        dropped: Counter[str] = Counter()
        kept = await self.reports.parts(tenant, wave)
        # Parts on disk, also of earlier attempts, and those that could not be stored.
        for part in sorted({*kept, *self._held}):
            lines = await self._part(part)
            files = await self._told_apart(lines)
            await self._add(files)
            for line in lines:
                counts["chunks"] += line.get("chunks", 0)
                counts["errors"] += "error" in line
                if "rule" in line:
                    counts["found"] += 1
                    rules[f"{line['extractor']}/{line['rule']}"] += 1
            counts["candidates"] += len(files[CANDIDATES])
            dropped.update(json.loads(each)["reason"] for each in files[DROPPED])
        overflow = dropped.pop("over_batch_cap", 0)
        duplicates = dropped.pop("duplicate", 0)
        report = WaveReport(
            **counts,
            overflow=overflow,
            duplicates=duplicates,
            dropped=dict(sorted(dropped.items())),
            rules=dict(sorted(rules.items())),
            path=self.reports.place(tenant, wave),
        )
        return await self._published(report)

    async def _told_apart(self, lines: Sequence[Line]) -> dict[str, list[str]]:
        """Return the lines of a part, by the file that they belong to."""
        # What became of a finding is in the database, since a crash may lie in between.
        sights = {_sight(line) for line in lines if "rule" in line}
        statuses = await self.sweeps.found(self.tenant, self.wave.id, list(sights))
        files: dict[str, list[str]] = {CANDIDATES: [], DROPPED: [], ERRORS: []}
        for line in lines:
            if "error" in line:
                files[ERRORS].append(str(line["error"]))
            if "rule" not in line:
                continue
            reason = line.get("reason") or _reason(statuses.get(_sight(line)))
            if reason:
                files[DROPPED].append(json.dumps({**line, "reason": reason}))
            else:
                files[CANDIDATES].append(json.dumps(line))
        return files

    async def _part(self, part: int) -> Sequence[Line]:
        if part in self._held:
            return self._held[part]
        try:
            return await self.reports.part(self.tenant, self.wave.id, part)
        except (OSError, ValueError) as error:
            self._say_unwritten(error)
            return ()

    async def _add(self, files: Mapping[str, Sequence[str]]) -> None:
        try:
            await self.reports.add(self.tenant, self.wave.id, files)
        except OSError as error:
            self._say_unwritten(error)

    async def _published(self, report: WaveReport) -> WaveReport:
        wave = {
            "wave": self.wave.id,
            "project": self.wave.project,
            "root": self.wave.root,
            "scope": self.wave.scope,
            **asdict(self.wave.tally),
        }
        summary = json.dumps({**wave, "extraction": asdict(report)}, indent=2)
        await self._add({SUMMARY: [summary]})
        if not self._unwritten:
            try:
                await self.reports.publish(self.tenant, self.wave.id)
            except OSError as error:
                self._say_unwritten(error)
        return replace(report, path="") if self._unwritten else report

    def _say_unwritten(self, error: Exception) -> None:
        if not self._unwritten:
            self.complain(
                f"tenant {self.tenant}: the report of wave {self.wave.id} cannot be "
                f"written: {error}"
            )
        self._unwritten = True


def _found(offer: ProposedRecord) -> Line:
    origin = offer.origin
    return {
        "type": offer.type,
        "kind": offer.kind,
        "content": offer.content,
        "confidence": round(offer.confidence, 4),
        "rank": round(offer.rank, 4),
        "fact": offer.fact,
        "path": origin.place,
        "extractor": origin.extractor,
        "extractor_version": origin.extractor_version,
        "rule": origin.rule,
        "source_chunk_id": origin.chunk_id,
        "source_span": origin.span,
    }


def _dropped(dropped: DroppedFinding, document: StoredDocument) -> Line:
    swept = dropped.swept
    return {
        "type": swept.found.type,
        "content": swept.found.content,
        "path": document.path,
        "extractor": swept.extractor,
        "extractor_version": swept.version,
        "rule": swept.found.rule,
        "source_chunk_id": swept.chunk_id,
        "source_span": swept.found.span,
        "reason": dropped.reason,
        "detail": dropped.detail,
    }


def _sight(line: Line) -> FindingPlace:
    # JSON made a list of the pair.
    start, end = line["source_span"]
    return FindingPlace(
        line["source_chunk_id"],
        line["extractor"],
        line["rule"],
        start,
        end,
        line["content"],
    )


def _reason(status: str | None) -> str:
    """Return why a finding is not a candidate; empty if it is or was one."""
    # No record was written for it, so another one says the same.
    if status is None:
        return "duplicate"
    return "over_batch_cap" if status == Status.OVERFLOW else ""
