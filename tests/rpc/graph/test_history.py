from __future__ import annotations

import base64

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from festinger.api.v1 import concept_service_pb2 as concepts_pb
from festinger.api.v1 import conflict_service_pb2 as conflicts_pb
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.history_pb2 import HistoryEvent
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.api.v1.source_pb2 import SOURCE_GUTASK, SOURCE_UNSPECIFIED
from tests.memories import NOW
from tests.serving import Client, refused

CODE = grpc.StatusCode
GUEST, OPERATOR = Client.as_("guest"), Client.as_("operator")

REPO, CONTAINER = "gnommoweb -isa repo", "gnommoweb -isa container"


def packed(text):
    """Return a page token that says something."""
    return base64.urlsafe_b64encode(text.encode()).decode()


BAD_PAGE_TOKENS = [
    "!!!",
    "é",
    packed("7"),
    packed("gnommoweb"),
    packed("1 2"),
    packed("1 2 3 4"),
    packed("-1 0 0"),
    packed("1  2"),
    packed("1 4 x"),
    packed("1 4 " + "9" * 19),
    packed("1 " + "9" * 18 + " 1"),
    packed("1 3000000000 1"),
    packed("1 0 1"),
    packed("٣ 4 1"),
    packed("1 4 1\n"),
]


async def history(client, token="gnommoweb", *who, **fields):
    """Return the history of a concept."""
    request = concepts_pb.HistoryRequest(token=token, **fields)
    return await client.concepts.History(request, metadata=who)


async def concept_at(client, when, token="gnommoweb", *who):
    """Return the state of a concept at a moment."""
    request = concepts_pb.GetConceptRequest(token=token, as_of_time=when)
    return (await client.concepts.GetConcept(request, metadata=who)).concept


def moment(seconds):
    """Return a moment as messages have it."""
    time = Timestamp()
    time.FromMicroseconds(round(seconds * 1e6))
    return time


async def test_events_have_everything(client, clock):
    """A statement, a decision and an end, each with the fields that it has."""
    await client.states(REPO)
    await client.states(CONTAINER)
    clock.now += 60
    await client.memory.Resolve(
        pb.ResolveRequest(
            conflict_id=1, decision=Conflict.DECISION_UPDATE, reasoning="it moved"
        ),
        metadata=OPERATOR,
    )

    stated, refused_, decided, ended, held = (await history(client)).events

    assert (stated.kind, stated.verdict) == (
        HistoryEvent.KIND_STATED,
        Outcome.VERDICT_HELD,
    )
    assert (stated.event_time, stated.source) == (moment(NOW), SOURCE_GUTASK)
    assert (refused_.reason, refused_.conflict_id) == ("isa_isa", 1)
    assert decided.kind == HistoryEvent.KIND_SETTLED
    assert (decided.decision, decided.principal, decided.text) == (
        Conflict.DECISION_UPDATE,
        "operator",
        "it moved",
    )
    assert decided.source == SOURCE_UNSPECIFIED
    assert (ended.kind, ended.closed_by) == (HistoryEvent.KIND_ENDED, "conflict 1")
    assert (ended.valid_from_time, ended.event_time) == (
        moment(NOW),
        moment(NOW + 60),
    )
    assert (ended.triple.parent, ended.assertion_id) == ("repo", stated.assertion_id)
    assert held.triple.parent == "container"


async def test_retraction_has_its_kind(client):
    """It is no statement: it has no verdict, but a principal and its reason."""
    await client.states(REPO)
    await client.memory.Retract(pb.RetractRequest(fact=REPO, reasoning="gone"))

    event = (await history(client)).events[0]

    assert event.kind == HistoryEvent.KIND_RETRACTED
    assert event.verdict == Outcome.VERDICT_UNSPECIFIED
    assert (event.principal, event.text) == ("local", "gone")


async def test_history_of_a_name_as_people_write_it(client):
    """The names run through the tokeniser."""
    await client.states("Glitch University -isa school in context of Higher Learning")

    found = await history(client, "Glitch University", dimension="Higher Learning")

    assert [it.triple.parent for it in found.events] == ["school"]


@pytest.mark.parametrize("size", [1, 2, 5])
async def test_history_comes_in_pages(client, size):
    """Every event once, in order, with a token as long as there is more."""
    for name in ("repo", "container", "database", "service", "daemon"):
        await client.states(f"gnommoweb -isa {name}")

    found, token = [], ""
    while True:
        answer = await history(client, page_size=size, page_token=token)
        assert len(answer.events) <= size
        found += [it.triple.parent for it in answer.events]
        token = answer.next_page_token
        if not token:
            break

    assert found == ["repo", "container", "database", "service", "daemon"]


async def test_met_concept_has_an_empty_history(client):
    """A word that nothing was said of has been met all the same."""
    await client.says("gnommoweb here")

    answer = await history(client)

    assert (list(answer.events), answer.next_page_token) == ([], "")


@pytest.mark.parametrize("token", BAD_PAGE_TOKENS)
async def test_strange_page_token_is_refused(client, token):
    """The tokens of other lists, and made-up ones, are an INVALID_ARGUMENT."""
    await client.states(REPO)

    with refused() as refusal:
        await history(client, page_token=token)

    assert (refusal.code, refusal.reason) == (CODE.INVALID_ARGUMENT, "INVALID_ARGUMENT")
    assert refusal.metadata == {"field": "page_token"}


async def test_token_of_a_history_is_no_list_of_conflicts(client):
    """The other way round as well."""
    await client.states(REPO)
    await client.states(CONTAINER)
    token = (await history(client, page_size=1)).next_page_token

    with refused() as refusal:
        await client.conflicts.ListConflicts(
            conflicts_pb.ListConflictsRequest(page_token=token)
        )

    assert refusal.metadata == {"field": "page_token"}


@pytest.mark.parametrize(
    ("fields", "code", "reason", "metadata"),
    [
        (
            {"token": "zork"},
            CODE.NOT_FOUND,
            "CONCEPT_NOT_FOUND",
            {"concept": "zork"},
        ),
        (
            {"token": "two words"},
            CODE.INVALID_ARGUMENT,
            "NOT_A_TOKEN",
            {"name": "two words", "field": "token"},
        ),
        (
            {"token": ""},
            CODE.INVALID_ARGUMENT,
            "NOT_A_TOKEN",
            {"name": "", "field": "token"},
        ),
        (
            {"token": "gnommoweb", "dimension": "a b c"},
            CODE.INVALID_ARGUMENT,
            "NOT_A_TOKEN",
            {"name": "a b c", "field": "dimension"},
        ),
        (
            {"token": "gnommoweb", "page_size": -1},
            CODE.INVALID_ARGUMENT,
            "INVALID_ARGUMENT",
            {"field": "page_size"},
        ),
    ],
)
async def test_bad_question_is_refused(client, fields, code, reason, metadata):
    """Every documented error has its code and an ErrorInfo."""
    await client.states(REPO)

    with refused() as refusal:
        await client.concepts.History(concepts_pb.HistoryRequest(**fields))

    assert (refusal.code, refusal.reason) == (code, reason)
    assert refusal.metadata == metadata


async def test_unknown_dimension_has_no_events(client):
    """A concept without events has no history."""
    await client.states(REPO)

    assert not (await history(client, dimension="zork")).events


@pytest.mark.parametrize(
    ("seconds", "parents", "conflicts"),
    [
        (-1, [], []),
        (0, ["repo"], []),
        (59, ["repo"], []),
        (60, ["repo"], [1]),
        (120, ["container"], []),
        (1e6, ["container"], []),
    ],
)
async def test_concept_of_a_moment(client, clock, seconds, parents, conflicts):
    """The facts and the conflicts of then; a contested fact says so."""
    await client.says("gnommoweb here")
    await client.states(REPO)
    clock.now += 60
    await client.states(CONTAINER)
    clock.now += 60
    await client.memory.Resolve(
        pb.ResolveRequest(conflict_id=1, decision=Conflict.DECISION_UPDATE),
        metadata=OPERATOR,
    )

    concept = await concept_at(client, moment(NOW + seconds))

    assert [it.parent for it in concept.edges] == parents
    assert list(concept.conflict_ids) == conflicts
    assert {it.contested for it in concept.edges} <= {bool(conflicts)}
    assert concept.encounter_count == 1


async def test_epoch_is_a_moment(client):
    """A time that is set to nothing is 1970, not today."""
    await client.states(REPO)

    assert not (await concept_at(client, Timestamp())).edges


@pytest.mark.parametrize(
    "when",
    [
        Timestamp(seconds=-62_135_596_801),
        Timestamp(seconds=253_402_300_800),
        Timestamp(seconds=2**63 - 1),
        Timestamp(seconds=-(2**63)),
        Timestamp(nanos=-1),
        Timestamp(nanos=1_000_000_000),
    ],
)
async def test_what_is_no_moment_is_refused(client, when):
    """Beyond the years 1 to 9999 there is no time."""
    await client.states(REPO)

    with refused() as refusal:
        await concept_at(client, when)

    assert (refusal.code, refusal.reason) == (CODE.INVALID_ARGUMENT, "INVALID_ARGUMENT")
    assert refusal.metadata == {"field": "as_of_time"}


@pytest.mark.parametrize(
    ("seconds", "parents"), [(-62_135_596_800, []), (253_402_300_799, ["repo"])]
)
async def test_first_and_last_moment_are_answered(client, seconds, parents):
    """The ends of the calendar are moments as well."""
    await client.states(REPO)

    concept = await concept_at(client, Timestamp(seconds=seconds))

    assert [it.parent for it in concept.edges] == parents


async def test_concept_that_was_never_met_had_no_past(client):
    """NOT_FOUND, at whatever moment."""
    with refused() as refusal:
        await concept_at(client, moment(NOW), "zork")

    assert refusal.reason == "CONCEPT_NOT_FOUND"


async def test_anybody_may_ask_in_their_tenant(client, store):
    """Reading is for agents too, of their own memory only."""
    await store.add_tenant("other")
    await client.states(REPO)

    found = await history(client, "gnommoweb", *GUEST)
    with refused() as refusal:
        await history(client, "gnommoweb", *Client.as_("guest", tenant="other"))
    with refused() as missing:
        await history(client, "gnommoweb", *Client.as_("operator", tenant="other"))

    assert len(found.events) == 1
    assert refusal.code is CODE.PERMISSION_DENIED
    assert missing.reason == "CONCEPT_NOT_FOUND"
