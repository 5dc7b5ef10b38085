"""The gRPC server: services, health checks, reflection and graceful shutdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import grpc.aio
from grpc_reflection.v1alpha import reflection

from festinger.audit import AuditLog
from festinger.certificates import CertificateFiles
from festinger.channels import SERVER_OPTIONS
from festinger.config import (
    CallerSettings,
    ServerSettings,
    host_and_port,
    is_loopback,
    require_encryption,
)
from festinger.errors import AddressInUse
from festinger.rpc.graph.concept_service import ConceptServicer
from festinger.rpc.graph.conflict_service import ConflictServicer
from festinger.rpc.language.learning_service import LearningServicer
from festinger.rpc.memories.extraction_service import ExtractionServicer
from festinger.rpc.provenance.provenance_service import ProvenanceServicer
from festinger.rpc.recollection.line_service import LineServicer
from festinger.rpc.recollection.memory_service import MemoryServicer
from festinger.rpc.recollection.queueing import QuestionQueue
from festinger.rpc.recollection.streams import Streams
from festinger.rpc.review.inbox_service import InboxServicer
from festinger.rpc.review.ingestion_service import IngestionServicer
from festinger.rpc.review.promotion_service import PromotionServicer
from festinger.rpc.serving import GenericHandlers, add_servicer
from festinger.rpc.system.admin_service import AdminServicer
from festinger.rpc.system.callers import Credentials
from festinger.rpc.system.config_service import ConfigServicer
from festinger.rpc.system.health import Health
from festinger.rpc.system.interceptors import Gatekeeper
from festinger.rpc.system.limits import CallLimit, TenantLimits
from festinger.rpc.validation.candidate_service import CandidateServicer
from festinger.rpc.validation.validation_service import ValidationServicer
from festinger.services.system.registry import NO_SERVICES, ServiceRegistry
from festinger.services.world.memory import Memories

DATABASE = "database"  # apart: prompts are answered while it is away
"""Name of the database in the health service."""

SERVICES = tuple(
    f"festinger.api.v1.{name}Service"
    for name in (
        *("Memory", "Line", "Concept", "Conflict", "Candidate", "Promotion", "Inbox"),
        *("Admin", "Config", "Learning", "Ingestion", "Extraction", "Validation"),
        "Provenance",
    )
)
"""The services, as health and reflection name them."""


class MemoryServer:
    """Memory server that listens on gRPC.

    Args:
        callers: Clients that may authenticate.
        registry: Backends of the optional services; a service without one is
            UNIMPLEMENTED.
        audit: The log of calls that change something; None for none.

    Attributes:
        credentials: The clients that may authenticate.
        limits: The limits of the tenants.

    Raises:
        ConfigurationError: The address is invalid.
    """

    def __init__(
        self,
        settings: ServerSettings,
        memories: Memories,
        callers: tuple[CallerSettings, ...] = (),
        registry: ServiceRegistry = NO_SERVICES,
        audit: AuditLog | None = None,
    ) -> None:
        self._settings = settings
        host, _ = host_and_port(settings.address)
        # Loopback is this machine's users, unless a proxy in front makes everybody look like that.
        self.credentials = Credentials(
            callers, anonymous=is_loopback(host) and not settings.require_tokens
        )
        self.limits = TenantLimits(settings, memories)
        self._health = Health()
        self._streams = Streams(
            memories,
            QuestionQueue(
                seconds_max=settings.queue_milliseconds_max / 1000,
                statistics=memories.statistics,
            ),
            # Streams are open indefinitely, and must leave capacity for other calls.
            streams_max=max(1, settings.calls_max // 2),
            waiting_max=settings.calls_max,
            seconds_max=settings.deadline_seconds_max,
            limits=self.limits,
        )
        self._server = grpc.aio.server(
            interceptors=[
                Gatekeeper(
                    self.credentials,
                    self.limits,
                    # gRPC's own limit of calls refuses without a delay.
                    CallLimit(settings.calls_max),
                    memories,
                    audit=audit,
                    deadline_seconds_max=settings.deadline_seconds_max,
                )
            ],
            options=[
                *SERVER_OPTIONS,
                # Of one message; beyond it gRPC refuses it unread.
                ("grpc.max_receive_message_length", settings.message_bytes_max),
            ],
        )
        # What adds services calls nothing but the two methods of this stand-in.
        server: Any = GenericHandlers(self._server)
        for servicer in self._servicers(memories, registry):
            add_servicer(servicer, server)
        reflection.enable_server_reflection(
            (*SERVICES, "grpc.health.v1.Health", reflection.SERVICE_NAME), server
        )

    def _servicers(
        self, memories: Memories, registry: ServiceRegistry
    ) -> Iterator[object]:
        """Yield the servicers: of services that are always there, or have a backend."""
        seconds_max = self._settings.deadline_seconds_max
        ingester = registry.ingester
        yield self._health
        yield MemoryServicer(memories, self._streams, seconds_max=seconds_max)
        yield LineServicer(memories)
        yield ConceptServicer(memories)
        yield ConflictServicer(memories, registry.resolver)
        yield CandidateServicer(memories)
        yield PromotionServicer(memories, ingester.reader if ingester else None)
        yield InboxServicer(memories)
        yield AdminServicer(memories)
        yield ProvenanceServicer(memories)
        yield ValidationServicer(memories, registry)
        if registry.models:
            yield ConfigServicer(memories, registry.models, seconds_max=seconds_max)
        if registry.reading:
            yield LearningServicer(memories, registry.reading)
        if ingester:
            yield IngestionServicer(
                memories, ingester, message_bytes_max=self._settings.message_bytes_max
            )
        if extractor := registry.memory_extractor:
            yield ExtractionServicer(memories, extractor, seconds_max=seconds_max)

    async def start(self) -> str:
        """Start listening.

        Returns:
            The address, with the port that was bound.

        Raises:
            AddressInUse: The address cannot be bound, usually since another program
                listens on it.
            ConfigurationError: The address is invalid, or not encrypted, or a file of
                a certificate cannot be used.
        """
        address = self._settings.address
        host, _, _ = address.rpartition(":")
        tls = self._settings.tls
        # Plain text is for loopback only, unless the operator says that the network is trusted.
        require_encryption(
            "server",
            address,
            encrypted=tls.is_set,
            plain_text=self._settings.plain_text,
        )
        try:
            if tls.is_set:
                # They follow the files: a renewed certificate needs no restart.
                credentials = CertificateFiles(tls, "server.tls").server_credentials()
                port = self._server.add_secure_port(address, credentials)
            else:
                port = self._server.add_insecure_port(address)
        # Some versions of grpcio raise, others return 0.
        except RuntimeError:
            port = 0
        if not port:
            raise AddressInUse(
                f"cannot listen on {address}: another program does, or the address is "
                "not this machine's. Choose one with --server or FESTINGER_SERVER"
            )
        # Healthy once it listens, so that nobody is sent to a port that refuses.
        await self._server.start()
        for service in ("", DATABASE, *SERVICES):
            self._health.set(service, True)
        # The port that was bound: it may have been asked for as 0.
        return f"{host}:{port}"

    def set_callers(self, callers: Iterable[CallerSettings]) -> None:
        """Replace the clients that may authenticate; streams of others end."""
        if self.credentials.replace(callers):
            # A call ends soon by itself; a stream would live on with a revoked token.
            self._streams.end_unknown(self.credentials)

    async def set_database(self, serving: bool) -> None:
        """Report to the health service whether the database answers."""
        self._health.set(DATABASE, serving)

    async def recommend(self, itself: bool) -> None:
        """Report to the health service whether clients should prefer this server."""
        # Calls that arrive in spite of a "no" are answered from memory.
        for service in ("", *SERVICES):
            self._health.set(service, itself)

    async def stop(self) -> None:
        """Refuse new calls, wait for those in progress, and close."""
        # First, so that balancers send nobody here; then streams, which never end by themselves.
        self._health.stop()
        self._streams.end()
        # New calls are refused; those in progress may end.
        await self._server.stop(self._settings.drain_seconds)

    async def wait(self) -> None:
        """Wait until the server is stopped."""
        await self._server.wait_for_termination()
