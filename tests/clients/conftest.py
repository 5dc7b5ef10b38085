from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from festinger.api.v1 import (
    concept_service_pb2_grpc,
    line_service_pb2_grpc,
    memory_service_pb2_grpc,
)
from tests.clients.scripted import Server


@pytest.fixture
def lines() -> bool:
    """True if the server knows lines, which older ones do not."""
    return False


@pytest.fixture
def server(lines: bool) -> Iterator[Server]:
    """A memory server on a free port."""
    scripted = Server()
    running = grpc.server(ThreadPoolExecutor(2))
    memory_service_pb2_grpc.add_MemoryServiceServicer_to_server(scripted, running)
    concept_service_pb2_grpc.add_ConceptServiceServicer_to_server(scripted, running)
    if lines:
        line_service_pb2_grpc.add_LineServiceServicer_to_server(scripted, running)
    scripted.address = f"127.0.0.1:{running.add_insecure_port('127.0.0.1:0')}"
    running.start()
    yield scripted
    running.stop(grace=None).wait()
