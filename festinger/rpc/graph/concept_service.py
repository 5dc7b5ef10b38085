"""ConceptService: concepts, their facts and their history."""

from __future__ import annotations

from festinger.api.v1 import concept_service_pb2 as concepts_pb
from festinger.api.v1.concept_service_pb2_grpc import ConceptServiceServicer
from festinger.errors import ConceptNotFound
from festinger.rpc import convert
from festinger.rpc.convert import held_token, optional_token
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system import paging
from festinger.rpc.system.callers import CALLER, Context
from festinger.services.graph.whatis import as_of, history, whatis


class ConceptServicer(TenantServicer, ConceptServiceServicer):
    """Servicer that reads concepts and their history."""

    async def GetConcept(
        self, request: concepts_pb.GetConceptRequest, context: Context
    ) -> concepts_pb.GetConceptResponse:
        """Return a concept and the facts that place it."""
        # Waits until the memory has the version that the caller has seen elsewhere.
        memory = await self._memory()
        token = held_token(memory.world, request.token, "token")
        concept = whatis(memory.world, token)
        # Presence, not truth: a timestamp of 0 is 1970 and not today.
        if request.HasField("as_of_time"):
            when = convert.from_time(request.as_of_time, "as_of_time")
            # Only facts, denials and conflicts are of then; counters have no history.
            concept = await as_of(memory, concept, when)
        return concepts_pb.GetConceptResponse(
            concept=convert.to_concept(concept),
            version=memory.world.version,
            # A reader can tell that the database has been silent, and the answer may be old.
            stale=self._memories.stale_since is not None,
        )

    async def ListConcepts(
        self, request: concepts_pb.ListConceptsRequest, context: Context
    ) -> concepts_pb.ListConceptsResponse:
        """Return a page of concepts in the order of their tokens."""
        size = paging.page_size(request.page_size)
        after = paging.after_of(request.page_token)
        prefix = convert.checked(request.prefix, "prefix", paging.TOKEN_CHARACTERS_MAX)
        memory = await self._memory()
        parent = optional_token(memory.world, request.parent, "parent")
        async with memory.store.reading(memory.tenant) as reads:
            tokens = await reads.concepts(
                prefix=prefix,
                placed=request.placed,
                parent=parent,
                after=after,
                limit=size + 1,
            )
        concepts = []
        for token in tokens[:size]:
            try:
                concepts.append(convert.to_concept(whatis(memory.world, token)))
            except ConceptNotFound:
                continue  # written by another server and not loaded here yet
        more = len(tokens) > size
        return concepts_pb.ListConceptsResponse(
            concepts=concepts,
            # The last token asked for, even if it was skipped above, so that no page starts twice.
            next_page_token=paging.page_token(tokens[size - 1]) if more else "",
        )

    async def History(
        self, request: concepts_pb.HistoryRequest, context: Context
    ) -> concepts_pb.HistoryResponse:
        """Return a page of the events of a concept, oldest first."""
        size = paging.page_size(request.page_size)
        after = paging.after_mark(request.page_token)
        caller = CALLER.get()
        memory = await self._memory()
        token = held_token(memory.world, request.token, "token")
        dimension = optional_token(memory.world, request.dimension, "dimension")
        events = await history(
            memory,
            token,
            dimension=dimension,
            after=after,
            limit=size + 1,
            # Statements of private candidates stay with operators.
            private=caller.operator,
        )
        more = len(events) > size
        return concepts_pb.HistoryResponse(
            events=[
                # Without the votes, which are blind (I5).
                convert.to_event(event, whole=caller.operator)
                for event in events[:size]
            ],
            next_page_token=(
                # The three numbers by which events are ordered; times alone may be equal.
                paging.page_token(" ".join(map(str, events[size - 1].mark)))
                if more
                else ""
            ),
        )
