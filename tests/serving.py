"""A client of the memory server, for tests over real gRPC."""

from __future__ import annotations

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Protocol, cast

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from festinger.api.v1 import (
    admin_service_pb2_grpc,
    candidate_service_pb2_grpc,
    concept_service_pb2,
    concept_service_pb2_grpc,
    config_service_pb2_grpc,
    conflict_service_pb2,
    conflict_service_pb2_grpc,
    extraction_service_pb2_grpc,
    inbox_service_pb2_grpc,
    ingestion_service_pb2_grpc,
    learning_service_pb2_grpc,
    line_service_pb2_grpc,
    memory_service_pb2_grpc,
    promotion_service_pb2_grpc,
    provenance_service_pb2_grpc,
    validation_service_pb2_grpc,
)
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.config import CallerSettings
from festinger.rpc.server import MemoryServer


class Client:
    """The stubs of a server, where it listens, and the metadata of its callers."""

    TOKENS = ("shim", "operator", "colleague", "guest", "stranger")

    def __init__(self, channel: grpc.aio.Channel, address: str = ""):
        self.channel = channel
        self.address = address
        self.memory = memory_service_pb2_grpc.MemoryServiceStub(channel)
        self.concepts = concept_service_pb2_grpc.ConceptServiceStub(channel)
        self.conflicts = conflict_service_pb2_grpc.ConflictServiceStub(channel)
        self.admin = admin_service_pb2_grpc.AdminServiceStub(channel)
        self.config = config_service_pb2_grpc.ConfigServiceStub(channel)
        self.learning = learning_service_pb2_grpc.LearningServiceStub(channel)
        self.lines = line_service_pb2_grpc.LineServiceStub(channel)
        self.inbox = inbox_service_pb2_grpc.InboxServiceStub(channel)
        self.ingestion = ingestion_service_pb2_grpc.IngestionServiceStub(channel)
        self.extraction = extraction_service_pb2_grpc.ExtractionServiceStub(channel)
        self.promotion = promotion_service_pb2_grpc.PromotionServiceStub(channel)
        self.provenance = provenance_service_pb2_grpc.ProvenanceServiceStub(channel)
        self.candidates = candidate_service_pb2_grpc.CandidateServiceStub(channel)
        self.validation = validation_service_pb2_grpc.ValidationServiceStub(channel)

    @classmethod
    def callers(cls) -> tuple[CallerSettings, ...]:
        """Those who authenticate with these tokens, as a server's settings have them."""
        hashes = {name: sha256(name.encode()).hexdigest() for name in cls.TOKENS}
        return (
            CallerSettings(
                name="shim",
                token_sha256=hashes["shim"],
                trusted=True,
                tenants=("*",),
            ),
            CallerSettings(
                name="operator",
                token_sha256=hashes["operator"],
                operator=True,
                tenants=("*",),
            ),
            CallerSettings(
                name="colleague", token_sha256=hashes["colleague"], operator=True
            ),
            CallerSettings(name="guest", token_sha256=hashes["guest"]),
            # All rights, in another memory.
            CallerSettings(
                name="stranger",
                token_sha256=hashes["stranger"],
                trusted=True,
                operator=True,
                tenants=("acme",),
            ),
        )

    @staticmethod
    def as_(name: str, **values: str) -> tuple[tuple[str, str], ...]:
        """
        The metadata of a caller: a token that is its name, and `tenant`, `principal`
        and `subject` as given.
        """
        pairs = [(f"festinger-{key}", value) for key, value in values.items()]
        return (("authorization", f"Bearer {name}"), *pairs)

    async def states(self, fact: str, *who: tuple[str, str], **fields: Any) -> Any:
        """Return the answer to a stated fact."""
        request = pb.AssertRequest(fact=fact, **fields)
        return await self.memory.Assert(request, metadata=who)

    async def health(self, service: str = "") -> Any:
        """Return the state by the health service."""
        stub: Any = health_pb2_grpc.HealthStub(self.channel)
        request = health_pb2.HealthCheckRequest(service=service)
        return (await stub.Check(request)).status

    async def concept(self, token: str) -> Any:
        """Return the state of a concept."""
        request = concept_service_pb2.GetConceptRequest(token=token)
        return (await self.concepts.GetConcept(request)).concept

    async def conflict(self, number: int) -> Any:
        """Return a conflict."""
        request = conflict_service_pb2.GetConflictRequest(conflict_id=number)
        return (await self.conflicts.GetConflict(request)).conflict

    async def says(self, *texts: str, who: Any = (), **fields: Any) -> Any:
        """Return the answer to a prompt of a person."""
        turns = [pb.Turn(role=pb.Turn.ROLE_USER, text=text, **fields) for text in texts]
        return await self.memory.Recollect(
            pb.RecollectRequest(turns=turns), metadata=who
        )


class Serve(Protocol):
    """Starts a server with settings of the test's own."""

    def __call__(self, **settings: Any) -> Awaitable[tuple[MemoryServer, Client]]:
        """The server, and a client of it."""


@dataclass
class Refusal:
    """Refusal by an error: its code, and the parts of its ErrorInfo."""

    code: grpc.StatusCode | None = None
    reason: str = ""
    domain: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    message: str = ""
    details: list[str] = field(default_factory=list)


@contextmanager
def refused() -> Iterator[Refusal]:
    """Expects a call to be refused, and says how it was."""
    refusal = Refusal()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        yield refusal
    error = caught.value
    refusal.code, refusal.message = error.code(), error.details() or ""
    # The stubs know the synchronous client's errors only.
    status = rpc_status.from_call(cast(grpc.Call, error))
    for detail in status.details if status else ():
        refusal.details.append(detail.TypeName())
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            refusal.reason = info.reason.removeprefix("ERROR_REASON_")
            refusal.domain, refusal.metadata = info.domain, dict(info.metadata)
