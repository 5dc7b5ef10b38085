from __future__ import annotations

import asyncio
import re
from typing import Any

from festinger.api.v1 import promotion_service_pb2 as pb
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from tests.console.house import found, opened, text_of
from tests.serving import Client

OPERATOR = Client.as_("operator")


REFUSALS: Any = (
    ("1/edit", {"content": "x" * 2001}, 400, "2000 characters"),
    ("1/edit", {"content": "  "}, 400, ""),
    ("1/edit", {"content": "use SQLite"}, 409, ""),
    ("1/edit", {"content": "x", "etag": "old"}, 409, "it has changed meanwhile"),
    ("1/revert", {}, 409, ""),
    ("1/graduate", {}, 409, ""),
    ("99/revert", {}, 404, ""),
    ("undo", {"edits": "99"}, 404, ""),
    ("undo", {"edits": "all"}, 400, "which edit"),
    ("propose", {"content": "", "kind": "memory", "type": "decision"}, 400, ""),
    ("propose", {"content": "x" * 70_000}, 413, "65536 bytes"),
)
"""What is sent, and how it is refused: status, and words of the sentence."""


async def record(house, number):
    """Return a record as it is now."""
    request = pb.GetRecordRequest(record_id=number)
    return (await house.client.promotion.GetRecord(request, metadata=OPERATOR)).record


async def status(house, *numbers):
    """Return the states of records."""
    records = [await record(house, number) for number in numbers]
    return [
        MemoryRecord.Status.Name(it.status).removeprefix("STATUS_").lower()
        for it in records
    ]


def etag(page):
    """Return the etag that the form of the record in focus would send."""
    return found(r'name="etag" value="([^"]+)"', page)


def focused(page):
    """Return the number of the record in focus in the inbox."""
    return int(found(r'<article class="record panel" id="record-(\d+)"', page))


def undoing(page):
    """Return the edits that the page offers to take back at once."""
    return found(r'name="edits" value="([^"]+)"', page)


async def test_candidate_with_all_that_decides(house, extracted, clock):
    """Its sentence with the match marked, its place, rule, age, and how often it was seen."""
    await extracted("We use <b>Postgres</b>", project="dome", confidence=0.63)
    clock.now += 15 * 86_400
    await extracted("We use <b>Postgres</b>", project="dome")

    page = await house.see("/admin/review/1")
    text = text_of(page)

    assert "<mark>We use &lt;b&gt;Postgres&lt;/b&gt;</mark>" in page
    assert "docs/storage.md: Storage" in text
    assert "rule heading of structure 0.1.0 · confidence 0.63" in text
    assert "seen 2 times" in text
    assert "stale" in text
    assert "waits since 15 d ago" in text


async def test_answers_in_the_inbox_and_undo(house, extracted):
    """Each does what it says, leads to the next one, and is offered to be taken back."""
    await extracted("use Postgres", "use SQLite", "use files")

    _, page = await house.send("/admin/inbox/accept", item="record-1", next="record-2")
    assert focused(page) == 2
    await house.send("/admin/inbox/reject", item="record-2")
    _, page = await house.send("/admin/inbox/defer", item="record-3")
    assert await status(house, 1, 2, 3) == ["active", "invalid", "candidate"]
    assert "Nothing waits for you." in text_of(page)

    for _ in range(3):
        number = found(r'name="decision" value="([^"]+)"', page)
        _, page = await house.send("/admin/inbox/undo", decision=number)

    assert await status(house, 1, 2, 3) == ["candidate"] * 3
    assert not (await record(house, 3)).HasField("defer_time")


async def test_edited_in_the_inbox(house, extracted):
    """An edit leads back to where it was made, and is offered to be taken back."""
    await extracted("use Postgres 15")
    tag = etag(await house.see("/admin/inbox"))

    _, page = await house.send(
        "/admin/review/1/edit?from=inbox&project=dome",
        content="use Postgres 16",
        type="decision",
        etag=tag,
    )
    edited = (await record(house, 1)).content
    _, after = await house.send("/admin/review/undo?from=inbox", edits=undoing(page))

    assert "use Postgres 16" in text_of(page)
    assert edited == "use Postgres 16"
    assert (await record(house, 1)).content == "use Postgres 15"
    assert focused(after) == 1


async def test_ticked_ones_are_decided_together(house, extracted):
    """Items of the list are ticked and decided at once, and undone at once."""
    await extracted("use Postgres", "use SQLite", "use files")

    _, page = await house.send(
        "/admin/inbox/reject", **{"tick-record-1": "1", "tick-record-3": "1"}
    )
    decided = await status(house, 1, 2, 3)
    await house.send("/admin/inbox/undo")

    assert decided == ["invalid", "candidate", "invalid"]
    assert "and 1 more" in text_of(page)
    assert await status(house, 1, 2, 3) == ["candidate"] * 3


async def test_edit_is_shown_beside_the_original(house, extracted):
    """Both texts, with what is gone and what is new marked; it can be promoted at once."""
    await extracted("use Postgres 15 here")
    tag = etag(await house.see("/admin/review/1"))

    _, page = await house.send(
        "/admin/review/1/edit",
        content="use Postgres 16 here",
        type="constraint",
        fact="",
        etag=tag,
    )
    tag = etag(page)
    await house.send(
        "/admin/review/1/edit",
        content="use Postgres 16 there",
        type="constraint",
        etag=tag,
        promote="1",
    )

    assert "use Postgres <del>15</del> here" in page
    assert "use Postgres <ins>16</ins> here" in page
    now = await record(house, 1)
    assert (now.content, now.original_content) == (
        "use Postgres 16 there",
        "use Postgres 15 here",
    )
    assert (now.type, now.status) == (
        MemoryRecord.TYPE_CONSTRAINT,
        MemoryRecord.STATUS_ACTIVE,
    )


async def test_all_of_the_same_text(house, extracted):
    """They are decided at once, and taken back at once."""
    for project in ("dome", "mast", "pier"):
        await extracted("use Postgres", project=project)
    await extracted("use SQLite")

    page = await house.see("/admin/inbox?at=record-1")
    _, after = await house.send("/admin/inbox/reject", item="record-1")
    decided = await status(house, 1, 2, 3, 4)
    await house.send("/admin/inbox/undo")

    assert "only this one, not record-2, record-3 of the same statement" in text_of(
        page
    )
    assert decided == ["invalid", "invalid", "invalid", "candidate"]
    assert "and 2 more" in text_of(after)
    assert await status(house, 1, 2, 3, 4) == ["candidate"] * 4


async def test_inbox_is_narrowed_to_records(house, extracted, clock):
    """
    By type, mark, age and words, beside project and kind; what was chosen can be taken
    out again.
    """
    await extracted("use Postgres", "use SQLite", project="dome", confidence=0.9)
    await extracted("use files", project="mast", type="constraint", confidence=0.4)
    clock.now += 3 * 86_400
    await extracted("use Redis", project="mast", contradicts=(1,))

    page = await house.see("/admin/inbox?project=mast")
    for query, number in (
        ("project=mast&mark=contradicts", 4),
        ("type=constraint", 3),
        ("mark=unlikely", 3),
        ("days=2&project=mast", 3),
        ("said=sqlite", 2),
    ):
        assert focused(await house.see(f"/admin/inbox?{query}")) == number
    none = await house.see("/admin/inbox?project=mast&mark=likely&days=2")

    facets = text_of(page[page.index('<aside class="facets"') : page.index("</aside>")])
    assert "project dome 2 mast 2" in facets
    assert "of 2" in text_of(page)
    assert "Nothing is like this." in text_of(none)


async def test_answers_stay_where_one_looks(house, extracted):
    """Whoever narrowed the list down sees the next of the same kind."""
    await extracted("use Postgres", "use files", project="dome")
    await extracted("use SQLite", project="mast")
    await extracted("use Redis", project="dome")

    _, page = await house.send("/admin/inbox/accept?project=dome", item="record-1")
    _, page = await house.send("/admin/inbox/reject?project=dome", item="record-2")

    assert focused(page) == 4
    assert "1 of 1" in text_of(page)


async def test_deferred_and_stale_have_views(house, extracted, clock):
    """Items put aside wait there, until they are taken up again; old ones are marked."""
    await extracted("use Postgres", "use SQLite")
    await house.send("/admin/inbox/defer", item="record-1")
    clock.now += 20 * 86_400
    await extracted("use files")

    waiting = await house.see("/admin/inbox?at=record-2")
    deferred = await house.see("/admin/inbox?view=deferred")
    stale = await house.see("/admin/inbox?days=14")
    _, after = await house.send("/admin/inbox/resume?view=deferred", item="record-1")

    assert (focused(deferred), focused(stale)) == (1, 2)
    assert "put aside 20 d ago" in text_of(deferred)
    assert 'href="/admin/inbox?days=14">stale' in waiting
    assert "of 1" in text_of(stale)
    assert "Nothing was put aside." in text_of(after)


async def test_progress_of_the_cycle(house, extracted):
    """
    The numbers of decided items and of those behind the cycle are shown; every page
    says how many wait in the inbox.
    """
    await extracted.at_once([f"rule {number} holds" for number in range(53)])
    await house.send("/admin/inbox/reject", item="record-1")

    page = await house.see("/admin/inbox")
    later = await house.see("/admin/review/records?status=later")
    overview = text_of(await house.see("/admin"))

    assert "3 memories wait behind : 1 of 50 decided" in text_of(page)
    assert '<span class="badge" title="49 wait for you">49</span>' in page
    assert later.count("data-item") == 3
    assert "49 wait for you memory: 49" in overview


async def test_progress_of_a_project_is_its_own(house, extracted):
    """With one project in the inbox, neither records of others are counted nor their cycles."""
    for project, count in (("shop", 51), ("dome", 53)):
        said = [f"rule {number} of {project} holds" for number in range(count)]
        await extracted.at_once(said, project=project)

    everything = text_of(await house.see("/admin/inbox"))
    page = await house.see("/admin/inbox?project=dome")

    assert "4 memories wait behind : 0 of 100 decided Waiting" in everything
    assert (
        "3 memories wait behind : 0 of 50 decided in cycle 1 of dome, at most 50"
        in (text_of(page))
    )
    assert "/admin/review/records?status=later&amp;project=dome" in page


async def test_way_back_to_the_source(house, extracted):
    """A record's own page has every step to its text, and every edit with its undo."""
    await extracted("love fettuccini", type="user_pattern", subject="alice")
    await house.send("/admin/inbox/defer", item="record-1")

    page = await house.see("/admin/review/1")
    text = text_of(page)

    assert "record #1 love fettuccini" in text
    assert "<mark>love fettuccini</mark>" in page
    assert "interaction" in text
    assert "defer #1 by operator" in text
    assert "propose #1 by wave" in text
    _, page = await house.send("/admin/review/undo", edits=undoing(page))
    assert not (await record(house, 1)).HasField("defer_time")
    assert "taken back" in text_of(page)


async def test_history_undoes_each(house, extracted):
    """All that was done stands there, and the newest of each record can be taken back."""
    await extracted("use Postgres", "use SQLite")
    await house.send("/admin/inbox/accept", item="record-1")
    await house.send("/admin/inbox/reject", item="record-2")

    page = await house.see("/admin/review/history")
    edits = re.findall(r'name="edits" value="(\d+)"', page)
    _, after = await house.send("/admin/review/undo?from=history", edits=edits[1])

    assert len(edits) == 2
    assert await status(house, 1, 2) == ["candidate", "invalid"]
    assert len(re.findall(r'name="edits"', after)) == 1


async def test_relation_is_judged(house, extracted):
    """An entity's relation is told as such, with what the gate made of it."""
    fact = "mast -ispart telescope"
    parts = {"kind": "entity", "type": "component"}
    await extracted("the mast is part of the telescope", fact=fact, **parts)

    before = text_of(await house.see("/admin/review/1"))
    _, page = await house.send("/admin/inbox/accept", item="record-1")
    own = await house.see("/admin/review/1")

    assert "the gate judges it when it is promoted" in before
    assert "accept record-1" in text_of(page)
    assert "promote #1 by operator" in text_of(own)
    assert f"{fact} held" in text_of(own)
    assert 'href="/admin/concepts/mast"' in own
    assert (await house.client.concept("mast")).edges[0].parent == "telescope"


async def test_writing_one_by_hand(house):
    """It is flagged as such, and its only author may still promote it."""
    status_, page = await house.send(
        "/admin/review/propose",
        kind="memory",
        type="decision",
        content="We use Postgres",
        project="dome",
    )

    assert status_ == 200
    assert "written by hand" in text_of(page)
    assert "Nowhere: somebody wrote it." in text_of(page)
    await house.send("/admin/inbox/accept", item="record-1")
    assert await status(house, 1) == ["active"]


async def test_memory_graduates_and_comes_back(house, extracted):
    """
    The entity is a candidate, the memory points to it; deleting the one revives the
    other.
    """
    await extracted("the mast is part of the telescope")
    await house.send("/admin/inbox/accept", item="record-1")

    _, page = await house.send(
        "/admin/review/1/graduate",
        type="component",
        fact="mast -ispart telescope",
    )
    memory = text_of(await house.see("/admin/review/1"))
    between = await status(house, 1, 2)
    await house.send("/admin/review/2/delete")

    assert "Graduated from memory #1" in text_of(page)
    assert "It is entity #2 now" in memory
    assert between == ["graduated", "candidate"]
    assert await status(house, 1) == ["active"]


async def test_confirming_superseding_and_reverting(house, extracted, clock):
    """An active memory is confirmed, replaced, and what replaced it is taken back."""
    await extracted("use SQLite", "use Postgres")
    await house.send("/admin/inbox/accept", item="record-1")
    clock.now += 86_400
    await house.send("/admin/review/1/confirm")
    confirmed = (await record(house, 1)).confirm_time.seconds
    await house.send("/admin/inbox/accept", item="record-2", supersedes="#1")
    replaced = await status(house, 1, 2)
    await house.send("/admin/review/2/revert")

    assert confirmed == int(clock.now)
    assert replaced == ["superseded", "active"]
    assert await status(house, 1, 2) == ["active", "candidate"]


async def test_refused_is_a_sentence(house, extracted):
    """An impossible action is refused in its place, and nothing is done."""
    await extracted("use Postgres", "use SQLite")
    otherwise = []

    for path, fields, code, says in REFUSALS:
        answered, page = await house.send(f"/admin/review/{path}", **fields)
        if answered != code or says not in text_of(page):
            otherwise.append((path, fields, answered, text_of(page)))

    assert otherwise == []
    assert await status(house, 1, 2) == ["candidate"] * 2


async def test_refused_edit_keeps_what_was_written(house, extracted):
    """Nothing has to be written twice."""
    await extracted("use Postgres", "use SQLite")

    _, page = await house.send(
        "/admin/review/1/edit", content="use SQLite", type="decision", etag="old"
    )

    assert "it has changed meanwhile" in text_of(page)
    assert ">use SQLite</textarea>" in page


async def test_two_reviewers_at_once(house, extracted):
    """One of them decides, and the other is told of it."""
    await extracted("use Postgres")
    tag = etag(await house.see("/admin/review/1"))

    answers = await asyncio.gather(
        *(
            house.send(f"/admin/inbox/{path}", item="record-1", etag=tag)
            for path in ("accept", "reject", "accept")
        )
    )

    assert sorted(code for code, _ in answers) == [200, 409, 409]
    assert (await status(house, 1))[0] in {"active", "invalid"}


async def test_reading_without_the_token(client, clock, extracted):
    """A person without a token sees the waiting items, and no button."""
    await extracted("use Postgres")

    async with opened(client, token=None, now=clock) as house:
        inbox, refused = await house.get("/admin/inbox")
        listed = await house.see("/admin/review/records?status=waiting")
        page = await house.see("/admin/review/1")

    assert (inbox, "this needs the operator" in refused) == (403, True)
    assert "use Postgres" in listed
    assert "<mark>use Postgres</mark>" in page
    assert 'data-key="a"' not in page


async def test_other_sites_decide_nothing(house, extracted):
    """A form of another site's page is refused, whatever it is about."""
    await extracted("use Postgres")

    for path in ("inbox/accept", "review/undo", "review/propose", "state"):
        async with house.http.post(
            f"{house.url}/admin/{path}",
            data={"edits": "1", "project": "dome", "key": "db", "value": "x"},
            headers={"Sec-Fetch-Site": "cross-site"},
        ) as answer:
            assert answer.status == 403

    assert await status(house, 1) == ["candidate"]


async def test_lists_of_what_is_decided(house, extracted):
    """By where it stands and the words in it."""
    await extracted("use Postgres", "use SQLite")
    await house.send("/admin/inbox/accept", item="record-1")

    active = await house.see("/admin/review/records")
    wanted = await house.see("/admin/review/records?q=POST")
    rejected = await house.see("/admin/review/records?status=rejected")

    assert "use Postgres" in active
    assert "use SQLite" not in active
    assert "use Postgres" in wanted
    assert "There is none." in rejected


async def test_nothing_extracted_becomes_markup(house, extracted):
    """The content of a document is text on every page, wherever it is shown."""
    payload = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    await extracted(
        payload, project=payload[:60], place=payload, quote=f"so: {payload}"
    )
    await house.send("/admin/review/1/edit", content=f"{payload} edited")

    pages = [
        await house.see(f"/admin/{path}")
        for path in ("inbox", "review/1", "review/history", "review/records")
    ]
    pages.append(
        (await house.send("/admin/review/1/edit", content="x", type=payload))[1]
    )

    assert [page for page in pages if "<script>alert" in page or "<img" in page] == []
    assert "&lt;script&gt;alert(1)" in pages[0]
