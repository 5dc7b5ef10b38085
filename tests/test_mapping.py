from __future__ import annotations

import pytest

from festinger import mapping
from festinger.api.v1 import extraction_service_pb2 as extraction
from festinger.api.v1 import ingestion_service_pb2 as ingestion
from festinger.api.v1 import memory_service_pb2 as memory
from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.errors import InvalidArgument

ALIASES = {"text": ("content",), "status": ("statuses",)}


def test_message_becomes_an_object():
    """Numbers are numbers, enumerated values words, times text, and what is not there null."""
    record = MemoryRecord(
        id=2**60, type=MemoryRecord.TYPE_USER_FACT, contradicts=[3, 4]
    )
    record.create_time.FromJsonString("2026-05-01T10:00:00Z")

    told = mapping.to_object(record, {})

    assert told["id"] == 2**60
    assert told["type"] == "user_fact"
    assert told["kind"] is None
    assert told["contradicts"] == [3, 4]
    assert told["create_time"] == "2026-05-01T10:00:00Z"
    assert told["defer_time"] is None
    assert told["origin"] is None


def test_maps_and_what_is_added():
    """A map is an object, and a kind of message may have more."""
    wave = ingestion.Wave(report=ingestion.Wave.Report(rule_counts={"heading": 2}))
    adding = {"festinger.api.v1.Wave.Report": lambda report: {"more": 1}}

    told = mapping.to_object(wave, adding)

    assert told["report"]["rule_counts"] == {"heading": 2}
    assert told["report"]["more"] == 1


def test_there_and_back():
    """The result of a mapping means the same mapped back."""
    record = MemoryRecord(
        id=7, content="ß", confidence=0.5, stale=True, contradicts=[1]
    )
    record.origin.quote = "so"
    told = mapping.to_object(record, {})

    assert mapping.to_message(told, MemoryRecord, {}) == record


def test_aliases_lists_and_messages_within():
    """A value alone is a list of one; objects are messages."""
    listed = mapping.to_message({"status": "active"}, pb.ListRecordsRequest, ALIASES)
    turns = [{"role": "user", "text": "hello", "digest": "AQI="}]
    said = mapping.to_message({"turns": turns}, extraction.CaptureRequest, {})

    assert listed.statuses == [MemoryRecord.STATUS_ACTIVE]
    assert (said.turns[0].text, said.turns[0].digest) == ("hello", b"\x01\x02")


def test_query_is_spelt_out():
    """Commas separate, words stand for values, and numbers are read."""
    query = {"status": "active, candidate", "page_size": "7", "deferred": "true"}

    request = mapping.from_query(
        query | {"confidence_min": "0.5"}, pb.ListRecordsRequest, ALIASES
    )

    assert list(request.statuses) == [
        MemoryRecord.STATUS_ACTIVE,
        MemoryRecord.STATUS_CANDIDATE,
    ]
    assert (request.page_size, request.deferred) == (7, True)
    assert request.confidence_min == 0.5


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"record": 1}, "there is no record here. Fields: content, etag"),
        ({"record_id": "1"}, "record_id must be a number"),
        ({"record_id": True}, "record_id must be a number"),
        ({"record_id": 2**63}, "record_id must be a number"),
        ({"content": ["x"]}, "content must be a string"),
        ({"type": "odd"}, "type must be one of user_fact, "),
        ({"type": "unspecified"}, "type must be one of user_fact, "),
    ],
)
def test_what_means_nothing_is_refused(said, says):
    """It is said which field it was, and what it has to be."""
    with pytest.raises(InvalidArgument, match=says) as refused:
        mapping.to_message(said, pb.EditRecordRequest, {})

    assert refused.value.metadata["field"] == next(iter(said))


@pytest.mark.parametrize(
    ("said", "kind", "says"),
    [
        ({"digest": "é"}, memory.Turn, "digest must be bytes in base64"),
        ({"digest": "abc"}, memory.Turn, "digest must be bytes in base64"),
        (
            {"confidence_min": 10**400},
            pb.ListRecordsRequest,
            "confidence_min must be a number",
        ),
    ],
    ids=["letters", "padding", "infinite"],
)
def test_what_cannot_be_read_is_refused(said, kind, says):
    """In words of ours, whatever stumbled over it."""
    with pytest.raises(InvalidArgument, match=says):
        mapping.to_message(said, kind, {})
