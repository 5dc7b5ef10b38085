"""MemoryService: tokens, recollection, statements, retractions, resolutions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.memory_service_pb2_grpc import MemoryServiceServicer
from festinger.core.graph.advice import REASONING_CHARACTERS_MAX
from festinger.core.graph.proposal import Triple
from festinger.core.graph.resolution import ConflictDecision
from festinger.core.graph.statement import normalise, parse_fact, to_token
from festinger.core.world.world import World
from festinger.errors import FactSyntaxError, InvalidArgument
from festinger.rpc import convert
from festinger.rpc.convert import checked, held_token
from festinger.rpc.fields import from_number, members_of, message_of
from festinger.rpc.recollection.recollecting import tell
from festinger.rpc.recollection.streams import Streams
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system.callers import CALLER, Context, seconds_left
from festinger.services.graph.facts import assert_fact, retract_fact
from festinger.services.graph.resolving import Resolution
from festinger.services.language.tokenise import tokenise_text
from festinger.services.world.memory import Memories

_DECISIONS = members_of(Conflict.Decision, ConflictDecision)
WHY_CHARACTERS_MAX = 400  # a reason is told to people, and kept in the ledger


class MemoryServicer(TenantServicer, MemoryServiceServicer):
    """Servicer that answers prompts and accepts statements.

    Args:
        seconds_max: Maximum time that Recollect waits for its memory, in seconds.
    """

    def __init__(
        self, memories: Memories, streams: Streams, *, seconds_max: float
    ) -> None:
        super().__init__(memories)
        self._streams = streams
        self._seconds_max = seconds_max

    async def Tokenise(
        self, request: pb.TokeniseRequest, context: Context
    ) -> pb.TokeniseResponse:
        """Split a text into tokens, and return what is known of each."""
        # Reading only: what is looked up is not counted as met.
        memory = await self._memory()
        return pb.TokeniseResponse(
            tokens=[
                message_of(
                    pb.TokeniseResponse.Token,
                    known,
                    text=known.token.text,
                    start_offset=known.token.start,
                    end_offset=known.token.end,
                    conceptual=known.token.concept,
                )
                for known in tokenise_text(memory.world, request.text)
            ]
        )

    async def Recollect(
        self, request: pb.RecollectRequest, context: Context
    ) -> pb.RecollectResponse:
        """Return what the memory knows about a prompt."""
        caller = CALLER.get()
        # Nearly always there: then neither a timer nor another turn of the loop is paid for.
        memory = self._memories.ready(caller.tenant, caller.min_version)
        if memory is None:
            # The limit is for the loading, which other callers may wait for, and which goes on.
            async with asyncio.timeout(seconds_left(context, self._seconds_max)):
                memory = await self._memory()
        as_of = self._memories.stale_since
        return await self._streams.queue.ask(
            # The same queue as the streams', so that calls and prompts are shed alike (J12).
            partial(tell, memory, request, caller, as_of=as_of)
        )

    async def RecollectStream(
        self, requests: AsyncIterator[pb.RecollectStreamRequest], context: Context
    ) -> None:
        """Answer the prompts of a stream until it ends."""
        # The stream reads from the context, when it has room.
        await self._streams.serve(context)

    async def Assert(
        self, request: pb.AssertRequest, context: Context
    ) -> pb.AssertResponse:
        """State a fact, and return once it is committed."""
        caller = CALLER.get()
        memory = await self._memory()
        # What is held can be named exactly, so that the world is needed to read the statement.
        triple = statement_of(request, memory.world)
        outcome, version = await assert_fact(
            memory,
            triple,
            principal=caller.principal,
            # The person who is spoken for (E5).
            subject=caller.subject,
            # Repeated: the first answer again, and nothing is written twice.
            request=convert.request_key(request, caller),
        )
        return pb.AssertResponse(outcome=convert.to_outcome(outcome), version=version)

    async def Retract(
        self, request: pb.RetractRequest, context: Context
    ) -> pb.RetractResponse:
        """Retract a fact or a denial, and return once that is committed."""
        caller = CALLER.get()
        why = checked(request.reasoning, "reasoning", WHY_CHARACTERS_MAX)
        memory = await self._memory()
        triple = statement_of(request, memory.world)
        retracted = await retract_fact(
            memory,
            triple,
            principal=caller.principal,
            subject=caller.subject,
            why=why,
            request=convert.request_key(request, caller),
        )
        return convert.to_retracted(retracted)

    async def Resolve(
        self, request: pb.ResolveRequest, context: Context
    ) -> pb.ResolveResponse:
        """Resolve a conflict, and return once that is committed."""
        caller = CALLER.get()
        reasoning = checked(request.reasoning, "reasoning", REASONING_CHARACTERS_MAX)
        decision = from_number(request.decision, _DECISIONS, "decision")
        incoming, existing = _dimensions(request, decision)
        memory = await self._memory()
        conflict, version = await memory.writer.submit(
            # The job checks in its transaction that the conflict still waits.
            Resolution(
                request.conflict_id,
                decision,
                principal=caller.principal,
                reasoning=reasoning,
                # Refused if the conflict or the standing fact changed since it was read.
                etag=request.etag,
                request=convert.request_key(request, caller),
                incoming_dimension=incoming,
                existing_dimension=existing,
            )
        )
        return pb.ResolveResponse(
            conflict=convert.to_conflict(conflict), version=version
        )


def _dimensions(
    request: pb.ResolveRequest, decision: ConflictDecision
) -> tuple[str, str]:
    """Return the dimensions that a decision moves the statement and the fact to.

    A dimension is empty if the decision does not move the statement or the fact.

    Raises:
        InvalidArgument: A dimension is missing, or given to a decision that takes none.
        NotATokenError: A dimension is not one token.
    """
    dimensions = []
    # Decomposing moves both apart, reclassifying the incoming statement alone.
    for field, moving in (
        (
            "incoming_dimension",
            (ConflictDecision.DECOMPOSE, ConflictDecision.RECLASSIFY),
        ),
        ("existing_dimension", (ConflictDecision.DECOMPOSE,)),
    ):
        name = getattr(request, field)
        # A dimension that would be ignored is a misunderstanding, and refused like a missing one.
        if bool(name) != (decision in moving):
            what = "is needed for" if decision in moving else "is not for"
            raise InvalidArgument(
                f"{field} {what} the decision {decision}", field=field
            )
        dimensions.append(to_token(name, field) if name else "")
    return dimensions[0], dimensions[1]


def statement_of(request: pb.AssertRequest | pb.RetractRequest, world: World) -> Triple:
    """Return the statement of a request.

    Args:
        world: The memory's world: what it holds can be named as it is held.

    Raises:
        FactSyntaxError: Nothing is stated, or the fact does not match the syntax.
        NotATokenError: A name is neither held nor one token.
    """
    token_of = partial(held_token, world)
    # A fact is `gnommoweb -isa repo in context of glitch_university`; a triple its parts.
    match request.WhichOneof("statement"):
        case "fact":
            return parse_fact(request.fact, token_of)
        case "triple":
            triple = request.triple
            return normalise(
                triple.concept,
                triple.parent,
                triple.dimension,
                is_isa=triple.is_isa,
                negated=triple.negated,
                token_of=token_of,
            )
        case _:  # the oneof is unset
            raise FactSyntaxError("nothing is stated: set fact or triple", fact="")
