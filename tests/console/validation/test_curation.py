"""Candidates: their page, their place in the inbox, and what is taken back."""

from __future__ import annotations

import re
from html import unescape

import pytest

from festinger.api.v1.candidate_pb2 import Candidate
from tests.console.guesses import NO, OPERATOR, guess, read, says
from tests.console.house import found, opened, text_of

PENDING = Candidate.STATE_PENDING_VALIDATION
CONFIRMED = Candidate.STATE_CONFIRMED
REJECTED = Candidate.STATE_REJECTED
BOTH = "Bob joined the Rowing Crew and the Book Circle."

REFUSALS: tuple[tuple[str, dict[str, str], int, str], ...] = (
    ("1/odd", {}, 404, "odd"),
    ("99/confirm", {}, 404, ""),
    ("99/dream", {}, 404, ""),
    ("1/confirm", {}, 409, "waits in the inbox"),
    ("1/reject", {}, 409, "waits in the inbox"),
    ("1/unsure", {"note": "x" * 1001}, 400, "1000"),
    ("99/withdraw", {}, 404, ""),
)
"""What is sent, and how it is refused: status, and words of the sentence."""


def focused(page):
    """Return the number of the candidate in focus in the inbox."""
    return int(found(r'<article class="record panel" id="candidate-(\d+)"', page))


def near(page):
    """Return the numbers in the list of the inbox, in order."""
    return [int(it) for it in re.findall(r'name="tick-candidate-(\d+)"', page)]


async def states(house, *numbers):
    """Return the states of candidates."""
    return [(await read(house.client, it)).candidate.state for it in numbers]


async def test_candidate_with_all_that_decides(house, clock):
    """
    Why it was guessed, the match in its sentence, what it contradicts, and how long it
    waits.
    """
    await house.client.states("alice -ispart go_club in context of joined")
    await guess(
        house.client,
        "Alice",
        "Chess Club",
        sentence="<i>So:</i> Alice joined the Chess Club!",
        author="alice",
        justification="We read “joined”.",
    )
    clock.now += 3600

    page = await house.see("/admin/curation/1")
    text = text_of(page)

    assert "<mark>Alice joined the Chess Club</mark>" in page
    assert "&lt;i&gt;So:&lt;/i&gt;" in page
    assert "Alice joined Chess Club Statement: alice [joined] chess_club" in text
    assert "We read “joined”." in text
    assert "by microllm:v0.1 , put forward by guest 1 h ago" in text
    assert "in the text of alice" in text
    assert "Contradicts what is held alice -ispart go_club" in text
    assert re.search(r"over in \d+ [dh]", text)
    assert "t:joined normal" in text


@pytest.mark.parametrize(
    ("sentence", "marked"),
    [
        ("Last week I joined the Chess Club.", "Chess Club"),
        ("ALICE is in the chess_club", "ALICE is in the chess_club"),
        ("The chess club has Alice", "chess club has Alice"),
        ("malice", ""),
    ],
)
async def test_match_is_marked(house, sentence, marked):
    """From subject to object as they were written, or where one of them stands."""
    await guess(house.client, "Alice", "Chess Club", sentence=sentence)

    page = await house.see("/admin/curation/1")

    assert re.findall("<mark>(.*?)</mark>", page) == ([marked] if marked else [])


async def test_what_is_decided_is_overruled_and_taken_back(house):
    """
    Until its time is over, the page of a decided statement takes the other answer, and
    offers to take it back.
    """
    for club in ("Choir", "Crew"):
        await guess(house.client, "Alice", club, "t:joined")
    for name in ("frank", "grace"):
        await says(house.client, name, 1)
        await says(house.client, name, 2, NO)

    _, confirmed = await house.send("/admin/curation/2/confirm")
    _, rejected = await house.send("/admin/curation/1/reject")
    decided = await states(house, 1, 2)
    await house.send("/admin/curation/1/withdraw")

    assert decided == [REJECTED, CONFIRMED]
    assert "confirmed by the rule moderator" in text_of(confirmed)
    assert "data-undo" in rejected
    assert await states(house, 1, 2) == [CONFIRMED, CONFIRMED]


async def test_not_sure_decides_nothing(house):
    """It is kept as an answer, the next one is shown, and it can be taken back."""
    await guess(house.client, "Alice", "Choir")
    await guess(house.client, "Bob", "Choir")

    _, page = await house.send(
        "/admin/curation/1/unsure?from=inbox", next="candidate-2"
    )
    answer = await read(house.client, 1)
    one = text_of(await house.see("/admin/curation/1"))
    _, back = await house.send("/admin/curation/1/withdraw?from=inbox")

    assert focused(page) == 2
    assert answer.candidate.state == PENDING
    assert [event.bot_id for event in answer.events] == ["console"]
    assert "1 not sure" in one
    assert "Answered candidate-1" in text_of(page)
    assert focused(back) == 1


async def test_reason_is_kept(house):
    """A moderator's note stands in the history."""
    await guess(house.client, "Alice", "Choir")

    await house.send(
        "/admin/inbox/reject", item="candidate-1", reasoning="She <b>left</b> it."
    )
    page = await house.see("/admin/curation/1")

    assert "“She &lt;b&gt;left&lt;/b&gt; it.”" in page
    assert "no operator as moderator, asked by console" in text_of(page)


async def test_votes_are_hidden_until_one_has_answered(house):
    """Whoever has yet to answer sees that there is something, and not what."""
    await guess(house.client, "Alice", "Choir")
    await says(house.client, "frank", 1, NO)

    blind = text_of(await house.see("/admin/curation/1"))
    await house.send("/admin/curation/1/unsure")
    seeing = text_of(await house.see("/admin/curation/1"))

    assert "hidden until you have answered" in blind
    assert "frank" not in blind
    assert "0 yes · 1 no · 1 not sure" in seeing
    assert "no frank as community, asked by matrix:barkeep" in seeing


async def test_answers_that_count_as_one_are_explained(house, pool):
    """Two accounts that were found to err together confirm nothing, and the page says why."""
    await pool.executemany(
        "insert into raters (tenant, rater, yes_skill, no_skill, of_true, of_false, "
        "bloc, karma) values ('default', $1, 0.9, 0.9, 20, 20, 'frank', 0)",
        [("frank",), ("grace",)],
    )
    await guess(house.client, "Alice", "Choir")

    for name in ("frank", "grace"):
        candidate = await says(house.client, name, 1)
    await house.send("/admin/curation/1/unsure")
    page = text_of(await house.see("/admin/curation/1"))

    assert candidate.state == candidate.STATE_PENDING_VALIDATION
    assert list(candidate.tally.counted_together) == ["frank, grace"]
    assert "The answers of frank, grace count as one" in page


async def test_decided_with_rule_and_trail(house):
    """People's decisions are listed with the rule, the votes and a link to the trail."""
    candidate = await guess(house.client, "Alice", "Choir", external_id="f:0x123")
    for name in ("frank", "grace"):
        await says(house.client, name, 1)

    listed = text_of(await house.see("/admin/curation/decided"))
    page = await house.see("/admin/curation/1")
    text = text_of(page)
    trail = await house.see(f"/admin/trail/{candidate.cid}")

    assert "#1 confirmed Alice joined Choir two distinct" in listed
    assert "confirmed by the rule two distinct : frank, grace" in text
    assert "2 yes · 0 no" in text
    assert f'href="/admin/trail/{candidate.cid}"' in page
    assert trail.count("✓ is what its name says") == 5
    assert "fact alice [joined] choir two distinct" in text_of(trail)
    assert "responded by grace" in text_of(trail)


async def test_trail_by_concept(house):
    """A fact's trail is found by its concept, and that there is none is said."""
    await guess(house.client, "Alice", "Choir")
    await house.send("/admin/inbox/accept", item="candidate-1")

    by_concept = await house.see("/admin/trail?concept=alice&dimension=joined")
    code, none = await house.get("/admin/trail?concept=bob")
    odd, _ = await house.get("/admin/trail/odd%20name")

    assert "validated by operator" in text_of(by_concept)
    assert (code, odd) == (404, 400)
    assert 'role="alert"' in none
    assert 'href="/admin/concepts/bob#history"' in none


async def test_the_urgent_come_first(house):
    """An urgent item costs more to be wrong about, and urgent ones can be listed alone."""
    for club, fields in (
        ("Choir", {"predicate": "t:livesIn"}),
        ("Circle", {"priority": "PRIORITY_CRITICAL"}),
        ("Club", {"priority": "PRIORITY_HIGH"}),
    ):
        await guess(
            house.client,
            "Alice",
            club,
            who=OPERATOR,
            **{"predicate": "t:joined"} | fields,
        )

    page = await house.see("/admin/inbox")
    urgent = await house.see("/admin/inbox?mark=urgent")

    assert near(page) == [2, 3, 1]
    assert focused(page) == 2
    assert near(urgent) == [2, 3]


async def test_inbox_is_narrowed_to_statements(house):
    """By predicate, extractor and confidence; answers stay where one looks."""
    await guess(house.client, "Alice", "Choir")
    await guess(house.client, "Bob", "Choir", confidence=0.9)
    await guess(house.client, "Bob", "Acme", "t:worksAt", extractor_version="rules:1")

    _, after = await house.send("/admin/inbox/accept?type=t:joined", item="candidate-1")
    none = await house.see("/admin/inbox?type=t:joined&source=rules:1")

    assert focused(after) == 2
    assert "1 of 1" in text_of(after)
    assert focused(await house.see("/admin/inbox?mark=likely")) == 2
    assert focused(await house.see("/admin/inbox?source=rules:1")) == 3
    assert "Nothing is like this." in text_of(none)


async def test_all_of_the_same_text(house):
    """Candidates of one sentence are answered at once, and taken back at once."""
    await guess(house.client, "Bob", "Rowing Crew", sentence=BOTH)
    await guess(house.client, "Bob", "Book Circle", sentence=BOTH)
    await guess(house.client, "Carol", "Choir")

    page = await house.see("/admin/inbox?at=candidate-1")
    link = unescape(found(r'href="([^"]+)">all of this sentence', page))
    await house.send(link.replace("/inbox?", "/inbox/reject?"), everything="1")
    decided = await states(house, 1, 2, 3)
    await house.send("/admin/inbox/undo")

    assert decided == [REJECTED, REJECTED, PENDING]
    assert await states(house, 1, 2, 3) == [PENDING] * 3


async def test_sent_to_dreaming(house):
    """Nobody is asked any more, and it waits for a model."""
    await guess(house.client, "Alice", "Choir")

    _, page = await house.send("/admin/curation/1/dream?from=inbox")
    metrics = text_of(await house.see("/admin/metrics"))

    assert "Nothing waits for you." in text_of(page)
    assert "1 candidate waits to be looked into." in metrics


async def test_what_waits_for_moderators_is_decided_at_once(house):
    """Candidates that only moderators can answer are ticked and answered; the rest stays."""
    private = "Write to Dave at dave.miller@example.org or +351 912 345 678."
    await guess(house.client, "Dave", "Choir", sentence=private)
    await guess(house.client, "Dave", "Acme", "t:worksAt", sentence=private)
    await guess(house.client, "Alice", "Choir")

    page = await house.see("/admin/inbox?answerer=moderator")
    sensitive = await house.see("/admin/inbox?mark=sensitive")
    await house.send(
        "/admin/inbox/accept",
        **{"tick-candidate-1": "1", "tick-candidate-2": "1"},
    )
    decided = await states(house, 1, 2, 3)
    await house.send("/admin/inbox/undo")

    assert near(page) == near(sensitive) == [1, 2]
    assert ">sensitive<" in page
    assert decided == [CONFIRMED, CONFIRMED, PENDING]
    assert await states(house, 1, 2) == [PENDING, PENDING]


async def test_beliefs_are_flagged_for_moderators(house):
    """
    A statement that its author affirms and the community denies is held as a belief,
    and waits to be looked at; taking the flag down can be undone.
    """
    await guess(house.client, "Alice", "Choir", author="alice")
    await says(house.client, "alice", 1)
    for name in ("frank", "grace"):
        await says(house.client, name, 1, NO)

    page = await house.see("/admin/inbox?kind=flagged")
    concept = await house.see("/admin/concepts/alice")
    _, after = await house.send("/admin/inbox/accept", item="candidate-1")
    _, again = await house.send("/admin/inbox/undo")

    assert "It is held as a belief." in text_of(page)
    assert "flagged" in text_of(page)
    assert "[joined~] choir confirmed" in text_of(concept)
    assert 'href="/admin/trail?concept=alice&amp;dimension=joined"' in concept
    assert "Nothing waits for you." in text_of(after)
    assert focused(again) == 1


async def test_a_flagged_belief_is_overruled(house):
    """Rejecting what is flagged decides against its author; undone, it waits again."""
    await guess(house.client, "Alice", "Choir", author="alice")
    await says(house.client, "alice", 1)
    for name in ("frank", "grace"):
        await says(house.client, name, 1, NO)

    await house.send("/admin/inbox/reject", item="candidate-1", reasoning="she left")
    decided = (await read(house.client, 1)).candidate
    held = (await house.client.concept("alice")).edges
    await house.send("/admin/inbox/undo")

    assert (decided.state, decided.flagged) == (REJECTED, False)
    assert list(held) == []
    assert (await read(house.client, 1)).candidate.flagged


async def test_confirmed_and_in_conflict(house):
    """
    A candidate that collides with a fact waits in the queue of conflicts, with a link
    there.
    """
    await house.client.states("alice -ispart go_club in context of joined")
    await guess(house.client, "Alice", "Choir")
    await guess(house.client, "Alice", "Crew")
    for name in ("frank", "grace"):
        await says(house.client, name, 2, NO)

    _, page = await house.send("/admin/inbox/accept", item="candidate-1")
    _, overruled = await house.send("/admin/curation/2/confirm")

    assert 'id="conflict-1"' in page
    assert "conflicts with what is held: conflict #2" in text_of(overruled)


async def test_refused_is_a_sentence(house):
    """An impossible action is refused in its place, and nothing is done."""
    await guess(house.client, "Alice", "Choir")
    otherwise = []

    for path, fields, code, words in REFUSALS:
        answered, page = await house.send(f"/admin/curation/{path}", **fields)
        if answered != code or words not in text_of(page):
            otherwise.append((path, fields, answered, text_of(page)))

    assert otherwise == []
    assert await states(house, 1) == [PENDING]


async def test_what_is_over_is_said(house, clock):
    """After its time no answer is taken, and none is offered."""
    await guess(house.client, "Alice", "Choir")
    clock.now += 3 * 86_400

    code, page = await house.send("/admin/inbox/accept", item="candidate-1")
    one = await house.see("/admin/curation/1")

    assert code == 409
    assert 'role="alert"' in page
    assert 'data-key="a"' not in one
    assert "was over" in text_of(one)


async def test_reading_without_the_token(client, clock):
    """A person without a token sees the waiting candidates, and no button."""
    await guess(client, "Alice", "Choir")

    async with opened(client, token=None, now=clock) as house:
        pages = [
            await house.see(f"/admin/curation{path}") for path in ("/1", "/decided")
        ]

    assert "Alice joined Choir" in text_of(pages[0])
    assert not any('data-key="a"' in page for page in pages)


async def test_nothing_guessed_becomes_markup(house):
    """The words of a model are text on every page, wherever they are shown."""
    payload = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
    candidate = await guess(
        house.client, "Alice", "Choir", sentence=payload, justification=payload,
        external_id=payload, extractor_version=payload[:40], author="alice",
    )  # fmt: skip
    await house.send("/admin/inbox/accept", item="candidate-1", reasoning=payload)

    pages = [
        await house.see(f"/admin{path}")
        for path in (
            "/curation/decided",
            "/curation/1",
            "/inbox",
            "/metrics",
            f"/trail/{candidate.cid}",
        )
    ]

    assert [page for page in pages if "<script>alert" in page or "<img" in page] == []
    assert "&lt;script&gt;alert(1)" in pages[1]
