"""RPC methods that list, define and dismiss predicates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1.validation_service_pb2_grpc import ValidationServiceServicer
from festinger.core.graph.predicates import (
    BUILT_IN,
    Cardinality,
    Predicate,
    PredicateEdit,
    check_uri,
)
from festinger.errors import InvalidArgument
from festinger.rpc.fields import from_number, members_of, message_of
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system.callers import CALLER, Context
from festinger.services.graph.predicates import set_predicate
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.graph.predicates import PostgresPredicates

_BUILT_IN: Final = {each.uri: each for each in BUILT_IN}
# CARDINALITY_UNSPECIFIED is no member: it leaves the cardinality open, see `_to_edit`.
_CARDINALITIES: Final = members_of(pb.Predicate.Cardinality, Cardinality)


class PredicateCalls(TenantServicer, ValidationServiceServicer):
    """Predicate methods of `festinger.rpc.validation.validation_service`."""

    _predicates: PostgresPredicates | None

    async def ListPredicates(
        self, request: pb.ListPredicatesRequest, context: Context
    ) -> pb.ListPredicatesResponse:
        """Return the predicates, and for operators the suggested ones."""
        caller = CALLER.get()
        memory = await self._memory()
        registered = list(memory.registry)
        suggested: Sequence[pb.PredicateSuggestion] = ()
        # Suggestions quote what people said, which is not for agents.
        if caller.operator and self._predicates:
            found = await self._predicates.suggested(
                memory.tenant, [each.uri for each in registered], memory.now()
            )
            suggested = [message_of(pb.PredicateSuggestion, each) for each in found]
        return pb.ListPredicatesResponse(
            predicates=[_to_predicate(each, memory) for each in registered],
            suggestions=suggested,
        )

    async def SetPredicate(
        self, request: pb.SetPredicateRequest, context: Context
    ) -> pb.SetPredicateResponse:
        """Define how a predicate maps to the graph, or dismiss a suggestion."""
        caller = CALLER.get()
        memory = await self._memory()
        kept = self._need_predicates()
        # Dismissing needs the URI only; nothing else of the request is looked at.
        if request.dismiss:
            await _dismiss(memory, kept, check_uri(request.predicate.uri))
            return pb.SetPredicateResponse()
        # Saved and in force when the call returns: the next statement goes by it.
        done = await set_predicate(memory, _to_edit(request), caller.principal)
        return pb.SetPredicateResponse(predicate=_to_predicate(done.predicate, memory))

    def _need_predicates(self) -> PostgresPredicates:
        if self._predicates is None:
            raise InvalidArgument("this server keeps no predicates", field="predicate")
        return self._predicates


async def _dismiss(memory: TenantMemory, kept: PostgresPredicates, uri: str) -> None:
    """Dismiss a suggested predicate; raise `InvalidArgument` if it is not suggested."""
    # Counting first: a suggestion has a row, which can be closed, only once it was counted.
    registered = [each.uri for each in memory.registry]
    await kept.suggested(memory.tenant, registered, memory.now())
    if not await kept.dismiss(memory.tenant, uri, memory.now()):
        raise InvalidArgument(
            f"nobody suggests {uri}. What is suggested: festinger graph predicates",
            field="predicate",
        )


def _to_edit(request: pb.SetPredicateRequest) -> PredicateEdit:
    """Convert a request to an edit of a predicate, or raise `InvalidArgument`."""
    asked = request.predicate
    cardinality: Cardinality | None = None
    # 0 says nothing of the cardinality; any other unknown number is a mistake.
    if asked.cardinality:
        cardinality = from_number(asked.cardinality, _CARDINALITIES, "cardinality")
    return PredicateEdit(
        asked.uri,
        asked.dimension,
        asked.is_isa,
        asked.question,
        cardinality or "",
        tuple(asked.synonyms),
        tuple(request.remove_synonyms),
    )


def _to_predicate(predicate: Predicate, memory: TenantMemory) -> pb.Predicate:
    # The pilot limits which predicates people are asked about; "*" stands for all (I4a).
    pilot = memory.validation.policy.predicates
    built_in = _BUILT_IN.get(predicate.uri)
    # Built-in words are told apart from the memory's own, which can be removed.
    seeded = built_in.words if built_in else ()
    # Cardinality belongs to the dimension: two predicates of one dimension share it.
    known = memory.registry.cardinality(predicate.dimension)
    return message_of(
        pb.Predicate,
        predicate,
        built_in=predicate == built_in,  # false once a memory has changed it
        pilot="*" in pilot or predicate.uri in pilot,
        cardinality=f"CARDINALITY_{known.name if known else 'UNSPECIFIED'}",
        synonyms=[it for it in predicate.wording.synonyms if it not in seeded],
        words=seeded,
    )
