"""ProvenanceService: the chain of verifiable objects that a fact derives from."""

from __future__ import annotations

from festinger.api.v1 import provenance_service_pb2 as pb
from festinger.api.v1.provenance_service_pb2_grpc import ProvenanceServiceServicer
from festinger.core.provenance.chain import Chain
from festinger.core.provenance.trail import TrailObject
from festinger.errors import InvalidArgument
from festinger.rpc.convert import held_token, optional_token
from festinger.rpc.fields import message_of
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system.callers import CALLER, Context
from festinger.services.provenance.tracing import Viewer, get_object, trace, trace_fact


class ProvenanceServicer(TenantServicer, ProvenanceServiceServicer):
    """Servicer that traces facts and objects back to their sources."""

    async def Trace(
        self, request: pb.TraceRequest, context: Context
    ) -> pb.TraceResponse:
        """Return the chain from an object to everything that it derives from."""
        # Exactly one of both: with two it would be open which is the start.
        if bool(request.cid) == bool(request.concept):
            raise InvalidArgument(
                "say cid, or concept and perhaps dimension", field="cid"
            )
        # An object is named by its CID alone; a dimension would silently be ignored.
        if request.cid and request.dimension:
            raise InvalidArgument("dimension goes with concept", field="dimension")
        caller = CALLER.get()
        # Decides what is withheld: private words, and answers that are still blind (I5).
        viewer = Viewer(caller.principal, caller.operator)
        if request.cid:
            memory = await self._memory()
            return _to_response(await trace(memory, request.cid, viewer))
        memory = await self._memory()
        # A fact is named by its place (C1); without a dimension all facts of the concept.
        concept = held_token(memory.world, request.concept, "concept")
        dimension = optional_token(memory.world, request.dimension, "dimension")
        return _to_response(await trace_fact(memory, concept, dimension, viewer))

    async def GetObject(
        self, request: pb.GetObjectRequest, context: Context
    ) -> pb.GetObjectResponse:
        """Return one object."""
        caller = CALLER.get()
        viewer = Viewer(caller.principal, caller.operator)
        memory = await self._memory()
        found = await get_object(memory, request.cid, viewer)
        return pb.GetObjectResponse(object=_to_object(found))


def _to_response(chain: Chain) -> pb.TraceResponse:
    return pb.TraceResponse(
        objects=map(_to_object, chain.objects.values()),
        # Links are a set; sorted, equal chains are equal bytes.
        links=[message_of(pb.MetaTriple, each) for each in sorted(chain.links)],
        more=chain.more,  # the chain was cut at its maximum
        start=chain.start,
    )


def _to_object(each: TrailObject) -> pb.Object:
    return message_of(pb.Object, each, json=_json(each))


def _json(each: TrailObject) -> str:
    """Return an object as readable JSON; empty if it is withheld or corrupt."""
    # A corrupt object is shown all the same, for a verifier to find.
    try:
        return each.json if each.data else ""
    except ValueError:
        return ""
