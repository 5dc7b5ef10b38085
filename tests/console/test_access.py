"""Access: who gets in, and for whom a browser must not be made to speak."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from festinger.console.access import ATTEMPTS_MAX, ATTEMPTS_SECONDS, SESSION_SECONDS
from tests.console.house import OWN, opened

FAR = {"X-Forwarded-For": "203.0.113.9"}
"""What a proxy says: the peer is on this machine, and who asks is not."""
PAGES = (
    "",
    "/memory",
    "/memory/forget?by=nobody",
    "/conflicts",
    "/curation/1",
    "/metrics",
    "/predicates",
    "/trail",
    "/concepts",
    "/live",
    "/settings",
)
FORMS = (
    "/admin/run",
    "/admin/memory",
    "/admin/memory/forget",
    "/admin/memory/confirm",
    "/admin/inbox/accept",
    "/admin/concepts/gnommoweb/forget",
    "/admin/curation/1/confirm",
    "/admin/curation/1/dream",
    "/admin/dream",
    "/admin/learn",
    "/admin/predicates",
    "/admin/settings/hints_per_block",
    "/admin/models",
    "/admin/models/1/remove",
    "/admin/models/1/choose",
    "/admin/models/1/test",
    "/admin/sign-in",
    "/admin/sign-out",
)
FACADE = (
    "/conflicts/1/resolve",
    "/conflicts/1/dismiss",
    "/conflicts/1/undo",
    "/resolve/run",
    "/reload",
)
FOREIGN = (
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://["},
    {"Origin": "app://obsidian.md"},
    {"Origin": "http://tauri.localhost"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://127.0.0.1"},
)


async def asks(house, method, path, **headers):
    """Return the status of an answer, and its headers; nothing is followed."""
    body = {} if method == "GET" else {"data": {"token": "operator"}}
    async with house.http.request(
        method, house.url + path, headers=headers, allow_redirects=False, **body
    ) as answer:
        await answer.read()
        return answer.status, answer.headers


async def signs_in(house, token="operator", next="", **headers):
    """Return the answer to a sign-in from afar; the cookie is not kept."""
    async with house.http.post(
        f"{house.url}/admin/sign-in",
        data={"token": token, "next": next},
        headers={**OWN, **FAR, **headers},
        allow_redirects=False,
    ) as answer:
        await answer.read()
        house.http.cookie_jar.clear()
        return answer


@pytest.mark.parametrize(
    "path",
    [
        *(f"/admin{page}" for page in PAGES),
        "/admin/sign-in",
        "/admin/nowhere",
        "/admin/static/console.css",
        "/admin/static/console.js",
        "/admin/static/../pages.py",
        "/admin/concepts/nobody",
        "/conflicts",
        "/conflicts/9",
        "/resolve/nowhere",
    ],
)
async def test_every_answer_forbids_foreign_scripts(house, path):
    """Whatever is answered, pages and errors alike, carries the policy."""
    _, headers = await asks(house, "GET", path)

    policy = headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("foreign", FOREIGN, ids=str)
@pytest.mark.parametrize("path", [*FORMS, *FACADE])
async def test_other_sites_cannot_act(house, path, foreign):
    """A request that another site's page makes a browser send is refused, token or not."""
    token = {"Authorization": "Bearer operator"}

    status, headers = await asks(house, "POST", path, **foreign, **token)

    assert status == 403
    assert "Content-Security-Policy" in headers


@pytest.mark.parametrize("path", FORMS)
async def test_forms_need_to_say_where_they_come_from(house, path):
    """A form without a word about its origin is no browser's, and refused."""
    status, _ = await asks(house, "POST", path)

    assert status == 403


@pytest.mark.parametrize("path", ["/admin", "/admin/conflicts", "/conflicts"])
@pytest.mark.parametrize("foreign", FOREIGN, ids=str)
async def test_other_sites_cannot_read(house, path, foreign):
    """Scripts of other sites get no page and no JSON."""
    status, _ = await asks(house, "GET", path, **foreign)

    assert status == 403


async def test_other_sites_may_lead_here(house):
    """A link in a chat opens the page."""
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}

    status, _ = await asks(house, "GET", "/admin", **link)

    assert status == 200


@pytest.mark.parametrize("path", ["/admin", "/conflicts", "/admin/static/console.js"])
async def test_foreign_host_is_refused(house, path):
    """A page that rebinds its name to this machine is not let in."""
    status, headers = await asks(house, "GET", path, Host="evil.example")

    assert status == 403
    assert "Content-Security-Policy" in headers


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize(
    "proxy",
    [FAR, {"Forwarded": "for=203.0.113.9"}, {"X-Real-IP": "203.0.113.9"}],
    ids=str,
)
async def test_far_away_is_asked_to_sign_in(house, page, proxy):
    """A caller who comes through a proxy is not on this machine."""
    status, headers = await asks(house, "GET", f"/admin{page}", **proxy)

    assert status == 303
    assert headers["Location"].startswith("/admin/sign-in")


@pytest.mark.parametrize("path", [it for it in FORMS if "sign-in" not in it])
async def test_far_away_cannot_act(house, path):
    """Without a sign-in nothing is decided from afar."""
    status, _ = await asks(house, "POST", path, **OWN, **FAR)

    assert status == 401


async def test_sign_in_is_a_cookie_that_scripts_cannot_read(house):
    """It is sent to the console only, by its own pages only."""
    answer = await signs_in(house, next="/admin/conflicts")

    assert (answer.status, answer.headers["Location"]) == (303, "/admin/conflicts")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Path=/admin" in cookie
    assert "Secure" not in cookie
    assert "operator" not in cookie


async def test_cookie_is_secure_behind_https(house):
    """A browser that spoke https sends the cookie by nothing else."""
    answer = await signs_in(house, **{"X-Forwarded-Proto": "https"})

    assert "Secure" in answer.headers["Set-Cookie"]


async def test_signed_in_until_signed_out(house):
    """The cookie lets in from afar; afterwards it does not."""
    answer = await signs_in(house)
    cookie = {"Cookie": answer.headers["Set-Cookie"].partition(";")[0]}

    before, _ = await asks(house, "GET", "/admin", **FAR, **cookie)
    await asks(house, "POST", "/admin/sign-out", **OWN, **FAR, **cookie)
    after, _ = await asks(house, "GET", "/admin", **FAR, **cookie)

    assert (before, after) == (200, 303)


async def test_sign_in_ends_by_itself(house, clock):
    """After half a day the token is asked for again."""
    answer = await signs_in(house)
    cookie = {"Cookie": answer.headers["Set-Cookie"].partition(";")[0]}
    clock.now += SESSION_SECONDS

    status, _ = await asks(house, "GET", "/admin", **FAR, **cookie)

    assert status == 303


@pytest.mark.parametrize("token", ["", "shim", "operator2", "\N{SNOWMAN}"])
async def test_other_tokens_do_not_sign_in(house, token):
    """Only the operator's does, not even the shim's."""
    answer = await signs_in(house, token)

    assert answer.status == 403
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    "follow", ["https://evil.example", "//evil.example", "/administer", "/admin\n/x"]
)
async def test_sign_in_leads_nowhere_else(house, follow):
    """A link to the sign-in cannot lead to another site behind it."""
    answer = await signs_in(house, next=follow)

    assert answer.headers["Location"] == "/admin"


async def test_tokens_cannot_be_guessed(house, clock):
    """After a few wrong ones, not even the right one is taken for a minute."""
    for number in range(ATTEMPTS_MAX):
        await signs_in(house, f"guess {number}")

    assert (await signs_in(house)).status == 429
    clock.now += ATTEMPTS_SECONDS
    assert (await signs_in(house)).status == 303


async def test_without_a_token_it_is_read_only(client, clock):
    """
    If the operator's token cannot be read, pages are shown and say so, and nothing is
    decided.
    """
    async with opened(client, now=clock, token=None) as house:
        await house.contradict("gnommoweb")
        page = await house.see("/admin/conflicts/1")
        waiting, _ = await house.get("/admin/inbox")
        status, refusal = await house.send("/admin/inbox/accept", item="conflict-1")

    assert "Reading only" in page
    assert "Dismiss" not in page
    assert waiting == 403
    assert status == 403
    assert "operator.token" in refusal


async def test_without_a_token_nobody_signs_in(client, clock):
    """No token is no token that equals an empty one."""
    async with opened(client, now=clock, token=None) as house:
        answer = await signs_in(house, "")

    assert answer.status == 403


async def test_sign_in_can_be_asked_for_on_this_machine(client, clock):
    """As it must behind a proxy that does not say whom it forwards."""
    async with opened(client, now=clock, console_sign_in=True) as house:
        page, _ = await asks(house, "GET", "/admin")
        json, _ = await asks(house, "GET", "/conflicts")

    assert (page, json) == (303, 401)


async def test_open_address_has_pages_that_ask_and_routes_that_refuse(client, clock):
    """A browser can send no token before somebody signed in; programs can."""
    far = {"X-Forwarded-For": "198.51.100.7"}
    anywhere: dict[str, Any] = {"address": "0.0.0.0:0", "plain_text": True}
    async with opened(client, now=clock, **anywhere) as house:
        page, _ = await asks(house, "GET", "/admin", **far)
        form, _ = await asks(house, "GET", "/admin/sign-in", **far)
        json, _ = await asks(house, "GET", "/conflicts", **far)

    assert (page, form, json) == (303, 200, 401)


async def test_old_http_is_a_proxy(house):
    """Whoever speaks HTTP/1.0 forwards somebody, and is asked to sign in."""
    host, port = house.url.removeprefix("http://").rsplit(":", 1)
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(f"GET /admin HTTP/1.0\r\nHost: {host}:{port}\r\n\r\n".encode())

    head = await reader.readuntil(b"\r\n\r\n")
    writer.close()
    await writer.wait_closed()

    assert b" 303 " in head.partition(b"\r\n")[0]


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/admin", 405),
        ("GET", "/admin/run", 405),
        ("GET", "/admin/nowhere", 404),
        ("GET", "/admin/conflicts/x", 404),
    ],
)
async def test_what_is_not_there(house, method, path, status):
    """Other paths and methods are refused, and not passed on to Ollama."""
    answered, _ = await asks(house, method, path, **OWN)

    assert answered == status
    assert house.ollama.requests == []


async def test_static_files_are_kept_by_browsers(house):
    """A file that did not change is not sent again."""
    _, headers = await asks(house, "GET", "/admin/static/console.css")

    status, _ = await asks(
        house, "GET", "/admin/static/console.css", **{"If-None-Match": headers["ETag"]}
    )
    assert status == 304


async def test_large_forms_are_refused(house):
    """No form is that large."""
    status, _ = await house.send("/admin/models", model_name="x" * 2**17)

    assert status == 413
