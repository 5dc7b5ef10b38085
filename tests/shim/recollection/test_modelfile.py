from __future__ import annotations

import json

import pytest

from festinger.shim.recollection import modelfile as module
from festinger.shim.recollection.modelfile import TTL_SECONDS, Modelfile, Modelfiles
from tests.shim.conftest import BLOCK, chat

ANSWERS = [
    ({"system": "Be brief."}, Modelfile("Be brief.")),
    ({"parameters": 'stop   "x"\nnum_ctx      8192'}, Modelfile(context=8192)),
    ({"parameters": "num_ctx 0"}, Modelfile()),
    ({"parameters": "my_num_ctx 5\nnum_ctx many"}, Modelfile()),
    ({"parameters": f"num_ctx {'9' * 5000}"}, Modelfile()),
    ({"model_info": {"llama.context_length": 4096}}, Modelfile(context=4096)),
    (
        {"parameters": "num_ctx 2048", "model_info": {"llama.context_length": 4096}},
        Modelfile(context=2048),
    ),
    ({"model_info": {"llama.context_length": "long"}}, Modelfile()),
    ({"model_info": {"llama.context_length": -1}}, Modelfile()),
    ({"model_info": []}, Modelfile()),
    ({"system": 5, "parameters": {}}, Modelfile()),
    ([], Modelfile()),
]


@pytest.mark.parametrize(("answer", "modelfile"), ANSWERS, ids=range(len(ANSWERS)))
async def test_modelfile_is_read(answer, modelfile):
    """The answer of `/api/show` about a model is read as far as it makes sense."""

    async def show(body: bytes, authorization: str | None) -> tuple[int, bytes]:
        return 200, json.dumps(answer).encode()

    assert await Modelfiles(show).get("m", None) == modelfile


async def test_one_look_up_for_both():
    """SYSTEM and context length come with one request."""
    asked = []

    async def show(body: bytes, authorization: str | None) -> tuple[int, bytes]:
        asked.append((json.loads(body), authorization))
        return 200, b'{"system": "s", "parameters": "num_ctx 5"}'

    modelfiles = Modelfiles(show)
    first, second = await modelfiles.get("m", "k"), await modelfiles.get("m", "k")

    assert first == second == Modelfile("s", 5)
    assert asked == [({"model": "m"}, "k")]


async def test_what_is_known_need_not_be_looked_up():
    """A model is known from its look-up until the answer is too old."""
    now = 0.0

    async def show(body: bytes, authorization: str | None) -> tuple[int, bytes]:
        return 200, b'{"system": "s"}'

    modelfiles = Modelfiles(show, clock=lambda: now)
    before = modelfiles.known("m")
    await modelfiles.get("m", None)
    after = modelfiles.known("m")
    now = TTL_SECONDS + 1

    assert (before, after) == (None, Modelfile("s"))
    assert modelfiles.known("m") is None


# Upstreams that fail

FAILURES = [0, 401, 403, 408, 429, 500, 503]
"""What a look-up may be answered with; 0 is a connection that breaks."""


async def told(http, shim, ollama):
    """Return the result of the recollection, and the messages that the model got."""
    answer = await http.post(f"{shim.url}/api/chat", json=chat("hello"))
    result = answer.headers["X-Festinger-Recollection"]
    return result, [m["content"] for m in ollama.prompts[-1].json["messages"]]


@pytest.mark.parametrize("status", FAILURES)
async def test_a_failure_says_nothing_of_the_model(http, shim, ollama, memory, status):
    """
    If the upstream fails to tell, an agent keeps its persona: there is no system
    message before a later prompt has found out.
    """
    memory.block = BLOCK
    ollama.knobs.systems["llama3"] = "You are Mario."
    ollama.knobs.show_status = status
    failed = await told(http, shim, ollama)
    ollama.knobs.show_status = None
    then = await told(http, shim, ollama)

    assert failed == ("skipped:modelfile-unknown", ["hello"])
    assert then == ("full", [f"{BLOCK}\n\nYou are Mario.", "hello"])


@pytest.mark.parametrize("status", FAILURES)
async def test_what_was_known_outlasts_a_failure(
    http, shim, ollama, memory, monkeypatch, status
):
    """The upstream's earlier answer holds on while it cannot give it again."""
    monkeypatch.setattr(module, "TTL_SECONDS", 0.0)
    memory.block = BLOCK
    ollama.knobs.systems["llama3"] = "You are Mario."
    before = await told(http, shim, ollama)
    ollama.knobs.show_status = status

    assert await told(http, shim, ollama) == before
    assert [r.path for r in ollama.requests].count("/api/show") == 2


@pytest.mark.parametrize("status", [400, 404, 405])
async def test_an_upstream_without_modelfiles(http, shim, ollama, memory, status):
    """An upstream that knows no such path, or no such model, has no SYSTEM to keep."""
    memory.block = BLOCK
    ollama.knobs.show_status = status

    assert await told(http, shim, ollama) == ("full", [BLOCK, "hello"])
