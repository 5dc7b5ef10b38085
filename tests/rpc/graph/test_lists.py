from __future__ import annotations

import base64

import grpc
import pytest

from festinger.api.v1 import admin_service_pb2 as admin_pb
from festinger.api.v1 import candidate_service_pb2 as candidates_pb
from festinger.api.v1 import concept_service_pb2 as concepts_pb
from festinger.api.v1 import conflict_service_pb2 as conflicts_pb
from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.candidate_pb2 import Candidate
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.api.v1.source_pb2 import SOURCE_INFERRED, SOURCE_VALIDATED
from tests.memories import NOW
from tests.serving import Client, refused

OPERATOR = Client.as_("operator")

BAD_TOKENS = ["!!!", "YQ", "\u00e9", base64.b64encode(b"\xff").decode(), "a b"]
BAD_NUMBERS = [*BAD_TOKENS, "YWJj", "LTE=", base64.b64encode(b"9" * 30).decode()]


async def pages(method, request, field):
    """Return all pages of a list."""
    found = []
    while True:
        answer = await method(request)
        found.append(list(getattr(answer, field)))
        if not answer.next_page_token:
            return found
        request.page_token = answer.next_page_token


async def contradict(client, *names):
    """Make a conflict about each name."""
    for name in names:
        await client.states(f"{name} -isa pet")
        await client.states(f"{name} -isa beast")


async def test_concept_has_its_facts_and_conflicts(client):
    """Everything that is known of a name, in the order of the dimensions."""
    await client.says("gnommoweb here")
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -ispart agent0")
    await client.states("gnommoweb -isa container")

    concept = await client.concept("gnommoweb")

    assert (concept.token, concept.encounter_count) == ("gnommoweb", 1)
    assert (concept.saliency, concept.novelty, concept.dictionary) == (0.0, 1.0, False)
    assert concept.last_seen_time.ToSeconds() == NOW
    assert [(it.dimension, it.parent, it.contested) for it in concept.edges] == [
        ("membership", "agent0", False),
        ("type", "repo", True),
    ]
    assert list(concept.conflict_ids) == [1]


async def test_concept_is_found_by_its_name(client):
    """The name runs through the tokeniser."""
    await client.states("glitch_university -isa school")

    assert (await client.concept("Glitch University")).token == "glitch_university"


async def test_concept_of_the_dictionary_says_so(client):
    """An everyday word that was never in a prompt has no time and no saliency."""
    await client.states("python -isa language")

    concept = await client.concept("python")

    assert concept.dictionary
    assert not concept.HasField("last_seen_time")


async def test_concepts_are_listed_by_name(client):
    """Page by page, every concept once, in the order of the tokens."""
    names = [f"name{i:02}x" for i in range(7)]
    for name in reversed(names):
        await client.states(f"{name} -isa thing")

    request = concepts_pb.ListConceptsRequest(prefix="name", page_size=3)
    found = await pages(client.concepts.ListConcepts, request, "concepts")

    assert [[it.token for it in page] for page in found] == [
        names[:3],
        names[3:6],
        names[6:],
    ]


async def test_last_page_that_is_full_is_the_last(client):
    """There is no token where nothing follows."""
    for name in ("ant", "bee"):
        await client.states(f"{name} -isa pet")

    request = concepts_pb.ListConceptsRequest(placed=True, page_size=2)
    answer = await client.concepts.ListConcepts(request)

    assert (len(answer.concepts), answer.next_page_token) == (2, "")


async def test_placed_concepts_only(client):
    """Parents, dimensions and their roots are no placed concepts."""
    await client.states("gnommoweb -isa repo in context of tools")

    request = concepts_pb.ListConceptsRequest(placed=True)
    answer = await client.concepts.ListConcepts(request)

    assert [it.token for it in answer.concepts] == ["gnommoweb"]


async def test_prefix_is_no_pattern(client):
    """Signs that mean something to a database are letters here."""
    await client.states("ant -isa pet")

    for prefix in ("%", "_", "\\", "a%"):
        request = concepts_pb.ListConceptsRequest(prefix=prefix)
        assert not (await client.concepts.ListConcepts(request)).concepts


@pytest.mark.parametrize(("asked", "given"), [(0, 50), (5000, 1000)])
async def test_page_sizes_are_bounded(client, memories, asked, given):
    """50 unless more is asked for, and never more than 1000."""
    # Words that are met once are no concepts yet.
    for start in [*range(0, 1200, 400)] * 2:
        await client.says(" ".join(f"w{i}x" for i in range(start, start + 400)))
        await client.states("last -isa statement")
    await memories.flush()

    request = concepts_pb.ListConceptsRequest(prefix="w", page_size=asked)
    answer = await client.concepts.ListConcepts(request)

    assert len(answer.concepts) == given
    assert answer.next_page_token


@pytest.mark.parametrize("token", BAD_TOKENS)
async def test_concept_page_token_is_the_servers(client, token):
    """A token that no answer had is refused."""
    with refused() as refusal:
        await client.concepts.ListConcepts(
            concepts_pb.ListConceptsRequest(page_token=token)
        )

    assert (refusal.reason, refusal.metadata) == (
        "INVALID_ARGUMENT",
        {"field": "page_token"},
    )


@pytest.mark.parametrize("token", BAD_NUMBERS)
async def test_numbered_page_tokens_are_the_servers(client, token):
    """Lists by number take numbers only, and not every number."""
    for call, request in (
        (client.conflicts.ListConflicts, conflicts_pb.ListConflictsRequest),
        (client.candidates.ListCandidates, candidates_pb.ListCandidatesRequest),
    ):
        with refused() as refusal:
            await call(request(page_token=token))
        assert refusal.metadata == {"field": "page_token"}


async def test_negative_page_size_is_refused(client):
    """In every list alike."""
    for call, request in (
        (client.concepts.ListConcepts, concepts_pb.ListConceptsRequest),
        (client.conflicts.ListConflicts, conflicts_pb.ListConflictsRequest),
        (client.candidates.ListCandidates, candidates_pb.ListCandidatesRequest),
    ):
        with refused() as refusal:
            await call(request(page_size=-1))
        assert refusal.metadata == {"field": "page_size"}


async def test_nul_in_a_prefix_is_refused(client):
    """A name that no token can hold is refused before the database sees it."""
    with refused() as refusal:
        await client.concepts.ListConcepts(
            concepts_pb.ListConceptsRequest(prefix="a\0")
        )

    assert refusal.metadata == {"field": "prefix"}


async def test_conflict_says_everything(client):
    """An assertion tells its author, its confidence, and its collision."""
    await client.states("gnommoweb -isa repo")
    await client.says("gnommoweb is a container.", who=Client.as_("guest"))
    await client.states("gnommoweb -isa container")

    conflict = await client.conflict(1)

    assert conflict.state == Conflict.STATE_PENDING
    assert conflict.type == Conflict.TYPE_ISA_ISA
    assert conflict.incoming.parent == "container"
    assert (conflict.existing.parent, conflict.existing.contested) == ("repo", True)
    assert (conflict.incoming_confidence, conflict.incoming_principal) == (
        0.75,
        "guest",
    )
    assert conflict.incoming_source == SOURCE_INFERRED
    assert conflict.evidence == "gnommoweb is a container."
    assert (conflict.priority, conflict.statement_count) == (1, 2)
    assert conflict.create_time.ToSeconds() == NOW
    assert not conflict.HasField("resolution")
    assert conflict.etag


async def test_urgent_conflicts_are_listed_first(client):
    """Page by page, those of stated facts come first, and each group by number."""
    for name in ("gnommoweb", "gnommodb"):
        await client.states(f"{name} -isa repo")
        await client.says(f"{name} is a container.")
    await contradict(client, "cat", "dog", "eel")

    request = conflicts_pb.ListConflictsRequest(page_size=2)
    found = await pages(client.conflicts.ListConflicts, request, "conflicts")

    assert [[it.id for it in page] for page in found] == [[3, 4], [5, 1], [2]]


async def test_conflicts_are_filtered(client):
    """By state and by concept, alone and together."""
    await contradict(client, "ant", "bee", "glitch_university")
    decide = pb.ResolveRequest(conflict_id=1, decision=Conflict.DECISION_DISMISS)
    await client.memory.Resolve(decide, metadata=OPERATOR)

    async def listed(**fields):
        request = conflicts_pb.ListConflictsRequest(**fields)
        answer = await client.conflicts.ListConflicts(request)
        return [it.id for it in answer.conflicts]

    assert await listed() == [1, 2, 3]
    assert await listed(states=[Conflict.STATE_PENDING]) == [2, 3]
    assert await listed(states=[Conflict.STATE_DISMISSED]) == [1]
    assert await listed(states=[2, 3]) == [1]
    assert await listed(concept="Glitch University") == [3]
    assert await listed(concept="ant", states=[Conflict.STATE_PENDING]) == []
    assert await listed(concept="zork") == []


@pytest.mark.parametrize("state", [0, 99])
async def test_unknown_states_are_refused(client, state):
    """A state that this server does not know is no filter."""
    for call, request in (
        (client.conflicts.ListConflicts, conflicts_pb.ListConflictsRequest),
        (client.candidates.ListCandidates, candidates_pb.ListCandidatesRequest),
    ):
        with refused() as refusal:
            await call(request(states=[state]))
        assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
        assert refusal.metadata == {"field": "states"}


async def doubt(client, *names):
    """Has a tool's result state something of each name; returns the version after it."""
    for name in names:
        turn = pb.Turn(role=pb.Turn.ROLE_TOOL, text=f"{name} is a pet")
        await client.memory.Recollect(
            pb.RecollectRequest(turns=[turn]), metadata=Client.as_("guest")
        )
    answer = await client.states("last -isa statement")
    return answer.version


async def test_candidates_are_listed_oldest_first(client):
    """Page by page, with what was stated, by whom and why it waits."""
    await doubt(client, "ant", "bee", "cat")

    request = candidates_pb.ListCandidatesRequest(page_size=2)
    first, second = await pages(client.candidates.ListCandidates, request, "candidates")

    candidate = first[0]
    assert [it.id for it in first + second] == [1, 2, 3]
    assert (candidate.triple.concept, candidate.triple.parent) == ("ant", "pet")
    assert candidate.state == Candidate.STATE_PENDING_VALIDATION
    assert (candidate.source, candidate.rule) == (SOURCE_INFERRED, "is a")
    assert (candidate.reason, candidate.proposer) == ("tool_text", "scanner")
    assert (candidate.author, candidate.evidence) == ("guest", "ant is a pet")
    assert (candidate.confidence, candidate.statement_count) == (0.75, 1)
    assert (candidate.decider, candidate.HasField("decide_time")) == ("", False)


async def test_candidate_is_confirmed(client):
    """It becomes a fact through the gate, under the name of who confirmed it."""
    version = await doubt(client, "ant")

    request = candidates_pb.ConfirmCandidateRequest(candidate_id=1)
    answer = await client.candidates.ConfirmCandidate(request, metadata=OPERATOR)

    assert answer.candidate.state == Candidate.STATE_CONFIRMED
    assert answer.candidate.decider == "operator"
    assert answer.candidate.decide_time.ToSeconds() == NOW
    assert answer.outcome.verdict == Outcome.VERDICT_HELD
    assert answer.outcome.edge.source == SOURCE_VALIDATED
    assert answer.version == version + 1


async def test_candidate_is_rejected(client):
    """Nothing is held of it, and the list can be narrowed to it."""
    await doubt(client, "ant", "bee")

    request = candidates_pb.RejectCandidateRequest(candidate_id=1, request_id="r1")
    answers = [
        await client.candidates.RejectCandidate(request, metadata=OPERATOR)
        for _ in range(2)
    ]
    states = candidates_pb.ListCandidatesRequest(states=[Candidate.STATE_REJECTED])
    listed = (await client.candidates.ListCandidates(states)).candidates

    assert answers[0] == answers[1]
    assert answers[0].candidate.state == Candidate.STATE_REJECTED
    assert [it.id for it in listed] == [1]


async def test_confirming_is_idempotent_by_request_id(client):
    """The first answer again, instead of a closed candidate."""
    await doubt(client, "ant")
    request = candidates_pb.ConfirmCandidateRequest(candidate_id=1, request_id="r1")

    answers = [
        await client.candidates.ConfirmCandidate(request, metadata=OPERATOR)
        for _ in range(2)
    ]

    assert answers[0] == answers[1]


async def test_concepts_within_another(client):
    """
    Those that a fact places in it, by whatever dimension, page by page; a name that
    nothing is placed in has none.
    """
    await client.states("gnommoweb -isa repo")
    await client.states("wiki -ispart repo")
    await client.states("atlas -isa repo in context of kind")
    await client.states("repo -isa thing")

    def held(parent):
        request = concepts_pb.ListConceptsRequest(parent=parent, page_size=2)
        return pages(client.concepts.ListConcepts, request, "concepts")

    found = [[it.token for it in page] for page in await held("Repo")]
    assert found == [["atlas", "gnommoweb"], ["wiki"]]
    assert await held("gnommoweb") == [[]]
    assert await held("never_met") == [[]]


async def test_parent_is_one_token(client):
    """A name that cannot be a concept holds none."""
    request = concepts_pb.ListConceptsRequest(parent="two words")

    with refused() as refusal:
        await client.concepts.ListConcepts(request)

    assert refusal.reason == "NOT_A_TOKEN"


async def test_size(client):
    """The size of a memory is for its operator only."""
    request = admin_pb.GetSizeRequest()
    before = await client.admin.GetSize(request, metadata=OPERATOR)
    await client.states("gnommoweb -isa repo")
    await client.states("wiki -not -isa repo")

    size = await client.admin.GetSize(request, metadata=OPERATOR)
    with refused() as refusal:
        await client.admin.GetSize(request, metadata=Client.as_("guest"))

    assert size.version == before.version + 2
    assert size.concept_count == before.concept_count + 3
    assert (before.fact_count, size.fact_count) == (0, 1)
    assert size.denial_count == 1
    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED
