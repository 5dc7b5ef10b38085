from __future__ import annotations

from functools import partial

import pytest

from festinger.core.memories.types import MemoryKind, MemoryType, Status
from festinger.core.review.queue import CYCLE_MAX
from festinger.core.review.records import Action
from festinger.core.review.transitions import CONTRADICTED
from festinger.errors import InvalidArgument
from festinger.services.review.promotion import correct, promote, reject, undo_edit
from festinger.store.system.pool import acquired
from festinger.store.world.batches import RequestKey
from tests.services.review.offers import (
    BY_HAND,
    EXTRACTED,
    WRITTEN,
    decide,
    document,
    edits,
    interact,
    offers,
    read_record,
    records,
)
from tests.services.review.offers import offer as any_offer
from tests.services.review.offers import write as any_write

offer = partial(any_offer, origin=WRITTEN)
write = partial(any_write, origin=WRITTEN)
CANDIDATE, OVERFLOW, ACTIVE = Status.CANDIDATE, Status.OVERFLOW, Status.ACTIVE


@pytest.fixture(autouse=True)
async def _interaction(pool):
    await interact(pool)
    await document(pool)


async def test_what_is_new_is_a_candidate(memory, clock):
    """A candidate has what its offer had, and waits in the first cycle."""
    offered = await offers(memory, offer("Use Postgres.", project="apollo", rank=0.5))

    [record] = offered.written
    assert (offered.overflow, offered.again) == ((), ())
    assert (record.id, record.status, record.cycle) == (1, CANDIDATE, 1)
    assert (record.content, record.project) == ("Use Postgres.", "apollo")
    assert record.origin.rule == "heading"
    assert record.pending_since == record.created_at == clock.now
    assert await read_record(memory, 1) == record


async def test_every_field_of_a_record_is_kept(memory):
    """A row gives back what was written, and so does the log."""
    await write(memory, "Tea is hot")
    record = await write(
        memory,
        "Coffee",
        kind=MemoryKind.ENTITY,
        type=MemoryType.COMPONENT,
        subject="alice",
        fact="coffee -isa drink",
        reasoning="because",
        contradicts=(1,),
        rank=0.25,
    )

    [written, *_] = await edits(memory, record.id)
    assert await read_record(memory, record.id) == record == written.after
    assert (written.action, written.before) == (Action.PROPOSE, None)


@pytest.mark.parametrize(
    "again",
    ["use  postgres", "USE POSTGRES.", "Use Postgres!"],
)
async def test_the_same_is_written_once(memory, clock, again):
    """Blanks, case and the last stop apart, it is found again, and counted in each place."""
    await write(memory, "Use Postgres.")
    clock.now += 60

    offered = await offers(memory, offer(again), offer(again))

    assert (offered.written, offered.again) == ((), (1,))
    record = await read_record(memory, 1)
    assert (record.re_extraction_count, record.last_re_extracted_at) == (2, clock.now)
    assert (record.content, record.version) == ("Use Postgres.", 1)


@pytest.mark.parametrize(
    "parts",
    [
        {"kind": MemoryKind.ENTITY},
        {"type": MemoryType.REQUIREMENT},
        {"project": "apollo"},
        {"subject": "alice"},
        {"content": "Use Postgres 15"},
    ],
)
async def test_what_differs_is_another_record(memory, parts):
    """Kind, type, content, project and subject make a record what it is."""
    await write(memory, "Use Postgres")

    record = await write(memory, **{"content": "Use Postgres", **parts})

    assert (record.id, record.status) == (2, CANDIDATE)


async def test_an_offering_with_the_same_twice_writes_it_once(memory):
    """One pass that finds a thing in two places makes one candidate of it, found once again."""
    offered = await offers(memory, offer("Use Postgres"), offer("use postgres."))

    assert [(it.id, it.re_extraction_count) for it in offered.written] == [(1, 1)]


async def test_what_was_rejected_stays_rejected(memory):
    """It is counted, and nobody is asked again."""
    await write(memory, "Use Postgres")
    await decide(memory, reject, 1)

    offered = await offers(memory, offer("Use Postgres"))

    assert (offered.written, offered.again) == ((), (1,))
    record = await read_record(memory, 1)
    assert (record.status, record.re_extraction_count) == (Status.INVALID, 1)


async def test_an_active_memory_of_a_conversation_is_confirmed(memory, clock):
    """Said again, it weighs as much as today; a candidate does not."""
    active = offer("loves tea", status=ACTIVE, origin=EXTRACTED)
    waiting = offer("likes rain", origin=EXTRACTED)
    await offers(memory, active, waiting)
    written = clock.now
    clock.now += 86400

    await offers(memory, active, waiting)

    confirmed = [(each.status, each.confirmed_at) for each in await records(memory)]
    assert confirmed == [(ACTIVE, clock.now), (CANDIDATE, written)]


async def test_what_is_contradicted_counts_for_less(memory):
    """Both are linked, the known one loses confidence, and the log has it."""
    await write(memory, "loves tea", status=ACTIVE, confidence=0.9)

    record = await write(memory, "hates tea", contradicts=(1,))

    known = await read_record(memory, 1)
    assert record.contradicts == (1,)
    assert known.confidence == pytest.approx(0.9 - CONTRADICTED)
    assert [edit.action for edit in await edits(memory, 1)] == [
        Action.CONTRADICT,
        Action.PROPOSE,
    ]


async def test_confidence_falls_to_nothing_and_no_further(memory):
    """A source that is contradicted often counts nothing, and not less."""
    await write(memory, "loves tea", status=ACTIVE, confidence=0.3)

    await offers(
        memory,
        offer("hates tea", contradicts=(1,)),
        offer("detests tea", contradicts=(1, 99)),
    )

    assert (await read_record(memory, 1)).confidence == 0.0


async def test_what_does_not_fit_overflows(memory):
    """The best fifty wait, the others come later, and nothing is lost."""
    found = [offer(f"Use part {n}", rank=n / 100) for n in range(60)]

    offered = await offers(memory, *found)

    assert len(offered.written) == CYCLE_MAX
    overflow = [record.content for record in offered.overflow]
    assert overflow == [f"Use part {n}" for n in range(10)]
    assert {record.status for record in offered.overflow} == {OVERFLOW}
    assert len(await records(memory, CANDIDATE)) == CYCLE_MAX


async def test_a_cycle_that_is_full_takes_no_more(memory):
    """A finding during decisions waits for the next cycle, however good it is."""
    await offers(memory, *[offer(f"Use part {n}") for n in range(CYCLE_MAX)])
    await decide(memory, reject, 1)

    offered = await offers(memory, offer("Use the best", rank=1.0))

    assert [record.status for record in offered.overflow] == [OVERFLOW]


async def test_projects_have_cycles_of_their_own(memory):
    """A project whose cycle is full keeps nobody in another from deciding."""
    full = [offer(f"Use part {n}", project="shop") for n in range(CYCLE_MAX + 1)]
    dome = [offer(f"Use pipe {n}", project="dome") for n in range(2)]

    offered = await offers(memory, *full, *dome)
    await decide(memory, reject, offered.written[-1].id)
    await decide(memory, reject, offered.written[-2].id)
    later = await offers(memory, offer("Use a tap", project="dome"))

    assert [it.project for it in offered.overflow] == ["shop"]
    assert [(it.project, it.cycle) for it in later.written] == [("dome", 2)]
    assert len(await records(memory, OVERFLOW)) == 1


async def test_a_cycle_that_is_decided_is_refilled(memory):
    """The decision about the last of the fifty brings the best of what overflowed."""
    found = [offer(f"Use part {n}", rank=-n) for n in range(CYCLE_MAX + 60)]
    await offers(memory, *found)

    for number in range(1, CYCLE_MAX + 1):
        assert len(await records(memory, CANDIDATE)) == CYCLE_MAX + 1 - number
        await decide(memory, reject, number)

    waiting = await records(memory, CANDIDATE)
    assert [record.id for record in waiting] == list(
        range(CYCLE_MAX + 1, 2 * CYCLE_MAX + 1)
    )
    assert {record.cycle for record in waiting} == {2}
    assert len(await records(memory, OVERFLOW)) == 10
    assert len(await records(memory)) == CYCLE_MAX + 60
    [refilled, _] = await edits(memory, CYCLE_MAX + 1)
    assert (refilled.action, refilled.principal) == (Action.REFILL, "festinger")


async def test_an_empty_queue_begins_a_cycle(memory):
    """If nothing waits any more, the next pass begins the next cycle."""
    await write(memory, "Use Postgres")
    await decide(memory, promote, 1)

    record = await write(memory, "Use Redis")

    assert record.cycle == 2


async def test_a_decision_taken_back_opens_its_cycle_again(memory):
    """A record that is a candidate again belongs to its cycle, which goes on."""
    await write(memory, "Use Postgres")
    decided = await decide(memory, reject, 1)
    await decide(memory, undo_edit, decided.edits[0])

    record = await write(memory, "Use Redis")

    assert record.cycle == 1


async def test_what_is_written_by_hand_waits_at_once(memory):
    """The cap is for what extraction finds, not for people."""
    await offers(memory, *[offer(f"Use part {n}") for n in range(CYCLE_MAX)])

    record = await write(memory, "Use Redis", origin=BY_HAND, proposer="alice")

    assert (record.status, record.cycle) == (CANDIDATE, 0)


async def test_an_offering_is_done_once(memory):
    """A repeated call changes nothing and has the first answer."""
    key = RequestKey("wave", "r1", "Offer", b"payload")
    found = [offer(f"Use part {n}", rank=-n) for n in range(CYCLE_MAX + 1)]
    await write(memory, "Use part 0")

    first = await offers(memory, *found, request=key)
    again = await offers(memory, *found, request=key)

    assert again == first
    assert (await read_record(memory, 1)).re_extraction_count == 1


async def test_a_type_that_its_kind_has_not_is_refused(memory):
    """No memory is a component."""
    with pytest.raises(InvalidArgument) as caught:
        await write(memory, "engine", type=MemoryType.COMPONENT)

    assert caught.value.metadata["field"] == "type"
    assert await records(memory) == []


async def test_first_wording_of_an_edited_candidate_does_not_come_back(memory):
    """Extracted again, what a person worded anew is counted on the record that it became."""
    await write(memory, "Use Postgers")
    await decide(memory, correct, 1, content="Use Postgres 16")

    offered = await offers(
        memory, offer("use postgers."), offer("Use Postgers", project="x")
    )

    assert offered.again == (1,)
    assert [it.project for it in offered.written] == ["x"]
    record = await read_record(memory, 1)
    assert (record.content, record.re_extraction_count) == ("Use Postgres 16", 1)


async def test_conversations_and_contradictions_wait_for_no_cycle(memory):
    """A large wave keeps neither from people: agents are told what is contradicted."""
    await write(memory, "Use SQLite")
    await offers(memory, *[offer(f"Use part {n}") for n in range(CYCLE_MAX + 5)])

    offered = await offers(
        memory,
        offer("likes rain", origin=EXTRACTED, subject="alice"),
        offer("Use Postgres", contradicts=(1,)),
        offer("Use one part more"),
    )

    assert [it.content for it in offered.written] == ["likes rain", "Use Postgres"]
    assert [it.content for it in offered.overflow] == ["Use one part more"]


async def test_size_of_a_cycle_is_a_setting(memory, pool):
    """Fifty by default; what is set counts from the next offering on."""
    async with acquired(pool) as connection:
        await connection.execute(
            "insert into config (tenant, key, value, updated_at) "
            "values ('default', 'review_cycle_candidates', '3', now()) "
            "on conflict (tenant, key) do update set value = excluded.value"
        )

    offered = await offers(memory, *[offer(f"Use part {n}") for n in range(5)])

    assert (len(offered.written), len(offered.overflow)) == (3, 2)


async def test_standing_of_a_project_is_its_own(memory):
    """Records written, open or waiting elsewhere are none of its."""
    for project, count in (("shop", 3), ("dome", 2)):
        await offers(
            memory, *[offer(f"Use part {n}", project=project) for n in range(count)]
        )
    await decide(memory, reject, 1)

    async with memory.store.reading(memory.tenant) as reads:
        shop = await reads.standing(project="shop", now=memory.now())
        whole = await reads.standing(project="", now=memory.now())

    assert (shop.cycle.written, shop.cycle.open, shop.pending) == (3, 2, 2)
    assert (whole.cycle.written, whole.cycle.open, whole.pending) == (5, 4, 4)
