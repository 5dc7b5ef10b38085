"""Projects, and names of any script: headers, paths, and refusals."""

from __future__ import annotations

import asyncio
import json
import urllib.request

import pytest

from festinger.core.system.principals import of_metadata
from festinger.shim.system.identity import NAME_CHARACTERS_MAX, split_path
from festinger.shim.wire import ROUTES
from tests.shim.conftest import chat

PROMPTS = {
    "/api/generate": {"prompt": "Hello."},
    "/v1/completions": {"prompt": "Hello."},
    "/v1/responses": {"input": "Hello."},
}
"""What the routes are asked that take no messages."""

# What a project cannot be called, as it stands in a path.
WRONG = {
    "long": "x" * 10_000,
    "slash": "a%2Fb",
    "space": "%20",
    "newline": "a%0Ab",
    "nul": "a%00b",
    "escape": "a%1B%5B2Jb",
    "direction": "a%E2%80%AEb",
    "not-utf-8": "a%FF",
    "surrogate": "%ED%A0%80",
}


async def ask(http, url, headers=None, body=None):
    """Send a prompt: status and body."""
    async with http.post(url, json=body or chat("Hello."), headers=headers) as answer:
        return answer.status, await answer.read()


def asked_for(memory):
    """Return the person and the project that the memory was told last."""
    who = memory.metadata[-1]
    return tuple(of_metadata(who[f"festinger-{it}"]) for it in ("principal", "project"))


@pytest.mark.parametrize("route", ROUTES)
async def test_path_names_the_project_on_every_route(http, shim, memory, ollama, route):
    """Person and project are taken off the path, and the upstream knows nothing of either."""
    body = {"model": "llama3", "max_tokens": 9, "stream": False}
    body |= PROMPTS.get(route, {"messages": chat("Hello.")["messages"]})
    status, _ = await ask(http, f"{shim.url}/as/nan/in/shop{route}", body=body)

    assert status == 200
    assert asked_for(memory) == ("nan", "shop")
    assert ollama.requests[-1].path == route


async def test_path_names_the_project_of_other_requests(http, shim, ollama):
    """A request that is only passed on loses both as well."""
    async with http.get(f"{shim.url}/as/nan/in/shop/api/tags") as answer:
        assert answer.status == 200

    assert ollama.requests[-1].path == "/api/tags"


@pytest.mark.parametrize(
    "written", ["Caf%C3%A9", "Cafe%CC%81", "Café"], ids=["nfc", "nfd", "plain"]
)
async def test_names_of_any_script(http, shim, memory, written):
    """Percent-encoded or not, composed or not: it is the same name."""
    status, _ = await ask(http, f"{shim.url}/as/Nad%C3%A8ge/in/{written}/api/chat")

    assert status == 200
    assert asked_for(memory) == ("Nadège", "Café")


async def test_title_of_several_words(http, shim, memory):
    """A project may be called what its people call it."""
    await ask(http, f"{shim.url}/as/nan/in/%E5%95%86%E5%BA%97%20(v2)/api/chat")

    assert asked_for(memory) == ("nan", "商店 (v2)")


@pytest.mark.parametrize(
    ("header", "project"),
    [("catalog", "catalog"), ("Caf%C3%A9", "Café"), ("  ", "shop"), ("", "shop")],
)
async def test_header_names_the_project(http, shim, memory, header, project):
    """It counts for more than the path; an empty one names nothing."""
    await ask(
        http, f"{shim.url}/as/nan/in/shop/api/chat", {"X-Festinger-Project": header}
    )

    assert asked_for(memory) == ("nan", project)


async def test_headers_in_latin_1(shim, memory):
    """Python's own HTTP client writes them so: a project with an umlaut is served as well."""
    body = json.dumps({"model": "m", "messages": [{"role": "user", "content": "hi"}]})
    headers = {
        "Content-Type": "application/json",
        "X-Festinger-Project": "Lüttmoor",
        "X-Festinger-Subject": "Renée",
    }
    request = urllib.request.Request(f"{shim.url}/api/chat", body.encode(), headers)

    with await asyncio.to_thread(urllib.request.urlopen, request) as answer:
        assert answer.status == 200

    assert asked_for(memory) == ("Renée", "Lüttmoor")


@pytest.mark.parametrize("route", ["/api/chat", "/v1/messages", "/api/tags", "/facts"])
@pytest.mark.parametrize("written", WRONG.values(), ids=WRONG)
async def test_wrong_project_in_the_path(http, shim, memory, ollama, written, route):
    """It is refused in a sentence on every route, and nobody is asked anything."""
    status, body = await ask(http, f"{shim.url}/as/nan/in/{written}{route}")

    assert 400 <= status < 500
    assert json.loads(body)["error"]
    assert (memory.recollects, ollama.requests) == ([], [])


@pytest.mark.parametrize("route", ["/api/chat", "/facts"])
@pytest.mark.parametrize("written", [it for key, it in WRONG.items() if key != "space"])
async def test_wrong_project_in_the_header(http, shim, memory, ollama, written, route):
    """The same, and the sentence names the header."""
    headers = {"X-Festinger-Project": written}
    status, body = await ask(http, shim.url + route, headers)

    assert 400 <= status < 500
    assert json.loads(body)["error"]
    assert len(written) > 1000 or b"X-Festinger-Project" in body
    assert (memory.recollects, ollama.requests) == ([], [])


@pytest.mark.parametrize(
    "path", ["/as/nan/in//api/chat", "/as/nan/in/", "/as//api/chat", "/as/"]
)
async def test_left_out_names_are_noticed(http, shim, ollama, path):
    """The part after an empty name or project is not taken for it."""
    status, body = await ask(http, shim.url + path)

    assert status == 400
    assert f"1 to {NAME_CHARACTERS_MAX}" in json.loads(body)["error"]
    assert ollama.requests == []


@pytest.mark.parametrize(
    ("path", "parts"),
    [
        ("/api/chat", ("/api/chat", None, None, None)),
        ("//api//chat", ("/api/chat", None, None, None)),
        ("/as/nan", ("/", "nan", None, None)),
        ("//as/nan//api/chat", ("/api/chat", "nan", None, None)),
        ("/as/nan/in", ("/in", "nan", None, None)),
        ("/as/nan/in/shop", ("/", "nan", "shop", None)),
        ("/as/nan//in/shop//api/chat", ("/api/chat", "nan", "shop", None)),
        ("/as/nan/inbox/x", ("/inbox/x", "nan", None, None)),
        ("/assets/x", ("/assets/x", None, None, None)),
        ("/in/shop/api/chat", ("/in/shop/api/chat", None, None, None)),
        ("/token/abc/api/chat", ("/api/chat", None, None, "abc")),
        ("/token/abc", ("/", None, None, "abc")),
        ("/token/abc/as/nan/in/shop/x", ("/x", "nan", "shop", "abc")),
        ("/as/nan/token/abc", ("/token/abc", "nan", None, None)),
        ("/tokens/abc", ("/tokens/abc", None, None, None)),
    ],
)
def test_paths_are_taken_apart(path, parts):
    """Only what stands at the front, and as a whole part of the path."""
    assert tuple(split_path(path)) == parts


async def test_line_break_in_a_path_is_forwarded(http, shim, ollama):
    """A path that the shim does not know is the upstream's business, whatever is in it."""
    async with http.get(f"{shim.url}/api/sh%0Aow") as answer:
        await answer.read()

    assert ollama.requests[-1].path == "/api/sh%0Aow"
