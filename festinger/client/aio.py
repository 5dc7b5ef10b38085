"""The client for programs with an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import datetime
from typing import Any

import grpc
import grpc.aio

from festinger.api.v1 import concept_service_pb2 as concepts
from festinger.api.v1 import conflict_service_pb2 as conflicts
from festinger.api.v1 import line_service_pb2 as lines
from festinger.api.v1 import memory_service_pb2 as memory
from festinger.api.v1.concept_pb2 import Concept
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.client import requests
from festinger.client.async_stream import AsyncRecollectStream
from festinger.client.connection import Answer, ClientConnection
from festinger.client.failures import Attempts, failure_of
from festinger.client.methods import answer_kind, method_of, path_of
from festinger.lifetimes import AsyncCloseable


class AsyncClient(ClientConnection, AsyncCloseable):
    """A connection to a memory server, for the tasks of one event loop.

    Arguments, methods and errors are those of `Client`.
    """

    _grpc = grpc.aio

    async def close(self) -> None:
        """Close the connection, that of scoped clients as well."""
        await self._channel.close()

    async def assert_fact(self, fact: str) -> Outcome:
        """State a fact, and return what became of it once that is committed."""
        return (
            await self._call(requests.assert_fact(fact), memory.AssertResponse)
        ).outcome

    async def retract(self, fact: str, why: str = "") -> memory.RetractResponse:
        """Take back a fact or a denial."""
        return await self._call(requests.retract(fact, why), memory.RetractResponse)

    async def say(self, text: str, *, corrects: str = "") -> lines.SayResponse:
        """Tell something in plain words; return what was understood and kept."""
        return await self._call(requests.say(text, corrects), lines.SayResponse)

    async def keep_notes(
        self, notes: Iterable[lines.Note], session: str, project: str = ""
    ) -> lines.KeepNotesResponse:
        """Keep notes exactly as they are, as the session's; their readings pass the gate."""
        return await self._call(
            requests.keep_notes(notes, session, project), lines.KeepNotesResponse
        )

    async def search(
        self,
        words: str = "",
        *,
        limit: int = 20,
        project: str = "",
        about: str = "",
        speaker: str = "",
        session: str = "",
        kind: lines.MemoryLine.Kind = lines.MemoryLine.KIND_UNSPECIFIED,
        since: datetime | None = None,
        page_token: str = "",
    ) -> lines.SearchLinesResponse:
        """Find the lines that fit some words best, or the newest."""
        wanted = requests.search(
            words,
            since,
            page_size=limit,
            project=project,
            about=about,
            speaker=speaker,
            session=session,
            kind=kind,
            page_token=page_token,
        )
        return await self._call(wanted, lines.SearchLinesResponse)

    async def forget(
        self, names: Sequence[str] = (), **chosen: Any
    ) -> lines.ForgetLinesResponse:
        """Forget lines by their names, or by other fields of `ForgetLinesRequest`."""
        return await self._call(
            requests.forget(names=names, **chosen), lines.ForgetLinesResponse
        )

    async def concept(self, name: str) -> Concept:
        """Return a concept and the facts that place it."""
        return (
            await self._call(
                concepts.GetConceptRequest(token=name), concepts.GetConceptResponse
            )
        ).concept

    async def tokenise(self, text: str) -> Sequence[memory.TokeniseResponse.Token]:
        """Split a text into tokens, and say what is known of each."""
        return (
            await self._call(memory.TokeniseRequest(text=text), memory.TokeniseResponse)
        ).tokens

    async def recollect(
        self, request: memory.RecollectRequest
    ) -> memory.RecollectResponse:
        """Read a prompt, and return what the memory can tell about it."""
        return await self._call(
            request, memory.RecollectResponse, requests.teaches_once(request)
        )

    def open_stream(self) -> AsyncRecollectStream:
        """Open a stream that has any number of prompts recollected."""
        # The stream keeps the scope that the client has now.
        return AsyncRecollectStream(
            self._channel, self.scope.metadata, self.timeout, self.address
        )

    async def conflicts(self, about: str = "") -> AsyncIterator[Conflict]:
        """Yield the contradictions that wait for a decision, the most urgent first."""
        # Pages are fetched on demand, while the caller goes through the conflicts.
        page_token = ""
        while True:
            page = await self._call(
                requests.pending(about, page_token), conflicts.ListConflictsResponse
            )
            for conflict in page.conflicts:
                yield conflict
            if not (page_token := page.next_page_token):
                return

    async def resolve(
        self, conflict_id: int, decision: Conflict.Decision, **fields: Any
    ) -> Conflict:
        """Settle a conflict, for operators."""
        request = requests.resolve(conflict_id, decision, **fields)
        return (await self._call(request, memory.ResolveResponse)).conflict

    async def call(
        self, method: str, request: Any, *, seconds: float | None = None
    ) -> Any:
        """Make any call, and return the response; it is not repeated if one is lost."""
        # Whether any other method may be repeated is not known here.
        return await self._call(request, answer_kind(method), False, seconds, method)

    async def stream(
        self, method: str, request: Any, *, seconds: float | None = None
    ) -> AsyncIterator[Any]:
        """Make any call with several responses, and yield them."""
        # By path and bytes, without a stub, so that any method can be called.
        calling: Any = self._channel.unary_stream(
            path_of(method), response_deserializer=answer_kind(method).FromString
        )
        try:
            async for each in calling(
                request.SerializeToString(),
                metadata=self.scope.metadata,
                timeout=self._seconds(seconds),
            ):
                yield each
        except grpc.aio.AioRpcError as error:
            # Not repeated: the caller has seen a part of the responses already.
            raise failure_of(error, self.address).error from error

    async def _call(
        self,
        request: Any,
        kind: type[Answer],
        repeatable: bool = True,
        seconds: float | None = None,
        method: str = "",
    ) -> Answer:
        calling: Any = self._channel.unary_unary(
            path_of(method or method_of(request)), response_deserializer=kind.FromString
        )
        # All tries together have the time of one call.
        attempts = Attempts(self._seconds(seconds), repeatable=repeatable)
        # Serialised once for all tries.
        data = request.SerializeToString()
        while True:
            try:
                answer: Answer = await calling(
                    data, timeout=attempts.left, metadata=self.scope.metadata
                )
                return answer
            except grpc.aio.AioRpcError as error:
                failure = failure_of(error, self.address)
                if (pause := attempts.pause_after(failure)) is None:
                    raise failure.error from error
            await asyncio.sleep(pause)
