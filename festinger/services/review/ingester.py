"""Ingest documents: unchanged ones are noted, others are chunked and written."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import KW_ONLY, dataclass, replace

from festinger.core.review.decoding import BYTES_MAX
from festinger.core.review.findings import DocumentPlace
from festinger.core.review.waves import Wave, WaveState, what_is_wrong_with
from festinger.errors import InvalidArgument, PermissionDenied
from festinger.services.review.extraction import ExtractionProgress, WaveExtraction
from festinger.services.review.reader import DocumentReader
from festinger.store.review.documents import PostgresDocuments
from festinger.store.review.results import (
    DocumentVerdict,
    KnownDocument,
    NewWave,
    OfferedDocument,
    OfferOutcome,
    ReadDocument,
)

CALL_DOCUMENTS_MAX = 1000
# A client's message about a document that it cannot read, which is stored.
PROBLEM_CHARACTERS_MAX = 500
DIGEST_BYTES = 32


@dataclass(frozen=True, slots=True)
class IngestionCaller:
    """Caller who ingests documents.

    Attributes:
        operator: Whether the caller may also use the waves of others.
    """

    tenant: str
    principal: str
    operator: bool


@dataclass(eq=False)
class Ingester:
    """Ingestion of documents in waves, followed by extraction.

    Args:
        bytes_max: Size of the largest document that is read, in bytes.
    """

    documents: PostgresDocuments
    reader: DocumentReader
    extraction: WaveExtraction
    _: KW_ONLY
    now: Callable[[], float]
    bytes_max: int = BYTES_MAX

    async def wave(self, tenant: str, wave_id: int) -> Wave:
        """Return a wave, with the counts of its documents, or raise `WaveNotFound`."""
        return await self._counted(tenant, await self.documents.wave(tenant, wave_id))

    async def waves(self, tenant: str, *, before: int, limit: int) -> list[Wave]:
        """Return waves with numbers below `before`, newest first; 0 for all."""
        waves = await self.documents.waves(tenant, before=before, limit=limit)
        return [await self._counted(tenant, wave) for wave in waves]

    async def start(
        self, caller: IngestionCaller, opening: NewWave
    ) -> tuple[Wave, bool]:
        """Start a wave, or return the running one of the same project and root.

        Returns:
            The wave, and whether it was running before.

        Raises:
            InvalidArgument: The scope lies outside of the root.
            PermissionDenied: The documents of that root belong to somebody else.
        """
        # `../other` would reach documents outside of the root.
        if opening.scope and (why := what_is_wrong_with(opening.scope)):
            raise InvalidArgument(
                f"the scope {opening.scope!r} is no place within the root: {why}",
                field="scope",
            )
        return await self.documents.start(caller.tenant, opening, self.now())

    async def add(
        self, caller: IngestionCaller, wave_id: int, offered: Sequence[OfferedDocument]
    ) -> list[DocumentVerdict]:
        """Add documents to a wave and return a verdict on each.

        Raises:
            InvalidArgument: They cannot be documents of a wave.
            WaveNotFound: There is no such wave.
            WaveClosed: The wave is no longer running.
            PermissionDenied: The wave belongs to somebody else.
        """
        _check(offered)
        wave = await self._wave(caller, wave_id)
        # First by digest: an unchanged document is noted, and its content never sent.
        asked = [each for each in offered if each.content is None and each.digest]
        known = await self.documents.see(caller.tenant, wave, asked) if asked else {}
        divided = await self._divided(wave, offered)
        # Documents that will never be sent are known by their problem from now on.
        refused = [
            ReadDocument(each.path, each.digest, each.size, each.modified, problem=why)
            for each in offered
            if each.content is None and (why := self._refusal(each))
        ]
        read = {each.path: each for each in (*divided, *refused)}
        new = (
            await self.documents.write(caller.tenant, wave, list(read.values()))
            if read
            else {}
        )
        return [
            _verdict(read.get(each.path), known.get(each.path), new.get(each.path, 0))
            for each in offered
        ]

    async def finish(
        self, caller: IngestionCaller, wave_id: int
    ) -> AsyncIterator[ExtractionProgress]:
        """End the reading of a wave, and yield the progress of the extraction."""
        wave = await self._wave(caller, wave_id)
        if wave.state is WaveState.RUNNING:
            await self.documents.finish(caller.tenant, wave_id, self.now())
        async for progress in self.extraction.watch(caller.tenant, wave_id):
            yield progress

    async def extract(
        self, tenant: str, wave_id: int
    ) -> AsyncIterator[ExtractionProgress]:
        """Extract again from a whole wave, and yield the progress."""
        await self.extraction.again(tenant, wave_id)
        async for progress in self.extraction.watch(tenant, wave_id):
            yield progress

    async def _counted(self, tenant: str, wave: Wave) -> Wave:
        """Return a wave, with current counts if it is running."""
        if wave.state is not WaveState.RUNNING:
            return wave
        return replace(wave, tally=await self.documents.tally(tenant, wave.id))

    async def _wave(self, caller: IngestionCaller, wave_id: int) -> Wave:
        wave = await self.documents.wave(caller.tenant, wave_id)
        # Others could add documents under this person's name.
        if wave.principal != caller.principal and not caller.operator:
            raise PermissionDenied(
                f"wave {wave_id} is read by {wave.principal}; ask an operator",
                wave_id=str(wave_id),
            )
        return wave

    async def _divided(
        self, wave: Wave, offered: Sequence[OfferedDocument]
    ) -> list[ReadDocument]:
        sent = [(each, each.content) for each in offered if each.content is not None]
        if not sent:
            return []
        divisions = await self.reader.divide(
            [
                (DocumentPlace(wave.project, wave.root, each.path), content)
                for each, content in sent
            ],
            self.bytes_max,
        )
        return [
            ReadDocument(
                each.path,
                division.digest,
                len(content),
                each.modified,
                division.chunks,
                # What cannot be read is written, too, with its problem instead of chunks.
                division.problem,
            )
            for (each, content), division in zip(sent, divisions, strict=True)
        ]

    def _refusal(self, offered: OfferedDocument) -> str:
        """Return why a document's content is not requested; empty if it is."""
        if offered.problem:
            return offered.problem[:PROBLEM_CHARACTERS_MAX]
        # By the announced size, before the content travels.
        if offered.size > self.bytes_max:
            return (
                f"it is too large: {offered.size} bytes, at most {self.bytes_max} are "
                "read"
            )
        return ""


def _verdict(
    read: ReadDocument | None, known: KnownDocument | None, new: int
) -> DocumentVerdict:
    # In this order: what was sent now says more than what was known before.
    if read:
        added = OfferOutcome.REFUSED if read.problem else OfferOutcome.READ
        return DocumentVerdict(added, read.problem, new)
    if known:
        added = OfferOutcome.REFUSED if known.problem else OfferOutcome.UNCHANGED
        return DocumentVerdict(added, known.problem)
    # Neither sent nor known: the client is asked for the content.
    return DocumentVerdict(OfferOutcome.WANTED)


def _check(offered: Sequence[OfferedDocument]) -> None:
    if len(offered) > CALL_DOCUMENTS_MAX:
        raise InvalidArgument(
            f"one call takes at most {CALL_DOCUMENTS_MAX} documents", field="documents"
        )
    seen: set[str] = set()
    for each in offered:
        if why := what_is_wrong_with(each.path):
            raise InvalidArgument(
                f"{each.path!r} is no path within a root: {why}", field="documents.path"
            )
        # Two versions of one document in one call would leave it to chance which one stays.
        if each.path in seen:
            raise InvalidArgument(
                f"{each.path!r} is there twice", field="documents.path"
            )
        seen.add(each.path)
        if len(each.digest) not in {0, DIGEST_BYTES}:
            raise InvalidArgument(
                f"a digest has {DIGEST_BYTES} bytes, or none", field="documents.digest"
            )
        if each.size < 0:
            raise InvalidArgument("a size is not negative", field="documents.size")
