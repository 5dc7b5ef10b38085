from __future__ import annotations

import asyncio
import re
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest

from festinger.api.v1 import inbox_service_pb2 as pb
from festinger.api.v1.inbox_pb2 import InboxDecision, InboxItem
from festinger.core.memories.types import MemoryKind, MemoryType
from festinger.core.review.inbox import InboxPlace, InboxRef
from festinger.store.system.pool import acquired
from tests.console.house import doubt
from tests.rpc.validation.test_daily_items import settle_again
from tests.services.review.offers import interact, write
from tests.serving import Client, refused

CODE = grpc.StatusCode
OPERATOR, COLLEAGUE = Client.as_("operator"), Client.as_("colleague")
ACCEPT, REJECT = InboxDecision.ACTION_ACCEPT, InboxDecision.ACTION_REJECT
DEFER = InboxDecision.ACTION_DEFER
FACETS = ("project", "answerer", "rule", "source", "type")


class Inbox:
    """The service, as an operator calls it."""

    def __init__(self, client: Client) -> None:
        self.stub = client.inbox

    async def page(self, who: Any = OPERATOR, **wanted: Any) -> Any:
        """Return a page."""
        fields = {
            key: wanted.pop(key) for key in ("page_size", "page_token") if key in wanted
        }
        request = pb.ListInboxRequest(filter=pb.InboxFilter(**wanted), **fields)
        return await self.stub.ListInbox(request, metadata=who)

    async def ids(self, **wanted: Any) -> list[str]:
        """Return the items of a page."""
        return [item.id for item in (await self.page(**wanted)).items]

    async def count(self, **fields: Any) -> Any:
        """Return the number of waiting items."""
        request = pb.CountInboxRequest(**fields)
        return await self.stub.CountInbox(request, metadata=OPERATOR)

    async def get(self, item_id: str) -> Any:
        """Return an item."""
        request = pb.GetInboxItemRequest(item_id=item_id)
        return (await self.stub.GetInboxItem(request, metadata=OPERATOR)).item

    async def decide(
        self, *ids: str, who: Any = OPERATOR, action: Any = ACCEPT, **fields: Any
    ) -> Any:
        """Decide; return the results."""
        request = pb.DecideInboxRequest(item_ids=ids, action=action, **fields)
        return await self.stub.DecideInbox(request, metadata=who)

    async def undo(self, decision_id: str = "", who: Any = OPERATOR) -> Any:
        """Undo; return the results."""
        request = pb.UndoInboxRequest(decision_id=decision_id)
        return await self.stub.UndoInbox(request, metadata=who)


@pytest.fixture
def inbox(client):
    """The inbox of the server."""
    return Inbox(client)


@pytest.fixture
async def memory(memories):
    """The memory that the server serves."""
    return await memories.get("default")


@pytest.fixture
async def one_of_each(client, memory, pool):
    """A conflict that was stated twice, a candidate, a memory, and what was settled again."""
    await interact(pool)
    await client.states("gnommoweb -isa repo")
    await client.says("gnommoweb is a container.")
    await client.states("last -isa statement")
    await client.states("gnommoweb -isa container")
    await doubt(client, "billing is hosted by fly")
    await write(memory, "Use Postgres.", confidence=0.5, project="apollo")


async def add_feedback(pool):
    """Say of a line that it is wrong."""
    async with acquired(pool) as connection:
        await connection.execute(
            "insert into line_feedback (tenant, id, line, text, quote, speaker, project, "
            "verdict, state, principal, prompt, created_at) values ('default', 900, "
            "'statement-1', 'redis: cache', 'Redis is a cache.', 'bob', 'apollo', 'wrong', "
            "'open', 'carol', '', now())"
        )


def to_id(row):
    """Return the name of a row's item."""
    return str(InboxRef(InboxPlace(row["place"]), row["number"]))


def has(row, kind, name, value):
    """Return whether a row is of this kind, or has this value or mark."""
    if name == "kinds":
        return row["kind"] == kind
    return value in row["marks"] if name == "mark" else row[name] == value


def texts(page):
    """Return the texts of waiting items, by item."""
    return {item.id.split("-")[0]: item.text for item in page.items}


async def test_everything_that_waits_is_in_one_list(inbox, one_of_each):
    """Conflicts, uncertain statements and memories stand in one list."""
    page = await inbox.page()

    assert texts(page) == {
        "conflict": "gnommoweb -isa container in context of type",
        "candidate": "billing -ispart fly in context of runs-on",
        "record": "Use Postgres.",
    }


async def test_costliest_mistakes_come_first(inbox, one_of_each):
    """Items are ordered by how often they were told, times the doubt about them."""
    items = (await inbox.page()).items

    costs = [item.cost for item in items]
    assert costs == sorted(costs, reverse=True)
    assert [item.cost for item in items] == [
        pytest.approx(item.told_count * item.doubt * item.urgency) for item in items
    ]
    assert items[0].told_count == 2
    assert items[0].kind == InboxItem.KIND_CONFLICT


async def test_counts_are_of_everything(inbox, one_of_each):
    """Waiting items are counted by kind, project and who can answer."""
    await inbox.decide(*(await inbox.ids(kinds=[InboxItem.KIND_MEMORY])), action=DEFER)

    size = await inbox.count()

    counts = {(it.name, it.value): it.count for it in size.counts}
    assert counts["kind", "conflict"] == 1
    assert counts["kind", "statement"] == 1
    assert ("kind", "memory") not in counts
    assert counts["answerer", "moderator"] >= 1
    assert size.waiting_count == len(await inbox.ids())
    assert size.deferred_count == 1


async def test_count_stops_at_a_maximum(inbox, one_of_each):
    """A caller who needs to know only whether there are many has no more counted."""
    assert (await inbox.count(waiting_count_max=2)).waiting_count == 2
    assert (await inbox.count(waiting_count_max=1000)).waiting_count == len(
        await inbox.ids()
    )


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({"kinds": [InboxItem.KIND_CONFLICT]}, ["conflict"]),
        ({"project": "apollo"}, ["record"]),
        ({"answerer": "community"}, ["candidate"]),
        ({"rule": "heading"}, ["record"]),
        ({"source": "headings"}, ["record"]),
        ({"deferred": True}, []),
        ({"type": "isa_isa"}, ["conflict"]),
        ({"type": "decision"}, ["record"]),
        ({"mark": "contradicts"}, ["conflict"]),
        ({"mark": "sensitive"}, []),
        ({"said": "BILLING is"}, ["candidate"]),
        ({"said": "walrus"}, []),
        ({"days_min": 1}, []),
    ],
)
async def test_list_is_narrowed(inbox, one_of_each, wanted, found):
    """A filter leaves what it names."""
    assert [it.split("-")[0] for it in await inbox.ids(**wanted)] == found


async def test_each_item_is_found_by_what_it_is(inbox, one_of_each, pool):
    """
    Whatever table an item stands in, each of its kind, project, answerer, rule, source, type
    and marks leads to it, and to nothing that has another.
    """
    await add_feedback(pool)
    async with acquired(pool) as connection:
        rows = await connection.fetch("select * from inbox")
    otherwise = []

    for row in rows:
        wanted = [
            ("kinds", [InboxItem.Kind.Value(f"KIND_{row['kind'].upper()}")]),
            *((name, row[name]) for name in FACETS if row[name]),
            *(("mark", mark) for mark in row["marks"]),
        ]
        for name, value in wanted:
            found = await inbox.ids(**{name: value})
            right = [to_id(it) for it in rows if has(it, row["kind"], name, value)]
            if sorted(found) != sorted(right):
                otherwise.append((name, value, found, right))

    assert {row["place"] for row in rows} == {0, 1, 2, 4}
    assert otherwise == []


async def test_pages_hold_each_item_once(inbox, memory, pool):
    """Page by page, the list is that of a single page, also among items of the same cost."""
    await interact(pool)
    for number in range(7):
        await write(memory, f"Use number{number}.", confidence=0.5)

    whole = await inbox.ids()
    found: list[str] = []
    token = ""
    while token or not found:
        page = await inbox.page(page_size=2, page_token=token)
        found += [item.id for item in page.items]
        token = page.next_page_token
        if not token:
            break

    assert found == whole
    assert len(set(found)) == 7


async def test_item_says_why_and_what_changes(inbox, one_of_each):
    """An item says why a person is asked, and what prompts are told before and after."""
    (number,) = await inbox.ids(kinds=[InboxItem.KIND_CONFLICT])

    item = await inbox.get(number)

    assert "2 times" in item.why
    assert "held that gnommoweb -isa repo in context of type, and" in item.why
    assert item.effects.mention == "gnommoweb"
    assert item.effects.mention_count > 0
    assert item.effects.accepted_lines == ["gnommoweb: [type] container"]
    assert item.effects.rejected_lines == ["gnommoweb: [type] repo"]
    assert "conflict pending" in item.effects.now_lines[1]
    assert item.conflict.evidence == "gnommoweb is a container."


async def test_accepted_conflict_replaces_the_fact(inbox, client, one_of_each):
    """Accepting a conflict holds its statement; undoing restores the fact."""
    (number,) = await inbox.ids(kinds=[InboxItem.KIND_CONFLICT])

    await inbox.decide(number)
    after = await client.concept("gnommoweb")
    await inbox.undo()
    before = await client.concept("gnommoweb")

    assert [edge.parent for edge in after.edges] == ["container"]
    assert [edge.parent for edge in before.edges] == ["repo"]
    assert number in await inbox.ids()


async def test_conflict_can_be_decomposed(inbox, client, one_of_each):
    """A conflict that is accepted with two dimensions holds both statements."""
    (number,) = await inbox.ids(kinds=[InboxItem.KIND_CONFLICT])

    await inbox.decide(number, incoming_dimension="runtime", existing_dimension="code")

    edges = (await client.concept("gnommoweb")).edges
    assert {(edge.dimension, edge.parent) for edge in edges} == {
        ("code", "repo"),
        ("runtime", "container"),
    }


@pytest.mark.parametrize("action", [ACCEPT, REJECT, DEFER])
async def test_all_kinds_are_decided_and_undone(inbox, one_of_each, action):
    """Every item leaves the list by each action, and is there again once it is undone."""
    before = await inbox.ids()

    answer = await inbox.decide(*before, action=action)
    left = await inbox.ids()
    undone = await inbox.undo(answer.decision.id)

    assert not answer.failures
    assert sorted(answer.decision.item_ids) == sorted(before)
    assert left == []
    assert not undone.failures
    assert sorted(await inbox.ids()) == sorted(before)


async def test_deferred_items_have_a_list_of_their_own(inbox, one_of_each):
    """A deferred item is in the list of deferred items only, and counted there."""
    first, *others = await inbox.ids()

    await inbox.decide(first, action=DEFER)
    page = await inbox.page()

    assert [item.id for item in page.items] == others
    assert (await inbox.count()).deferred_count == 1
    assert await inbox.ids(deferred=True) == [first]
    assert (await inbox.get(first)).HasField("defer_time")


async def test_all_of_a_source_are_decided_at_once(inbox, memory, pool):
    """A filter decides about all its items, and all are undone together."""
    await interact(pool)
    for number in range(3):
        await write(memory, f"Use number{number}.")
    await write(memory, "Use another.", proposer="other")

    request = pb.DecideInboxRequest(
        filter=pb.InboxFilter(source="headings", rule="heading"), action=REJECT
    )
    answer = await inbox.stub.DecideInbox(request, metadata=OPERATOR)
    left = await inbox.ids()
    await inbox.undo()

    assert len(answer.decision.item_ids) == 4
    assert left == []
    assert len(await inbox.ids()) == 4


async def test_same_statement_is_decided_along(inbox, client, memory, pool):
    """
    Deciding an item decides others of the same statement, of whatever kind, unless the
    caller wants it alone.
    """
    await interact(pool)
    await doubt(client, "billing is hosted by fly")
    for project in ("apollo", "zeus"):
        await write(
            memory,
            "Billing runs at Fly.",
            kind=MemoryKind.ENTITY,
            type=MemoryType.COMPONENT,
            fact="billing -ispart fly in context of runs-on",
            project=project,
        )
    (first,) = await inbox.ids(kinds=[InboxItem.KIND_STATEMENT])

    likes = (await inbox.get(first)).like_ids
    alone = await inbox.decide(first, action=REJECT, alone=True)
    await inbox.undo(alone.decision.id)
    together = await inbox.decide(first, action=REJECT)

    assert len(likes) == 2
    assert alone.decision.item_ids == [first]
    assert sorted(together.decision.item_ids) == sorted([first, *likes])
    assert await inbox.ids() == []


async def test_second_decider_is_told_who_decided(inbox, one_of_each):
    """
    Of two people who decide the same item at once one does, and the other is told who
    did what.
    """
    for number in await inbox.ids():
        answers = await asyncio.gather(
            inbox.decide(number),
            inbox.decide(number, who=COLLEAGUE, action=REJECT),
            return_exceptions=True,
        )

        errors = [it for it in answers if isinstance(it, grpc.aio.AioRpcError)]
        (decided,) = [it for it in answers if not isinstance(it, BaseException)]
        assert len(errors) == 1
        assert decided.decision.principal in str(errors[0].details())


async def test_decided_item_says_who_decided(inbox, one_of_each):
    """Looking at an item that was decided meanwhile says by whom."""
    first, *_ = await inbox.ids()
    await inbox.decide(first, who=COLLEAGUE)

    with refused() as refusal:
        await inbox.get(first)

    assert refusal.code == CODE.NOT_FOUND
    assert refusal.reason == "ITEM_NOT_FOUND"
    assert " was accepted by colleague on 20" in refusal.message


async def test_failures_agree(inbox, one_of_each):
    """Looking, deciding and putting aside say in the same words who decided, and when."""
    ids = await inbox.ids(kinds=[InboxItem.KIND_CONFLICT, InboxItem.KIND_STATEMENT])
    assert len(ids) == 2

    for item in ids:
        await inbox.decide(item, who=COLLEAGUE)
        for call in (
            inbox.get(item),
            inbox.decide(item, action=REJECT),
            inbox.decide(item, action=DEFER),
        ):
            with refused() as refusal:
                await call

            assert re.search(
                r" was \w+ by colleague on 20\d\d-\d\d-\d\d \d\d:\d\d UTC$",
                refusal.message,
            )


async def test_repeated_call_decides_once(inbox, one_of_each):
    """A call that is repeated with its request id gets the first answer."""
    first, *_ = await inbox.ids()

    once = await inbox.decide(first, request_id="a")
    again = await inbox.decide(first, request_id="a")

    assert again.decision == once.decision


@asynccontextmanager
async def no_room(pool, event):
    """Have no room in the log of decisions, as on a full disk."""
    async with acquired(pool) as connection:
        await connection.execute(
            "create function refuse() returns trigger language plpgsql as $$ begin "
            "raise exception 'no room' using errcode = 'disk_full'; end $$; "
            f"create trigger refused before {event} execute function refuse()"
        )
    yield
    async with acquired(pool) as connection:
        await connection.execute("drop function refuse cascade")


@pytest.mark.parametrize("action", [ACCEPT, REJECT, DEFER])
async def test_nothing_is_decided_without_its_log(
    inbox, one_of_each, client, pool, action
):
    """An item that cannot be logged is not decided: it still waits, and can be decided later."""
    await settle_again(client)
    await add_feedback(pool)
    before = await inbox.ids()

    async with no_room(pool, "insert on inbox_decisions for each row"):
        for number in before:
            with refused() as refusal:
                await inbox.decide(number, action=action)
            assert refusal.code == CODE.UNAVAILABLE
    left = await inbox.ids()
    answer = await inbox.decide(*before, action=action)

    assert len(before) == 5
    assert left == before
    assert not answer.failures


async def test_interrupted_decision_is_completed(inbox, one_of_each, pool):
    """Repeated with its request id, a call decides what an interruption left, in one decision."""
    first, second, *_ = await inbox.ids()

    async with no_room(pool, "update on inbox_decisions for each row"):
        once = await inbox.decide(first, second, request_id="a")
    again = await inbox.decide(first, second, request_id="a")

    assert once.decision.item_ids == [first]
    assert [it.item_id for it in once.failures] == [second]
    assert again.decision.id == once.decision.id
    assert again.decision.item_ids == [first, second]
    assert not again.failures


async def test_interrupted_undoing_is_completed(inbox, one_of_each, pool):
    """
    A decision is not undone while one of its items is not, and repeating the call undoes
    that one only.
    """
    before = await inbox.ids()
    answer = await inbox.decide(*before)

    last = "update on inbox_decisions for each row when (new.undone_by is not null)"
    async with no_room(pool, last):
        with refused() as refusal:
            await inbox.undo()
        partly = await inbox.ids()
    undone = await inbox.undo()
    page = await inbox.stub.ListInboxDecisions(
        pb.ListInboxDecisionsRequest(), metadata=OPERATOR
    )

    assert refusal.code == CODE.UNAVAILABLE
    assert len(partly) == len(before) - 1
    assert undone.decision.id == answer.decision.id
    assert not undone.failures
    assert sorted(await inbox.ids()) == sorted(before)
    assert page.decisions[0].undo_principal == "operator"


async def test_decision_is_undone_once(inbox, one_of_each):
    """Undoing twice is refused, with who did it first."""
    first, *_ = await inbox.ids()
    answer = await inbox.decide(first)
    await inbox.undo(answer.decision.id, who=COLLEAGUE)

    with refused() as refusal:
        await inbox.undo(answer.decision.id)

    assert refusal.reason == "CANNOT_UNDO"
    assert "colleague" in refusal.message


async def test_what_was_settled_waits_when_it_is_stated_again(inbox, client):
    """
    A dismissed statement that machines state again is asked about, once more after each
    decision only if it is stated anew.
    """
    await client.states("gnommoweb -isa repo")
    await client.says("gnommoweb is a container.")
    await client.states("last -isa statement")
    (conflict,) = await inbox.ids()
    await inbox.decide(conflict, action=REJECT)
    quiet = await inbox.ids()

    await doubt(client, "gnommoweb is a container.")
    (settled,) = await inbox.ids()
    item = await inbox.get(settled)
    await inbox.decide(settled, action=REJECT)
    kept = await inbox.ids()
    await doubt(client, "So gnommoweb is a container.")

    assert quiet == []
    assert item.kind == InboxItem.KIND_SETTLED
    assert "dismissed by conflict" in item.why
    assert kept == []
    assert len(await inbox.ids()) == 1


async def test_what_was_settled_is_stated_anew(inbox, client):
    """Accepting a settled statement states it in the person's name: it conflicts again."""
    await client.states("gnommoweb -isa repo")
    await client.says("gnommoweb is a container.")
    await client.states("last -isa statement")
    (conflict,) = await inbox.ids()
    await inbox.decide(conflict, action=REJECT)
    await doubt(client, "gnommoweb is a container.")
    (settled,) = await inbox.ids()

    await inbox.decide(settled)

    assert await inbox.ids() == [conflict]


async def test_decisions_are_listed(inbox, one_of_each, clock):
    """Decisions are listed, the latest first, with who undid them."""
    first, second, *_ = await inbox.ids()
    await inbox.decide(first)
    clock.now += 1
    await inbox.decide(second, action=REJECT)
    await inbox.undo()

    request = pb.ListInboxDecisionsRequest(page_size=1)
    page = await inbox.stub.ListInboxDecisions(request, metadata=OPERATOR)
    request.page_token = page.next_page_token
    rest = await inbox.stub.ListInboxDecisions(request, metadata=OPERATOR)

    (latest,), (former,) = page.decisions, rest.decisions
    assert (latest.action, latest.undo_principal) == (REJECT, "operator")
    assert (former.action, former.item_ids) == (ACCEPT, [first])
    assert not rest.next_page_token


async def test_decisions_say_what_they_were_about(
    inbox, one_of_each, client, pool, clock
):
    """Each kind by its words, though nothing of it waits any more; deleted ones are empty."""
    await settle_again(client)
    await add_feedback(pool)
    items = [it for it in (await inbox.page()).items if it.id != "feedback-900"]
    clock.now += 1
    await inbox.decide(*[it.id for it in items], action=REJECT)
    clock.now += 1
    await inbox.decide("feedback-900", action=REJECT)
    async with acquired(pool) as connection:
        await connection.execute("delete from line_feedback")

    request = pb.ListInboxDecisionsRequest()
    page = await inbox.stub.ListInboxDecisions(request, metadata=OPERATOR)

    latest, former = page.decisions[:2]
    assert list(latest.item_texts) == [""]
    assert dict(zip(former.item_ids, former.item_texts, strict=True)) == {
        it.id: it.text for it in items
    }


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"item_ids": ["conflict-9"], "action": ACCEPT}, "CONFLICT_NOT_FOUND"),
    ({"item_ids": ["candidate-9"], "action": ACCEPT}, "CANDIDATE_NOT_FOUND"),
    ({"item_ids": ["record-9"], "action": ACCEPT}, "RECORD_NOT_FOUND"),
    ({"item_ids": ["settled-9"], "action": ACCEPT}, "ITEM_NOT_FOUND"),
    ({"item_ids": ["settled-9"], "action": REJECT}, "ITEM_NOT_FOUND"),
    ({"item_ids": ["conflict-9"], "action": DEFER}, "ITEM_NOT_FOUND"),
    ({"item_ids": ["walrus-9"], "action": ACCEPT}, "INVALID_ARGUMENT"),
    ({"item_ids": ["conflict-9"]}, "INVALID_ARGUMENT"),
    ({"action": ACCEPT}, "INVALID_ARGUMENT"),
    (
        {"item_ids": ["conflict-9"], "action": ACCEPT, "existing_dimension": "a"},
        "INVALID_ARGUMENT",
    ),
]


@pytest.mark.parametrize(("fields", "reason"), REFUSED)
async def test_what_cannot_be_decided_is_refused(inbox, fields, reason):
    """An item that is not there, and a decision that is none, is refused with the reason."""
    with refused() as refusal:
        await inbox.stub.DecideInbox(pb.DecideInboxRequest(**fields), metadata=OPERATOR)

    assert refusal.reason == reason


@pytest.mark.parametrize("who", ["guest", "shim"])
async def test_inbox_is_for_operators(inbox, who):
    """No agent and no bot reads or decides the inbox."""
    with refused() as refusal:
        await inbox.page(who=Client.as_(who))

    assert refusal.code == CODE.PERMISSION_DENIED


@pytest.mark.parametrize("token", ["?", "WyIxIiwgIngiXQ==", "WyJ4IiwgIjEtMSJd"])
async def test_foreign_page_token_is_refused(inbox, token):
    """A token that the server did not give is refused."""
    with refused() as refusal:
        await inbox.page(page_token=token)

    assert refusal.reason == "INVALID_ARGUMENT"


COSTS = [
    ("resolution_queue", "priority = 0, statement_count = 7"),
    ("resolution_queue", "priority = 1, statement_count = 3"),
    ("candidates", "confidence = 0.1, statement_count = 9"),
    ("candidates", "confidence = 0.37, priority = 'critical'"),
    ("candidates", "confidence = 0.73, priority = 'high'"),
    ("candidates", "confidence = 0.73, priority = 'low'"),
    ("candidates", "confidence = 0.9, contradicts = 'billing: heroku'"),
    ("memory_records", "confidence = 0.3, re_extraction_count = 4"),
    ("memory_records", "confidence = 0.9, contradicts = '{5}'"),
    ("memory_records", "confidence = 0.5, rank = 0.37"),
]
"""Values of an item, by its table."""


@pytest.mark.parametrize(("table", "values"), COSTS)
async def test_database_orders_by_the_cost(inbox, one_of_each, pool, table, values):
    """The cost by which the database orders is the one that the item says."""
    async with acquired(pool) as connection:
        await connection.execute(f"update {table} set {values}")
        ordered = await connection.fetchval(f"select cost from {table}")
    kind = {"resolution_queue": "conflict", "candidates": "candidate"}

    items = (await inbox.page()).items

    said = next(it.cost for it in items if it.id.startswith(kind.get(table, "record")))
    assert said == ordered
