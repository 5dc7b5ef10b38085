from __future__ import annotations

import grpc
import pytest

from festinger.api.v1 import learning_service_pb2 as pb
from festinger.api.v1 import line_service_pb2 as lines_pb
from festinger.api.v1.embedding_pb2 import Embedding
from tests.rpc.recollection.test_lines import OPERATOR, STOCK, VAULT, forget, say
from tests.serving import Client, refused

CODE = grpc.StatusCode
SHIM = Client.as_("shim")
MODEL = "all-minilm"


async def listed(client, model=MODEL, **fields):
    """Return the lines that wait, and what the answer says besides."""
    request = pb.ListUnembeddedLinesRequest(model=model, **fields)
    return await client.learning.ListUnembeddedLines(request, metadata=SHIM)


async def bring(client, keys, vector=b"\1\2", model=MODEL):
    """Offer embeddings; return how many are taken."""
    line = pb.SubmitEmbeddingsRequest.Line
    found = [line(key=key, vector=vector) for key in keys]
    request = pb.SubmitEmbeddingsRequest(model=model, lines=found)
    answer = await client.learning.SubmitEmbeddings(request, metadata=SHIM)
    return answer.embedded_count


async def test_lines_are_listed_until_they_are_embedded(client):
    """And count then; who asks a prompt sees how near they are."""
    await say(client, STOCK)
    answer = await listed(client)
    texts = [line.text for line in answer.lines]
    assert STOCK in texts
    assert (answer.waiting_count, answer.embedded_count) == (len(texts), 0)

    assert await bring(client, [line.key for line in answer.lines]) == len(texts)

    answer = await listed(client)
    assert (answer.lines, answer.embedded_count) == ([], len(texts))
    request = lines_pb.ExplainRequest(
        prompt="When do we need the Kassel stock file?",
        embedding=Embedding(model=MODEL, vector=b"\1\2"),
    )
    why = await client.lines.Explain(request, metadata=OPERATOR)
    likeness = [line.features["likeness"] for line in why.told]
    assert likeness == pytest.approx([1.0] * len(likeness))
    assert likeness


async def test_forgotten_line_takes_no_embedding(client):
    """Neither does one whose number another line has by now."""
    await say(client, STOCK)
    keys = [line.key for line in (await listed(client)).lines]
    await forget(client, phrase="Kassel")
    await say(client, VAULT)

    other = keys[0][:8] + bytes(8)

    assert await bring(client, [*keys, other, b""]) == 0


async def test_model_without_weights_has_no_lines(client):
    """The answer says so, and nothing is kept for it."""
    await say(client, STOCK)
    answer = await listed(client, model="other")

    assert (answer.supported, answer.lines) == (False, [])
    assert await bring(client, [b"key"], model="other") == 0


@pytest.mark.parametrize("vector", [b"", b"\0\0", b"\1\2\3", b"\1" * 4_097])
async def test_vectors_of_another_form_are_refused(client, vector):
    """Those without a direction, too long, or of another width than the first."""
    await say(client, STOCK)
    await say(client, VAULT)
    first, second = [line.key for line in (await listed(client)).lines][:2]
    assert await bring(client, [first]) == 1

    with refused() as refusal:
        await bring(client, [second], vector)
    assert refusal.code == CODE.INVALID_ARGUMENT

    assert (await listed(client)).embedded_count == 1


async def test_sizes_have_limits(client):
    """Of a page, a model's name, and the embedding of a prompt."""
    for fields in ({"page_size": 257}, {"page_size": -1}, {"model": "m" * 201}):
        with refused() as refusal:
            await listed(client, **fields)
        assert refusal.code == CODE.INVALID_ARGUMENT
    for embedding in (
        Embedding(model=MODEL, vector=b"\1" * 4_097),
        Embedding(model="m" * 201, vector=b"\1"),
    ):
        request = lines_pb.ExplainRequest(prompt="which?", embedding=embedding)
        with refused() as refusal:
            await client.lines.Explain(request, metadata=OPERATOR)
        assert refusal.code == CODE.INVALID_ARGUMENT
