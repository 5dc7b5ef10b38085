"""Metrics: the numbers, what to look at, and dreaming now."""

from __future__ import annotations

import re

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from festinger.api.v1 import admin_service_pb2, line_service_pb2, memory_service_pb2
from festinger.api.v1 import validation_service_pb2 as pb
from festinger.console import plots
from festinger.console.plots import reliability, throughput
from tests.console.guesses import NO, OPERATOR, guess, says
from tests.console.house import OWN, text_of
from tests.waiting import until

Hour = pb.GetValidationMetricsResponse.Hour
Bin = pb.Calibration.Bin


def hours(*counts):
    """Hours in which so much was posted and answered."""
    return [
        Hour(
            start_time=Timestamp(seconds=1_800_000_000 + 3600 * at),
            posted_count=posted,
            answered_count=answered,
        )
        for at, (posted, answered) in enumerate(counts)
    ]


def test_bars_stand_on_one_line():
    """Two for each hour, as tall as their counts, and none outside of the plot."""
    plot = throughput(hours((4, 2), (0, 0), (2, 1)))

    assert plot is not None
    assert len(plot.bars) == 6
    assert {round(bar.y + bar.height, 6) for bar in plot.bars} == {plot.base}
    tall = [bar.height for bar in plot.bars]
    assert tall[0] == 2 * tall[1] == 2 * tall[4]
    assert all(plot.left <= bar.x <= plot.right - bar.width for bar in plot.bars)
    assert plot.lines[-1].text == "4"


@pytest.mark.parametrize("count", [1, 24, 168])
def test_words_below_do_not_crowd(count):
    """However many hours there are, at most eight are named."""
    plot = throughput(hours(*[(1, 1)] * count))

    assert plot is not None
    assert 1 <= len(plot.words) <= 8
    assert throughput([]) is None
    assert throughput(hours((0, 0))) is None


def test_points_of_the_reliability_plot():
    """A well calibrated rater stands on the diagonal; empty bins nowhere."""
    plot = reliability(
        [
            Bin(confidence=0.25, confirmed=0.25, count=4),
            Bin(confidence=0.5, confirmed=1.0, count=16),
            Bin(confidence=0.9, confirmed=0.1, count=0),
        ]
    )
    (x0, y0), (x1, y1) = plot.begin, plot.end
    on, above = plot.points

    assert (on.x - x0) / (x1 - x0) == pytest.approx((y0 - on.y) / (y0 - y1))
    assert above.y == y1
    assert above.radius > on.radius


async def test_numbers_of_a_day(house, clock):
    """The numbers of proposed, answered, decided and waiting candidates are shown."""
    for number, name in enumerate(("Alice", "Bob", "Carol"), 1):
        await guess(house.client, name, "Choir")
        await says(house.client, "frank", number, NO)
    for number in (1, 2):
        await says(house.client, "grace", number, NO)

    page = await house.see("/admin/metrics")
    text = text_of(page)
    overview = text_of(await house.see("/admin"))

    assert "Nothing needs looking at." in text
    assert "1 wait for people" in text
    assert "5 answers" in text
    assert "2 kept out" in text
    assert "normal 3 2 1" in text
    assert page.count("answers received</title>") == 1
    assert "5 answers in a day" in overview
    assert 'href="/admin/metrics"' in await house.see("/admin")


async def test_alerts_come_first(house, clock):
    """A critical candidate that nobody decided in time stands on top of the page."""
    await guess(
        house.client, "Alice", "Choir", who=OPERATOR, priority="PRIORITY_CRITICAL"
    )
    clock.now += 3600

    page = await house.see("/admin/metrics")

    assert 'class="banner bad" role="alert"' in page
    assert page.index("banner bad") < page.index('class="figures"')


async def test_raters_after_a_night(house, retrainer):
    """Those who answer, with what is known of them; learning can be asked for."""
    for number, name in enumerate(("Alice", "Bob", "Carol"), 1):
        await guess(house.client, name, "Choir")
        for rater in ("frank", "grace"):
            await says(house.client, rater, number)

    _, page = await house.send("/admin/learn")
    text = text_of(page)

    assert re.search(r"frank [\d.]+ \d+ \d+ % \d+ % grace", text)
    assert "Learnt just now" in text


async def test_dream_now_is_told_as_it_goes(house, pool, model):
    """A line for each item, and the night at its end; without scripts it is looked at."""
    await pool.execute("update config set value = '1' where key = 'dream_model_id'")
    await guess(house.client, "Alice", "Choir")
    await house.send("/admin/curation/1/dream")
    model.says({"triples": []})

    async with house.http.post(
        f"{house.url}/admin/dream",
        data={"": ""},
        headers=OWN | {"Accept": "application/x-ndjson"},
    ) as answer:
        lines = (await answer.text()).splitlines()
        kind = answer.content_type

    async def ended():
        page = await house.see("/admin/metrics")
        return "under way" not in page and page

    page = await until(ended)

    assert kind == "application/x-ndjson"
    assert '"done": true' in lines[-1]
    assert "Night 1, by hand" in text_of(page)


async def test_dreaming_is_offered_without_a_schedule(house, pool):
    """Although the schedule never comes, somebody can still have a model dream now."""
    await pool.execute("update config set value = '1' where key = 'dream_model_id'")
    await house.send("/admin/settings/dream_schedule", value="never")

    page = await house.see("/admin/metrics")

    assert "No night is scheduled: a model dreams when you ask for it." in text_of(page)
    assert re.search(r'<button class="main">\s*Dream now', page)


async def test_dreaming_rests_without_a_model(house):
    """It says so, and the button does nothing."""
    page = await house.see("/admin/metrics")
    code, _ = await house.send("/admin/dream")

    assert "It rests:" in text_of(page)
    assert re.search(r'<button class="main" disabled>\s*Dream now', page)
    assert code == 409


def test_trends_begin_with_the_first_day_that_has_something():
    """Empty days before it are left out, down to a week."""

    def named(first):
        days = [
            admin_service_pb2.GetTrendsResponse.Day(
                start_time=Timestamp(seconds=1_800_000_000 + 86_400 * at),
                learnt_count=int(at >= first),
            )
            for at in range(30)
        ]
        [plot] = plots.trends(days)
        return len(plot.bars) / 2

    assert [named(first) for first in (0, 10, 29)] == [30, 20, 7]


async def trends(house, days=2):
    """Return the latest days, the oldest first."""
    request = admin_service_pb2.GetTrendsRequest(day_count=days)
    answer = await house.client.admin.GetTrends(request, metadata=OPERATOR)
    return answer.days


async def test_trends_count_by_day(house, clock):
    """Each statement, contradiction, removal, rating and answer is counted on its day."""
    await house.contradict("gnommoweb")
    said = line_service_pb2.SayRequest(text="Kassel delivers the stock at 05:40.")
    told = await house.client.lines.Say(said, metadata=OPERATOR)
    rated = line_service_pb2.RateLineRequest(
        name=told.lines[0].name, verdict="VERDICT_HELPED"
    )
    await house.client.lines.RateLine(rated, metadata=OPERATOR)
    await guess(house.client, "Alice", "Choir")
    await says(house.client, "frank", 1, NO)
    await says(house.client, "grace", 1)
    await says(house.client, "heidi", 1)

    [before, today] = await trends(house)

    assert before.start_time.seconds == today.start_time.seconds - 86_400
    assert (before.learnt_count, before.fact_count) == (0, 0)
    assert (today.contradicted_count, today.helped_count) == (1, 1)
    assert today.learnt_count == 2
    assert (today.agreed_count, today.differed_count) == (2, 1)
    assert (today.fact_count, today.sentence_count) == (2, 1)


async def test_size_counts_what_came_before(house, clock, pool):
    """A fact older than the first day counts on each day, until it was retracted."""
    await house.client.states("gnommoweb -isa repo")
    await house.client.states("wiki -isa site")
    await pool.execute(
        "update assertions set created_at = created_at - interval '9 days'"
    )
    await house.client.memory.Retract(
        memory_service_pb2.RetractRequest(fact="wiki -isa site"), metadata=OPERATOR
    )

    [before, today] = await trends(house)

    assert (before.fact_count, today.fact_count) == (2, 1)
    assert today.forgotten_count == 1


async def test_plots_are_drawn_where_there_is_something(house):
    """An empty memory says that there is nothing; then each plot has its bars."""
    empty = text_of(await house.see("/admin/metrics"))
    await house.contradict("gnommoweb")
    await house.prompt("What do you know of gnommoweb?")
    page = await house.see("/admin/metrics")

    assert "Nothing was said, rated or answered in the last 30 days." in empty
    assert "No prompt passed since this program started" in empty
    assert re.findall(r'<h3 id="(\w+)"', page) == ["told", "learning", "size"]
    assert "1 contradicted</title>" in page
    assert "1 told</title>" in page
