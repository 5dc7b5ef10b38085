from __future__ import annotations

import grpc
import pytest

from festinger.api.v1.edge_pb2 import Edge
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.api.v1.source_pb2 import SOURCE_GUTASK
from festinger.api.v1.triple_pb2 import Triple

TRIPLE = Triple(
    concept="gnommoweb", parent="repo", dimension="glitch_university", is_isa=True
)
EDGE = Edge(
    concept="gnommoweb",
    parent="repo",
    dimension="glitch_university",
    is_isa=True,
    confidence=1.0,
    source=SOURCE_GUTASK,
)
FACT = {"fact": "gnommoweb -isa repo in context of glitch_university"}


async def state(http, shim, body=FACT, **more):
    """State a fact."""
    answer = await http.post(f"{shim.url}/iknowthat", json=body, **more)
    return answer.status, await answer.json()


async def test_held(http, shim, memory):
    """A fact that is now held answers 201 with the statement and the edge."""
    memory.outcome = Outcome(
        verdict=Outcome.VERDICT_HELD, triple=TRIPLE, edge=EDGE, message="It is held."
    )
    status, body = await state(http, shim)

    assert status == 201
    assert memory.asserts[0].fact == FACT["fact"]
    assert body == {
        "result": "held",
        "message": "It is held.",
        "triple": {
            "concept": "gnommoweb",
            "parent": "repo",
            "dimension": "glitch_university",
            "is_isa": True,
            "negated": False,
        },
        "edge": {
            "concept": "gnommoweb",
            "parent": "repo",
            "dimension": "glitch_university",
            "is_isa": True,
            "confidence": 1.0,
            "last_confirmed": "1970-01-01T00:00:00Z",
            "source": "gutask",
            "contested": False,
            "belief": False,
        },
    }


@pytest.mark.parametrize(
    ("verdict", "result"),
    [
        (Outcome.VERDICT_CORROBORATED, "corroborated"),
        (Outcome.VERDICT_CANDIDATE, "candidate"),
        (Outcome.VERDICT_REJECTED, "rejected"),
    ],
)
async def test_other_outcomes(http, shim, memory, verdict, result):
    """The other outcomes answer 200."""
    memory.outcome = Outcome(verdict=verdict, triple=TRIPLE)
    status, body = await state(http, shim)

    assert (status, body["result"]) == (200, result)
    assert body["edge"] is None


async def test_conflict(http, shim, memory):
    """A conflict is an answer, not a failure, and names its number."""
    memory.outcome = Outcome(
        verdict=Outcome.VERDICT_CONFLICTED, conflict_id=7, reason="isa_isa", edge=EDGE
    )
    status, body = await state(http, shim)

    assert status == 200
    assert (body["result"], body["conflict_id"]) == ("conflict", 7)
    assert body["reason"] == "isa_isa"


async def test_server_explains_a_wrong_fact(http, shim, memory):
    """A fact that cannot be read is a 400 in the server's words."""
    memory.refusal = ("ERROR_REASON_FACT_SYNTAX", "no -isa or -ispart. Write: …")
    status, body = await state(http, shim)

    assert status == 400
    assert body == {"error": "no -isa or -ispart. Write: …", "reason": "fact_syntax"}


@pytest.mark.parametrize(
    "body", [None, [], {}, {"fact": 5}, {"fact": "\ud800"}, {**FACT, "request_id": 1}]
)
async def test_malformed(http, shim, memory, body):
    """A text that holds no fact is a 400, and the server is not asked."""
    status, answer = await state(http, shim, body)

    assert status == 400
    assert answer["error"]
    assert memory.asserts == []


async def test_not_json(http, shim):
    """A body that is not JSON is answered with an example."""
    answer = await http.post(f"{shim.url}/iknowthat", data=b"gnommoweb is a repo")

    assert answer.status == 400
    assert "gnommoweb -isa repo" in (await answer.json())["error"]


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (grpc.StatusCode.UNAVAILABLE, 503),
        (grpc.StatusCode.PERMISSION_DENIED, 403),
        (grpc.StatusCode.NOT_FOUND, 404),
        (grpc.StatusCode.INTERNAL, 502),
    ],
)
async def test_server_fails(http, shim, memory, code, status):
    """Other failures keep their meaning."""
    memory.abort = code
    got, body = await state(http, shim)

    assert got == status
    assert body["error"]


async def test_server_away(http, start_shim):
    """Without a server the answer is 503 and says that nothing was stored."""
    shim = await start_shim(server="127.0.0.1:1")
    status, body = await state(http, shim)

    assert status == 503
    assert "nothing was stored" in body["error"]


async def test_request_id_and_principal(http, shim, memory):
    """The client's `request_id` and its name go to the server."""
    await http.post(f"{shim.url}/as/bob/iknowthat", json={**FACT, "request_id": "r1"})

    assert memory.asserts[0].request_id == "r1"
    assert memory.metadata[0]["festinger-principal"] == "bob"


async def test_only_post(http, shim, ollama):
    """Other methods are refused, and never forwarded."""
    answer = await http.get(f"{shim.url}/iknowthat")

    assert answer.status == 405
    assert ollama.requests == []


# GET /festinger/health


async def health(http, shim):
    """Ask for the state."""
    answer = await http.get(f"{shim.url}/festinger/health")
    return answer.status, await answer.json()


async def test_healthy(http, shim, ollama):
    """With everything there the state is `ready`."""
    status, body = await health(http, shim)

    assert status == 200
    assert body["status"] == "ready"
    assert body["server"] == {"state": "ready"}
    assert body["database"] == {"state": "ready"}
    assert body["upstream"] == {
        "url": ollama.url,
        "state": "ready",
        "version": "0.33.0",
    }
    assert body["shim"]["version"]


async def test_database_away(http, shim, memory):
    """Without its database the server is of no use."""
    await memory.set_health("database", ready=False)
    await memory.set_health("", ready=False)
    status, body = await health(http, shim)

    assert (status, body["status"]) == (503, "unavailable")
    assert body["database"] == {"state": "not-ready"}


async def test_server_away_is_unhealthy(http, start_shim):
    """Without a server the database's state is not known."""
    shim = await start_shim(server="127.0.0.1:1")
    status, body = await health(http, shim)

    assert (status, body["status"]) == (503, "unavailable")
    assert body["server"] == {"state": "unreachable"}
    assert body["database"] == {"state": "unknown"}


async def test_upstream_away(http, start_shim, ollama):
    """Without an upstream the shim is degraded, but does not fail its check."""
    shim = await start_shim()
    await ollama.stop()
    status, body = await health(http, shim)

    assert (status, body["status"]) == (200, "degraded")
    assert body["upstream"] == {"url": ollama.url, "state": "unreachable"}


async def test_silent_upstream(http, start_shim, raw_upstream):
    """An upstream that says nothing is not waited for."""
    shim = await start_shim(upstream=raw_upstream.url)
    status, body = await health(http, shim)

    assert (status, body["status"]) == (200, "degraded")


async def test_no_credentials_in_health(http, start_shim, ollama):
    """Credentials of the upstream's URL are not shown."""
    shim = await start_shim(upstream=ollama.url.replace("//", "//me:pw@"))
    _, body = await health(http, shim)

    assert body["upstream"]["url"] == ollama.url


async def test_own_paths_are_not_forwarded(http, shim, ollama):
    """Whatever is below /festinger is the shim's own."""
    for path in ("/festinger", "/festinger/nothing", "//festinger//x"):
        answer = await http.get(shim.url + path)
        assert answer.status == 404
    assert ollama.requests == []
