from __future__ import annotations

import pytest

from tests.console.house import OWN
from tests.waiting import until


async def test_conflicts_are_listed(house):
    """With the names of the specification's table, page by page."""
    await house.contradict("gnommoweb", "wiki")

    status, body = await house.json("GET", "/conflicts?page_size=1")
    _, rest = await house.json(
        "GET", f"/conflicts?page_size=1&page_token={body['next_page_token']}"
    )

    assert status == 200
    (conflict,) = body["conflicts"]
    assert conflict["id"] == 1
    assert conflict["status"] == "pending"
    assert conflict["collision_type"] == "isa_isa"
    assert conflict["concept"] == "gnommoweb"
    assert conflict["dimension"] == "type"
    assert conflict["existing_parent"] == "repo"
    assert conflict["incoming_parent"] == "container"
    assert conflict["resolved_at"] is None
    assert conflict["created_at"].endswith("Z")
    assert [it["concept"] for it in rest["conflicts"]] == ["wiki"]


@pytest.mark.parametrize(
    ("path", "body", "status", "parent"),
    [
        (
            "resolve",
            {"decision": "update", "reasoning": "moved"},
            "resolved",
            "container",
        ),
        ("dismiss", {"reasoning": "a typing error"}, "dismissed", "repo"),
    ],
)
async def test_forced_decisions(house, path, body, status, parent):
    """Each settles the conflict and answers with it; undoing brings it back."""
    await house.contradict("gnommoweb")

    _, decided = await house.json("POST", f"/conflicts/1/{path}", json=body)
    _, read = await house.json("GET", "/conflicts/1")
    held = (await house.client.concept("gnommoweb")).edges[0].parent
    _, undone = await house.json("POST", "/conflicts/1/undo")

    assert decided == read
    assert decided["status"] == status
    assert decided["resolution"]["principal"] == "operator"
    assert decided["resolution"]["reasoning"] == body["reasoning"]
    assert held == parent
    assert undone["status"] == "pending"
    assert undone["earlier_resolutions"][0]["undo_principal"] == "operator"


@pytest.mark.parametrize(
    ("method", "path", "body", "status"),
    [
        ("GET", "/conflicts/9", None, 404),
        ("GET", "/conflicts?status=odd", None, 400),
        ("GET", "/conflicts?page_size=-1", None, 400),
        ("GET", "/conflicts?page_size=\N{ARABIC-INDIC DIGIT FIVE}", None, 400),
        ("POST", "/conflicts/1/resolve", b'{"decision": "guess"}', 400),
        ("POST", "/conflicts/1/resolve", b'{"decision": ["update"]}', 400),
        ("POST", "/conflicts/1/resolve", b"[1]", 400),
        ("POST", "/conflicts/1/resolve", b"\xff", 400),
        ("POST", "/conflicts/1/dismiss", b'{"etag": "old"}', 409),
        ("POST", "/conflicts/1/undo", b"", 409),
        ("POST", "/resolve/run", b'{"conflict_ids": "all"}', 400),
        ("POST", "/resolve/run", b'{"conflict_ids": [99999999999999999999]}', 400),
        ("POST", "/resolve/run", b"", 409),
        ("DELETE", "/conflicts/1", None, 405),
    ],
)
async def test_errors_are_json(house, method, path, body, status):
    """An invalid request is refused in a sentence, and changes nothing."""
    await house.contradict("gnommoweb")

    answered, told = await house.json(method, path, data=body)

    assert answered == status
    assert told["error"]
    assert (await house.json("GET", "/conflicts/1"))[1]["status"] == "pending"


async def test_run_begins_and_ends(house, pool, model):
    """It is answered when it begins; how it goes is read."""
    await pool.execute("update config set value = '1' where key = 'resolve_model_id'")
    await house.contradict("gnommoweb")
    model.says({"decision": "update", "reasoning": "rebuilt"})

    status, begun = await house.json("POST", "/resolve/run")

    async def done():
        _, standing = await house.json("GET", "/resolve/run")
        return standing["runs"][0]["state"] == "done" and standing

    standing = await until(done)

    assert status == 202
    assert begun["run"]["id"] == standing["runs"][0]["id"]
    assert standing["runs"][0]["resolved_count"] == 1
    assert standing["pending_count"] == 0


async def test_reload(house):
    """The memory is loaded anew, and its size told."""
    await house.client.states("gnommoweb -isa repo")

    status, body = await house.json("POST", "/reload")

    assert status == 200
    assert body["version"] >= 1
    assert body["concept_count"] >= 2


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"Authorization": "Bearer shim"}, 401),
        ({"Authorization": "Bearer "}, 401),
        ({"Authorization": "Basic operator"}, 401),
        ({"Authorization": "Bearer operator"}, 200),
        (OWN, 200),
        (OWN | {"X-Forwarded-For": "203.0.113.9"}, 401),
    ],
    ids=str,
)
async def test_only_operators_act(house, headers, status):
    """
    Programs show the operator's token, an agent's plain request does not do; a page of
    the console on this machine may ask.
    """
    async with house.http.post(f"{house.url}/reload", headers=headers) as answer:
        assert answer.status == status


@pytest.mark.parametrize("token", ["shim", "guess", ""])
async def test_wrong_token_reads_nothing_here_either(house, token):
    """A token that is not the operator's is refused, even where none is needed."""
    seen = [
        (await house.get("/conflicts", **headers))[0]
        for headers in ({}, {"Authorization": f"Bearer {token}"})
    ]

    assert seen == [200, 401]


async def test_reading_needs_this_machine_or_the_token(house):
    """Evidence is not for who comes from afar."""
    far = {"X-Forwarded-For": "203.0.113.9"}

    async def status(**headers):
        async with house.http.get(
            f"{house.url}/conflicts", headers=far | headers
        ) as answer:
            return answer.status

    assert await status() == 401
    assert await status(Authorization="Bearer operator") == 200
