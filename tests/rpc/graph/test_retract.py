from __future__ import annotations

import grpc
import pytest

from festinger.api.v1 import concept_service_pb2 as concepts_pb
from festinger.api.v1 import line_service_pb2 as lines_pb
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.api.v1.source_pb2 import SOURCE_FESTINGER, SOURCE_GUTASK
from festinger.api.v1.triple_pb2 import Triple
from tests.memories import NOW
from tests.serving import Client, refused

CODE = grpc.StatusCode
GUEST, OPERATOR = Client.as_("guest"), Client.as_("operator")

REPO, CONTAINER = "gnommoweb -isa repo", "gnommoweb -isa container"

# What cannot be retracted, the reason, and the metadata.
BAD_RETRACTIONS = [
    ({"fact": "nonsense"}, "FACT_SYNTAX", {"fact": "nonsense"}),
    ({}, "FACT_SYNTAX", {"fact": ""}),
    ({"fact": "x" * 500}, "FACT_SYNTAX", {"fact": "x" * 80}),
    (
        {"fact": "a web service -isa repo"},
        "NOT_A_TOKEN",
        {"name": "a web service", "field": "concept"},
    ),
    (
        {"triple": Triple(concept="ant")},
        "NOT_A_TOKEN",
        {"name": "", "field": "parent"},
    ),
    (
        {"fact": REPO, "reasoning": "x" * 401},
        "INVALID_ARGUMENT",
        {"field": "reasoning"},
    ),
    (
        {"fact": REPO, "reasoning": "be\0cause"},
        "INVALID_ARGUMENT",
        {"field": "reasoning"},
    ),
    (
        {"fact": REPO, "request_id": "x" * 129},
        "INVALID_ARGUMENT",
        {"field": "request_id"},
    ),
    ({"fact": REPO, "request_id": "a\0b"}, "INVALID_ARGUMENT", {"field": "request_id"}),
]

# What cannot be decided, the reason, and the metadata.
BAD_MOVES = [
    ({"decision": "DECOMPOSE"}, {"field": "incoming_dimension"}),
    (
        {"decision": "DECOMPOSE", "incoming_dimension": "tech"},
        {"field": "existing_dimension"},
    ),
    (
        {"decision": "DECOMPOSE", "existing_dimension": "tech"},
        {"field": "incoming_dimension"},
    ),
    ({"decision": "RECLASSIFY"}, {"field": "incoming_dimension"}),
    (
        {
            "decision": "RECLASSIFY",
            "incoming_dimension": "tech",
            "existing_dimension": "type",
        },
        {"field": "existing_dimension"},
    ),
    (
        {"decision": "UPDATE", "incoming_dimension": "tech"},
        {"field": "incoming_dimension"},
    ),
    (
        {"decision": "DISMISS", "existing_dimension": "tech"},
        {"field": "existing_dimension"},
    ),
    (
        {"decision": "RECLASSIFY", "incoming_dimension": "two words"},
        {"field": "incoming_dimension", "name": "two words"},
    ),
    (
        {"decision": "RECLASSIFY", "incoming_dimension": "type"},
        {"field": "incoming_dimension"},
    ),
    (
        {"decision": "RECLASSIFY", "incoming_dimension": "gnommoweb"},
        {"field": "decision"},
    ),
    (
        {
            "decision": "DECOMPOSE",
            "incoming_dimension": "tech",
            "existing_dimension": "Tech",
        },
        {"field": "existing_dimension"},
    ),
]


async def retracts(client, fact=REPO, *who, **fields):
    """Return the answer to a retraction."""
    request = pb.RetractRequest(fact=fact, **fields)
    return await client.memory.Retract(request, metadata=who)


async def resolves(client, decision, *who, **fields):
    """Return the answer to a decision about the first conflict."""
    request = pb.ResolveRequest(
        conflict_id=1, decision=f"DECISION_{decision}", **fields
    )
    return await client.memory.Resolve(request, metadata=who or OPERATOR)


async def contradicted(client):
    """Has a fact and a conflict about it."""
    await client.states(REPO)
    await client.states(CONTAINER)


async def edges(client, token="gnommoweb"):
    """Return the facts of a concept."""
    concept = await client.concept(token)
    return [(it.dimension, it.parent) for it in concept.edges]


async def test_answer_says_what_was_held(client):
    """The statement, the fact as it was held, the ledger's entry and the version."""
    stated = await client.states(REPO)

    answer = await retracts(client, reasoning="it moved away")

    assert answer.triple.dimension == "type"
    assert (answer.edge.parent, answer.edge.source) == ("repo", SOURCE_GUTASK)
    assert answer.edge.last_confirm_time.ToSeconds() == NOW
    assert answer.assertion_id > stated.outcome.assertion_id
    assert answer.version == stated.version + 1
    assert list(answer.settled_conflict_ids) == []
    assert await edges(client) == []


async def test_fact_is_retracted_as_a_triple(client):
    """Names of several words and with capitals are those of the statement."""
    await client.states(
        "Glitch University -ispart Ramanujan Valley in context of Earth"
    )

    request = pb.RetractRequest(
        triple=Triple(
            concept="Glitch University", parent="ramanujan_valley", dimension="EARTH"
        )
    )
    answer = await client.memory.Retract(request)

    assert answer.triple.concept == "glitch_university"
    assert await edges(client, "glitch_university") == []


async def test_denial_is_retracted(client):
    """A denial has no edge, and with it gone the fact may be held."""
    await client.states("gnommoweb -not -isa repo")

    answer = await retracts(client, "gnommoweb -not -isa repo")
    stated = await client.states(REPO)

    assert answer.triple.negated
    assert not answer.HasField("edge")
    assert stated.outcome.verdict == Outcome.VERDICT_HELD


async def test_what_waited_is_named(client):
    """The conflicts that the retraction settled are in the answer, and are settled."""
    await contradicted(client)

    answer = await retracts(client)

    conflict = await client.conflict(1)
    assert list(answer.settled_conflict_ids) == [1]
    assert answer.edge.contested
    assert conflict.state == Conflict.STATE_RESOLVED
    assert conflict.resolution.principal == "local"
    assert await edges(client) == [("type", "container")]


@pytest.mark.parametrize(
    "fact", ["zork -isa yak", CONTAINER, "gnommoweb -not -isa repo"]
)
async def test_only_what_is_held_is_found(client, fact):
    """NOT_FOUND, with the statement that nobody holds."""
    await client.states(REPO)

    with refused() as refusal:
        await retracts(client, fact)

    assert (refusal.code, refusal.reason) == (CODE.NOT_FOUND, "FACT_NOT_HELD")
    assert refusal.metadata == {"fact": f"{fact} in context of type"}
    assert await edges(client) == [("type", "repo")]


@pytest.mark.parametrize(("fields", "reason", "metadata"), BAD_RETRACTIONS)
async def test_bad_retraction_is_refused(client, fields, reason, metadata):
    """An unreadable statement retracts nothing."""
    await client.states(REPO)

    with refused() as refusal:
        await client.memory.Retract(pb.RetractRequest(**fields))

    assert (refusal.code, refusal.reason) == (CODE.INVALID_ARGUMENT, reason)
    assert refusal.metadata == metadata
    assert await edges(client) == [("type", "repo")]


async def test_longest_reasoning_is_kept(client):
    """400 characters, of any script, are not too many."""
    await client.states(REPO)

    answer = await retracts(client, reasoning="д" * 400)

    assert answer.assertion_id


async def test_repeated_call_is_answered_alike(client):
    """The same request_id changes nothing twice and gives the first answer."""
    await contradicted(client)
    first = await retracts(client, request_id="r1", reasoning="why")
    await client.states("ant -isa bee")

    again = await retracts(client, request_id="r1", reasoning="why")

    assert again == first
    assert await edges(client) == [("type", "container")]


@pytest.mark.parametrize(
    "call",
    [
        lambda client: retracts(client, CONTAINER, request_id="r1"),
        lambda client: retracts(client, request_id="r1", reasoning="because"),
        lambda client: client.states(REPO, request_id="r1"),
    ],
)
async def test_reused_request_id_is_refused(client, call):
    """The name of one call is not another's."""
    await client.states(REPO)
    await retracts(client, request_id="r1")

    with refused() as refusal:
        await call(client)

    assert (refusal.code, refusal.reason) == (
        CODE.INVALID_ARGUMENT,
        "REQUEST_ID_REUSED",
    )
    assert refusal.metadata == {"request_id": "r1"}


async def test_request_ids_are_each_callers_own(client):
    """Two callers may name their calls alike."""
    await client.states(REPO)
    await retracts(client, REPO, *GUEST, request_id="r1")

    with refused() as refusal:
        await retracts(client, REPO, *OPERATOR, request_id="r1")

    assert refusal.reason == "FACT_NOT_HELD"


async def test_retracted_fact_is_settled(client):
    """A prompt that states it again is refused, with the cause; a person is not."""
    await client.states(REPO)
    await retracts(client)

    (outcome,) = (await client.says("gnommoweb is a repo")).outcomes
    stated = await client.states(REPO)

    assert (outcome.verdict, outcome.reason) == (Outcome.VERDICT_REJECTED, "settled")
    assert "iknowthat" in outcome.message
    assert stated.outcome.verdict == Outcome.VERDICT_HELD


async def test_dismissed_statement_names_its_conflict(client):
    """The refusal says on which closed conflict it counts, and the conflict says how often."""
    await contradicted(client)
    await resolves(client, "DISMISS")

    (outcome,) = (await client.says("gnommoweb is a container")).outcomes
    await client.states("ant -isa bee")

    conflict = await client.conflict(1)
    assert (outcome.reason, outcome.conflict_id) == ("settled", 1)
    assert (conflict.state, conflict.statement_count) == (Conflict.STATE_DISMISSED, 2)


async def test_decompose_is_answered_with_the_conflict(client):
    """The conflict is resolved, and both facts are where they were sent."""
    await contradicted(client)

    answer = await resolves(
        client,
        "DECOMPOSE",
        existing_dimension="Artifact Type",
        incoming_dimension="deployment-type",
    )

    assert answer.conflict.state == Conflict.STATE_RESOLVED
    assert answer.conflict.resolution.decision == Conflict.DECISION_DECOMPOSE
    assert await edges(client) == [
        ("artifact_type", "repo"),
        ("deployment-type", "container"),
    ]


async def test_moved_statement_says_where_it_is(client):
    """The outcome has the dimension in which it was judged."""
    await contradicted(client)
    await resolves(client, "RECLASSIFY", incoming_dimension="deployment")

    outcome = (await client.states(CONTAINER)).outcome

    assert outcome.verdict == Outcome.VERDICT_CORROBORATED
    assert outcome.triple.dimension == outcome.edge.dimension == "deployment"
    assert outcome.edge.source == SOURCE_FESTINGER


async def test_decision_let_the_fact_stand(client):
    """The fact's present dimension lets it stand."""
    await contradicted(client)

    await resolves(
        client,
        "DECOMPOSE",
        existing_dimension="type",
        incoming_dimension="deployment",
    )

    assert await edges(client) == [("deployment", "container"), ("type", "repo")]


@pytest.mark.parametrize(("fields", "metadata"), BAD_MOVES)
async def test_bad_move_is_refused(client, fields, metadata):
    """INVALID_ARGUMENT with the field, and the conflict waits on."""
    await contradicted(client)
    fields = dict(fields)

    with refused() as refusal:
        await resolves(client, fields.pop("decision"), **fields)

    assert refusal.code is CODE.INVALID_ARGUMENT
    assert refusal.metadata == metadata
    assert "google.rpc.BadRequest" in refusal.details
    assert (await client.conflict(1)).state == Conflict.STATE_PENDING
    assert await edges(client) == [("type", "repo")]


async def test_repeated_move_is_answered_alike(client):
    """The same request_id gives the first answer, not a closed conflict."""
    await contradicted(client)
    moved = {"incoming_dimension": "deployment", "request_id": "r1"}

    answers = [await resolves(client, "RECLASSIFY", **moved) for _ in range(2)]

    assert answers[0] == answers[1]


async def test_decision_with_the_etag_of_another_fact_is_aborted(client):
    """The fact that the statement would replace is part of what was read."""
    await contradicted(client)
    await client.states("gnommoweb -isa database")
    etag = (await client.conflict(1)).etag
    other = pb.ResolveRequest(conflict_id=2, decision=Conflict.DECISION_UPDATE)
    await client.memory.Resolve(other, metadata=OPERATOR)

    with refused() as refusal:
        await resolves(client, "UPDATE", etag=etag)

    assert (refusal.code, refusal.reason) == (CODE.ABORTED, "ETAG_MISMATCH")
    assert await edges(client) == [("type", "database")]


@pytest.mark.parametrize("who", [(), GUEST, Client.as_("shim")])
async def test_anybody_retracts_but_only_operators_decide(client, who):
    """An agent may take back what it stated, and settles no conflict."""
    await contradicted(client)

    with refused() as refusal:
        await resolves(
            client, "RECLASSIFY", *(who or Client.as_("guest")), incoming_dimension="x"
        )
    answer = await retracts(client, REPO, *who)

    assert (refusal.code, refusal.reason) == (
        CODE.PERMISSION_DENIED,
        "PERMISSION_DENIED",
    )
    assert answer.edge.parent == "repo"


async def test_guest_retracts_in_its_own_tenant_only(client):
    """The tenant of a retraction is checked as that of every call."""
    await client.states(REPO)

    with refused() as refusal:
        await retracts(client, REPO, *Client.as_("guest", tenant="other"))

    assert refusal.code is CODE.PERMISSION_DENIED
    assert await edges(client) == [("type", "repo")]


async def test_subject_and_principal_are_stamped(client, pool):
    """A trusted caller retracts on behalf of others; the ledger says of whom (E5)."""
    await client.states(REPO)

    await retracts(
        client, REPO, *Client.as_("shim", principal="alice", subject="carol")
    )

    async with pool.acquire() as connection:
        row = await connection.fetchrow(
            "select principal, subject from assertions where outcome = 'retracted'"
        )
    assert tuple(row) == ("alice", "carol")


@pytest.mark.parametrize("by_words", [True, False])
async def test_what_is_held_can_be_named_as_it_is_held(client, by_words):
    """A noun of a project and a literal value have a page, a history, and an end."""
    statement = lines_pb.WordedStatement(
        subject="service", predicate="takes", value="40 minutes a night"
    )
    item = lines_pb.ImportItem(statement=statement, speaker="nan", project="shop")
    await client.lines.ImportLines(
        lines_pb.ImportLinesRequest(items=[item]), metadata=OPERATOR
    )
    name, value = "shop/service", "40 minutes a night"
    fact = (
        {"fact": f"{name} -ispart {value} in context of takes"}
        if by_words
        else {"triple": Triple(concept=name, parent=value, dimension="takes")}
    )

    page = await client.concepts.GetConcept(concepts_pb.GetConceptRequest(token=name))
    value_page = await client.concepts.GetConcept(
        concepts_pb.GetConceptRequest(token=value)
    )
    await client.memory.Retract(pb.RetractRequest(**fact), metadata=OPERATOR)
    events = await client.concepts.History(concepts_pb.HistoryRequest(token=name))

    assert [edge.parent for edge in page.concept.edges] == [value]
    assert value_page.concept.token == value
    assert events.events[-1].triple.parent == value
