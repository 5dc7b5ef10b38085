"""Learning from people's answers, over a real database."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from datetime import UTC, datetime

import pytest

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.core.graph.candidates import Priority
from festinger.core.validation.calibration import CalibrationMethod, calibrated
from festinger.core.validation.planning import RankingInput, worth
from festinger.core.validation.policy import ValidationPolicy
from festinger.services.validation.retrainer import Retrainer
from festinger.store.validation import learningrows
from festinger.store.validation.labelfiles import LabelFolder
from tests.memories import DAY, NOW
from tests.waiting import until

PEOPLE = ("ann", "bob", "cem")


@pytest.fixture
async def known(ballots):
    """Forty candidates that three who look and one who says yes to everything answered."""
    for at in range(40):
        true = at % 2 == 0
        said = "yes" if true else "no"
        await ballots.decided(
            true,
            *(f"{it} {said}" for it in PEOPLE),
            "yes yes",
            confidence=0.8,
            extractor_version="microllm:v0.1",
        )


async def test_nobody_answered(retrainer):
    """Nothing is learnt, and that is kept."""
    lesson = await retrainer.learn("default")
    raters, ratings = await retrainer.raters("default")

    assert (lesson.votes, raters) == (0, [])
    assert ratings.fitted == NOW
    assert not ratings.drift.drifting


async def test_reputations_are_learnt_and_kept(retrainer, known, pool):
    """A rater who says yes to everything is found out; karma is written beside."""

    lesson = await retrainer.learn("default")
    raters, ratings = await retrainer.raters("default")

    by_name = {it.principal: it for it in raters}
    assert lesson.votes == 160
    assert sorted(by_name) == sorted((*PEOPLE, "yes"))
    assert by_name["yes"].reputation.low
    assert by_name["ann"].reputation.skill.no > 0.8
    assert by_name["ann"].karma > by_name["yes"].karma == 20.0
    assert ratings.fitted == NOW
    assert await pool.fetchval("select prior from ratings") == pytest.approx(
        0.5, abs=0.01
    )


async def test_learning_again_replaces_what_was_learnt(retrainer, known, pool):
    """Whose answers are gone has no reputation any more."""
    await retrainer.learn("default")
    await pool.execute("delete from validation_events where responder = 'yes'")

    await retrainer.learn("default")

    raters, _ = await retrainer.raters("default")
    assert [it.principal for it in raters] == list(PEOPLE)


async def test_spelling_makes_nobody_new(retrainer, known, ballots, pool, memories):
    """A person who writes their name in capitals is the same, with the same reputation."""
    await pool.execute(
        "update validation_events set responder = 'YES' "
        "where responder = 'yes' and candidate_id % 4 = 0"
    )
    await ballots.opts_out("Yes")

    lesson = await retrainer.learn("default")
    raters, _ = await retrainer.raters("default")
    memory = await memories.get("default")
    async with memory.store.reading("default") as reads:
        rated = await reads.rated()

    assert [it.principal for it in raters] == [*PEOPLE, "yes"]
    assert raters[-1].opted_out
    assert lesson.reputations["yes"].judged == 40
    assert rated.reputations["YeS"].low


async def test_late_answers_tell_nothing(retrainer, known, ballots):
    """A rater who saw the outcome first has no reputation by it."""
    late = await ballots.decided(True)
    await ballots.answers(late, "late", True, before_visible=False)

    await retrainer.learn("default")

    raters, _ = await retrainer.raters("default")
    assert "late" not in {it.principal for it in raters}


async def test_withdrawn_answers_are_no_votes(retrainer, ballots):
    """They are taken back."""
    candidate = await ballots.decided(True, "ann yes")
    await ballots.answers(candidate, "ann", True, response="withdrawn", at=NOW - 40)

    lesson = await retrainer.learn("default")

    assert lesson.reputations.of == {}


async def test_gold_audits_judge_alone(retrainer, ballots):
    """Answers to what is known tell of whoever gave them, though nobody else answered."""
    for at in range(24):
        gold = at % 2 == 0
        candidate = await ballots.decided(gold)
        await ballots.audited(candidate, "ann", gold=gold, answer=gold)
        await ballots.audited(candidate, "liar", gold=gold, answer=not gold)

    await retrainer.learn("default")

    by_name = {
        it.principal: it.reputation for it in (await retrainer.raters("default"))[0]
    }
    assert by_name["ann"].judged == by_name["liar"].judged == 24
    assert by_name["ann"].skill.told > 0.7
    assert by_name["liar"].low


async def test_disputed_audit_is_no_gold(retrainer, ballots, pool):
    """Until an operator has settled it, for everybody who was asked the same."""
    candidate = await ballots.decided(True)
    await ballots.audited(candidate, "ann", gold=True, answer=False, disputed=True)
    await ballots.audited(candidate, "bob", gold=True, answer=True)

    disputed = await retrainer.learn("default")
    await pool.execute("update audits set settled_by = 'mia' where disputed")
    settled = await retrainer.learn("default")

    assert disputed.votes == 0
    assert settled.votes == 2
    assert settled.reputations["bob"].judged == 1


async def test_confidence_is_recalibrated(retrainer, known, ballots, memories):
    """
    A machine that says 0.8 and is right every second time is taken for a half, also by
    the memory that ranks its candidates, which keep what it said.
    """
    theirs = await ballots.proposes(confidence=0.8, extractor_version="microllm:v0.1")
    others = await ballots.proposes("bob", confidence=0.8, extractor_version="other")
    memory = await memories.get("default")

    lesson = await retrainer.learn("default")
    await retrainer.watch()

    [calibration] = lesson.calibrations
    assert calibration.extractor == "microllm:v0.1"
    assert calibration.method is CalibrationMethod.PLATT
    assert calibration.brier_after < calibration.brier_before
    assert memory.calibrations["microllm:v0.1"] == calibration
    async with memory.store.reading("default") as reads:
        candidates = [await reads.candidate(it) for it in (theirs, others)]
    worths = [calibrated(it, memory.calibrations) for it in candidates]
    assert worths == [pytest.approx(0.5), 0.8]
    assert [it.confidence for it in candidates] == [0.8, 0.8]
    # What is a coin's toss is worth more of a question.
    mine, other = (RankingInput(confidence=it) for it in worths)
    assert worth(candidates[0], mine) > worth(candidates[1], other)


async def test_beliefs_are_no_labels_of_truth(retrainer, ballots):
    """Of what only its author believes nobody knows whether it is true."""
    await ballots.decided(True, belief=True, extractor_version="x")
    await ballots.decided(True, extractor_version="x")

    lesson = await retrainer.learn("default")

    assert [it.labels for it in lesson.calibrations] == [1]


# When


@pytest.mark.parametrize(
    ("learnt", "now", "is_due"),
    [
        # 03:30 in Berlin, in winter and in summer.
        ("2026-01-10T02:29", "2026-01-10T02:31", True),
        ("2026-07-10T02:29", "2026-07-10T02:31", False),
        ("2026-07-10T01:29", "2026-07-10T01:31", True),
        # The night in which clocks go from 2 to 3: it happens, once.
        ("2026-03-29T00:00", "2026-03-29T01:29", False),
        ("2026-03-29T00:00", "2026-03-29T01:31", True),
        ("2026-03-29T01:31", "2026-03-29T02:31", False),
        # The night in which they go back.
        ("2026-10-25T00:00", "2026-10-25T02:31", True),
        ("2026-10-25T02:31", "2026-10-25T03:31", False),
        # What was missed for days is done once.
        ("2026-01-01T00:00", "2026-01-10T00:00", True),
    ],
)
async def test_learns_once_a_night(
    retrainer, memories, ballots, clock, learnt, now, is_due
):
    """In the time zone of validation, whatever the clocks do."""
    memories.validation.policy = ValidationPolicy(timezone="Europe/Berlin")
    await ballots.decided(True)
    clock.now = at(learnt)
    await retrainer.learn("default")
    clock.now = at(now)

    await retrainer.look()

    fitted = (await retrainer.lessons.ratings("default")).fitted
    assert fitted == (at(now) if is_due else at(learnt))


def at(text):
    """Return a moment of UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


async def test_one_process_learns(retrainer, ballots, pool, tmp_path):
    """If another one has the lease, it neither learns nor writes the weekly file."""
    await ballots.decided(True)
    await pool.execute(
        "insert into leases (tenant, name, holder, expires_at) values "
        "('default', 'learning', gen_random_uuid(), now() + interval '1 hour')"
    )

    await retrainer.look()

    assert (await retrainer.lessons.ratings("default")).fitted is None
    assert not (tmp_path / "labels").exists()


async def test_learning_stops_once_another_process_has_the_lease(
    retrainer, ballots, pool, monkeypatch
):
    """The lease is renewed as long as it takes; what was learnt without it is not kept."""
    monkeypatch.setattr(f"{Retrainer.__module__}.LEASE_SECONDS", 0.6)
    await ballots.decided(True)
    begun, slow = asyncio.Event(), asyncio.Event()

    async def material(*_):
        begun.set()
        await slow.wait()

    monkeypatch.setattr(retrainer.lessons, "material", material)
    look = asyncio.create_task(retrainer.look())
    await begun.wait()
    await pool.execute(
        "update leases set holder = gen_random_uuid(), "
        "expires_at = now() + interval '1 hour'"
    )

    await until(look.done)

    assert (await retrainer.lessons.ratings("default")).fitted is None


async def test_memory_that_cannot_be_loaded_keeps_no_other_from_learning(
    retrainer, ballots, broken
):
    """Each look begins with the same one, so that the others would never have their turn."""
    await ballots.decided(True)
    broken(retrainer.lessons, "tenants")

    await retrainer.look()

    assert (await retrainer.lessons.ratings("default")).fitted == NOW


async def test_weekly_file(retrainer, ballots, clock, tmp_path):
    """All that was decided, each week anew, and nobody else can read it."""
    file = tmp_path / "labels" / "default.jsonl"
    await retrainer.look()
    assert not file.exists()

    await ballots.decided(True, "ann yes", "bob yes")
    await retrainer.look()
    first = file.read_text()
    await ballots.decided(False, "ann no")
    clock.now += DAY / 2
    await retrainer.look()
    same_week = file.read_text()
    clock.now += 7 * DAY
    await retrainer.look()

    assert len(first.splitlines()) == 1
    assert same_week == first
    assert [json.loads(it)["label"] for it in file.read_text().splitlines()] == [
        "confirmed",
        "rejected",
    ]
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert os.listdir(file.parent) == ["default.jsonl"]


# Examples


async def test_example_holds_what_a_model_needs(retrainer, ballots):
    """Text, candidate, label, votes that stand, rule and versions."""
    number = await ballots.decided(
        False,
        concept="alice",
        extractor_version="microllm:v0.1",
        model_version="m-1",
        prompt_hash="p-1",
    )
    await ballots.answers(number, "ann", True, at=NOW - 80)
    await ballots.answers(number, "ann", False, at=NOW - 70)
    await ballots.answers(number, "alice", False, at=NOW - 60, role="author")

    [found] = [it async for it in retrainer.examples("default", named=True)]

    assert found["text"] == "I joined the chess_club."
    assert found["candidate"]["cid"] == f"f:{number}"
    assert found["candidate"]["predicate"] == "t:joined"
    assert found["label"] == "rejected"
    assert [(it["rater"], it["role"], it["answer"]) for it in found["votes"]] == [
        ("ann", "community", "no"),
        ("alice", "author", "no"),
    ]
    assert found["decision"]["rule"] == "two_distinct"
    assert found["confidence"] == 0.36
    assert (
        found["extractor_version"],
        found["model_version"],
        found["prompt_hash"],
    ) == (
        "microllm:v0.1",
        "m-1",
        "p-1",
    )


async def test_raters_have_pseudonyms(retrainer, ballots, store):
    """The same each time, another in another memory, and nothing of the name in it."""
    await ballots.decided(True, "ann yes", "bob yes")
    await ballots.decided(True, "ann yes")
    await store.add_tenant("acme")

    first = [it async for it in retrainer.examples("default")]
    again = [it async for it in retrainer.examples("default")]
    keys = {(await retrainer.lessons.ratings(it)).key for it in ("default", "acme")}

    assert first == again
    votes = [[it["rater"] for it in each["votes"]] for each in first]
    assert votes[0][0] == votes[1][0] != votes[0][1]
    assert "ann" not in json.dumps(votes)
    assert len(keys) == 2


async def test_only_what_was_decided_by_people(retrainer, ballots):
    """A waiting or expired candidate is no example; nor, unasked, is a private one."""
    await ballots.proposes()
    await ballots.decided(True, status="expired")
    private = await ballots.decided(True, sensitive=True)
    belief = await ballots.decided(True, belief=True, at=NOW - 20)

    found = [it async for it in retrainer.examples("default")]
    all_of_it = [it async for it in retrainer.examples("default", sensitive=True)]
    late = [it async for it in retrainer.examples("default", NOW - 30)]

    assert [it["candidate"]["cid"] for it in found] == [f"f:{belief}"]
    assert [it["label"] for it in found] == ["belief"]
    assert [it["candidate"]["cid"] for it in all_of_it] == [
        f"f:{private}",
        f"f:{belief}",
    ]
    assert late == found


async def test_examples_come_page_after_page(retrainer, ballots, monkeypatch):
    """Each once and in order, however many a page has, though moments are the same."""
    monkeypatch.setattr("festinger.store.validation.learning.PAGE", 2)
    numbers = [await ballots.decided(True) for _ in range(5)]

    found = [it["candidate"]["cid"] async for it in retrainer.examples("default")]

    assert found == [f"f:{number}" for number in numbers]


# The breaker


async def confirmed(ballots, count, at):
    """Facts that people confirmed."""
    return [await ballots.decided(True, at=at) for _ in range(count)]


async def test_breaker_opens_and_closes(retrainer, ballots, clock, pool):
    """
    It opens if enough of a day's confirmed facts were rejected after all, and closes by
    itself a day later.
    """
    numbers = await confirmed(ballots, 20, NOW - 50)
    await reject(pool, numbers[:4])
    few = await retrainer.judge_breaker("default")
    await reject(pool, numbers[4:6])

    opened = await retrainer.judge_breaker("default")
    measured = await retrainer.metrics("default")
    clock.now += DAY + 1
    closed = await retrainer.judge_breaker("default")

    assert not few.is_open(NOW)
    assert opened.open_until == NOW + DAY
    assert "6 of 20 facts" in opened.reason
    assert measured.breaker_open
    assert not closed.is_open(clock.now)
    assert (await retrainer.lessons.ratings("default")).breaker == closed


async def reject(pool, numbers):
    """A moderator rejects what was confirmed."""
    await pool.execute(
        "update candidates set status = 'rejected' where id = any($1)", numbers
    )


async def test_retracted_facts_are_reversed(retrainer, client, ballots, pool):
    """A person's `gutask forget` counts, whoever confirmed the fact."""
    for at in range(6):
        await client.states(f"person{at} -ispart club in context of joined")
        await ballots.decided(True, concept=f"person{at}", parent="club", at=NOW - 50)
    for at in range(5):
        await forget(client, f"person{at} -ispart club in context of joined")

    found = await retrainer.lessons.reversals("default", NOW - DAY)

    assert found == (5, 6)


async def forget(client, fact):
    """Take a fact back."""
    await client.memory.Retract(pb.RetractRequest(fact=fact))


async def test_one_disputer_is_one_reversal(retrainer, ballots):
    """However many facts they dispute: nobody opens the breaker alone."""
    numbers = await confirmed(ballots, 6, NOW - 50)
    for number in numbers:
        await ballots.audited(number, "troll", gold=True, answer=False, disputed=True)
    alone = await retrainer.lessons.reversals("default", NOW - DAY)
    await ballots.audited(numbers[0], "ann", gold=True, answer=False, disputed=True)

    together = await retrainer.lessons.reversals("default", NOW - DAY)

    assert (alone, together) == ((1, 6), (2, 6))


async def test_older_facts_are_at_stake_once_they_are_reversed(
    retrainer, ballots, pool
):
    """Five of last week's that are reversed today are five of five."""
    numbers = await confirmed(ballots, 10, NOW - 7 * DAY)
    await pool.execute(
        "update candidates set status = 'rejected', decided_at = to_timestamp($2) "
        "where id = any($1)",
        numbers[:5],
        NOW - 10,
    )

    assert await retrainer.lessons.reversals("default", NOW - DAY) == (5, 5)


# What rules held


async def hold(ballots, count, *, at, rule="is a", **later):
    """Statements that a rule held, and what was said of the same."""
    for _ in range(count):
        name = f"thing{next(NUMBERS)}"
        await ballots.states(
            name, "repo", "type", rule=rule, outcome="held", created_at=at
        )
        if later:
            await ballots.states(
                name, "repo", "type", created_at=at + 10, **{"source": "gutask"} | later
            )


NUMBERS = iter(range(10_000))


async def test_drift_is_found(retrainer, ballots):
    """Drift is reported if a rule's statements are denied more often than before."""
    before, lately = NOW - 60 * DAY, NOW - DAY
    await hold(ballots, 40, at=before, outcome="corroborated")
    await hold(ballots, 2, at=before, outcome="conflicted", negated=True)
    await hold(ballots, 10, at=lately, outcome="corroborated")
    await hold(ballots, 15, at=lately, outcome="retracted")
    for when in (before, lately):
        await hold(ballots, 20, at=when, rule="runs on", outcome="corroborated")
    await hold(ballots, 7, at=lately)

    lesson = await retrainer.learn("default")
    _, ratings = await retrainer.raters("default")

    assert ratings.drift == lesson.drift
    assert lesson.drift.drifting == ("all rules", "is a")
    worst, fine = lesson.drift.rules
    assert str(worst).startswith("is a: 15 of 25 denied, before 2 of 42 (p = ")
    assert (fine.rule, fine.denied, fine.compared) == ("runs on", 0, 20)


async def test_candidates_speak_of_what_was_held(retrainer, ballots):
    """The same statement confirmed or rejected by people counts; the last word does."""
    await ballots.states("ant", "repo", "type", outcome="held")
    await ballots.states("bee", "repo", "type", outcome="held")
    await ballots.decided(True, concept="ant", parent="repo", dimension="type")
    await ballots.decided(False, concept="bee", parent="repo", dimension="type")
    await ballots.states(
        "bee", "repo", "type", source="gutask", outcome="held", created_at=NOW - 10
    )

    drift = (await retrainer.learn("default")).drift

    assert (drift.whole.agreed, drift.whole.denied) == (2, 0)


# Metrics


async def test_metrics(retrainer, ballots):
    """Each number of the last day, and none of what was before."""
    old = NOW - 3 * DAY
    for at in (old, NOW - 600):
        fine = await ballots.decided(True, "ann yes", at=at + 300, created_at=at)
        await ballots.asks(fine, "ann", posted_at=at + 100)
    await ballots.decided(
        False, created_at=NOW - 600, priority="critical", message_cid="m:1"
    )
    await ballots.decided(
        True,
        status="expired",
        priority="critical",
        created_at=NOW - 1000,
        expires_at=NOW - 100,
    )
    late = await ballots.proposes(expires_at=NOW - 1)
    await ballots.asks(late, "bob", status="waiting", posted_at=None)
    await ballots.opts_out("bob")

    measured = await retrainer.metrics("default")
    week = await retrainer.metrics("default", 24 * 7)

    normal, critical = (measured.of(it) for it in (Priority.NORMAL, Priority.CRITICAL))
    assert (measured.posted, measured.waiting, measured.answered) == (1, 1, 1)
    assert (normal.proposed, normal.resolved, normal.breached) == (2, 1, 1)
    assert (normal.resolution_seconds, normal.pending) == (200.0, 1)
    assert (critical.proposed, critical.resolved, critical.breached) == (2, 1, 1)
    assert critical.resolution_seconds == 0.0
    assert (measured.confirmed, measured.rejected, measured.expired) == (1, 1, 1)
    assert measured.messages == 1
    assert measured.labels_per_thousand == 2000.0
    assert measured.questions_per_person_day == 1.0
    assert measured.opt_out_share == 0.5
    assert week.posted == 2
    assert week.questions_per_person_day == pytest.approx(2 / 7)


async def test_too_many_questions_are_found(retrainer, memories, ballots):
    """More in a day than a person is to get; a digest is one, and moderators are not spared."""
    memories.validation.policy = ValidationPolicy(person_questions_max=2)
    candidates = [await ballots.proposes(f"c{at}") for at in range(6)]
    for candidate in candidates[:3]:
        await ballots.asks(candidate, "ann")
        await ballots.asks(candidate, "bob", digest_id=7)
        await ballots.asks(candidate, "mia", lane="moderator")

    assert (await retrainer.metrics("default")).crowded == 1


async def test_alerts_are_told_once(memories, store, ballots, clock, tmp_path):
    """When something is wrong that was not, and again when it was right in between."""
    told: list[str] = []
    retrainer = Retrainer(
        memories, store.lessons, LabelFolder(tmp_path), now=clock, complain=told.append
    )
    for wait in (0.0, 60.0, 2 * DAY, 60.0):
        clock.now += wait
        if wait != 2 * DAY:
            await ballots.decided(
                True, status="expired", priority="critical", at=clock.now - 1
            )
        await retrainer.watch()

    assert len(told) == 2
    assert told[0].startswith("tenant default: ttl_breach: 1 candidates of critical")


async def test_answers_are_read_beside_the_prompts(retrainer, ballots, monkeypatch):
    """However many there are, what they mean is not worked out where prompts are answered."""
    await ballots.decided(True, "ann yes", "bob yes")
    threads = []
    votes_of = learningrows._votes

    def seen(rows):
        threads.append(threading.current_thread())
        return votes_of(rows)

    monkeypatch.setattr(learningrows, "_votes", seen)

    lesson = await retrainer.learn("default")

    assert lesson.votes == 2
    assert threading.main_thread() not in threads
