"""ConceptService and ConflictService: what is known, and what was refused."""

from __future__ import annotations

from festinger.api.v1 import (
    concept_service_pb2 as concepts_pb,
)
from festinger.api.v1 import (
    concept_service_pb2_grpc,
    conflict_service_pb2_grpc,
)
from festinger.api.v1 import (
    conflict_service_pb2 as conflicts_pb,
)
from festinger.core.statement import to_token
from festinger.errors import ConceptNotFound
from festinger.flows.memory import Memories
from festinger.flows.whatis import whatis
from festinger.rpc import convert
from festinger.rpc.callers import CALLER, Context


class ConceptServicer(concept_service_pb2_grpc.ConceptServiceServicer):
    """Reads what the memory knows of concepts."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    async def GetConcept(
        self, request: concepts_pb.GetConceptRequest, context: Context
    ) -> concepts_pb.GetConceptResponse:
        """Gets a concept and the facts that place it."""
        token = to_token(request.token, "token")
        memory = await self._memories.get(CALLER.get().tenant)
        concept = convert.to_concept(whatis(memory.world, token))
        return concepts_pb.GetConceptResponse(concept=concept)

    async def ListConcepts(
        self, request: concepts_pb.ListConceptsRequest, context: Context
    ) -> concepts_pb.ListConceptsResponse:
        """Lists concepts in the order of their tokens."""
        size = convert.page_size(request.page_size)
        after = convert.after_of(request.page_token)
        prefix = convert.checked(request.prefix, "prefix", convert.TOKEN_CHARACTERS_MAX)
        memory = await self._memories.get(CALLER.get().tenant)
        tokens = await memory.store.concepts(
            memory.tenant,
            prefix=prefix,
            placed=request.placed,
            after=after,
            limit=size + 1,
        )
        concepts = []
        for token in tokens[:size]:
            try:
                concepts.append(convert.to_concept(whatis(memory.world, token)))
            except ConceptNotFound:
                continue  # another server met it; it is not loaded here yet
        more = len(tokens) > size
        return concepts_pb.ListConceptsResponse(
            concepts=concepts,
            next_page_token=convert.page_token(tokens[size - 1]) if more else "",
        )


class ConflictServicer(conflict_service_pb2_grpc.ConflictServiceServicer):
    """Reads the contradictions that the memory has refused."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    async def GetConflict(
        self, request: conflicts_pb.GetConflictRequest, context: Context
    ) -> conflicts_pb.GetConflictResponse:
        """Gets a conflict."""
        memory = await self._memories.get(CALLER.get().tenant)
        conflict = await memory.store.conflict(memory.tenant, request.conflict_id)
        message = convert.to_conflict(conflict)
        return conflicts_pb.GetConflictResponse(conflict=message)

    async def ListConflicts(
        self, request: conflicts_pb.ListConflictsRequest, context: Context
    ) -> conflicts_pb.ListConflictsResponse:
        """Lists conflicts, oldest first."""
        size = convert.page_size(request.page_size)
        after = convert.after_number(request.page_token)
        concept = to_token(request.concept, "concept") if request.concept else ""
        memory = await self._memories.get(CALLER.get().tenant)
        conflicts = await memory.store.conflicts(
            memory.tenant,
            states=convert.from_conflict_states(request.states),
            concept=concept,
            after=after,
            limit=size + 1,
        )
        more = len(conflicts) > size
        return conflicts_pb.ListConflictsResponse(
            conflicts=[convert.to_conflict(conflict) for conflict in conflicts[:size]],
            next_page_token=convert.page_token(conflicts[size - 1].id) if more else "",
        )
