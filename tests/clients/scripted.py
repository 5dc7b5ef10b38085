"""A memory server that follows a script, and the `gutask` command as a process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.timestamp_pb2 import Timestamp
from google.rpc import (  # type: ignore[import-untyped, unused-ignore]
    error_details_pb2,
    status_pb2,
)
from grpc_status import rpc_status

from festinger.api.v1.concept_pb2 import Concept
from festinger.api.v1.edge_pb2 import Edge
from festinger.api.v1.memory_service_pb2 import AssertResponse, RetractResponse
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.api.v1.source_pb2 import SOURCE_CLOUD_LLM, SOURCE_GUTASK
from festinger.api.v1.triple_pb2 import Triple
from tests import forks

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "clients" / "gutask"

FACT = "gnommoweb -isa repo in context of glitch_university"
REPO = Triple(
    concept="gnommoweb", parent="repo", dimension="glitch_university", is_isa=True
)
CONTAINER = Triple(
    concept="gnommoweb", parent="container", dimension="type", is_isa=True
)


def edge(parent: str = "repo", dimension: str = "type", **fields: Any) -> Edge:
    """Make a fact about gnommoweb."""
    values: dict[str, Any] = {
        "concept": "gnommoweb",
        "is_isa": True,
        "confidence": 1.0,
        "source": SOURCE_GUTASK,
        "last_confirm_time": Timestamp(seconds=1_767_614_400),
    }
    return Edge(parent=parent, dimension=dimension, **(values | fields))


@dataclass
class Failure:
    """An error that the server answers with."""

    code: grpc.StatusCode
    message: str
    reason: str = ""
    domain: str = "festinger"

    def abort(self, context: grpc.ServicerContext) -> None:
        """End the call with this error."""
        if not self.reason:
            context.abort(self.code, self.message)
        info = error_details_pb2.ErrorInfo(
            reason=f"ERROR_REASON_{self.reason}", domain=self.domain
        )
        packed = AnyMessage()
        packed.Pack(info)
        code, _ = self.code.value
        status = status_pb2.Status(code=code, message=self.message, details=[packed])
        context.abort_with_status(rpc_status.to_status(status))


@dataclass
class Server:
    """A memory server that answers from a script and keeps what it was asked."""

    address: str = ""
    script: list[Any] = field(default_factory=list)
    requests: list[Any] = field(default_factory=list)
    metadata: list[dict[str, str | bytes]] = field(default_factory=list)

    def answer(self, request: Any, context: grpc.ServicerContext) -> Any:
        """Give the next answer; the last one is given for ever."""
        self.requests.append(request)
        self.metadata.append(dict(context.invocation_metadata()))
        answer = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(answer, Failure):
            answer.abort(context)
        return answer

    # The methods that gutask calls, by the names that the generated code looks for.
    Assert = Retract = GetConcept = History = answer

    def __getattr__(self, name: str) -> Callable[..., Any]:
        """Stand for the methods that gutask does not call."""
        if not name[0].isupper():
            raise AttributeError(name)
        return self.answer


def python(
    *arguments: str | bytes, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run Python with gutask importable and a clean environment."""
    return subprocess.run(
        [sys.executable, "-W", "error", *arguments],
        env=clean(environment),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def clean(environment: Mapping[str, str]) -> dict[str, str]:
    """Return an environment in which gutask is importable, and nothing set but this."""
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("FESTINGER_")}
    return {
        **inherited,
        "PYTHONPATH": f"{PACKAGE}{os.pathsep}{ROOT}",
        **environment,
    }


def gutask(
    *arguments: str | bytes, server: Server | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the command, against a server if one is given."""
    if server is not None:
        environment["FESTINGER_SERVER"] = server.address
    if any(name.startswith("PYTHON") for name in environment):
        # An interpreter reads it when it starts.
        return python("-m", "gutask", *arguments, **environment)
    ended = forks.run(*arguments, environment=clean(environment), program="gutask")
    return subprocess.CompletedProcess(
        arguments, ended.code, ended.printed, ended.complained
    )


def outcome(verdict: Outcome.Verdict, **fields: Any) -> AssertResponse:
    """Make an answer to a statement."""
    values: dict[str, Any] = {"triple": REPO, "assertion_id": 3}
    return AssertResponse(
        outcome=Outcome(verdict=verdict, **(values | fields)), version=9
    )


HELD = outcome(Outcome.VERDICT_HELD, edge=edge(dimension="glitch_university"))
FORGOTTEN = RetractResponse(
    triple=REPO,
    edge=edge(dimension="glitch_university", assertion_id=3),
    assertion_id=12,
    version=10,
)
GNOMMOWEB = Concept(
    token="gnommoweb",
    encounter_count=50,
    edges=[
        edge("ramanujan", "geography", is_isa=False, source=SOURCE_CLOUD_LLM),
        edge("repo", "glitch_university", confidence=0.97),
    ],
)
