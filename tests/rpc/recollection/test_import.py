from __future__ import annotations

from datetime import timedelta
from itertools import count

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from festinger.api.v1 import line_service_pb2 as pb
from festinger.api.v1.conflict_service_pb2 import ListConflictsRequest
from festinger.api.v1.memory_service_pb2 import RetractRequest
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.rpc.recollection.lines import from_item
from festinger.services.language.import_items import ItemReader
from festinger.services.language.importing import ImportJob, ImportReport
from tests.memories import DAY, NOW
from tests.serving import Client, refused

OPERATOR = Client.as_("operator")
STOCK = "Kassel delivers the stock file at 05:40 every morning."


def typed(text, speaker="nan", said=NOW - DAY, **fields):
    """Return a text that somebody typed a day ago."""
    item = pb.ImportItem(typed=text, speaker=speaker, **fields)
    item.say_time.FromMicroseconds(round(said * 1e6))
    return item


def worded(subject, predicate, value, **fields):
    """Return a statement in words."""
    statement = pb.WordedStatement(subject=subject, predicate=predicate, value=value)
    return pb.ImportItem(statement=statement, **fields)


async def imports(client, *items, tenant="default", **fields):
    """Import items."""
    request = pb.ImportLinesRequest(items=items, **fields)
    who = Client.as_("operator", tenant=tenant)
    return await client.lines.ImportLines(request, metadata=who)


async def export(client, tenant="default", **fields):
    """Return every line of a memory."""
    call = client.lines.ExportLines(
        pb.ExportLinesRequest(**fields), metadata=Client.as_("operator", tenant=tenant)
    )
    return [line async for page in call for line in page.lines]


def essence(lines):
    """
    Return the contents of an export, without numbers that the memory gave.

    What contradicts a fact waits for a decision and is not exported, so that a copy of the
    fact has no doubt.
    """
    found = []
    for line in lines:
        copy = pb.MemoryLine()
        copy.CopyFrom(line)
        copy.name = ""
        copy.text = copy.text.replace("?]", "]")
        found.append(copy.SerializeToString(deterministic=True))
    return sorted(found)


async def everything(pool):
    """Return all rows of what a memory knows, in lower case."""
    texts = []
    for table in ("turns", "urd", "assertions", "statement_origins", "denials"):
        rows = await pool.fetch(f"select t::text from {table} t")
        texts += sorted(row[0] for row in rows)
    return texts


async def test_what_was_typed_is_kept_with_its_time(client):
    """And with its speaker, project and conversation."""
    answer = await imports(client, typed(STOCK, project="shop", session="chat 7"))

    (line,) = (it for it in await export(client) if it.HasField("kept"))
    assert answer.kept_count == 1
    assert (line.quote, line.speaker, line.project) == (STOCK, "nan", "shop")
    assert (line.session, line.say_time.ToSeconds()) == ("chat 7", int(NOW - DAY))


async def test_what_is_typed_states_facts_as_old_as_the_words(client):
    """They pass the gate as what is typed in a prompt does."""
    answer = await imports(client, typed("The billing service runs on podman."))

    (fact,) = (it for it in await export(client) if it.HasField("held"))
    assert [it.verdict for it in answer.outcomes] == [Outcome.VERDICT_HELD]
    assert fact.held.triple.parent == "podman"
    assert fact.say_time.ToSeconds() == int(NOW - DAY)


async def test_importing_twice_changes_nothing(client, pool, clock):
    """Whatever the items are, and however much later, also without a time of their own."""
    items = [
        typed(STOCK),
        typed("The billing service runs on podman."),
        worded("alice", "works at", "acme", speaker="nan"),
        pb.ImportItem(
            note=pb.Note(text='"Bob" is a "person"', reading="bob -isa person")
        ),
    ]
    await imports(client, *items)
    before = await everything(pool)
    clock.now += DAY

    answer = await imports(client, *items)

    assert await everything(pool) == before
    assert (answer.known_count, answer.kept_count) == (4, 0)


async def test_contradiction_waits_for_a_person(client):
    """Two rows of a file that contradict each other are no correction."""
    answer = await imports(
        client,
        worded("gnommoweb", "port", "8080", speaker="nan", session="a.csv"),
        worded("gnommoweb", "port", "9090", speaker="nan", session="a.csv"),
    )

    pending = await client.conflicts.ListConflicts(
        ListConflictsRequest(), metadata=OPERATOR
    )
    assert [it.verdict for it in answer.outcomes] == [
        Outcome.VERDICT_HELD,
        Outcome.VERDICT_CONFLICTED,
    ]
    assert len(pending.conflicts) == 1


async def test_older_words_do_not_replace_newer_facts(client):
    """A change that was said before the fact waits as a contradiction."""
    await imports(client, typed("The billing service runs on kubernetes.", said=NOW))

    answer = await imports(
        client, typed("We moved the billing service to podman.", said=NOW - 9 * DAY)
    )

    held = [it.held.triple.parent for it in await export(client) if it.HasField("held")]
    assert held == ["kubernetes"]
    assert Outcome.VERDICT_HELD not in [it.verdict for it in answer.outcomes]


async def test_later_change_of_a_conversation_replaces(client):
    """As it does when people talk."""
    await imports(
        client,
        typed("The billing service runs on podman.", said=NOW - 9 * DAY),
        typed("The billing service now runs on kubernetes.", said=NOW - DAY),
    )

    lines = [it for it in await export(client) if it.HasField("held")]
    active = [it for it in lines if it.status == pb.MemoryLine.STATUS_ACTIVE]
    assert [it.held.triple.parent for it in active] == ["kubernetes"]


async def test_secrets_are_cut_out(client):
    """Before anything is stored; how many is said."""
    secret = "the deploy password is hunter2hunter2 and nobody may know it"

    answer = await imports(client, typed(secret), worded("db", "note", secret))

    assert answer.secret_count == 2
    assert not any("hunter2" in str(line) for line in await export(client))


async def test_preview_keeps_nothing(client, pool):
    """It says what would become of each item."""
    before = await everything(pool)

    answer = await imports(
        client, typed(STOCK), worded("alice", "works at", "acme"), preview=True
    )

    assert answer.kept_count == 1
    assert [it.verdict for it in answer.outcomes] == [Outcome.VERDICT_HELD]
    assert await everything(pool) == before


async def test_item_that_cannot_be_read_is_refused_alone(client):
    """With its index and the reason."""
    answer = await imports(client, pb.ImportItem(typed=" "), typed(STOCK))

    assert [(it.item_index, it.reason) for it in answer.refusals] == [
        (0, "an item is empty")
    ]
    assert answer.kept_count == 1


async def test_only_operators_import(client):
    """It speaks for others."""
    with refused() as refusal:
        request = pb.ImportLinesRequest(items=[typed(STOCK)])
        who = Client.as_("shim", principal="key-1", subject="nan")
        await client.lines.ImportLines(request, metadata=who)

    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED


async def test_fact_that_was_taken_back_is_not_imported_again(client):
    """An old export does not undo what a person decided."""
    await client.states("gnommoweb -isa repo")
    lines = await export(client)
    await client.memory.Retract(
        RetractRequest(fact="gnommoweb -isa repo"), metadata=OPERATOR
    )

    answer = await imports(client, *(pb.ImportItem(line=it) for it in lines))

    assert [it.reason for it in answer.refusals] == [
        "it was taken back or decided against here"
    ]
    assert not answer.outcomes


async def test_words_that_only_some_may_see_stay_so(client, store):
    """The other memory keeps them from the same people."""
    await store.add_tenant("acme")
    await client.lines.Say(
        pb.SayRequest(text="Do not tell Bob: the office moves to Kassel in March."),
        metadata=Client.as_("shim", principal="key-1", subject="nan"),
    )
    lines = await export(client)
    assert [list(it.kept.without) for it in lines if it.HasField("kept")] == [["bob"]]

    await imports(client, *(pb.ImportItem(line=it) for it in lines), tenant="acme")

    assert essence(await export(client, "acme")) == essence(lines)


async def test_change_that_a_crash_interrupted_is_applied_the_next_time(
    client, memories
):
    """It was judged, and waits as a contradiction, until it is imported again."""
    items = [
        typed("The billing service runs on podman.", said=NOW - 9 * DAY),
        typed("The billing service now runs on kubernetes.", said=NOW - DAY),
    ]
    memory = await memories.get("default")
    preparation = ItemReader(memory, "operator")
    for number, item in enumerate(items):
        await preparation.add(number, from_item(item))
    job = ImportJob(preparation.finish(), memory.world.conflicts, ImportReport())
    await memory.writer.submit(job)
    active = pb.MemoryLine.STATUS_ACTIVE
    before = [it for it in await export(client) if it.HasField("held")]

    await imports(client, *items)

    after = [it for it in await export(client) if it.HasField("held")]
    assert [it.held.triple.parent for it in before] == ["podman"]
    assert [it.held.triple.parent for it in after if it.status == active] == [
        "kubernetes"
    ]


NAMES = st.sampled_from(["nan", "theo", "carol"])
PROJECTS = st.sampled_from(["", "shop", "catalog"])
TIMES = st.integers(0, 80).map(lambda days: NOW - days * DAY - 0.25)
SENTENCES = st.sampled_from(
    [
        STOCK,
        "The indexer runs on podman.",
        "Nobody touches the Kassel shelf before Lena has counted it.",
        "Never force-push to main. The billing service is owned by Theo.",
        "Our retry limit is 90 seconds, and the vault is in Falkenstein.",
    ]
)
ITEMS = st.one_of(
    st.builds(typed, SENTENCES, NAMES, TIMES, project=PROJECTS),
    st.builds(
        worded,
        st.sampled_from(["gnommoweb", "billing service", "kassel"]),
        st.sampled_from(["uses", "port", "located", "is a"]),
        st.sampled_from(["postgres", "8080", "falkenstein", "repo"]),
        speaker=NAMES,
        project=PROJECTS,
    ),
)
TENANTS = count()


@pytest.mark.slow
@given(items=st.lists(ITEMS, min_size=1, max_size=6))
@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
async def test_import_of_an_export_is_the_same_memory(client, store, items):
    """Facts, sentences, times, speakers, projects and scopes; and it is again if repeated."""
    first, second = (f"{name}{next(TENANTS)}" for name in ("from", "to"))
    await store.add_tenant(first)
    await store.add_tenant(second)
    await imports(client, *items, tenant=first)
    lines = await export(client, first)
    held = [it for it in lines if it.status != pb.MemoryLine.STATUS_CLOSED]

    for _ in range(2):
        copied = [pb.ImportItem(line=it) for it in held]
        await imports(client, *copied, tenant=second)

        assert essence(await export(client, second)) == essence(held)


async def test_export_has_what_was_known_at_a_moment(client, clock, pool):
    """Later sentences and statements are not in it, and facts that ended later are."""
    await client.states("gnommoweb -isa repo")
    await imports(client, typed(STOCK, said=NOW - DAY))
    made = await pool.fetchval("select max(created_at) from assertions")
    clock.now += DAY
    await client.memory.Retract(
        RetractRequest(fact="gnommoweb -isa repo"), metadata=OPERATOR
    )
    asked, before = pb.ExportLinesRequest(), pb.ExportLinesRequest()
    asked.as_of_time.FromDatetime(made)
    before.as_of_time.FromDatetime(made - timedelta(seconds=1))
    sentence = pb.ExportLinesRequest()
    sentence.as_of_time.FromSeconds(int(NOW - DAY) - 1)

    then, earlier = [
        [
            it.held.triple.parent
            for it in await every(client, request)
            if it.held.confidence
        ]
        for request in (asked, before)
    ]

    assert (then, earlier) == (["repo"], [])
    assert not any(it.HasField("kept") for it in await every(client, sentence))


async def every(client, request):
    """Return the lines of an export."""
    call = client.lines.ExportLines(request, metadata=OPERATOR)
    return [line async for page in call for line in page.lines]


async def test_export_of_a_project_has_its_lines_alone(client):
    """Whatever the spelling."""
    await imports(client, typed(STOCK, project="shop"))
    await imports(client, typed("The vault is in Falkenstein.", project="catalog"))

    lines = await export(client, project="SHOP")

    assert [it.quote for it in lines if it.HasField("kept")] == [STOCK]
