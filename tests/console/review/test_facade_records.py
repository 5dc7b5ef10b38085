"""Records, trusted state and their sources as JSON, at the documents' paths."""

from __future__ import annotations

import asyncio
import json
from hashlib import sha256
from typing import Any

import pytest

from festinger.api.v1 import config_service_pb2
from festinger.api.v1 import ingestion_service_pb2 as pb
from festinger.console.facade import TABLE
from tests.console.house import OWN, text_of
from tests.serving import Client
from tests.waiting import until

REJECTION = {
    "subject_id": "alice",
    "tenant_id": "default",
    "rejection_reason": "not_grounded_in_summary",
    "extracted_text": "Owns a yacht",
    "confidence_score": 0.0,
    "threshold": 0.8,
    "type": "user_fact",
}
"""A rejection by the names of the extraction document, except for time and details."""
DETAILS = ("exact_match", "key_phrases", "semantic_similarity", "reason")

RECORDS = {
    "/memory",
    "/memory/{number}",
    "/memory/{number}/promote",
    "/memory/{number}/reject",
    "/memory/{number}/defer",
    "/memory/{number}/graduate",
    "/memory/{number}/confirm",
    "/memory/{number}/re-extract",
    "/entities",
    "/entities/{number}",
    "/entities/{number}/promote",
    "/entities/{number}/reject",
    "/entities/{number}/defer",
    "/candidates",
    "/project/state",
    "/interactions",
    "/interactions/{number}/extract",
    "/rejections",
    "/ingestion/waves",
    "/ingestion/wave/{number}/extract",
}


REFUSALS: Any = (
    ("GET", "/memory/2", None, 404, "it is an entity"),
    ("GET", "/entities/1", None, 404, "it is a memory"),
    ("POST", "/entities/1/promote", {}, 404, "it is a memory"),
    ("POST", "/memory/2/graduate", {}, 404, "it is an entity"),
    ("PUT", "/entities/1", {"content": "no"}, 404, "it is a memory"),
    ("DELETE", "/entities/1", None, 404, "it is a memory"),
    ("GET", "/memory/99", None, 404, ""),
    ("GET", "/memory/999999999999999999999", None, 404, ""),
    ("PUT", "/memory/1", {"status": "active"}, 400, "POST …/promote"),
    ("PUT", "/memory/1", {"status": "invalid"}, 400, "POST …/reject"),
    ("PUT", "/memory/1", {"status": ["active"]}, 400, "status=candidate"),
    ("PUT", "/memory/1", {"status": "candidate", "content": "x"}, 400, "not both"),
    ("PUT", "/memory/1", {"status": "candidate"}, 409, ""),
    ("PUT", "/memory/1", {"content": "x" * 2001}, 400, "2000"),
    ("PUT", "/memory/1", {"content": "x" * 70_000}, 413, ""),
    ("PUT", "/memory/1", {"content": "new", "etag": "old"}, 409, ""),
    ("POST", "/memory/1/promote", {"etag": "old"}, 409, ""),
    ("POST", "/memory/1/promote", {"record_id": 2}, 400, "no field record_id"),
    ("POST", "/memory/1/promote", {"supersedes": "2"}, 400, "a number"),
    ("POST", "/memory", {"content": "x"}, 400, "type is missing. It is one of"),
    ("POST", "/memory", {"content": "x", "type": "decison"}, 400, "one of"),
    ("POST", "/memory", {"kind": "entity"}, 400, "no field kind"),
    ("POST", "/memory", [1], 400, "JSON object"),
    ("GET", "/memory?status=odd", None, 400, "one of"),
    ("GET", "/memory?odd=1", None, 400, "no field odd"),
    ("GET", "/memory?page_size=many", None, 400, "a number"),
    ("GET", "/candidates?page_size=-1", None, 400, "negative"),
    ("POST", "/edits/99/undo", {}, 404, ""),
    ("PATCH", "/memory/1", {}, 405, "use"),
    ("POST", "/project/state", {"project": "dome"}, 400, ""),
    ("POST", "/project/state", {"project": 7}, 400, "a string"),
)
"""What is asked, and how it is refused: status, and words of the sentence."""


async def test_candidates_of_both_kinds(house, extracted):
    """
    Each list has its own, with the columns that the documents name; both are at
    /candidates.
    """
    await extracted("use Postgres", project="dome")
    await extracted("the mast is tall", kind="entity", type="component")

    _, memories = await house.json("GET", "/memory?status=candidate")
    _, entities = await house.json("GET", "/entities?status=candidate,active")
    _, both = await house.json("GET", "/candidates")
    _, none = await house.json("GET", "/memory?status=active")
    _, typed = await house.json("GET", "/candidates?memory_type=decision")

    (memory,) = memories["records"]
    assert (memory["id"], memory["kind"], memory["status"]) == (
        1,
        "memory",
        "candidate",
    )
    assert memory["memory_type"] == memory["type"] == "decision"
    assert memory["source_interaction_id"] == 1
    assert memory["source_chunk_id"] is None
    assert memory["source_span"] == "use Postgres"
    assert (memory["rule"], memory["extractor_version"]) == ("heading", "0.1.0")
    assert memory["pending_since"] == memory["pending_time"]
    assert [it["entity_type"] for it in entities["records"]] == ["component"]
    assert [it["id"] for it in both["records"]] == [1, 2]
    assert none == {"records": [], "next_page_token": ""}
    assert [it["id"] for it in typed["records"]] == [1]


async def test_pages(house, extracted):
    """A list goes on where it ended."""
    await extracted("use Postgres", "use SQLite", "use files")

    _, first = await house.json("GET", "/candidates?page_size=2")
    _, rest = await house.json(
        "GET", f"/candidates?page_size=2&page_token={first['next_page_token']}"
    )

    assert [it["id"] for it in first["records"]] == [1, 2]
    assert [it["id"] for it in rest["records"]] == [3]


async def test_what_was_put_aside_stays_in_the_queue(house, extracted):
    """It is listed with the others, unless one asks for those that wait only."""
    await extracted("use Postgres", "use SQLite")
    await house.json("POST", "/memory/1/defer")

    _, every = await house.json("GET", "/memory?status=candidate")
    _, waiting = await house.json("GET", "/candidates?deferred=false")
    await house.json("POST", "/memory/1/defer", json={"resume": True})
    _, resumed = await house.json("GET", "/candidates?deferred=false")

    assert [it["id"] for it in every["records"]] == [1, 2]
    assert [it["id"] for it in waiting["records"]] == [2]
    assert [it["id"] for it in resumed["records"]] == [1, 2]


async def test_promoting_and_putting_back(house, extracted):
    """PUT with status=candidate takes a promotion or a rejection back."""
    await extracted("use Postgres", "use SQLite")

    _, promoted = await house.json("POST", "/memory/1/promote")
    _, rejected = await house.json("POST", "/memory/2/reject")
    _, one = await house.json("PUT", "/memory/1", json={"status": "candidate"})
    _, two = await house.json("PUT", "/memory/2", json={"status": "candidate"})

    assert promoted["record"]["status"] == "active"
    assert promoted["record"]["rule"] == "heading"
    assert rejected["record"]["status"] == "invalid"
    assert one["record"]["status"] == two["record"]["status"] == "candidate"


async def test_editing_and_undoing(house, extracted):
    """PUT changes the content, keeps what it was, and can be taken back by its edit."""
    await extracted("use Postgres")

    _, edited = await house.json(
        "PUT", "/memory/1", json={"content": "use Postgres 16"}
    )
    _, read = await house.json("GET", "/memory/1")
    _, undone = await house.json("POST", f"/edits/{edited['edit_id']}/undo")
    _, log = await house.json("GET", "/edits?record_id=1")

    assert edited["record"]["content"] == "use Postgres 16"
    assert edited["record"]["original_content"] == "use Postgres"
    assert [it["kind"] for it in read["chain"]] == ["record", "interaction"]
    assert [it["action"] for it in read["edits"]] == ["propose", "edit"]
    assert undone["record"]["content"] == "use Postgres"
    assert [it["action"] for it in log["edits"]] == ["undo", "edit", "propose"]


async def test_memory_becomes_an_entity(house, extracted):
    """Graduated, promoted through the gate, and taken back to be deleted."""
    await extracted("the mast is part of the telescope")
    await house.json("POST", "/memory/1/promote")

    fact = "mast -ispart telescope"
    _, graduated = await house.json(
        "POST", "/memory/1/graduate", json={"entity_type": "component", "fact": fact}
    )
    _, promoted = await house.json("POST", "/entities/2/promote")
    _, back = await house.json("PUT", "/entities/2", json={"status": "candidate"})
    _, deleted = await house.json("DELETE", "/entities/2")
    _, confirmed = await house.json("POST", "/memory/1/confirm")

    assert graduated["memory"]["graduated_to"] == graduated["entity"]["id"] == 2
    assert promoted["outcome"]["verdict"] == "held"
    assert promoted["outcome"]["edge"]["parent"] == "telescope"
    assert back["record"]["status"] == "candidate"
    assert deleted["memory"]["status"] == "active"
    assert confirmed["record"]["confirm_time"]


async def test_hand_authored(house):
    """
    A posted record is a candidate, flagged, and without a source; repeating the call
    with its request_id changes nothing twice.
    """
    said = {"text": "We use Postgres", "memory_type": "decision", "request_id": "r1"}
    status, first = await house.json("POST", "/memory", json=said)
    _, again = await house.json("POST", "/memory", json=said)
    _, deferred = await house.json("POST", "/memory/1/defer")

    assert status == 200
    assert first == again
    assert first["record"]["origin"]["hand_authored"] is True
    assert first["record"]["source_chunk_id"] is None
    assert first["record"]["source_interaction_id"] is None
    assert deferred["record"]["defer_time"]


async def test_refused(house, extracted):
    """An invalid request is refused in a sentence, and changes nothing."""
    await extracted("use Postgres")
    await extracted("the mast is tall", kind="entity", type="component")
    otherwise = []

    for method, path, body, code, says in REFUSALS:
        data = None if body is None else json.dumps(body)
        status, told = await house.json(method, path, data=data)
        if status != code or not told["error"] or says not in told["error"]:
            otherwise.append((method, path, body, status, told))

    assert otherwise == []
    _, both = await house.json("GET", "/candidates")
    assert [(it["content"], it["status"]) for it in both["records"]] == [
        ("use Postgres", "candidate"),
        ("the mast is tall", "candidate"),
    ]


async def test_two_programs_at_once(house, extracted):
    """Of several that decide at once one does, and the others are told."""
    await extracted("use Postgres")

    answers = await asyncio.gather(
        *(
            house.json("POST", f"/memory/1/{path}")
            for path in ("promote", "reject", "promote", "reject")
        )
    )

    assert sorted(status for status, _ in answers) == [200, 409, 409, 409]


async def test_state(house):
    """An item is written by its project and key, and listed with its history."""
    said = {"project": "dome", "key": "release", "value": "0.9"}
    _, first = await house.json("POST", "/project/state", json=said)
    _, second = await house.json(
        "POST",
        "/project/state",
        json=said | {"value": "1.0", "etag": first["item"]["etag"]},
    )
    stale, _ = await house.json(
        "POST",
        "/project/state",
        json=said | {"value": "1.1", "etag": first["item"]["etag"]},
    )
    _, listed = await house.json("GET", "/project/state?project=dome")

    assert stale == 409
    assert listed["items"] == [second["item"]]
    assert second["item"]["previous_values"] == ["0.9"]


async def test_no_record_ever_becomes_state(house, extracted):
    """
    Whatever is posted to a path with a record's number, and whatever number is sent where
    state is written, no state is written.
    """
    await extracted("use Postgres", project="dome")
    numbered = [it for it in TABLE if "{number}" in it.path and it.method != "GET"]
    state = [it for it in TABLE if it.rpc == "PromotionService.SetState"]

    for endpoint in numbered:
        path = endpoint.path.replace("{number}", "1")
        said = {"project": "dome", "key": "db", "value": "use Postgres"}
        for body in ({}, said):
            await house.json(endpoint.method, path, json=body)
    refused = [
        await house.json(
            "POST",
            "/project/state",
            json={"project": "dome", "key": "db", "value": "x", name: 1},
        )
        for name in ("id", "record_id", "memory_id", "entity_id", "candidate_id")
    ]
    _, listed = await house.json("GET", "/project/state")

    assert [(it.method, it.path, it.number) for it in state] == [
        ("POST", "/project/state", "")
    ]
    assert {status for status, _ in refused} == {400}
    assert listed["items"] == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer shim"}, 401),
        ({"Authorization": "Bearer operator"}, 404),
        (OWN, 404),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
    ],
    ids=str,
)
async def test_only_operators_decide(house, headers, status):
    """An agent's plain request promotes nothing."""
    for path in ("/memory/1/promote", "/entities/1/reject", "/edits/1/undo"):
        async with house.http.post(f"{house.url}{path}", headers=headers) as answer:
            assert answer.status == status


async def test_interactions(house, model):
    """
    A conversation is captured for somebody, extracted on request, and what was not
    stored is listed.
    """
    said = {
        "subject": "alice",
        "session": "s1",
        "turns": [{"role": "user", "content": "I love fettuccini with alfredo sauce."}],
    }
    await house.client.config.UpdateSetting(
        config_service_pb2.UpdateSettingRequest(key="extract_model_id", value="1"),
        metadata=Client.as_("operator"),
    )
    found = {"text": "Loves fettuccini", "type": "USER_FACT", "confidence": 0.95}
    invented = {"text": "Owns a yacht", "type": "USER_FACT", "confidence": 0.95}
    model.says(
        {
            "extractions": [
                {**it, "reasoning": "so they said"} for it in (found, invented)
            ]
        }
    )

    _, captured = await house.json("POST", "/interactions", json=said)
    _, listed = await house.json("GET", "/interactions?status=open")
    _, done = await house.json("POST", "/interactions/1/extract")
    _, read = await house.json("GET", "/interactions/1")
    _, rejected = await house.json("GET", "/rejections?subject=alice")
    _, forgotten = await house.json("DELETE", "/interactions/1")

    assert captured["added_count"] == 1
    assert [it["id"] for it in listed["interactions"]] == [1]
    assert done["interaction"]["state"] == "extracted"
    assert read["interaction"]["turns"][0]["role"] == "user"
    (refused,) = rejected["rejections"]
    assert {it: refused[it] for it in REJECTION} == REJECTION
    assert refused["timestamp"].endswith("Z")
    details = refused["validation_details"]
    assert {*DETAILS} <= {*details}
    assert (details["exact_match"], details["key_phrases"]) == (False, False)
    assert forgotten["interaction"]["state"] == "forgotten"


@pytest.mark.parametrize(
    "turns",
    ["said", ["said"], [{"role": "nobody", "text": "hello"}], [{"speech": "hello"}]],
    ids=str,
)
async def test_odd_turns(house, turns):
    """An invalid turn is refused."""
    status, told = await house.json(
        "POST", "/interactions", json={"subject": "alice", "turns": turns}
    )

    assert status == 400
    assert told["error"]


async def test_waves(house):
    """A wave that brought a document is listed, and read again on request."""
    stub = house.client.ingestion
    who = {"metadata": Client.as_("operator")}
    content = b"# Storage\n\n## Decision: use Postgres for everything\n\nIt is fast.\n"
    document = pb.Document(
        path="notes.md", digest=sha256(content).digest(), content=content
    )
    await stub.StartWave(pb.StartWaveRequest(root="/docs", project="dome"), **who)
    await stub.AddDocuments(
        pb.AddDocumentsRequest(wave_id=1, documents=[document]), **who
    )
    async for _ in stub.FinishWave(pb.FinishWaveRequest(wave_id=1), **who):
        pass

    status, begun = await house.json("POST", "/ingestion/wave/1/extract")

    async def done():
        _, answer = await house.json("GET", "/ingestion/wave/1")
        wave = answer["wave"]
        return wave["state"] == "done" and wave["report"] and answer

    wave = await until(done)
    _, listed = await house.json("GET", "/ingestion/waves")
    _, found = await house.json("GET", "/candidates")
    (record, *_) = found["records"]
    _, again = await house.json("POST", f"/memory/{record['id']}/re-extract")
    _, page = await house.send(f"/admin/review/{record['id']}/re-extract?view=one")
    missing, _ = await house.json("POST", "/ingestion/wave/9/extract")

    assert status == 202
    assert begun["wave"]["id"] == 1
    assert [it["root"] for it in listed["waves"]] == ["/docs"]
    assert wave["wave"]["report"]["candidate_count"] >= 1
    assert again == {"records": [], "found_again_count": 1}
    assert "Read again: nothing new; 1 found before." in text_of(page)
    assert "Where it was found notes.md > Storage" in text_of(page)
    assert record["source_chunk_id"]
    assert "use Postgres" in record["content"]
    assert missing == 404
