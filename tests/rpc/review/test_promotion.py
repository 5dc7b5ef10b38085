from __future__ import annotations

from typing import Any

import grpc
import pytest

from festinger.api.v1 import inbox_service_pb2 as inbox_pb
from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.core.memories.types import MemoryKind, MemoryType, Status
from festinger.core.review.queue import CYCLE_MAX
from festinger.core.review.records import Origin
from festinger.core.review.state import EARLIER_MAX
from festinger.store.system.pool import acquired
from tests.memories import DAY
from tests.services.review.offers import interact, offer, offers, write
from tests.serving import Client, refused

CODE = grpc.StatusCode
OPERATOR, GUEST = Client.as_("operator"), Client.as_("guest")
TEXT = "# Storage\n\n## Decision: We keep everything in Postgres.\n\nIt is simple.\n"
SAID = "We keep everything in Postgres"
START = TEXT.index(SAID)
FROM_CHUNK = Origin(
    chunk_id="c1",
    rule="heading",
    extractor="headings",
    extractor_version="0.0.1",
    span=(START, START + len(SAID)),
    quote=f"## Decision: {SAID}.",
    quote_span=(13, 13 + len(SAID)),
    place="docs/adr.md",
)


NARROWED: list[tuple[dict[str, Any], list[int]]] = [
    ({}, [1, 2, 3]),
    ({"deferred": True}, [1, 2, 3, 4]),
    ({"kind": MemoryRecord.KIND_ENTITY}, [3]),
    ({"types": [MemoryRecord.TYPE_COMPONENT, MemoryRecord.TYPE_USER_FACT]}, [2, 3]),
    ({"statuses": [MemoryRecord.STATUS_ACTIVE]}, [2]),
    ({"statuses": [MemoryRecord.STATUS_OVERFLOW]}, []),
    ({"project": "apollo"}, [1]),
    ({"subject": "alice"}, [2]),
    ({"extractor": "compose"}, [3]),
    ({"contains": "POSTGRES"}, [1]),
    ({"contains": "%"}, []),
    ({"same_as": " use postgres "}, [1]),
    ({"confidence_min": 0.9}, [2]),
]
"""What a list is asked for, and the records that it has."""

REFUSED: list[tuple[str, dict[str, Any], grpc.StatusCode, str]] = [
    ("GetRecord", {"record_id": 9}, CODE.NOT_FOUND, "RECORD_NOT_FOUND"),
    ("PromoteRecord", {"record_id": 9}, CODE.NOT_FOUND, "RECORD_NOT_FOUND"),
    (
        "PromoteRecord",
        {"record_id": 1, "supersedes": 9},
        CODE.NOT_FOUND,
        "RECORD_NOT_FOUND",
    ),
    ("UndoEdit", {"edit_id": 9}, CODE.NOT_FOUND, "EDIT_NOT_FOUND"),
    ("UndoEdit", {"edit_id": -1}, CODE.NOT_FOUND, "EDIT_NOT_FOUND"),
    ("RevertRecord", {"record_id": 1}, CODE.FAILED_PRECONDITION, "RECORD_STATUS"),
    ("GraduateRecord", {"record_id": 1}, CODE.FAILED_PRECONDITION, "RECORD_STATUS"),
    ("ConfirmRecord", {"record_id": 1}, CODE.FAILED_PRECONDITION, "RECORD_STATUS"),
    (
        "RejectRecord",
        {"record_id": 1, "etag": "1-7"},
        CODE.ABORTED,
        "ETAG_MISMATCH",
    ),
    (
        "EditRecord",
        {"record_id": 1, "content": "use redis."},
        CODE.ALREADY_EXISTS,
        "RECORD_EXISTS",
    ),
    ("EditRecord", {"record_id": 1}, CODE.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
    (
        "EditRecord",
        {"record_id": 1, "content": "a" * 2001},
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
    ),
    (
        "EditRecord",
        {"record_id": 1, "content": "a\0b"},
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
    ),
    (
        "EditRecord",
        {"record_id": 1, "content": "a", "fact": "nonsense"},
        CODE.INVALID_ARGUMENT,
        "FACT_SYNTAX",
    ),
    (
        "EditRecord",
        {"record_id": 1, "content": "a", "type": MemoryRecord.TYPE_COMPONENT},
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
    ),
    ("ListRecords", {"types": [99]}, CODE.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
    ("ListRecords", {"statuses": [0]}, CODE.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
    ("ListRecords", {"kind": 7}, CODE.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
    (
        "ListRecords",
        {"confidence_min": float("nan")},
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
    ),
    ("ListEdits", {"page_size": -1}, CODE.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
    (
        "ListState",
        {"page_token": "W10="},
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
    ),
    (
        "ListState",
        {"page_token": "MQ=="},
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
    ),
    (
        "SetState",
        {"project": " ", "key": "k"},
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
    ),
    (
        "SetState",
        {"project": "p", "key": "k", "value": "a" * 4001},
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
    ),
    ("ProposeRecord", {"content": "a"}, CODE.INVALID_ARGUMENT, "INVALID_ARGUMENT"),
    (
        "ProposeRecord",
        {
            "content": "a",
            "kind": MemoryRecord.KIND_MEMORY,
            "type": MemoryRecord.TYPE_COMPONENT,
        },
        CODE.INVALID_ARGUMENT,
        "INVALID_ARGUMENT",
    ),
]
"""What cannot be done: a method, its fields, and how it is refused."""


@pytest.fixture(autouse=True)
async def _sources(pool):
    """An interaction, and a document of one chunk."""
    await interact(pool)
    async with acquired(pool) as connection:
        await connection.execute(
            "insert into waves (tenant, id, root, principal, extract, started_at, "
            "ended_at, state) values "
            "('default', 1, '/docs', 'op', true, now(), now(), 'done')"
        )
        await connection.execute(
            "insert into documents (tenant, id, project, root, path, digest, size, "
            "wave_id, read_wave_id) values "
            "('default', 1, 'apollo', '/docs', 'docs/adr.md', '\\x00', 10, 1, 1)"
        )
        await connection.execute(
            "insert into chunks (tenant, id, document_id, ordinal, headings, start_at, "
            "end_at, text, wave_id) "
            "values ('default', 'c1', 1, 0, array['Storage'], 0, $1, $2, 1)",
            len(TEXT),
            TEXT,
        )


@pytest.fixture
async def memory(memories):
    """The memory that the server serves."""
    return await memories.get("default")


@pytest.fixture
def promotion(client):
    """The service, as operators call it."""

    class Service:
        def __getattr__(self, name):
            async def call(who=OPERATOR, **fields):
                request = getattr(pb, f"{name}Request")(**fields)
                return await getattr(client.promotion, name)(request, metadata=who)

            return call

    return Service()


async def propose(promotion, content="Use Postgres", **fields):
    """Return a candidate that the operator wrote."""
    usual = {"kind": MemoryRecord.KIND_MEMORY, "type": MemoryRecord.TYPE_DECISION}
    answer = await promotion.ProposeRecord(content=content, **usual | fields)
    return answer.record


async def test_a_record_has_everything(promotion, memory, clock):
    """A candidate tells its text, place, present confidence and waiting time."""
    await write(
        memory,
        SAID,
        origin=FROM_CHUNK,
        project="apollo",
        fact="festinger -isa memory",
        reasoning="a heading says so",
        confidence=0.6,
    )
    written, clock.now = clock.now, clock.now + 15 * DAY

    [record] = (await promotion.ListRecords()).records

    assert (record.id, record.kind, record.type) == (
        1,
        MemoryRecord.KIND_MEMORY,
        MemoryRecord.TYPE_DECISION,
    )
    assert (record.content, record.project) == (SAID, "apollo")
    assert record.status == MemoryRecord.STATUS_CANDIDATE
    assert (record.confidence, record.effective_confidence) == (0.6, 0.6)
    assert record.fact == "festinger -isa memory"
    assert record.reasoning == "a heading says so"
    assert record.pending_time.seconds == record.create_time.seconds == int(written)
    assert record.stale
    assert record.etag == "1-1"
    origin = record.origin
    assert (origin.chunk_id, origin.hand_authored, origin.place) == (
        "c1",
        False,
        "docs/adr.md",
    )
    assert (origin.rule, origin.extractor, origin.extractor_version) == (
        "heading",
        "headings",
        "0.0.1",
    )
    assert origin.quote[origin.quote_start : origin.quote_end] == SAID


async def test_a_memory_of_a_conversation_fades(promotion, memory, clock):
    """A fact of a person weighs half after thirty days, and its whole when confirmed."""
    fact = {"type": MemoryType.USER_FACT, "status": Status.ACTIVE, "confidence": 0.8}
    await write(memory, "loves tea", subject="alice", **fact)
    clock.now += 30 * DAY
    [record] = (await promotion.ListRecords()).records
    assert record.effective_confidence == pytest.approx(0.4)

    confirmed = await promotion.ConfirmRecord(record_id=1)

    assert confirmed.record.effective_confidence == pytest.approx(0.8)


async def test_a_record_leads_back_to_its_document(promotion, memory):
    """From the entity over the memory and the chunk to the file, with the place in the text."""
    await write(memory, SAID, origin=FROM_CHUNK)
    await promotion.PromoteRecord(record_id=1)
    await promotion.GraduateRecord(record_id=1)

    answer = await promotion.GetRecord(record_id=2)

    steps = [(step.kind, step.id, step.name) for step in answer.chain]
    assert steps == [
        ("record", "2", "entity #2"),
        ("memory", "1", "memory #1"),
        ("chunk", "c1", "docs/adr.md > Storage"),
        ("document", "1", "docs/adr.md"),
    ]
    chunk = answer.chain[2]
    assert chunk.text == TEXT
    assert chunk.text[chunk.start_offset : chunk.end_offset] == SAID
    assert [edit.action for edit in answer.edits] == ["propose"]


async def test_a_record_leads_back_to_what_was_said(promotion, memory):
    """Of a conversation, what the person said in it."""
    said = "We use Postgres."
    origin = Origin(interaction_id=1, quote=said, quote_span=(7, 15), place="s1")
    await write(memory, "uses Postgres", origin=origin)

    [_, step] = (await promotion.GetRecord(record_id=1)).chain

    assert (step.kind, step.id, step.text) == ("interaction", "1", said)
    assert step.text[step.start_offset : step.end_offset] == "Postgres"


async def test_a_record_by_hand_is_marked(promotion):
    """It waits, was proposed by whoever wrote it, and leads back to them."""
    record = await propose(promotion, project="apollo", fact="a1 -isa b1")

    assert (record.status, record.confidence) == (MemoryRecord.STATUS_CANDIDATE, 1.0)
    assert record.origin.hand_authored
    [_, hand] = (await promotion.GetRecord(record_id=record.id)).chain
    assert (hand.kind, hand.name) == ("hand", "operator")


async def test_what_is_proposed_again_is_counted(promotion):
    """The answer is the candidate that was there."""
    first = await propose(promotion)
    again = await propose(promotion, "use  postgres.")

    assert (again.id, again.re_extraction_count) == (first.id, 1)
    assert again.etag == first.etag


async def test_the_longest_record_is_proposed_again(promotion):
    """Two thousand characters of four bytes each are known again, by whatever index."""
    longest = "".join(chr(0x20000 + at * 7919 % 40_000) for at in range(2000))
    first = await propose(promotion, longest)
    again = await propose(promotion, f"{longest[:1999]} ")
    same = await propose(promotion, longest, project="apollo")

    alike = await promotion.ListRecords(same_as=longest)

    assert (await propose(promotion, longest)).id == first.id
    assert len({first.id, again.id, same.id}) == 3
    assert [record.id for record in alike.records] == [first.id, same.id]


async def test_a_promoted_entity_answers_what_the_gate_said(promotion, memory, client):
    """The record, the outcome and the edit; and the graph has it."""
    entity = {"kind": MemoryKind.ENTITY, "type": MemoryType.COMPONENT}
    await write(memory, "gnommoweb", fact="gnommoweb -isa repo", **entity)

    answer = await promotion.PromoteRecord(record_id=1)

    assert answer.record.status == MemoryRecord.STATUS_ACTIVE
    assert (answer.record.outcome, answer.record.decider) == ("held", "operator")
    assert answer.outcome.verdict == Outcome.VERDICT_HELD
    [edge] = (await client.concept("gnommoweb")).edges
    assert edge.assertion_id == answer.outcome.assertion_id
    reverted = await promotion.RevertRecord(record_id=1, etag=answer.record.etag)
    assert reverted.record.outcome == ""
    assert not (await client.concept("gnommoweb")).edges


async def test_a_candidate_is_edited_deferred_rejected_and_all_is_logged(promotion):
    """Each answer has the record as it is and the edit; the log is newest first."""
    await propose(promotion)

    edited = await promotion.EditRecord(
        record_id=1,
        content="Use Redis",
        type=MemoryRecord.TYPE_CONSTRAINT,
        fact="a1 -isa b1",
    )
    assert (edited.record.content, edited.record.original_content) == (
        "Use Redis",
        "Use Postgres",
    )
    assert edited.record.type == MemoryRecord.TYPE_CONSTRAINT
    bare = await promotion.EditRecord(record_id=1, content="Use Redis", fact="-")
    assert (bare.record.fact, bare.record.type) == ("", MemoryRecord.TYPE_CONSTRAINT)
    deferred = await promotion.DeferRecord(record_id=1)
    assert deferred.record.HasField("defer_time")
    resumed = await promotion.DeferRecord(record_id=1, resume=True)
    assert not resumed.record.HasField("defer_time")
    rejected = await promotion.RejectRecord(record_id=1)
    assert rejected.record.status == MemoryRecord.STATUS_INVALID
    undone = await promotion.UndoEdit(edit_id=rejected.edit_id)
    assert undone.record.status == MemoryRecord.STATUS_CANDIDATE
    deleted = await promotion.DeleteRecord(record_id=1)
    assert not deleted.HasField("memory")

    edits = (await promotion.ListEdits(record_id=1)).edits
    assert [edit.action for edit in edits] == [
        "delete",
        "undo",
        "reject",
        "defer",
        "defer",
        "edit",
        "edit",
        "propose",
    ]
    changed = edits[-2]
    assert (changed.old_content, changed.new_content) == ("Use Postgres", "Use Redis")
    assert (edits[2].undone_by, edits[2].principal) == (undone.edit_id, "operator")
    assert edits[0].new_status == MemoryRecord.STATUS_UNSPECIFIED


async def test_a_memory_graduates_and_its_entity_is_deleted(promotion, memory):
    """Both are answered; without the entity the memory is active again."""
    await write(memory, "Use Postgres", type=MemoryType.PREFERENCE)
    await promotion.PromoteRecord(record_id=1)

    graduated = await promotion.GraduateRecord(
        record_id=1, type=MemoryRecord.TYPE_DECISION
    )

    assert graduated.entity.graduated_from == graduated.memory.id == 1
    assert graduated.memory.graduated_to == graduated.entity.id == 2
    assert graduated.memory.status == MemoryRecord.STATUS_GRADUATED
    deleted = await promotion.DeleteRecord(record_id=2)
    assert deleted.memory.status == MemoryRecord.STATUS_ACTIVE


async def test_a_source_is_read_again(promotion, memory):
    """
    The results of today's extractors are written beside the record, which stays as it
    is.
    """
    old = await write(memory, "Keep it in files", origin=FROM_CHUNK, project="apollo")

    answer = await promotion.ReExtractRecord(record_id=1)
    again = await promotion.ReExtractRecord(record_id=1)

    [record] = answer.records
    assert record.content.startswith(SAID)
    assert record.origin.chunk_id == "c1"
    assert record.origin.extractor_version != "0.0.1"
    assert (answer.found_again_count, again.found_again_count) == (0, 1)
    assert not again.records
    first = (await promotion.GetRecord(record_id=1)).record
    assert (first.content, first.etag) == (old.content, old.etag)


async def test_a_source_that_is_gone_is_not_read_again(promotion, memory, pool):
    """Nor one that was never a document."""
    await write(memory, SAID, origin=FROM_CHUNK)
    await write(memory, "loves tea")
    async with acquired(pool) as connection:
        await connection.execute("update chunks set current = false")

    for number in (1, 2):
        with refused() as refusal:
            await promotion.ReExtractRecord(record_id=number)

        assert refusal.code is CODE.FAILED_PRECONDITION
        assert refusal.reason == "SOURCE_GONE"


async def test_a_candidate_whose_source_is_gone_is_marked(client, memory, pool):
    """
    The inbox says so, and can be narrowed down to those; what its document says elsewhere
    is not gone.
    """
    await write(memory, SAID, origin=FROM_CHUNK)
    wanted = inbox_pb.ListInboxRequest(filter=inbox_pb.InboxFilter(mark="gone"))
    before = await client.inbox.ListInbox(wanted, metadata=OPERATOR)
    async with acquired(pool) as connection:
        await connection.execute(
            "insert into chunks (tenant, id, document_id, ordinal, start_at, end_at, text, "
            "wave_id) select tenant, 'c2', document_id, 9, 0, 9, 'New. ' || text, wave_id "
            "from chunks where id = 'c1'"
        )
        await connection.execute("update chunks set current = false where id = 'c1'")
        moved = await client.inbox.ListInbox(wanted, metadata=OPERATOR)
        await connection.execute("update chunks set current = false")

    after = await client.inbox.ListInbox(wanted, metadata=OPERATOR)

    assert not before.items
    assert not moved.items
    [item] = after.items
    assert item.record.content == SAID
    assert item.source_gone
    assert item.why.endswith("The document does not say it any longer.")


async def test_the_queue_tells_how_it_stands(promotion, memory, clock):
    """Counts of the cycles, of what waits and of what comes later, and facets."""
    found = [offer(f"Use part {n}", rank=-n) for n in range(CYCLE_MAX + 5)]
    await offers(memory, *found, offer("Use Redis", project="apollo", confidence=0.4))
    await promotion.RejectRecord(record_id=1)
    await promotion.DeferRecord(record_id=2)
    oldest, clock.now = clock.now, clock.now + 15 * DAY

    queue = await promotion.GetQueue()

    assert (queue.cycle, queue.cycle_size) == (1, CYCLE_MAX)
    assert (queue.written_count, queue.decided_count) == (CYCLE_MAX + 1, 1)
    assert (queue.deferred_count, queue.pending_count) == (1, CYCLE_MAX - 1)
    assert (queue.stale_count, queue.overflow_count) == (CYCLE_MAX - 1, 5)
    assert queue.oldest_pending_time.seconds == int(oldest)
    facets = {(it.name, it.value): it.count for it in queue.facets}
    assert facets["age", "older"] == CYCLE_MAX - 1
    assert facets["type", "decision"] == CYCLE_MAX - 1
    assert facets["project", "apollo"] == facets["confidence", "low"] == 1
    assert facets["conflict", "no"] == CYCLE_MAX - 1
    assert ("project", "") not in facets
    one = await promotion.GetQueue(project="apollo")
    assert (one.pending_count, one.overflow_count, one.written_count) == (1, 0, 1)


async def test_an_empty_queue_is_told(promotion):
    """No cycle, nobody waits, and no time since when."""
    queue = await promotion.GetQueue()

    assert (queue.cycle, queue.pending_count, list(queue.facets)) == (0, 0, [])
    assert not queue.HasField("oldest_pending_time")


async def test_a_list_is_narrowed(promotion, memory):
    """By every field there is; what was put aside comes only if it is asked for."""
    await write(memory, "Use Postgres.", project="apollo")
    await write(
        memory,
        "loves tea",
        type=MemoryType.USER_FACT,
        status=Status.ACTIVE,
        subject="alice",
        confidence=0.95,
    )
    await write(
        memory,
        "redis",
        kind=MemoryKind.ENTITY,
        type=MemoryType.COMPONENT,
        origin=Origin(interaction_id=1, extractor="compose"),
    )
    await write(memory, "later")
    await promotion.DeferRecord(record_id=4)

    for fields, expected in NARROWED:
        answer = await promotion.ListRecords(**fields)

        assert (fields, [record.id for record in answer.records]) == (fields, expected)


async def test_lists_come_in_pages(promotion):
    """Every item once, and an empty token only at the end."""
    for number in range(5):
        await propose(promotion, f"Use part {number}")
        await promotion.SetState(project="apollo", key=f"k{number}", value="so")

    async def pages(list_page, items, **fields):
        found, token = [], ""
        while True:
            page = await list_page(page_size=2, page_token=token, **fields)
            found += getattr(page, items)
            token = page.next_page_token
            if not token:
                return found

    listed = await pages(promotion.ListRecords, "records")
    assert [record.id for record in listed] == [1, 2, 3, 4, 5]
    edits = await pages(promotion.ListEdits, "edits")
    assert [edit.id for edit in edits] == [5, 4, 3, 2, 1]
    state = await pages(promotion.ListState, "items", project="apollo")
    assert [item.key for item in state] == ["k0", "k1", "k2", "k3", "k4"]


async def test_of_what_an_item_was_the_last_is_told(promotion):
    """So that an item that changes every day can be read in a year: 20 values at most."""
    for day in range(EARLIER_MAX + 3):
        last = await promotion.SetState(project="apollo", key="day", value=f"{day}")

    [item] = (await promotion.ListState(project="apollo")).items

    assert list(item.previous_values) == [f"{day}" for day in range(2, 22)]
    assert item == last.item


async def test_the_state_is_what_was_written(promotion):
    """
    An item has who wrote it and what it was; it is read by anybody. Removed, its history
    stays.
    """
    first = (
        await promotion.SetState(project="apollo", key="release", value="May")
    ).item
    await promotion.SetState(
        project="apollo", key="release", value="June", etag=first.etag
    )

    [item] = (await promotion.ListState(who=GUEST, project="apollo")).items

    assert (item.value, list(item.previous_values)) == ("June", ["May"])
    assert (item.principal, item.HasField("update_time")) == ("operator", True)
    with refused() as refusal:
        await promotion.SetState(
            project="apollo", key="release", value="July", etag=first.etag
        )
    assert (refusal.code, refusal.reason) == (CODE.ABORTED, "ETAG_MISMATCH")
    await promotion.SetState(project="apollo", key="release")
    assert not (await promotion.ListState()).items
    [removed] = (await promotion.ListState(show_removed=True)).items
    assert list(removed.previous_values) == ["May", "June"]


async def test_others_see_what_is_about_nobody_or_them(promotion, memory):
    """A memory about a person is told to operators and to that person."""
    await write(memory, "Use Postgres")
    await write(memory, "loves tea", subject="alice", type=MemoryType.USER_FACT)
    alice = Client.as_("shim", principal="alice", subject="alice")
    bob = Client.as_("shim", principal="bob", subject="bob")

    async def seen(who):
        return [record.id for record in (await promotion.ListRecords(who=who)).records]

    assert await seen(OPERATOR) == await seen(alice) == [1, 2]
    assert await seen(bob) == await seen(GUEST) == [1]
    assert (await promotion.GetRecord(who=alice, record_id=2)).record.id == 2
    with refused() as refusal:
        await promotion.GetRecord(who=bob, record_id=2)
    assert (refusal.code, refusal.reason) == (CODE.NOT_FOUND, "RECORD_NOT_FOUND")


async def test_what_cannot_be_done_is_refused(promotion):
    """With a code and a reason, and nothing changes."""
    await propose(promotion)
    await propose(promotion, "Use Redis")
    before = (await promotion.ListEdits()).edits

    for method, fields, code, reason in REFUSED:
        with refused() as refusal:
            await getattr(promotion, method)(**fields)

        assert (method, refusal.code, refusal.reason) == (method, code, reason), fields
    assert (await promotion.ListEdits()).edits == before


async def test_what_changed_since_is_not_undone(promotion):
    """The refusal names both the edit and the record."""
    await propose(promotion)
    edited = await promotion.EditRecord(record_id=1, content="Use Redis")
    await promotion.RejectRecord(record_id=1)

    with refused() as refusal:
        await promotion.UndoEdit(edit_id=edited.edit_id)

    assert (refusal.code, refusal.reason) == (CODE.FAILED_PRECONDITION, "CANNOT_UNDO")
    assert refusal.metadata == {"edit_id": str(edited.edit_id), "record_id": "1"}


@pytest.mark.parametrize(
    ("method", "fields"),
    [
        ("ProposeRecord", {"content": "a", "kind": 1, "type": 6}),
        ("PromoteRecord", {"record_id": 1}),
        ("RejectRecord", {"record_id": 1}),
        ("EditRecord", {"record_id": 1, "content": "a"}),
        ("DeferRecord", {"record_id": 1}),
        ("DeleteRecord", {"record_id": 1}),
        ("ReExtractRecord", {"record_id": 1}),
        ("UndoEdit", {"edit_id": 1}),
        ("SetState", {"project": "p", "key": "k", "value": "v"}),
    ],
)
async def test_a_repeated_call_changes_nothing(promotion, memory, method, fields):
    """The same request_id, the same answer."""
    await write(memory, "Keep it in files", origin=FROM_CHUNK)

    first = await getattr(promotion, method)(request_id="r1", **fields)
    log = (await promotion.ListEdits()).edits
    again = await getattr(promotion, method)(request_id="r1", **fields)

    assert again == first
    assert (await promotion.ListEdits()).edits == log


@pytest.mark.parametrize("who", [GUEST, Client.as_("shim", principal="alice")])
@pytest.mark.parametrize(
    "method", ["PromoteRecord", "UndoEdit", "ProposeRecord", "SetState", "GetQueue"]
)
async def test_only_operators_decide(promotion, who, method):
    """No agent's credential, and nobody whom it speaks for."""
    with refused() as refusal:
        await getattr(promotion, method)(who=who)

    assert refusal.code is CODE.PERMISSION_DENIED
