"""IngestionService: ingestion of documents in waves."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TypeVar

from festinger.api.v1 import ingestion_service_pb2 as pb
from festinger.api.v1.ingestion_service_pb2_grpc import IngestionServiceServicer
from festinger.core.review.waves import PLACE_BYTES_MAX, Wave, WaveReport
from festinger.errors import InvalidArgument
from festinger.rpc import convert
from festinger.rpc.convert import checked
from festinger.rpc.fields import message_of
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system import paging
from festinger.rpc.system.callers import CALLER, Context
from festinger.services.review.extraction import ExtractionProgress
from festinger.services.review.ingester import Ingester, IngestionCaller
from festinger.services.world.memory import Memories
from festinger.store.review.results import NewWave, OfferedDocument

PROJECT_CHARACTERS_MAX, PROJECT_BYTES_MAX = 200, 400
"""Maximum length of a project's name; an index holds it beside a root and a path."""
ENVELOPE_BYTES = 256 * 1024
"""Bytes of a message that are reserved for all but document contents."""

_Response = TypeVar("_Response", pb.FinishWaveResponse, pb.ExtractWaveResponse)


class IngestionServicer(TenantServicer, IngestionServiceServicer):
    """Servicer that ingests documents and reports on waves.

    Args:
        message_bytes_max: Maximum size of a request, in bytes.
    """

    def __init__(
        self, memories: Memories, ingester: Ingester, *, message_bytes_max: int
    ) -> None:
        super().__init__(memories)
        self._ingester = ingester
        # Small messages, as in tests, have less room than the envelope: half is for contents.
        self._call_bytes_max = max(
            message_bytes_max // 2, message_bytes_max - ENVELOPE_BYTES
        )

    async def StartWave(
        self, request: pb.StartWaveRequest, context: Context
    ) -> pb.StartWaveResponse:
        """Start a wave, or resume the one in progress."""
        caller = await self._caller()
        if not request.root:
            raise InvalidArgument("root is empty", field="root")
        # A project is bounded twice: characters for people, bytes for the index.
        opening = NewWave(
            checked(
                _place(request.project, "project", PROJECT_BYTES_MAX),
                "project",
                PROJECT_CHARACTERS_MAX,
            ),
            _place(request.root, "root"),
            _place(request.scope, "scope"),
            request.extract,
            caller.principal,
            caller.operator,
        )
        wave, resumed = await self._ingester.start(caller, opening)
        return pb.StartWaveResponse(
            wave=to_wave(wave),
            resumed=resumed,
            # A document must fit into one call, beside its envelope.
            document_bytes_max=min(self._ingester.bytes_max, self._call_bytes_max),
            call_bytes_max=self._call_bytes_max,
        )

    async def AddDocuments(
        self, request: pb.AddDocumentsRequest, context: Context
    ) -> pb.AddDocumentsResponse:
        """Add documents to a wave, and return the result for each."""
        caller = await self._caller()
        # One verdict for each document, in their order, by which the client tells its files apart.
        verdicts = await self._ingester.add(
            caller, request.wave_id, [_from_document(it) for it in request.documents]
        )
        return pb.AddDocumentsResponse(
            added=[
                pb.AddDocumentsResponse.Added(
                    result=f"RESULT_{verdict.added.name}",
                    problem=verdict.problem,
                    new_chunk_count=verdict.chunks_new,
                )
                for verdict in verdicts
            ]
        )

    async def FinishWave(self, request: pb.FinishWaveRequest, context: Context) -> None:
        """Finish adding documents, and stream the progress of their extraction."""
        caller = await self._caller()
        progress = self._ingester.finish(caller, request.wave_id)
        await _send(context, progress, pb.FinishWaveResponse)

    async def ExtractWave(
        self, request: pb.ExtractWaveRequest, context: Context
    ) -> None:
        """Extract a wave again, and stream the progress."""
        caller = await self._caller()
        # No caller: only operators may call it.
        progress = self._ingester.extract(caller.tenant, request.wave_id)
        await _send(context, progress, pb.ExtractWaveResponse)

    async def GetWave(
        self, request: pb.GetWaveRequest, context: Context
    ) -> pb.GetWaveResponse:
        """Return a wave."""
        caller = await self._caller()
        wave = await self._ingester.wave(caller.tenant, request.wave_id)
        return pb.GetWaveResponse(wave=to_wave(wave))

    async def ListWaves(
        self, request: pb.ListWavesRequest, context: Context
    ) -> pb.ListWavesResponse:
        """Return a page of waves, newest first."""
        caller = await self._caller()
        size = paging.page_size(request.page_size)
        # Newest first, so that a page ends at a lower number.
        before = paging.after_number(request.page_token)
        waves = await self._ingester.waves(caller.tenant, before=before, limit=size + 1)
        more = len(waves) > size
        return pb.ListWavesResponse(
            waves=map(to_wave, waves[:size]),
            next_page_token=paging.page_token(waves[size - 1].id) if more else "",
        )

    async def _caller(self) -> IngestionCaller:
        """Return the caller's rights and tenant, after making sure that it exists."""
        rpc_caller = CALLER.get()
        memory = await self._memories.get(*rpc_caller.wanted)
        return IngestionCaller(memory.tenant, rpc_caller.principal, rpc_caller.operator)


async def _send(
    context: Context, progress: AsyncIterator[ExtractionProgress], kind: type[_Response]
) -> None:
    async for each in progress:
        await context.write(
            kind(
                wave=to_wave(each.wave),
                chunk_count=each.chunks,
                done_chunk_count=each.done,
            )
        )


def to_wave(wave: Wave) -> pb.Wave:
    """Convert a wave to a message."""
    tally = wave.tally
    return message_of(
        pb.Wave,
        wave,
        file_count=tally.files,
        unchanged_count=tally.unchanged,
        refused_count=tally.refused,
        removed_count=tally.removed,
        new_chunk_count=tally.chunks_new,
        kept_chunk_count=tally.chunks_kept,
        report=_to_report(wave.report) if wave.report else None,
    )


def _to_report(report: WaveReport) -> pb.Wave.Report:
    return message_of(
        pb.Wave.Report, report, dropped_counts=report.dropped, rule_counts=report.rules
    )


def _place(text: str, field: str, bytes_max: int = PLACE_BYTES_MAX) -> str:
    """Check that a root, a scope or a project can be stored, and return it."""
    # UTF-8 bytes: Postgres' index entries are bounded in bytes.
    if len(text.encode()) > bytes_max:
        raise InvalidArgument(f"{field} has at most {bytes_max} bytes", field=field)
    return checked(text, field, bytes_max)


def _from_document(document: pb.Document) -> OfferedDocument:
    # None if the client does not know it; the epoch would be a date.
    modified = None
    if document.HasField("modify_time"):
        modified = convert.from_time(document.modify_time, "documents.modify_time")
    return OfferedDocument(
        document.path,
        document.digest,
        document.size,
        modified,
        # Absent: only the digest is offered, to ask whether the content is wanted.
        document.content if document.HasField("content") else None,
        # Why the client could not read it.
        checked(document.problem, "documents.problem", 500),
    )
