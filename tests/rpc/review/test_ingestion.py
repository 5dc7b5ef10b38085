from __future__ import annotations

from hashlib import sha256

import grpc
import pytest

from festinger.api.v1 import ingestion_service_pb2 as pb
from festinger.rpc.system.paging import page_token
from tests.serving import Client, refused

TEXT = b"# Status\n\n## Decision: Use Postgres for everything that lasts\n"
OPERATOR = Client.as_("operator")
Result = pb.AddDocumentsResponse


async def start(client, who=(), root="/docs", **fields):
    """Return the answer to a wave's beginning."""
    request = pb.StartWaveRequest(root=root, extract=True, **fields)
    return await client.ingestion.StartWave(request, metadata=who)


async def add(client, wave, *documents, who=()):
    """Add documents; return the outcomes."""
    request = pb.AddDocumentsRequest(wave_id=wave.id, documents=documents)
    return (await client.ingestion.AddDocuments(request, metadata=who)).added


def sent(path, content=TEXT):
    """Return a document with what it holds."""
    return pb.Document(path=path, content=content)


async def told(stream):
    """Return all that is told of a wave, to its end."""
    return [each async for each in stream]


async def finish(client, wave, who=()):
    """Return all that is told of a wave after the reading."""
    request = pb.FinishWaveRequest(wave_id=wave.id)
    return await told(client.ingestion.FinishWave(request, metadata=who))


async def test_wave_from_beginning_to_end(client):
    """
    The server wants what it does not know, tells how far the extractors are, and what
    they made of it.
    """
    started = await start(client, project="acme")
    asked = pb.Document(path="a.md", digest=sha256(TEXT).digest(), size=len(TEXT))

    (wanted,) = await add(client, started.wave, asked)
    (read,) = await add(client, started.wave, sent("a.md"))
    *_, last = await finish(client, started.wave)

    assert wanted.result == Result.RESULT_WANTED
    assert (read.result, read.new_chunk_count) == (Result.RESULT_READ, 2)
    wave = last.wave
    assert (wave.project, wave.root, wave.principal) == ("acme", "/docs", "local")
    assert wave.state == pb.Wave.STATE_DONE
    assert wave.HasField("end_time")
    assert (wave.file_count, wave.new_chunk_count) == (1, 2)
    assert (wave.report.found_count, wave.report.candidate_count) == (1, 1)
    assert dict(wave.report.rule_counts) == {"headings/heading": 1}
    got = await client.ingestion.GetWave(pb.GetWaveRequest(wave_id=wave.id))
    assert got.wave == wave


async def test_calls_may_be_repeated(client):
    """Each call again changes nothing: the same wave, the document as it was, the same end."""
    first = await start(client)
    await add(client, first.wave, sent("a.md"))
    second = await start(client)
    asked = pb.Document(path="a.md", digest=sha256(TEXT).digest())
    (added,) = await add(client, second.wave, asked)
    *_, ended = await finish(client, first.wave)

    *_, again = await finish(client, first.wave)

    assert (first.resumed, second.resumed) == (False, True)
    assert second.wave.id == first.wave.id
    assert added.result == Result.RESULT_UNCHANGED
    assert again == ended


async def test_limits_are_told(client):
    """The limits of one document and one call are below the largest message."""
    started = await start(client)

    assert started.document_bytes_max == 2 * 2**20
    assert started.document_bytes_max < started.call_bytes_max < 4 * 2**20
    large = sent("a.md", b"word " * (started.document_bytes_max // 5))
    (added,) = await add(client, started.wave, large)
    assert added.result == Result.RESULT_READ


async def test_small_messages_hold_small_documents(serve):
    """If messages are small, larger documents are refused, and not the whole call."""
    _, client = await serve(message_bytes_max=2**16)
    started = await start(client)

    (added,) = await add(client, started.wave, pb.Document(path="a.md", size=2**21 + 1))

    assert started.document_bytes_max == 2**15
    assert added.result == Result.RESULT_REFUSED


async def test_waves_are_listed_newest_first(client):
    """Page by page, each once; one that runs tells what it has met so far."""
    waves = [(await start(client, root=f"/{name}")).wave for name in "abc"]
    await add(client, waves[0], sent("a.md"))

    first = await client.ingestion.ListWaves(pb.ListWavesRequest(page_size=2))
    second = await client.ingestion.ListWaves(
        pb.ListWavesRequest(page_size=2, page_token=first.next_page_token)
    )

    listed = [*first.waves, *second.waves]
    assert [wave.root for wave in listed] == ["/c", "/b", "/a"]
    assert second.next_page_token == ""
    assert (listed[-1].state, listed[-1].file_count) == (pb.Wave.STATE_RUNNING, 1)


async def test_list_goes_on_behind_any_number(client):
    """A page's token may hold a number of 64 bits."""
    wave = (await start(client)).wave

    listed = await client.ingestion.ListWaves(
        pb.ListWavesRequest(page_token=page_token(10**17))
    )

    assert [each.id for each in listed.waves] == [wave.id]


async def test_no_other_wave_is_touched(client):
    """Somebody else neither adds to a wave nor ends it."""
    wave = (await start(client, OPERATOR)).wave
    guest = Client.as_("guest")

    with refused() as adding:
        await add(client, wave, sent("a.md"), who=guest)
    with refused() as ending:
        await finish(client, wave, guest)

    assert adding.code is grpc.StatusCode.PERMISSION_DENIED
    assert ending.code is grpc.StatusCode.PERMISSION_DENIED


async def test_extracting_again_is_for_operators(client):
    """It is they who read what comes of it."""
    wave = (await start(client)).wave
    await add(client, wave, sent("a.md"))
    await finish(client, wave)
    request = pb.ExtractWaveRequest(wave_id=wave.id)

    with refused() as error:
        await told(client.ingestion.ExtractWave(request))
    *_, last = await told(client.ingestion.ExtractWave(request, metadata=OPERATOR))

    assert error.code is grpc.StatusCode.PERMISSION_DENIED
    assert last.wave.state == pb.Wave.STATE_DONE


async def test_unknown_wave_is_named(client):
    """It says which, and how to see those that there are."""
    with refused() as error:
        await add(client, pb.Wave(id=77), sent("a.md"))

    assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "WAVE_NOT_FOUND")
    assert error.metadata == {"wave_id": "77"}
    assert "festinger review ingestions" in error.message


async def test_ended_wave_takes_no_more(client):
    """Documents after its end are refused."""
    wave = (await start(client)).wave
    await finish(client, wave)

    with refused() as error:
        await add(client, wave, sent("a.md"))

    assert (error.code, error.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "WAVE_CLOSED",
    )


@pytest.mark.parametrize(
    "documents",
    [
        [sent("../a.md")],
        [sent("a.md"), sent("a.md")],
        [pb.Document(path="a.md", digest=b"short")],
        [pb.Document(path="a.md", size=-1)],
        [pb.Document(path="a.md", problem="x" * 501)],
        [pb.Document(path=f"{number}.md") for number in range(1001)],
    ],
)
async def test_what_is_no_document_is_refused(client, documents):
    """The whole call is: whoever sends this has a defect."""
    wave = (await start(client)).wave

    with refused() as error:
        await add(client, wave, *documents)

    assert error.code is grpc.StatusCode.INVALID_ARGUMENT


async def test_longest_names_are_kept(client):
    """A root, a path and a project that are as long as they may be, together."""
    drawn = "".join(chr(0x20000 + at * 7919 % 40_000) for at in range(600))
    wave = (await start(client, root=drawn[:250], project=drawn[250:350])).wave

    [added] = await add(client, wave, pb.Document(path=drawn[350:], content=TEXT))

    assert added.result == Result.RESULT_READ


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("root", ""),
        ("root", "x" * 1001),
        ("root", "a\0b"),
        ("scope", "../a"),
        ("project", "x" * 201),
        ("project", "\N{BEAR FACE}" * 101),
    ],
)
async def test_wave_needs_a_place(client, field, value):
    """A root, a scope within it, and a project of some length."""
    with refused() as error:
        await start(client, **{field: value})

    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert error.metadata["field"] == field
