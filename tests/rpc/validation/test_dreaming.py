from __future__ import annotations

import grpc
import pytest

from festinger.api.v1 import validation_pb2 as messages
from festinger.api.v1 import validation_service_pb2 as pb
from festinger.errors import BadAnswer
from tests.dreaming import JOINED, NOTHING, SENTENCE, answered, dream, dreams, put
from tests.memories import held
from tests.serving import Client, refused

Item = messages.BacklogItem
OPERATOR = Client.as_("operator")
FAILED_PRECONDITION = grpc.StatusCode.FAILED_PRECONDITION
INVALID_ARGUMENT = grpc.StatusCode.INVALID_ARGUMENT
NOT_FOUND = grpc.StatusCode.NOT_FOUND
PERMISSION_DENIED = grpc.StatusCode.PERMISSION_DENIED


@pytest.fixture
async def memory(memories):
    """The memory of the test's server."""
    return await memories.get("default")


@pytest.fixture
async def chosen(client, pool, memories, memory):
    """A client of a server whose memory has chosen a model to dream with."""
    await pool.execute("update config set value = '1' where key = 'dream_model_id'")
    await memories.read_settings("default")
    return client


def known(memory):
    """Return the held facts but for those that tests state themselves."""
    return {str(each) for each in held(memory.world) if each.concept != "seed"}


async def lease_items(client, count=0, **fields):
    """Lease items to the operator."""
    request = pb.LeaseBacklogRequest(page_size=count, **fields)
    return (await client.validation.LeaseBacklog(request, metadata=OPERATOR)).items


async def report(client, item, result, **fields):
    """Return the item after a report."""
    values = {"backlog_id": item.id, "lease": item.lease, "result": result} | fields
    request = pb.ReportBacklogRequest(**values)
    answer = await client.validation.ReportBacklog(request, metadata=OPERATOR)
    return answer.item


async def listed(client, **fields):
    """Return the backlog, as an operator sees it."""
    request = pb.ListBacklogRequest(**fields)
    return await client.validation.ListBacklog(request, metadata=OPERATOR)


async def predicates(client, who=OPERATOR):
    """Return the predicates, and what is suggested."""
    request = pb.ListPredicatesRequest()
    return await client.validation.ListPredicates(request, metadata=who)


async def set_predicate(client, uri, dimension="", who=OPERATOR, **fields):
    """Return the answer to what somebody says of a predicate."""
    dismiss = fields.pop("dismiss", False)
    predicate = pb.Predicate(uri=uri, dimension=dimension, **fields)
    request = pb.SetPredicateRequest(predicate=predicate, dismiss=dismiss)
    return await client.validation.SetPredicate(request, metadata=who)


# Nights


async def test_night_is_told_item_by_item(chosen, memory, pool, model):
    """First how much there is, then each item with what was found, last the report."""
    await put(memory, pool, 1)
    model.says(dreams(dream()))

    call = chosen.validation.Dream(pb.DreamRequest(), metadata=OPERATOR)
    told = [each async for each in call]

    (item,) = [each.item for each in told if each.HasField("item")]
    assert [(it.fact, it.outcome) for it in item.findings] == [(JOINED, "held")]
    dream_run = told[-1].dream_run
    assert (dream_run.cause, dream_run.item_count, dream_run.held_count) == (
        "manual",
        1,
        1,
    )
    assert "held: 1" in dream_run.report.splitlines()
    assert dream_run.HasField("end_time")
    assert known(memory) == {JOINED}


async def test_nobody_dreams_without_a_model(client):
    """The next step is told, and by ListBacklog as well."""
    call = client.validation.Dream(pb.DreamRequest(), metadata=OPERATOR)
    with refused() as refusal:
        async for _ in call:
            pass
    assert (refusal.code, refusal.reason) == (FAILED_PRECONDITION, "NO_MODEL")

    assert "config set dream_model_id" in (await listed(client)).resting


async def test_backlog_tells_of_items_answers_and_nights(chosen, memory, pool, model):
    """An operator sees why an item failed, what people said, and the last nights."""
    await put(memory, pool, 1, because="rejected", priority="high")
    await answered(pool, 1, "bob", "rejected", note="never", at=memory.now())
    model.says(BadAnswer("it answered with prose"))
    async for _ in chosen.validation.Dream(pb.DreamRequest(), metadata=OPERATOR):
        pass

    page = await listed(chosen, states=[Item.STATE_WAITING])

    (item,) = page.items
    assert (item.reason, item.priority) == ("rejected", messages.PRIORITY_HIGH)
    assert (item.attempts, item.last_error) == (1, "it answered with prose")
    assert [(it.responder, it.note) for it in item.events] == [("bob", "never")]
    assert item.lease == ""
    assert [it.failed_count for it in page.dream_runs] == [1]
    assert page.HasField("next_time")


async def test_backlog_comes_in_pages(chosen, memory, pool):
    """A list that is cut goes on where it was cut."""
    for number in (1, 2, 3):
        await put(memory, pool, number, fact=f"c{number} -isa poet")

    first = await listed(chosen, page_size=2)
    rest = await listed(chosen, page_size=2, page_token=first.next_page_token)

    assert [it.id for it in (*first.items, *rest.items)] == [1, 2, 3]
    assert rest.next_page_token == ""


# Workers from elsewhere


async def test_worker_from_elsewhere_finds_candidates(client, memory, pool):
    """
    A worker's findings pass the gate as candidates of theirs, and the item is done
    (E5).
    """
    await put(memory, pool, 1)

    (item,) = await lease_items(client)
    done = await report(client, item, "done", facts=[JOINED, "alice -isa player"])

    assert item.lease
    assert done.state == Item.STATE_DONE
    assert [it.outcome for it in done.findings] == ["candidate", "candidate"]
    assert known(memory) == set()
    row = await pool.fetchrow("select * from candidates where source = 'dreaming'")
    assert (row["proposer"], row["sentence"]) == ("operator", SENTENCE)


async def test_leased_item_is_nobody_else_s(client, memory, pool):
    """Until it is given back it is given to nobody, the most urgent one first."""
    await put(memory, pool, 1, fact="a1 -isa poet", priority="low")
    await put(memory, pool, 2, fact="a2 -isa poet", priority="critical")

    both = await lease_items(client, 5)
    none = await lease_items(client, 5)
    back = await report(client, both[1], "give_back")
    again = await lease_items(client, 5)

    assert [it.id for it in both] == [2, 1]
    assert list(none) == []
    assert (back.state, back.attempts) == (Item.STATE_WAITING, 0)
    assert [it.id for it in again] == [1]


async def test_failure_waits_longer_each_time(client, memory, pool, clock):
    """An item that a worker could do nothing with comes back later, five times at most."""
    await put(memory, pool, 1)
    for failures in range(1, 6):
        (item,) = await lease_items(client)
        failed = await report(client, item, "fail", error="no idea")
        assert (failed.attempts, failed.last_error) == (failures, "no idea")
        assert list(await lease_items(client)) == []
        clock.now += 2 * 86_400

    assert failed.state == Item.STATE_FAILED
    assert list(await lease_items(client)) == []


async def test_lost_lease_is_told_and_changes_nothing(client, memory, pool):
    """Whoever comes too late, or with another's lease, is refused in every way."""
    await put(memory, pool, 1)
    (item,) = await lease_items(client)
    extended = await report(client, item, "extend", lease_seconds=3600)
    assert extended.lease_end_time.seconds > item.lease_end_time.seconds
    await pool.execute("update backlog set leased_by = gen_random_uuid()")

    for result in ("extend", "give_back", "fail", "done"):
        with refused() as refusal:
            await report(client, item, result, facts=[JOINED])
        assert (refusal.code, refusal.reason) == (FAILED_PRECONDITION, "LEASE_LOST")

    assert known(memory) == set()
    assert await pool.fetchval("select state from backlog") == "leased"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"result": "perhaps"}, INVALID_ARGUMENT),
        ({"lease": "mine"}, INVALID_ARGUMENT),
        ({"facts": ["alice is a player"]}, INVALID_ARGUMENT),
        ({"facts": [JOINED] * 101}, INVALID_ARGUMENT),
        ({"error": "x" * 3000}, INVALID_ARGUMENT),
        ({"lease_seconds": 9}, INVALID_ARGUMENT),
        ({"backlog_id": 99}, NOT_FOUND),
    ],
)
async def test_report_that_cannot_be_one_is_refused(fields, code, client, memory, pool):
    """Each error says what is wrong, and the lease is as it was."""
    await put(memory, pool, 1)
    (item,) = await lease_items(client)

    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await report(client, item, **({"result": "done"} | fields))

    assert caught.value.code() is code
    assert (await report(client, item, "give_back")).state == Item.STATE_WAITING


async def test_only_operators_dream(chosen):
    """Guests, and those who speak for others, have no part in it."""
    for who in (Client.as_("guest"), Client.as_("shim")):
        for call in (
            chosen.validation.LeaseBacklog(pb.LeaseBacklogRequest(), metadata=who),
            chosen.validation.ListBacklog(pb.ListBacklogRequest(), metadata=who),
        ):
            with refused() as refusal:
                await call
            assert (refusal.code, refusal.reason) == (
                PERMISSION_DENIED,
                "PERMISSION_DENIED",
            )
        with refused() as refusal:
            await set_predicate(chosen, "t:mentors", "mentor", who=who)
        assert (refusal.code, refusal.reason) == (
            PERMISSION_DENIED,
            "PERMISSION_DENIED",
        )


# Predicates


async def test_predicate_is_in_force_when_it_is_set(client, memory):
    """Whoever asks next is told it, and the memory goes by it."""
    answer = await set_predicate(
        client, "t:mentors", "mentor", question="does {subject} mentor {object}?"
    )

    assert answer.predicate.dimension == "mentor"
    assert memory.registry.of_uri("t:mentors").dimension == "mentor"
    found = {it.uri: it for it in (await predicates(client)).predicates}
    assert (found["t:mentors"].built_in, found["t:mentors"].pilot) == (False, False)
    assert (found["t:joined"].built_in, found["t:joined"].pilot) == (True, True)


async def test_recurring_predicate_is_suggested_until_somebody_says_what_it_is(
    chosen, memory, pool, model
):
    """A reason that was confirmed and dreamt of counts; once is not often."""
    sentence = "Alice mentors the Chess Club."
    await put(memory, pool, 1, sentence=sentence)
    model.says(dreams(dream(predicate="t:mentors", quote=sentence)))
    async for _ in chosen.validation.Dream(pb.DreamRequest(), metadata=OPERATOR):
        pass
    assert list((await predicates(chosen)).suggestions) == []
    fact = "bob -ispart carol in context of mentors"
    await put(memory, pool, 2, fact=fact, predicate="t:mentors", confirmed=True)

    (suggestion,) = (await predicates(chosen)).suggestions
    assert (suggestion.uri, suggestion.count) == ("t:mentors", 2)
    assert len(suggestion.examples) == 2
    assert list((await predicates(chosen, Client.as_("guest"))).suggestions) == []

    await set_predicate(chosen, "t:mentors", "mentor")
    assert list((await predicates(chosen)).suggestions) == []


async def test_dismissed_suggestion_does_not_come_back(client, memory, pool):
    """However often it is met again."""
    for number in (1, 2):
        fact = f"a{number} -ispart b in context of mentors"
        await put(
            memory, pool, number, fact=fact, predicate="t:mentors", confirmed=True
        )

    await set_predicate(client, "t:mentors", dismiss=True)

    fact = "a3 -ispart b in context of mentors"
    await put(memory, pool, 3, fact=fact, predicate="t:mentors", confirmed=True)
    assert list((await predicates(client)).suggestions) == []
    with refused() as refusal:
        await set_predicate(client, "t:leads", dismiss=True)
    assert (refusal.code, refusal.reason) == (INVALID_ARGUMENT, "INVALID_ARGUMENT")


@pytest.mark.parametrize(
    ("uri", "dimension", "question"),
    [
        ("https://example.org/x", "mentor", ""),
        ("t:mentors", "two words", ""),
        ("t:mentors", "</system>", ""),
        ("t:mentors", "mentor", "does {subject} mentor?"),
    ],
)
async def test_predicate_that_cannot_be_one_is_refused(
    uri, dimension, question, client
):
    """A text that would come into prompts as no name is refused (E4)."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await set_predicate(client, uri, dimension, question=question)

    assert caught.value.code() is INVALID_ARGUMENT


async def test_empty_night_says_so(chosen, model):
    """With nothing to look into nobody is asked."""
    model.says(NOTHING)
    call = chosen.validation.Dream(pb.DreamRequest(), metadata=OPERATOR)

    told = [each async for each in call]

    assert told[-1].dream_run.total_count == 0
    assert model.asked == []


async def test_what_its_author_rejected_is_dreamt_of_and_does_not_come_back(
    chosen, memory, pool, model
):
    """
    From a client's candidate, by its author's no, to a night that finds it said all the
    same: people are not asked a second time (C5a).
    """
    sentence = "I joined the Chess Club"
    proposed = await chosen.validation.ProposeCandidate(
        pb.ProposeCandidateRequest(
            subject_raw="Alice",
            predicate="t:joined",
            object_raw="Chess Club",
            confidence=0.36,
            sentence=sentence,
            author="alice",
            extractor_version="microllm:v0.1",
        ),
        metadata=Client.as_("guest"),
    )
    await chosen.validation.Answer(
        pb.AnswerRequest(
            candidate_id=proposed.candidate.id,
            response=messages.ValidationEvent.RESPONSE_REJECTED,
        ),
        metadata=Client.as_("shim", principal="alice"),
    )
    (waiting,) = (await listed(chosen)).items
    model.says(dreams(dream(quote=sentence)))

    call = chosen.validation.Dream(pb.DreamRequest(), metadata=OPERATOR)
    told = [each async for each in call]

    assert (waiting.reason, waiting.candidate_id) == ("rejected", proposed.candidate.id)
    assert [it.responder for it in waiting.events] == ["alice"]
    (item,) = [each.item for each in told if each.HasField("item")]
    assert [(it.outcome, it.reason) for it in item.findings] == [
        ("rejected", "settled")
    ]
    assert known(memory) == set()
    assert await pool.fetchval("select count(*) from candidates") == 1
