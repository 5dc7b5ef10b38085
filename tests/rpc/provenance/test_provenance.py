from __future__ import annotations

from dataclasses import replace
from functools import partial

import grpc
import pytest

from festinger.api.v1 import provenance_service_pb2 as pb
from festinger.core.provenance.chain import Chain
from festinger.core.provenance.trail import MetaTriple, TrailObject
from festinger.core.provenance.verifying import ChainStart, verify
from festinger.core.system.cid import cid_of
from festinger.services.provenance import tracing
from tests.memories import NOW
from tests.serving import Client, refused
from tests.trails import SENTENCE, guessed, put_down, told

CODE = grpc.StatusCode
GUEST, OPERATOR = Client.as_("guest"), Client.as_("operator")


def bot(principal):
    """Return the metadata of a bot that speaks for somebody."""
    return Client.as_("shim", principal=principal)


@pytest.fixture
async def keep(client, store, pool):
    """Write a trail, and the rows that it tells of."""
    await client.states("gnommoweb -isa repo")
    return partial(put_down, store, pool)


async def trace(client, *who, **request):
    """Return the service's answer, as the verifier takes it."""
    response = await client.provenance.Trace(pb.TraceRequest(**request), metadata=who)
    return Chain(
        tuple(response.start),
        {
            it.cid: TrailObject(it.cid, it.kind, it.data, withheld=it.withheld)
            for it in response.objects
        },
        frozenset(
            MetaTriple(it.subject, it.predicate, it.object) for it in response.links
        ),
        response.more,
    )


def problems(chain, **asked):
    """Return the problems that the verifier finds."""
    return [step for step in verify(chain, ChainStart(**asked)) if step.problem]


async def test_a_fact_leads_to_all_that_it_comes_from(client, keep):
    """
    From a fact, named by its place, to the candidate, the message, the answers, who gave
    them, and the question; the verifier finds it proven.
    """
    found = told([("author alice", "y")])
    await keep(found)

    chain = await trace(client, *GUEST, concept="alice", dimension="joined")

    assert chain == found.chain
    assert problems(chain, concept="alice", dimension="joined") == []
    assert next(iter(chain.objects)) == found.triple


@pytest.mark.parametrize("name", ["triple", "factoid", "event", "question"])
async def test_the_whole_is_found_whichever_end_it_is_taken_up_at(client, keep, name):
    """From the fact, the candidate, an answer or the question the way leads to all of it."""
    found = told([("bob", "y"), ("carol", "n"), ("dave", "y")])
    await keep(found)
    [cid, *_] = [it.cid for it in found.chain.objects.values() if it.kind == name]

    chain = await trace(client, *GUEST, cid=cid)

    assert chain.objects.keys() == found.chain.objects.keys()
    assert chain.links == found.chain.links
    assert problems(chain, cid=cid) == []


async def test_a_message_leads_nowhere_else(client, keep):
    """A statement made from a message is not the message's source."""
    found = told()
    await keep(found)
    chain = await trace(client, *GUEST, cid=found.candidate.message_cid)
    assert list(chain.objects) == [found.candidate.message_cid]


async def test_facts_of_one_place_come_newest_first(client, keep):
    """
    A fact that two candidates made is found twice, and all facts of a concept if no
    dimension is named.
    """
    first, second = told(), told(candidate=guessed(id=2))
    moved = guessed().triple._replace(dimension="membership")
    third = told(candidate=guessed(id=3, triple=moved))
    for later, found in enumerate((first, second, third)):
        await keep(found, now=NOW + later)

    one = await trace(client, *GUEST, concept="alice", dimension="joined")
    all_ = await trace(client, *GUEST, concept="Alice")

    assert one.start == (second.triple, first.triple)
    assert all_.start == (third.triple, second.triple, first.triple)
    assert problems(one, concept="alice", dimension="joined") == []
    assert problems(all_, concept="alice") == []


async def test_an_object_is_read(client, keep):
    """Its bytes, whose hash it is called by, the same as JSON, and when it was written."""
    found = told()
    await keep(found, now=NOW + 5)
    request = pb.GetObjectRequest(cid=found.candidate.message_cid)
    each = (await client.provenance.GetObject(request, metadata=GUEST)).object

    assert (each.kind, each.withheld) == ("message", "")
    assert cid_of(each.data) == each.cid == found.candidate.message_cid
    assert SENTENCE in each.json
    assert each.create_time.seconds == NOW + 5


@pytest.mark.parametrize(
    ("request_", "code", "reason", "words"),
    [
        ({"cid": cid_of(b"")}, CODE.NOT_FOUND, "OBJECT_NOT_FOUND", "no object bafyrei"),
        ({"cid": "f:0x123"}, CODE.INVALID_ARGUMENT, "INVALID_ARGUMENT", "'f:0x123'"),
        ({"cid": "b" * 99_999}, CODE.INVALID_ARGUMENT, "INVALID_ARGUMENT", "bafyrei"),
        ({"cid": "b\0"}, CODE.INVALID_ARGUMENT, "INVALID_ARGUMENT", "bafyrei"),
        ({}, CODE.INVALID_ARGUMENT, "INVALID_ARGUMENT", "cid, or concept"),
        ({"cid": "x", "concept": "y"}, CODE.INVALID_ARGUMENT, "INVALID_ARGUMENT", "or"),
        (
            {"cid": cid_of(b""), "dimension": "joined"},
            CODE.INVALID_ARGUMENT,
            "INVALID_ARGUMENT",
            "goes with concept",
        ),
        ({"concept": "a b"}, CODE.INVALID_ARGUMENT, "NOT_A_TOKEN", "the concept 'a b'"),
        (
            {"concept": "alice", "dimension": "[x]\0"},
            CODE.INVALID_ARGUMENT,
            "NOT_A_TOKEN",
            "the dimension",
        ),
        (
            {"concept": "alice", "dimension": "left"},
            CODE.NOT_FOUND,
            "OBJECT_NOT_FOUND",
            "about alice [left]",
        ),
        (
            {"concept": "bob"},
            CODE.NOT_FOUND,
            "OBJECT_NOT_FOUND",
            "people were not asked",
        ),
    ],
)
async def test_what_cannot_be_traced(client, keep, request_, code, reason, words):
    """Each wrong question gets a status, a reason and a sentence that helps."""
    await keep(told())
    with refused() as refusal:
        await trace(client, *GUEST, **request_)
    assert (refusal.code, refusal.reason, refusal.domain) == (code, reason, "festinger")
    assert words in refusal.message


async def test_what_is_not_there_cannot_be_read(client):
    """An unknown name is NOT_FOUND with the name, and another's an INVALID_ARGUMENT."""
    with refused() as refusal:
        request = pb.GetObjectRequest(cid=cid_of(b""))
        await client.provenance.GetObject(request, metadata=GUEST)
    assert (refusal.code, refusal.metadata) == (CODE.NOT_FOUND, {"cid": cid_of(b"")})
    with refused() as refusal:
        await client.provenance.GetObject(pb.GetObjectRequest(), metadata=GUEST)
    assert refusal.code is CODE.INVALID_ARGUMENT


async def test_what_is_private_is_for_operators(client, keep):
    """
    Of a candidate that holds what is private everybody else sees names and kinds only: no
    sentence, nobody who answered, no decision.
    """
    found = told(
        [("moderator mia", "y")], candidate=guessed(justification="their diagnosis")
    )
    await keep(found, sensitive=True)

    shown = await trace(client, *OPERATOR, cid=found.triple)
    hidden = await trace(client, *GUEST, cid=found.triple)

    assert problems(shown, cid=found.triple) == []
    assert shown == found.chain
    assert hidden.objects.keys() == found.chain.objects.keys()
    assert {it.withheld for it in hidden.objects.values()} == {"private"}
    assert {it.data for it in hidden.objects.values()} == {b""}
    assert hidden.links == frozenset()
    assert problems(hidden, cid=found.triple)


@pytest.mark.parametrize("name", ["message", "factoid", "event", "question", "triple"])
async def test_no_single_object_gives_away_what_is_private(client, keep, name):
    """Read one by one, objects of a private candidate are withheld as well."""
    found = told([("moderator mia", "y")])
    await keep(found, sensitive=True)
    [cid] = [it.cid for it in found.chain.objects.values() if it.kind == name]
    request = pb.GetObjectRequest(cid=cid)

    hidden = (await client.provenance.GetObject(request, metadata=GUEST)).object
    shown = (await client.provenance.GetObject(request, metadata=OPERATOR)).object

    assert (hidden.data, hidden.json, hidden.withheld) == (b"", "", "private")
    assert (hidden.cid, hidden.kind) == (cid, name)
    assert (shown.withheld, cid_of(shown.data)) == ("", cid)


async def test_a_sentence_that_is_private_once_is_private(client, keep):
    """A message that a private candidate shares with another one is shown to operators only."""
    private, public = told(), told(candidate=guessed(id=2))
    await keep(private, sensitive=True)
    await keep(public)
    message = public.candidate.message_cid
    assert message == private.candidate.message_cid

    chain = await trace(client, *GUEST, cid=public.triple)

    assert chain.objects[message].withheld == "private"
    assert not chain.objects[public.triple].withheld


@pytest.mark.parametrize("pending", [True, False])
async def test_nobody_reads_here_how_others_answered_before_they_did(
    client, keep, pending
):
    """
    While a candidate can be answered, whoever has not done so is told neither answers nor
    decision, not even how many there are; whoever did, and operators, are told all.
    """
    found = told()
    await keep(found, pending=pending, expires=NOW + 60)
    others = {event.cid for event in found.events} | {found.triple}

    for who in (GUEST, bot("eve"), bot("alice")):
        chain = await trace(client, *who, cid=found.candidate.cid)
        assert chain.objects.keys() == found.chain.objects.keys() - others - {
            found.question
        }
        assert not any(others & set(link) for link in chain.links)
        assert {link.predicate for link in chain.links} == {
            "extractedBy",
            "fromMessage",
        }
        assert chain.more
        assert problems(chain, cid=found.candidate.cid)
    for who in (bot("bob"), OPERATOR):
        chain = await trace(client, *who, cid=found.candidate.cid)
        assert problems(chain, cid=found.candidate.cid) == []


async def test_an_answer_that_is_not_to_be_seen_yet_is_withheld(client, keep):
    """Whoever knows the name of an answer or of the fact learns no more than that there is one."""
    found = told()
    await keep(found, expires=NOW + 60)
    for cid in (found.events[0].cid, found.triple):
        chain = await trace(client, *GUEST, cid=cid)
        assert chain.objects[cid].withheld == "open"
        request = pb.GetObjectRequest(cid=cid)
        each = (await client.provenance.GetObject(request, metadata=GUEST)).object
        assert (each.data, each.json, each.withheld) == (b"", "", "open")
    chain = await trace(client, *GUEST, concept="alice")
    assert chain.objects[found.triple].withheld == "open"


async def test_all_is_told_once_nobody_can_answer(client, keep, clock):
    """When its time is over, everybody sees who answered what."""
    found = told()
    await keep(found, expires=NOW + 60)
    clock.now += 61
    chain = await trace(client, *GUEST, cid=found.candidate.cid)
    assert problems(chain, cid=found.candidate.cid) == []


async def test_a_database_that_was_tampered_with_is_told_as_it_is(client, keep, pool):
    """
    Bytes that somebody changed in the database are given to operators as they are, so that
    the verifier finds them; others are shown nothing of them.
    """
    found = told()
    await keep(found)
    cid = found.events[0].cid
    await pool.execute(
        "update objects set data = set_byte(data, 10, 255) where cid = $1", cid
    )
    chain = await trace(client, *OPERATOR, cid=found.triple)
    [wrong, *_] = problems(chain, cid=found.triple)
    assert f"event {cid}: its name is the hash" in wrong.what
    assert (await trace(client, *GUEST, cid=found.triple)).objects[cid].withheld
    request = pb.GetObjectRequest(cid=cid)
    each = (await client.provenance.GetObject(request, metadata=OPERATOR)).object
    assert (each.json, cid_of(each.data) == cid) == ("", False)


async def test_a_link_that_was_put_into_the_database_is_found(client, keep, pool):
    """A meta-triple that no object says is told, and does not pass the verifier."""
    found = told()
    await keep(found)
    await pool.execute(
        "insert into meta_triples values ('default', $1, 'validatedBy', 'eve', now())",
        found.candidate.cid,
    )
    chain = await trace(client, *GUEST, cid=found.triple)
    [wrong] = problems(chain, cid=found.triple)
    assert wrong.what == "each link is said by an object"
    assert "validatedBy, eve" in wrong.problem


async def test_a_way_of_any_length_ends(client, keep, pool, monkeypatch):
    """
    However much hangs together, no more is told than an answer holds, and that there is
    more; links that somebody bent into a circle do not keep it walking.
    """
    found = told([(f"p{n}", "-") for n in range(30)])
    await keep(found)
    await pool.execute(
        "insert into meta_triples values ('default', $1, 'fromMessage', $2, now())",
        found.candidate.message_cid,
        found.candidate.cid,
    )
    whole = await trace(client, *GUEST, cid=found.candidate.cid)
    assert (len(whole.objects), whole.more) == (33, False)
    for limit, value, told_of in (
        ("OBJECTS_MAX", 10, 10),
        ("BYTES_MAX", 5_000, 12),
        ("BYTES_MAX", 1, 1),
        ("LINKS_MAX", 10, 1),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(tracing, limit, value)
            part = await trace(client, *GUEST, cid=found.candidate.cid)
        assert part.more, limit
        assert 1 <= len(part.objects) <= told_of
        assert problems(part, cid=found.candidate.cid)


async def test_the_longest_chain_fits_into_an_answer(client, keep):
    """
    A thousand answers with the longest notes, of what takes most room as JSON, are cut
    short and not refused.
    """
    trail = told([(f"p{n}", "-") for n in range(1000)])
    for ordinal, event in enumerate(trail.events):
        noted = replace(event, note="\x01" * 1000)
        trail.events[ordinal] = replace(noted, cid=trail.trail.answer(noted, ordinal))
    await keep(trail)
    chain = await trace(client, *OPERATOR, cid=trail.candidate.cid)
    assert chain.more
    assert len(chain.objects) > 100


async def test_tenants_do_not_see_each_other(client, keep, store):
    """An object of one memory is not found from another."""
    await store.add_tenant("acme")
    found = told()
    await keep(found)
    with refused() as refusal:
        await trace(client, *Client.as_("shim", tenant="acme"), cid=found.triple)
    assert refusal.code is CODE.NOT_FOUND
