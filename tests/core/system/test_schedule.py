"""When the schedule lets something run, summer time included."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.config.schedules import NEVER, check_cron, check_timezone
from festinger.core.system.schedule import Schedule

BERLIN = ZoneInfo("Europe/Berlin")
NIGHTLY = Schedule("30 2 * * *", "Europe/Berlin")
HOUR, DAY = 3600, 86_400
FIFTH_MONDAY_IN_THE_FIRST_WEEK = "0 0 */8 * MON#5"

CRONS = [
    "30 2 * * *", "0 2,3 * * *", "15 1-4 * * *", "*/30 * * * *", "0 */2 * * *",
    "59 23 31 * *", "0 0 29 2 *", "5 2 * * SUN", "0 12 1,15 */3 *",
]  # fmt: skip
ZONES = [
    "Europe/Berlin", "UTC", "America/New_York", "Australia/Lord_Howe",
    "Africa/Casablanca", "Asia/Kathmandu", "America/St_Johns",
]  # fmt: skip


def at(*when: int, fold: int = 0) -> float:
    """Return a moment in Berlin."""
    return datetime(*when, tzinfo=BERLIN, fold=fold).timestamp()  # type: ignore[arg-type,misc]


def shown(moment: float | None) -> str:
    """Return a moment as clocks in Berlin show it."""
    assert moment is not None
    return datetime.fromtimestamp(moment, BERLIN).strftime("%d. %H:%M %z")


def moments(schedule: Schedule, since: float, until: float) -> list[str]:
    """Return all moments in (since, until]."""
    found = []
    while (moment := schedule.next(since)) is not None and moment <= until:
        found.append(shown(moment))
        since = moment
    return found


def test_night_without_half_past_two_has_one_run():
    """If clocks are set forward, it runs as soon as the missing hour is over."""
    night = moments(NIGHTLY, at(2026, 3, 28, 12), at(2026, 3, 30, 12))

    assert night == ["29. 03:00 +0200", "30. 02:30 +0200"]


def test_night_with_two_half_past_twos_has_one_run():
    """If clocks are set back, it runs at the first of the two hours."""
    night = moments(NIGHTLY, at(2026, 10, 24, 12), at(2026, 10, 26, 12))

    assert night == ["25. 02:30 +0200", "26. 02:30 +0100"]


def test_repeated_hour_brings_nothing_back():
    """Asked in the second of two hours, the next run is tomorrow's and the latest today's."""
    between = at(2026, 10, 25, 2, 10, fold=1)

    assert shown(NIGHTLY.next(between)) == "26. 02:30 +0100"
    assert shown(NIGHTLY.latest(between - DAY, between)) == "25. 02:30 +0200"


def test_two_runs_in_a_missing_hour_are_one():
    """The moment that both fall to is a single one."""
    schedule = Schedule("0 2,3 * * *", "Europe/Berlin")

    night = moments(schedule, at(2026, 3, 29), at(2026, 3, 29, 12))

    assert night == ["29. 03:00 +0200"]


def test_what_happens_every_half_hour_goes_on():
    """The repeated hour has its runs as well."""
    schedule = Schedule("*/30 * * * *", "Europe/Berlin")

    night = moments(schedule, at(2026, 10, 25, 1, 59), at(2026, 10, 25, 3))

    assert [it.split()[1] for it in night] == [
        "02:00",
        "02:30",
        "02:00",
        "02:30",
        "03:00",
    ]


def test_missed_runs_are_caught_up_with_once():
    """After a week of absence the latest one counts."""
    now = at(2026, 7, 8, 12)

    assert shown(NIGHTLY.latest(now - 7 * DAY, now)) == "08. 02:30 +0200"


def test_moment_itself_is_over_when_it_is_there():
    """The span is open at its beginning and closed at its end."""
    moment = at(2026, 7, 8, 2, 30)

    assert NIGHTLY.latest(moment - 1, moment) == moment
    assert NIGHTLY.latest(moment, moment + HOUR) is None
    assert NIGHTLY.latest(moment, moment) is None
    assert NIGHTLY.next(moment) == moment + DAY


def test_moment_is_not_there_before_its_second():
    """A fraction of a second before it nothing is due."""
    moment = at(2026, 7, 8, 2, 30)

    assert NIGHTLY.latest(moment - HOUR, moment - 0.4) is None
    assert NIGHTLY.next(moment - 0.4) == moment


@pytest.mark.parametrize("cron", [NEVER, FIFTH_MONDAY_IN_THE_FIRST_WEEK])
def test_what_never_happens_has_no_moment(cron):
    """Neither by its name nor by its fields."""
    schedule = Schedule.checked(cron, "UTC")

    assert schedule.next(at(2026, 1, 1)) is None
    assert schedule.latest(0.0, at(2026, 1, 1)) is None


@given(
    cron=st.sampled_from(CRONS),
    zone=st.sampled_from(ZONES),
    after=st.floats(at(2000, 1, 1), at(2037, 1, 1)),
)
def test_next_and_latest_agree(cron, zone, after):
    """The next moment lies ahead; until it is there nothing is due, and then it is."""
    schedule = Schedule.checked(cron, zone)

    moment = schedule.next(after)

    assert moment is not None
    assert moment > after
    assert schedule.latest(after, moment) == moment
    assert schedule.latest(after, moment - 1e-3) is None
    assert schedule.latest(after, moment + 30) == moment


@given(
    after=st.floats(at(2000, 1, 1), at(2037, 1, 1)),
    zone=st.sampled_from(ZONES),
    hour=st.integers(0, 23),
    minute=st.integers(0, 59),
)
def test_every_day_has_one_run(after, zone, hour, minute):
    """Two runs of a nightly job are a day apart, more or less the hour of the clocks."""
    schedule = Schedule.checked(f"{minute} {hour} * * *", zone)

    first = schedule.next(after)
    assert first is not None
    second = schedule.next(first)

    assert second is not None
    days = [
        datetime.fromtimestamp(it, ZoneInfo(zone)).toordinal() for it in (first, second)
    ]
    assert days[1] - days[0] == 1


@pytest.mark.parametrize(
    "text",
    ["", "nightly", "0 2 * *", "0 0 2 * * *", "60 2 * * *", "0 0 30 2 *", "@daily"],
)
def test_wrong_expression_is_refused(text):
    """With what to write instead; seconds and 30 February are none."""
    with pytest.raises(ValueError, match=r"Write five fields, as in '0 2 \* \* \*'"):
        check_cron(text)


FIELD = st.from_regex(
    r"(\*|[0-9]{1,2}|L|LW|MON|SUN)([-/#,L][0-9]{0,2})?", fullmatch=True
)


@given(st.lists(FIELD, min_size=5, max_size=5).map(" ".join) | st.text(max_size=20))
def test_any_text_is_an_expression_or_refused(text):
    """Nothing that somebody may write breaks the check, or what comes after it."""
    try:
        check_cron(text)
    except ValueError:
        return
    moment = Schedule(text, "UTC").next(at(2026, 1, 1))
    assert moment is None or moment > at(2026, 1, 1)


@pytest.mark.parametrize("text", ["", "Berlin", "Europe", "../UTC", "a\0b", "x" * 300])
def test_wrong_time_zone_is_refused(text):
    """With what to write instead, whatever is wrong with it."""
    with pytest.raises(ValueError, match="Write an IANA name"):
        check_timezone(text)


def test_schedule_is_meant_where_it_says():
    """Two o'clock in Kathmandu is a quarter past eight in the evening of UTC."""
    schedule = Schedule.checked("0 2 * * *", "Asia/Kathmandu")

    moment = schedule.next(datetime(2026, 7, 8, tzinfo=UTC).timestamp())

    assert moment == datetime(2026, 7, 8, 20, 15, tzinfo=UTC).timestamp()
