"""The client for programs without an event loop."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

import grpc

from festinger.api.v1 import concept_service_pb2 as concepts
from festinger.api.v1 import conflict_service_pb2 as conflicts
from festinger.api.v1 import line_service_pb2 as lines
from festinger.api.v1 import memory_service_pb2 as memory
from festinger.api.v1.concept_pb2 import Concept
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.client import requests
from festinger.client.connection import Answer, ClientConnection
from festinger.client.failures import Attempts, failure_of
from festinger.client.methods import answer_kind, method_of, path_of
from festinger.client.stream import RecollectStream
from festinger.lifetimes import Closeable


class Client(ClientConnection, Closeable):
    """A connection to a memory server, for any number of threads.

    It connects at the first call. A call is made again while the server asks to come
    later, and, if that changes nothing twice, while it is away.

    Args:
        address: HOST:PORT.
        tenant: The memory; the server's default if empty.
        token: The bearer token; none is sent if empty.
        project: Where the agent works; nowhere in particular if empty.
        person: On whose behalf it calls; only trusted tokens may say so.
        timeout: Time for a call with all its tries, in seconds.
        credentials: How the connection is encrypted; None for plain text.

    All methods raise a `FestingerError` if the server refuses the call or cannot be
    reached.
    """

    _grpc = grpc

    def close(self) -> None:
        """Close the connection, that of scoped clients as well."""
        self._channel.close()

    def assert_fact(self, fact: str) -> Outcome:
        """State a fact, and return what became of it once that is committed.

        Args:
            fact: In the strict form. Example: `gnommoweb -isa repo`.
        """
        return self._call(requests.assert_fact(fact), memory.AssertResponse).outcome

    def retract(self, fact: str, why: str = "") -> memory.RetractResponse:
        """Take back a fact or a denial."""
        return self._call(requests.retract(fact, why), memory.RetractResponse)

    def say(self, text: str, *, corrects: str = "") -> lines.SayResponse:
        """Tell something in plain words; return what was understood and kept.

        Args:
            corrects: The name of a line that it replaces.
        """
        return self._call(requests.say(text, corrects), lines.SayResponse)

    def keep_notes(
        self, notes: Iterable[lines.Note], session: str, project: str = ""
    ) -> lines.KeepNotesResponse:
        """Keep notes exactly as they are, as the session's; their readings pass the gate."""
        return self._call(
            requests.keep_notes(notes, session, project), lines.KeepNotesResponse
        )

    def search(
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
        """Find the lines that fit some words best, or the newest.

        Args:
            limit: At most so many.
            project: Only lines of this project.
            about: Only lines that mention this.
            speaker: Only what this person said.
            session: Only lines of this conversation or collection.
            kind: Only lines of this kind.
            since: Only what was said since then.
            page_token: From the answer before.
        """
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
        return self._call(wanted, lines.SearchLinesResponse)

    def forget(
        self, names: Sequence[str] = (), **chosen: Any
    ) -> lines.ForgetLinesResponse:
        """Forget lines by their names, or by other fields of `ForgetLinesRequest`."""
        return self._call(
            requests.forget(names=names, **chosen), lines.ForgetLinesResponse
        )

    def concept(self, name: str) -> Concept:
        """Return a concept and the facts that place it."""
        return self._call(
            concepts.GetConceptRequest(token=name), concepts.GetConceptResponse
        ).concept

    def tokenise(self, text: str) -> Sequence[memory.TokeniseResponse.Token]:
        """Split a text into tokens, and say what is known of each."""
        return self._call(
            memory.TokeniseRequest(text=text), memory.TokeniseResponse
        ).tokens

    def recollect(self, request: memory.RecollectRequest) -> memory.RecollectResponse:
        """Read a prompt, and return what the memory can tell about it.

        After a broken connection it is repeated only if every turn has a digest or was
        seen: others would teach twice.
        """
        return self._call(
            request, memory.RecollectResponse, requests.teaches_once(request)
        )

    def open_stream(self) -> RecollectStream:
        """Open a stream that has any number of prompts recollected."""
        # The stream keeps the scope that the client has now.
        return RecollectStream(
            self._channel, self.scope.metadata, self.timeout, self.address
        )

    def conflicts(self, about: str = "") -> Iterator[Conflict]:
        """Yield the contradictions that wait for a decision, the most urgent first."""
        # Pages are fetched on demand, while the caller goes through the conflicts.
        page_token = ""
        while True:
            page = self._call(
                requests.pending(about, page_token), conflicts.ListConflictsResponse
            )
            yield from page.conflicts
            if not (page_token := page.next_page_token):
                return

    def resolve(
        self, conflict_id: int, decision: Conflict.Decision, **fields: Any
    ) -> Conflict:
        """Settle a conflict, for operators.

        Args:
            fields: Further fields of `ResolveRequest`, such as `reasoning`.
        """
        return self._call(
            requests.resolve(conflict_id, decision, **fields), memory.ResolveResponse
        ).conflict

    def call(self, method: str, request: Any, *, seconds: float | None = None) -> Any:
        """Make any call, and return the response; it is not repeated if one is lost.

        Args:
            method: Service and method. Example: `AdminService.GetSize`.
            seconds: Timeout in seconds; the client's if None.
        """
        # Whether any other method may be repeated is not known here.
        return self._call(request, answer_kind(method), False, seconds, method)

    def stream(
        self, method: str, request: Any, *, seconds: float | None = None
    ) -> Iterator[Any]:
        """Make any call with several responses, and yield them."""
        calling: grpc.UnaryStreamMultiCallable[Any, Any] = self._channel.unary_stream(
            path_of(method), response_deserializer=answer_kind(method).FromString
        )
        try:
            yield from calling(
                request.SerializeToString(),
                metadata=self.scope.metadata,
                timeout=self._seconds(seconds),
            )
        except grpc.RpcError as error:
            # Not repeated: the caller has seen a part of the responses already.
            raise failure_of(error, self.address).error from error

    def _call(
        self,
        request: Any,
        kind: type[Answer],
        repeatable: bool = True,
        seconds: float | None = None,
        method: str = "",
    ) -> Answer:
        calling: grpc.UnaryUnaryMultiCallable[bytes, Answer]
        calling = self._channel.unary_unary(
            path_of(method or method_of(request)), response_deserializer=kind.FromString
        )
        # All tries together have the time of one call.
        attempts = Attempts(self._seconds(seconds), repeatable=repeatable)
        # Serialised once: each try carries the same request id.
        data = request.SerializeToString()
        while True:
            try:
                return calling(
                    data, timeout=attempts.left, metadata=self.scope.metadata
                )
            except grpc.RpcError as error:
                failure = failure_of(error, self.address)
                if (pause := attempts.pause_after(failure)) is None:
                    raise failure.error from error
            time.sleep(pause)
