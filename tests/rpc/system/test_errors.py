from __future__ import annotations

import grpc
import pytest

from festinger import errors
from festinger.api.v1 import candidate_service_pb2 as candidates_pb
from festinger.api.v1 import concept_service_pb2 as concepts_pb
from festinger.api.v1 import conflict_service_pb2 as conflicts_pb
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.error_reason_pb2 import ErrorReason
from festinger.api.v1.triple_pb2 import Triple
from festinger.rpc.system.status import code_of
from festinger.services.world.memory import Memories
from tests.serving import Client, refused

OPERATOR = Client.as_("operator")
CODE = grpc.StatusCode


ERRORS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, errors.FestingerError)
]

RETRY, FIELDS = "google.rpc.RetryInfo", "google.rpc.BadRequest"


def asserting(**fields):
    """Return a call of Assert."""
    return lambda client: client.memory.Assert(pb.AssertRequest(**fields))


def resolving(**fields):
    """Return a call of Resolve."""
    request = pb.ResolveRequest(**{"conflict_id": 1, "decision": 1} | fields)
    return lambda client: client.memory.Resolve(request, metadata=OPERATOR)


def reading(text, **turn):
    """Return a call of Recollect."""
    turns = [pb.Turn(text=text, **turn)]
    return lambda client: client.memory.Recollect(pb.RecollectRequest(turns=turns))


# A call, the code, the reason, and the metadata, which every such error carries.
REFUSALS = [
    (
        asserting(fact="nonsense"),
        CODE.INVALID_ARGUMENT,
        "FACT_SYNTAX",
        {"fact": "nonsense"},
    ),
    (asserting(), CODE.INVALID_ARGUMENT, "FACT_SYNTAX", {"fact": ""}),
    (
        asserting(fact="x" * 500),
        CODE.INVALID_ARGUMENT,
        "FACT_SYNTAX",
        {"fact": "x" * 80},
    ),
    (
        asserting(fact="a web service -isa repo"),
        CODE.INVALID_ARGUMENT,
        "NOT_A_TOKEN",
        {"name": "a web service", "field": "concept"},
    ),
    (
        asserting(triple=Triple(concept="x")),
        CODE.INVALID_ARGUMENT,
        "NOT_A_TOKEN",
        {"name": "", "field": "parent"},
    ),
    (
        asserting(fact="x -isa y", request_id="x" * 129),
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
        {"field": "request_id"},
    ),
    (
        asserting(fact="x -isa y", request_id="a\0b"),
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
        {"field": "request_id"},
    ),
    (
        reading("x", digest=b"x" * 33),
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
        {"field": "turns.digest"},
    ),
    (
        resolving(reasoning="x" * 2001),
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
        {"field": "reasoning"},
    ),
    (
        resolving(reasoning="be\0cause"),
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
        {"field": "reasoning"},
    ),
    (
        resolving(decision=0),
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
        {"field": "decision"},
    ),
    (
        resolving(decision=77),
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
        {"field": "decision"},
    ),
    (resolving(), CODE.NOT_FOUND, "CONFLICT_NOT_FOUND", {"conflict_id": "1"}),
    (
        lambda client: client.conflicts.GetConflict(
            conflicts_pb.GetConflictRequest(conflict_id=-(2**63))
        ),
        CODE.NOT_FOUND,
        "CONFLICT_NOT_FOUND",
        {"conflict_id": str(-(2**63))},
    ),
    (
        lambda client: client.candidates.RejectCandidate(
            candidates_pb.RejectCandidateRequest(candidate_id=3), metadata=OPERATOR
        ),
        CODE.NOT_FOUND,
        "CANDIDATE_NOT_FOUND",
        {"candidate_id": "3"},
    ),
    (
        lambda client: client.concepts.GetConcept(
            concepts_pb.GetConceptRequest(token="zork")
        ),
        CODE.NOT_FOUND,
        "CONCEPT_NOT_FOUND",
        {"concept": "zork"},
    ),
    (
        lambda client: client.concepts.GetConcept(
            concepts_pb.GetConceptRequest(token="two words")
        ),
        CODE.INVALID_ARGUMENT,
        "NOT_A_TOKEN",
        {"name": "two words", "field": "token"},
    ),
    (
        lambda client: client.conflicts.ListConflicts(
            conflicts_pb.ListConflictsRequest(concept="two words")
        ),
        CODE.INVALID_ARGUMENT,
        "NOT_A_TOKEN",
        {"name": "two words", "field": "concept"},
    ),
    (
        lambda client: client.memory.Tokenise(
            pb.TokeniseRequest(), metadata=Client.as_("operator", tenant="zork")
        ),
        CODE.NOT_FOUND,
        "TENANT_NOT_FOUND",
        {"tenant": "zork"},
    ),
    (
        lambda client: client.memory.Tokenise(
            pb.TokeniseRequest(), metadata=Client.as_("nobody")
        ),
        CODE.UNAUTHENTICATED,
        "UNAUTHENTICATED",
        {},
    ),
]


@pytest.mark.parametrize(("call", "code", "reason", "metadata"), REFUSALS)
async def test_refusal_says_why(client, call, code, reason, metadata):
    """Every error has its canonical code and an ErrorInfo for programs."""
    with refused() as refusal:
        await call(client)

    assert (refusal.code, refusal.reason) == (code, reason)
    assert refusal.domain == "festinger"
    assert refusal.metadata == metadata
    assert refusal.message


async def test_wrong_field_is_named_in_a_bad_request(client):
    """An error of a field names it, in the form that the common clients expect."""
    with refused() as refusal:
        await client.states("x -isa y", request_id="x" * 129)

    assert FIELDS in refusal.details


async def test_settled_conflict_is_closed(client):
    """FAILED_PRECONDITION, with who decided."""
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa container")
    await resolving()(client)

    with refused() as refusal:
        await resolving(decision=Conflict.DECISION_DISMISS)(client)

    assert (refusal.code, refusal.reason) == (
        CODE.FAILED_PRECONDITION,
        "CONFLICT_CLOSED",
    )
    assert refusal.metadata == {"conflict_id": "1", "principal": "operator"}


async def test_old_etag_is_aborted(client):
    """ABORTED, so that a client reads again."""
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa container")

    with refused() as refusal:
        await resolving(etag="pending-7")(client)

    assert (refusal.code, refusal.reason) == (CODE.ABORTED, "ETAG_MISMATCH")
    assert refusal.metadata == {"conflict_id": "1"}


async def test_decided_candidate_is_closed(client):
    """FAILED_PRECONDITION, with who decided."""
    turn = pb.Turn(role=pb.Turn.ROLE_TOOL, text="ant is a pet")
    await client.memory.Recollect(pb.RecollectRequest(turns=[turn]))
    await client.states("last -isa statement")
    request = candidates_pb.RejectCandidateRequest(candidate_id=1)
    await client.candidates.RejectCandidate(request, metadata=OPERATOR)

    with refused() as refusal:
        await client.candidates.RejectCandidate(request, metadata=OPERATOR)

    assert (refusal.code, refusal.reason) == (
        CODE.FAILED_PRECONDITION,
        "CANDIDATE_CLOSED",
    )
    assert refusal.metadata == {"candidate_id": "1", "principal": "operator"}


async def test_reused_request_id_is_refused(client):
    """The same name with another statement is a client's mistake."""
    await client.states("gnommoweb -isa repo", request_id="r1")

    with refused() as refusal:
        await client.states("dobby -isa worker", request_id="r1")

    assert (refusal.code, refusal.reason) == (
        CODE.INVALID_ARGUMENT,
        "REQUEST_ID_REUSED",
    )
    assert refusal.metadata == {"request_id": "r1"}


async def test_circle_cannot_be_updated(client):
    """An update that would still collide says so, and names the field."""
    await client.states("ant -isa bee")
    await client.states("bee -isa ant")

    with refused() as refusal:
        await resolving(decision=Conflict.DECISION_UPDATE)(client)

    assert (refusal.code, refusal.metadata) == (
        CODE.INVALID_ARGUMENT,
        {"field": "decision"},
    )


async def test_absent_database_is_unavailable(client, pool):
    """UNAVAILABLE and when to try again; reading goes on."""
    await client.states("gnommoweb -isa repo")
    await pool.close()

    with refused() as refusal:
        await client.states("dobby -isa worker")

    assert (refusal.code, refusal.reason) == (CODE.UNAVAILABLE, "DATABASE_UNAVAILABLE")
    assert RETRY in refusal.details
    assert (await client.says("gnommoweb")).lines[0].text == "gnommoweb: [type] repo"


async def test_stopping_server_is_overloaded(client, memories):
    """A writer that ends asks its callers to try again."""
    memory = await memories.get("default")
    await memory.writer.stop()

    with refused() as refusal:
        await client.states("dobby -isa worker")

    assert (refusal.code, refusal.reason) == (CODE.UNAVAILABLE, "OVERLOADED")
    assert RETRY in refusal.details


async def test_defect_shows_nothing_of_itself(client, monkeypatch):
    """A traceback goes to the log, not to the caller."""

    async def broken(self, tenant):
        raise RuntimeError("secret")

    monkeypatch.setattr(Memories, "get", broken)

    with refused() as refusal:
        await client.states("dobby -isa worker")

    assert (refusal.code, refusal.reason) == (CODE.INTERNAL, "INTERNAL")
    assert "secret" not in refusal.message


@pytest.mark.parametrize("kind", ERRORS[1:])
def test_every_error_has_a_code(kind):
    """An error that a call may raise is never unknown to a client."""
    at_start = {
        errors.ConfigurationError,
        errors.AddressInUse,
        errors.DataDirectoryInUse,
    }

    internal = code_of(kind("x")) is CODE.INTERNAL

    assert internal == (kind in at_start)


def test_reasons_are_those_of_the_api():
    """Each error's reason is a value of ErrorReason, and each value is some error's."""
    names = ErrorReason.DESCRIPTOR.values_by_name
    values = {it.removeprefix("ERROR_REASON_") for it in names} - {"UNSPECIFIED"}

    assert {kind.reason for kind in ERRORS} == values
