"""Validation over HTTP: the document's example as it stands there, and its edges."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from festinger.core.system.cid import is_cid
from festinger.core.validation.policy import Person
from tests.console.guesses import EXAMPLE, guess, says

BOTS = {"Authorization": "Bearer shim"}
"""A credential that may speak for others, as the bots' does."""
GUEST = {"Authorization": "Bearer guest"}
FAR = {"X-Forwarded-For": "203.0.113.9"}
CLICK = {"factoid_cid": "f:0x123", "responder": "user:alice", "response": "confirmed"}

BAD: tuple[tuple[str, str, Any, str], ...] = (
    ("POST", "/candidate_factoids", {}, "subject_raw"),
    ("POST", "/candidate_factoids", EXAMPLE | {"provenance": "m:0x998"}, "an object"),
    ("POST", "/candidate_factoids", EXAMPLE | {"provenance": {"odd": "x"}}, "no odd"),
    ("POST", "/candidate_factoids", EXAMPLE | {"odd": "x"}, "no field odd"),
    ("POST", "/candidate_factoids", EXAMPLE | {"predicate": "t:left"}, "said twice"),
    ("POST", "/candidate_factoids", EXAMPLE | {"confidence": 2}, "between 0 and 1"),
    ("POST", "/candidate_factoids", EXAMPLE | {"confidence": "low"}, "a number"),
    ("POST", "/candidate_factoids", EXAMPLE | {"confidence": math.nan}, "between 0"),
    ("POST", "/candidate_factoids", EXAMPLE | {"subject_raw": "a b\u202e"}, ""),
    ("POST", "/candidate_factoids", EXAMPLE | {"priority": "urgent"}, "one of"),
    ("POST", "/validation_event", CLICK | {"response": "maybe"}, "one of"),
    ("POST", "/validation_event", CLICK | {"responder": 7}, "a string"),
    ("POST", "/validation_event", CLICK | {"responder_id": "bob"}, "not the same"),
    ("POST", "/validation_event", CLICK | {"odd": 1}, "no field odd"),
    ("POST", "/validation_event", CLICK | {"factoid_cid": 7}, "a string"),
    ("POST", "/opt_out", {"principal": 7}, "a string"),
    ("GET", "/backlog/claim?lease_seconds=1", None, ""),
    ("GET", "/labels?since_time=yesterday", None, "a time such as"),
    ("GET", "/validation_metrics?hours=-1", None, ""),
    ("GET", "/provenance/odd", None, "content identifier"),
)
"""What is sent, and words of the sentence that refuses it with 400."""


async def propose(house, body=EXAMPLE, prefix="", **headers):
    """Put a candidate forward as an agent does, with no token: status and body."""
    async with house.http.post(
        f"{house.url}{prefix}/candidate_factoids", json=body, headers=headers
    ) as answer:
        return answer.status, await answer.json()


async def asks(house, method, path, headers, **more):
    """Return the status and body of an answer, with these headers and no others."""
    async with house.http.request(
        method, house.url + path, headers=headers, **more
    ) as answer:
        return answer.status, await answer.json()


@pytest.mark.parametrize("headers", [{}, GUEST])
async def test_agents_reach_the_memory_of_the_shim_alone(house, headers):
    """The shim's token holds every memory, and its clients do not."""
    async with house.http.post(
        f"{house.url}/candidate_factoids?tenant=lab", json=EXAMPLE, headers=headers
    ) as answer:
        status, told = answer.status, await answer.json()

    assert status == 403, told
    async with house.http.post(
        f"{house.url}/candidate_factoids?tenant=default", json=EXAMPLE, headers=headers
    ) as answer:
        assert answer.status < 400, await answer.json()


@pytest.fixture
def alice(memories):
    """Somebody who can be asked."""
    person = Person({"matrix": "@alice:example.org"})
    policy = memories.validation.policy
    memories.validation.policy = replace(policy, people={"alice": person})


async def test_example_of_the_document(house, alice):
    """A guess, its question, Alice's click, and a fact that agents are told."""
    status, put = await propose(house, **BOTS)
    _, asked = await house.json("GET", "/validation_prompt/f:0x123", headers=BOTS)
    _, clicked = await house.json("POST", "/validation_event", json=CLICK, headers=BOTS)
    _, read = await house.json("GET", "/candidate_factoids/f:0x123")
    _, trail = await house.json("GET", f"/provenance/{put['factoid_cid']}")
    await house.prompt("What does Alice do?", "s2")

    assert status == 201
    assert is_cid(put["factoid_cid"])
    assert put["external_id"] == "f:0x123"
    assert put["status"] == "pending_validation"
    assert put["candidate"]["provenance"]["extractor_ver"] == "microllm:v0.1"
    assert "@Alice" in asked["text"]
    assert "did you join the Chess Club?" in asked["text"]
    assert asked["recipient"] == "alice"
    assert asked["options"] == ["Yes", "No", "Not sure"]
    assert clicked["status"] == "confirmed"
    assert clicked["confidence"] == 0.95
    assert clicked["responder"] == "alice"
    assert is_cid(clicked["event_cid"])
    assert clicked["event"]["role"] == "author"
    assert clicked["outcome"]["verdict"] == "held"
    assert clicked["outcome"]["edge"]["confidence"] == 0.95
    assert read["status"] == "confirmed"
    assert read["factoid_cid"] == put["factoid_cid"]
    assert [it["event_cid"] for it in read["events"]] == [clicked["event_cid"]]
    assert {it["kind"] for it in trail["objects"]} >= {"triple", "factoid", "event"}
    assert "alice: [joined] chess_club" in json.dumps(house.ollama.requests[-1].json)


async def test_example_by_an_agent_without_a_token(house):
    """A caller through the shim puts candidates forward, and no more."""
    status, put = await propose(house, prefix="/as/alice")
    own, read = await asks(house, "GET", "/as/alice/candidate_factoids/f:0x123", FAR)
    prompt, _ = await asks(house, "GET", "/as/alice/validation_prompt/f:0x123", FAR)
    other, _ = await asks(house, "GET", "/as/bob/candidate_factoids/f:0x123", FAR)
    near, _ = await asks(house, "GET", "/as/bob/candidate_factoids/f:0x123", {})
    answered, _ = await asks(
        house, "POST", "/as/alice/validation_event", {}, json=CLICK
    )

    assert status == 201
    assert put["candidate"]["proposer"] == "shim"
    assert put["candidate"]["author"] == "alice"
    assert (own, prompt, other, near) == (200, 200, 404, 200)
    assert read["factoid_cid"] == put["factoid_cid"]
    assert answered == 401


async def test_unknown_token_is_an_agents(house):
    """A key of somebody else's is no hindrance to putting a candidate forward."""
    status, put = await propose(house, Authorization="Bearer sk-of-somebody")
    known, guest = await propose(
        house, EXAMPLE | {"factoid_cid": "g", "object_raw": "Choir"}, **GUEST
    )

    assert (status, known) == (201, 201)
    assert put["candidate"]["proposer"] == "shim"
    assert put["candidate"]["author"].startswith("key-")
    assert guest["candidate"]["proposer"] == "guest"


@pytest.mark.parametrize("name", ["predicate", "predicate_candidate_uri"])
async def test_other_names_of_the_documents(house, name):
    """The document has two names for the predicate, and says what the server says."""
    body = {it: EXAMPLE[it] for it in EXAMPLE if it != "predicate_candidate"}
    stamped = {"status": "pending_validation", "created_ts": 1.5, "expires_at": None}

    status, put = await propose(house, body | {name: "t:joined"} | stamped)

    assert status == 201
    assert put["candidate"]["predicate_candidate_uri"] == "t:joined"


async def test_cid_is_the_servers_to_say(house):
    """A client cannot call its candidate by the hash of something else."""
    _, put = await propose(house)

    status, refused = await propose(
        house, EXAMPLE | {"factoid_cid": put["factoid_cid"], "object_raw": "Choir"}
    )

    assert status == 400
    assert "name of your own" in refused["error"]


async def test_operators_answer_is_the_operators(house):
    """Whomever it names: the operator's credential does not speak for others."""
    await propose(house)

    _, answered = await house.json("POST", "/validation_event", json=CLICK)

    assert answered["responder"] == "operator"
    assert answered["event"]["role"] == "moderator"


async def test_names_that_nobody_has(house):
    """A responder who cannot be called so is refused with a sentence."""
    await propose(house)

    status, told = await house.json(
        "POST", "/validation_event", json=CLICK | {"responder": "a b"}, headers=BOTS
    )

    assert status == 400
    assert "128 letters" in told["error"]


async def test_names_of_every_script(house):
    """
    A responder may be called in any letters, and whoever only looks like another is
    refused with a sentence.
    """
    await propose(house)

    async def click(name):
        said = CLICK | {"responder": name}
        return await house.json("POST", "/validation_event", json=said, headers=BOTS)

    await click("user:bob")
    double, told = await click("user:b\u043eb")
    status, answered = await click("user:Zo\u00eb")

    assert double == 403
    assert "reads like 'bob'" in told["error"]
    assert status == 200
    assert answered["responder"] == "Zo\u00eb"


async def test_answers_count_once(house):
    """An answer with the client's own name of it is that answer."""
    await propose(house)
    click = CLICK | {"event_cid": "e:1", "bot_id": "web", "timestamp": "yesterday"}

    first = await house.json("POST", "/validation_event", json=click, headers=BOTS)
    again = await house.json("POST", "/validation_event", json=click, headers=BOTS)
    _, read = await house.json("GET", "/candidate_factoids/f:0x123")

    assert first[1]["event_cid"] == again[1]["event_cid"]
    assert len(read["events"]) == 1
    assert read["events"][0]["msg_cid"] == read["candidate"]["provenance"]["msg_cid"]


async def test_tally_is_hidden_from_whoever_has_yet_to_vote(house):
    """A bot that asks for somebody learns nothing that they may not see."""
    candidate = await guess(house.client, "Alice", "Choir")
    await says(house.client, "frank", candidate.id)

    _, blind = await house.json("GET", "/candidate_factoids/1", headers=BOTS)
    _, seen = await house.json("GET", "/candidate_factoids/1")

    assert (blind["events"], blind["candidate"]["tally"]) == ([], None)
    assert seen["candidate"]["tally"]["confirmed"] == 1
    assert [it["responder_id"] for it in seen["events"]] == ["frank"]


async def test_backlog_is_leased_and_reported(house):
    """A rejected candidate is given to a worker once, and what it found passes the gate."""
    await propose(house)
    await house.json(
        "POST", "/validation_event", json=CLICK | {"response": "rejected"}, headers=BOTS
    )

    _, claimed = await house.json("GET", "/backlog/claim")
    _, again = await house.json("GET", "/backlog/claim")
    [item] = claimed["items"]
    status, reported = await house.json(
        "POST",
        f"/backlog/{item['id']}/report",
        json={"lease": item["lease"], "result": "done"},
    )
    lost, _ = await house.json(
        "POST",
        f"/backlog/{item['id']}/report",
        json={"lease": item["lease"], "result": "extend"},
    )
    _, listed = await house.json("GET", "/backlog?states=done")

    assert item["reason"] == "rejected"
    assert [it["response"] for it in item["validation_history"]] == ["rejected"]
    assert again["items"] == []
    assert (status, reported["item"]["state"], lost) == (200, "done", 409)
    assert [it["id"] for it in listed["items"]] == [item["id"]]


async def test_labels_are_lines(house):
    """A decided candidate is a labelled example: one JSON object on a line."""
    async with house.http.get(
        f"{house.url}/labels", headers={"Authorization": "Bearer operator"}
    ) as answer:
        assert (answer.status, await answer.text()) == (200, "")
    await propose(house)
    await house.json("POST", "/validation_event", json=CLICK, headers=BOTS)

    async with house.http.get(
        f"{house.url}/labels?since_time=2020-01-01T00:00:00Z",
        headers={"Authorization": "Bearer operator"},
    ) as answer:
        kind, lines = answer.content_type, (await answer.text()).splitlines()

    assert kind == "application/x-ndjson"
    [example] = map(json.loads, lines)
    assert example["label"] in {"confirmed", True, "true"}


async def test_opting_out(house):
    """Somebody is asked no more, and later again; an operator says it of anybody."""
    _, out = await house.json(
        "POST", "/opt_out", json={"principal": "user:alice"}, headers=BOTS
    )
    _, back = await house.json(
        "POST", "/opt_out", json={"principal": "alice", "opted_out": False}
    )

    assert (out["principal"], out["opted_out"]) == ("alice", True)
    assert (back["principal"], back["opted_out"]) == ("alice", False)


async def test_metrics(house):
    """The figures of validation are shown hour by hour, with warnings."""
    await propose(house)
    await house.json("POST", "/validation_event", json=CLICK, headers=BOTS)

    _, metrics = await house.json("GET", "/validation_metrics?hours=6")

    assert metrics["answered_count"] == 1
    assert metrics["confirmed_count"] == 1
    assert [it["answered_count"] for it in metrics["hours"]] == [0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(("method", "path", "body", "words"), BAD)
async def test_bad_input_is_a_sentence(house, method, path, body, words):
    """An invalid request is refused with 400 and the reason, and changes nothing."""
    status, told = await house.json(method, path, json=body)

    assert status == 400
    assert words in told["error"]
    assert (await house.json("GET", "/candidate_factoids"))[1]["candidates"] == []


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/candidate_factoids/f:none"),
        ("GET", "/validation_prompt/99"),
        ("POST", "/validation_event"),
        (
            "GET",
            "/provenance/bafyreigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi",
        ),
    ],
)
async def test_what_is_not_there(house, method, path):
    """It is said so."""
    status, told = await house.json(method, path, json=CLICK)

    assert status == 404
    assert told["error"]


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/validation_event"),
        ("POST", "/opt_out"),
        ("POST", "/backlog/1/report"),
        ("GET", "/backlog/claim"),
        ("HEAD", "/backlog/claim"),
    ],
)
async def test_what_changes_something_needs_a_token(house, method, path):
    """Being on this machine is not enough, and a token that nobody knows is none."""
    seen = []
    for headers in ({}, {"Authorization": "Bearer odd"}):
        async with house.http.request(
            method, house.url + path, headers=headers, json={}
        ) as answer:
            seen.append(answer.status)

    assert seen == ([405, 405] if method == "HEAD" else [401, 401])


async def test_tokens_permit_what_the_server_says(house):
    """A bot cannot record the backlog, and an agent's token cannot answer."""
    await propose(house)

    seen = [
        (await house.json(method, path, json=body, headers=who))[0]
        for method, path, body, who in (
            ("GET", "/backlog/claim", None, BOTS),
            ("GET", "/validation_metrics", None, BOTS),
            ("GET", "/labels", None, GUEST),
            ("POST", "/validation_event", CLICK, GUEST),
            ("POST", "/validation_event", {**CLICK, "responder": ""}, BOTS),
        )
    ]

    assert seen == [403] * 5


async def test_guessing_tokens_ends(house, clock):
    """After ten wrong ones within a minute nobody can try, the operator neither."""
    odd = {"Authorization": "Bearer odd"}
    seen = [
        (await house.json("POST", "/validation_event", json=CLICK, headers=odd))[0]
        for _ in range(11)
    ]
    locked, _ = await house.json("POST", "/validation_event", json=CLICK)
    clock.now += 61
    freed, _ = await house.json("POST", "/validation_event", json=CLICK)

    assert seen == [401] * 10 + [429]
    assert (locked, freed) == (429, 404)


async def test_other_sites_put_nothing_forward(house):
    """A page of somebody else's cannot have a browser do it."""
    for headers in (
        {"Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
    ):
        status, _ = await propose(house, **headers)
        assert status == 403
