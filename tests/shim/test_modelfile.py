from __future__ import annotations

import json

import pytest

from festinger.shim.modelfile import TTL_SECONDS, Modelfile, Modelfiles

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
    """
    What `/api/show` says of a model is read as far as it makes sense.
    """

    async def show(body: bytes, authorization: str | None) -> tuple[int, bytes]:
        return 200, json.dumps(answer).encode()

    assert await Modelfiles(show).get("m", None) == modelfile


async def test_one_look_up_for_both():
    """
    SYSTEM and context length come with one request.
    """
    asked = []

    async def show(body: bytes, authorization: str | None) -> tuple[int, bytes]:
        asked.append((json.loads(body), authorization))
        return 200, b'{"system": "s", "parameters": "num_ctx 5"}'

    modelfiles = Modelfiles(show)
    first, second = await modelfiles.get("m", "k"), await modelfiles.get("m", "k")

    assert first == second == Modelfile("s", 5)
    assert asked == [({"model": "m"}, "k")]


async def test_what_is_known_need_not_be_looked_up():
    """
    A model is known from its look-up until the answer is too old.
    """
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
