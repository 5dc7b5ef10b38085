"""Whose turn it is, and what is worth asking."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.graph.candidates import CandidateState, Lane, Priority
from festinger.core.validation.escalation import (
    AskingConditions,
    PostedQuestion,
    UndecidedCase,
)
from festinger.core.validation.limits import DailyAllowance
from festinger.core.validation.planning import (
    Planner,
    RankingInput,
    choose_audit,
    order,
    wants_audit,
    worth,
)
from festinger.core.validation.posting import (
    ATTEMPTS_MAX,
    PAUSE_SECONDS_MAX,
    PostingReport,
    PostingResult,
    pause_after,
    reported,
)
from festinger.core.validation.questions import (
    BotName,
    ClosedBecause,
    Question,
    QuestionState,
    outcome_of,
)
from festinger.core.validation.tones import QuestionAudience
from tests.memories import DAY, NOW
from tests.people import COMMUNITY, EVERYBODY, MODERATORS, POLICY, candidate

AUTHOR = QuestionAudience(Lane.AUTHOR, recipient="alice")
TOWN = QuestionAudience(Lane.COMMUNITY, channel=COMMUNITY)
LANES = (Lane.AUTHOR, Lane.COMMUNITY, Lane.MODERATOR)

asked = st.builds(
    PostedQuestion,
    st.sampled_from(
        [AUTHOR, TOWN, QuestionAudience(Lane.MODERATOR, channel=MODERATORS)]
    ),
    st.sampled_from(QuestionState),
    st.floats(NOW, NOW + 2 * DAY),
)
names = st.frozensets(st.sampled_from(EVERYBODY))
cases = st.builds(
    UndecidedCase,
    st.builds(
        candidate,
        lane=st.sampled_from(Lane),
        sensitive=st.booleans(),
        flagged=st.booleans(),
        author=st.sampled_from(["", *EVERYBODY]),
        proposer=st.sampled_from(["scanner", *EVERYBODY]),
        channel=st.sampled_from(["", "nowhere", COMMUNITY]),
    ),
    st.lists(asked),
    names,
    names,
    st.just(frozenset()),
)
policies = st.builds(
    replace,
    st.just(POLICY),
    channel=st.sampled_from(["", COMMUNITY]),
    moderator_channel=st.sampled_from(["", MODERATORS]),
)
askings = st.builds(
    AskingConditions, policies, names, st.booleans(), st.floats(NOW, NOW + 3 * DAY)
)


@given(cases, askings)
def test_nobody_is_asked_who_must_not_be(case, asking):
    """
    Not who put it forward, nor who does not want to, nor twice, nor in public about what
    is private or was written by whoever opted out; nor after its time.
    """
    candidate = case.candidate
    audiences = asking.next(case)

    for audience in audiences:
        assert bool(audience.recipient) != bool(audience.channel)
        assert not case.knows(audience)
        assert audience.recipient not in asking.opted_out
        assert audience.recipient != candidate.proposer
        if candidate.sensitive or candidate.flagged or asking.breaker_open:
            assert audience.lane is Lane.MODERATOR
        if candidate.author in asking.opted_out:
            assert audience.lane is Lane.MODERATOR
    assert len(set(audiences)) == len(audiences)
    if asking.now >= candidate.expires:
        assert audiences == []


@given(cases, askings, st.floats(0, 3 * DAY))
def test_time_only_leads_on(case, asking, later):
    """From the author to the community to moderators, and never back."""
    then = replace(asking, now=asking.now + later)

    assert LANES.index(then.lane(case)) >= LANES.index(asking.lane(case))


def test_an_author_who_is_not_sure_leaves_it_to_others():
    """They answered, and it decided nothing."""
    case = UndecidedCase(candidate(lane=Lane.AUTHOR), answered=frozenset(["alice"]))

    assert AskingConditions(POLICY, now=NOW).next(case) == [TOWN]


def test_urgent_comes_before_telling_before_late():
    """The key that candidates are sorted by."""
    telling = candidate(id=1, confidence=0.5)
    urgent = candidate(id=2, confidence=0.99, priority=Priority.HIGH)
    soon = candidate(id=3, confidence=0.99, expires=NOW + 1)
    late = candidate(id=4, confidence=0.99, expires=NOW + 9)
    whenever = candidate(id=5, confidence=0.99, expires=None)

    ranked = sorted([whenever, late, soon, telling, urgent], key=order)

    assert [it.id for it in ranked] == [2, 1, 3, 4, 5]


@pytest.mark.parametrize(
    ("more", "less"),
    [
        (
            (candidate(confidence=0.5), RankingInput()),
            (candidate(confidence=0.9), RankingInput()),
        ),
        (
            (candidate(), RankingInput(novel=True)),
            (candidate(), RankingInput(novel=False)),
        ),
        ((candidate(), RankingInput(2.0)), (candidate(), RankingInput(0.5))),
        ((candidate(statements=9), RankingInput()), (candidate(), RankingInput())),
        (
            (candidate(contradicts="alice -isa cat"), RankingInput()),
            (candidate(), RankingInput()),
        ),
    ],
)
def test_what_an_answer_is_worth(more, less):
    """The ambiguous, the new, the often met, the often said, and the contradicted."""
    assert worth(*more) > worth(*less) >= 0


@pytest.mark.parametrize("confidence", [0.0, 1.0])
def test_certainty_tells_nothing(confidence):
    """Without a toss of a coin there is no bit."""
    plain = candidate(confidence=confidence)

    assert worth(plain, RankingInput(novel=False)) == 0


def test_about_the_share_of_questions_is_audited():
    """Three in a hundred; and never moderators."""
    candidates = [candidate(id=number) for number in range(20_000)]
    audited = sum(wants_audit(it, AUTHOR, 0.03) for it in candidates)
    moderator = QuestionAudience(Lane.MODERATOR, recipient="mo")

    assert 0.02 < audited / (len(candidates) + audited) < 0.04
    assert all(wants_audit(it, TOWN, 0.5) for it in candidates[:50])
    assert not any(wants_audit(it, TOWN, 0.0) for it in candidates)
    assert not any(wants_audit(it, moderator, 0.5) for it in candidates)


def test_which_audit_is_chosen_is_the_same_on_every_server():
    """Whatever order they come in; and nothing private."""
    settled = [candidate(id=number) for number in range(1, 20)]
    private = candidate(id=99, sensitive=True)

    chosen = choose_audit([private, *settled], candidate(), AUTHOR)

    assert chosen == choose_audit(settled[::-1], candidate(), AUTHOR)
    assert choose_audit([private], candidate(), AUTHOR) is None


@pytest.mark.parametrize(
    ("now", "due"),
    [
        # Nine in Berlin is eight in winter, and seven in summer, by UTC.
        ("2026-03-28T10:00", "2026-03-29T07:00"),
        ("2026-03-28T07:59", "2026-03-28T08:00"),
        ("2026-10-24T10:00", "2026-10-25T08:00"),
        ("2026-10-24T06:59", "2026-10-24T07:00"),
    ],
)
def test_moderators_get_their_digest_at_nine_where_they_live(now, due):
    """Also on the days when clocks are changed."""
    moment, expected = (
        datetime.fromisoformat(it).replace(tzinfo=UTC).timestamp() for it in (now, due)
    )
    policy = replace(POLICY, digest_schedule="0 9 * * *", timezone="Europe/Berlin")
    waiting = candidate(lane=Lane.MODERATOR, expires=moment + 2 * DAY)
    planner = Planner(
        AskingConditions(policy, now=moment), DailyAllowance.of(policy, Counter())
    )

    [planned] = planner.plan([UndecidedCase(waiting)])

    assert planned.digest
    assert planned.question.due == expected


def test_what_is_over_before_the_digest_does_not_wait_for_it():
    """Two hours are over before nine in the morning comes."""
    policy = replace(POLICY, digest_schedule="0 7 * * *")
    planner = Planner(
        AskingConditions(policy, now=NOW), DailyAllowance.of(policy, Counter())
    )
    urgent = candidate(lane=Lane.MODERATOR, expires=NOW + 7200, priority=Priority.HIGH)

    [planned] = planner.plan([UndecidedCase(urgent)])

    assert not planned.digest
    assert planned.question.due == NOW


def question(state: QuestionState = QuestionState.POSTING, **more: Any) -> Question:
    """Return a question that somebody has in hand."""
    plain = Question(1, "bafy", BotName.BARKEEP, Lane.AUTHOR, "?", "!", "hash", id=1)
    return replace(plain, state=state, **more)


def test_pauses_grow_up_to_a_limit():
    """From half a minute to a quarter of an hour, two hours in all."""
    pauses = [pause_after(n) for n in range(1, ATTEMPTS_MAX)]

    assert pauses == sorted(pauses)
    assert (pauses[0], pauses[-1]) == (30, PAUSE_SECONDS_MAX)
    assert 3600 < sum(pauses) < 3 * 3600


@pytest.mark.parametrize(
    ("state", "result", "after"),
    [
        (QuestionState.POSTING, PostingResult.POSTED, QuestionState.POSTED),
        (QuestionState.CLOSED, PostingResult.POSTED, QuestionState.CLOSED),
        (QuestionState.POSTING, PostingResult.FAILED, QuestionState.WAITING),
        (QuestionState.POSTING, PostingResult.UNREACHABLE, QuestionState.FAILED),
        (QuestionState.POSTED, PostingResult.UNREACHABLE, QuestionState.POSTED),
        (QuestionState.CLOSED, PostingResult.FAILED, QuestionState.CLOSED),
    ],
)
def test_a_report_leads_to_a_state(state, result, after):
    """A closed candidate stays closed, and one that is out stays out."""
    assert reported(question(state), PostingReport(result), NOW).state is after


def test_a_message_that_cannot_be_changed_is_given_up():
    """Not for ever does somebody try to update it."""
    closed = question(QuestionState.CLOSED, attempts=ATTEMPTS_MAX - 1)

    assert reported(closed, PostingReport(PostingResult.FAILED), NOW).shown
    assert reported(
        question(QuestionState.CLOSED), PostingReport(PostingResult.UPDATED), NOW
    ).shown


@pytest.mark.parametrize(
    ("because", "state", "told"),
    [
        ("", CandidateState.PENDING, ""),
        (ClosedBecause.DECIDED, CandidateState.CONFIRMED, "It was confirmed."),
        (ClosedBecause.ANSWERED, CandidateState.PENDING, "Thank you for your answer."),
        (
            ClosedBecause.DECIDED,
            CandidateState.EXPIRED,
            "The time for answers is over.",
        ),
        (
            ClosedBecause.OPTED_OUT,
            CandidateState.PENDING,
            "You are not asked any more.",
        ),
    ],
)
def test_people_are_told_what_became_of_it(because, state, told):
    """In a sentence, once the question is closed."""
    assert outcome_of(because, state) == told


def test_an_audit_tells_nothing_of_its_candidate():
    """Else whoever sees it would know what is held to be true."""
    told = outcome_of(ClosedBecause.ANSWERED, CandidateState.CONFIRMED, gold=True)

    assert told == "Thank you for your answer."
    assert "author" in outcome_of("decided", CandidateState.CONFIRMED, belief=True)
