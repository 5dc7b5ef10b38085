"""ProvenanceService: the chain of verifiable objects that a fact derives from."""

from __future__ import annotations

from festinger.api.v1 import provenance_service_pb2 as pb
from festinger.api.v1 import provenance_service_pb2_grpc
from festinger.core.provenance.chain import Chain
from festinger.core.provenance.trail import Object
from festinger.errors import InvalidArgument
from festinger.rpc import convert
from festinger.rpc.graph.tokens import held_token, optional_token
from festinger.rpc.system.callers import CALLER, Context
from festinger.services.provenance.tracing import Viewer, get_object, trace, trace_fact
from festinger.services.world.memory import Memories


class ProvenanceServicer(provenance_service_pb2_grpc.ProvenanceServiceServicer):
    """Servicer that traces facts and objects back to their sources."""

    def __init__(self, memories: Memories) -> None:
        self._memories = memories

    async def Trace(
        self, request: pb.TraceRequest, context: Context
    ) -> pb.TraceResponse:
        """Return the chain from an object to everything that it derives from."""
        if bool(request.cid) == bool(request.concept):
            raise InvalidArgument(
                "say cid, or concept and perhaps dimension", field="cid"
            )
        if request.cid and request.dimension:
            raise InvalidArgument("dimension goes with concept", field="dimension")
        caller = CALLER.get()
        viewer = Viewer(caller.principal, caller.operator)
        if request.cid:
            memory = await self._memories.get(*caller.wanted)
            return _to_response(await trace(memory, request.cid, viewer))
        memory = await self._memories.get(*caller.wanted)
        concept = held_token(memory.world, request.concept, "concept")
        dimension = optional_token(memory.world, request.dimension, "dimension")
        return _to_response(await trace_fact(memory, concept, dimension, viewer))

    async def GetObject(
        self, request: pb.GetObjectRequest, context: Context
    ) -> pb.GetObjectResponse:
        """Return one object."""
        caller = CALLER.get()
        viewer = Viewer(caller.principal, caller.operator)
        memory = await self._memories.get(*caller.wanted)
        found = await get_object(memory, request.cid, viewer)
        return pb.GetObjectResponse(object=_to_object(found))


def _to_response(chain: Chain) -> pb.TraceResponse:
    return pb.TraceResponse(
        objects=map(_to_object, chain.objects.values()),
        links=[
            pb.MetaTriple(
                subject=each.subject, predicate=each.predicate, object=each.object
            )
            for each in sorted(chain.links)
        ],
        more=chain.more,
        start=chain.start,
    )


def _to_object(each: Object) -> pb.Object:
    return pb.Object(
        cid=each.cid,
        kind=each.kind,
        data=each.data,
        json=_json(each),
        create_time=convert.to_time(each.created),
        withheld=each.withheld,
    )


def _json(each: Object) -> str:
    """Return an object as readable JSON; empty if it is withheld or corrupt."""
    try:
        return each.json if each.data else ""
    except ValueError:
        return ""
