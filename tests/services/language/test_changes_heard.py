"""Ordinary ways to say that something moved, through a prompt, one at a time."""

from __future__ import annotations

import asyncio

import pytest

from festinger.core.graph.resolution import ConflictState
from festinger.core.language.turns import Role, Turn
from festinger.core.lines.turns import digest_of
from festinger.services.recollection.recollect import PromptOrigin
from tests.memories import recollect_prompt
from tests.services.conftest import settled

SAID = [
    "billing isn't on podman anymore",
    "billing moved from podman to kubernetes",
    "billing runs on kubernetes since Monday",
    "I switched billing over to kubernetes",
    "billing no longer runs on podman",
]

PAIRS = [
    ("Billing runs on Podman.", "Billing moved to Kubernetes."),
    ("Billing runs on Podman.", "BILLING IS ON KUBERNETES NOW"),
    ("billing: runs on podman", "billing: now on kubernetes"),
    ("we run billing on podman", "we run billing on kubernetes now"),
    ("we run billing on podman", "carol moved billing to kubernetes"),
    ("grandma lives in Swansea", "Grandma moved to Bristol."),
    ("bins are on thursdays", "bins are fridays now"),
    ("PE is on Mondays", "PE changed to Tuesdays"),
    ("dinner is at 7", "dinner is at 6 instead of 7"),
    ("the owner of the wiki is Pat", "Kim took over the wiki"),
    ("the price is 80 euros", "the price dropped from 80 euros to 60 euros"),
    ("our treasurer is Anna", "Tom replaces Anna as treasurer"),
    ("the fee is 25 euros", "the fee went up to 30 euros"),
    ("shoe size is 3", "shoe size went from 3 to 4"),
    ("Theo's shoe size is 3", "Theo's shoe size is 4 now"),
    ("the licence is MIT", "the licence changed from MIT to Apache"),
    ("the review meeting takes 30 minutes", "the review meeting takes 45 minutes now"),
    ("batch size is 32", "batch size went from 32 to 64"),
    ("learning rate is 1e-3", "learning rate is 3e-4 now"),
    ("the plate reader is in room 204", "the plate reader moved to room 210"),
    ("the plate reader is in room 204", "the plate reader is in room 210 now"),
    ("the newsletter goes out on mondays", "the newsletter goes out on fridays now"),
    ("staging is at stg.example.org", "staging moved to stg2.example.org"),
    ("nas is on 10.0.0.4", "the nas's ip changed from 10.0.0.4 to 10.0.0.9"),
    ("grafana is on port 3000", "grafana's port changed from 3000 to 3001"),
    ("on-call is sasha", "oncall moved to carol"),
    ("the dataset is in /data/v2", "the dataset moved to /data/v3"),
    ("our landlord is Mr Brown", "the landlord changed to Ms Green"),
    ("Sam's number is 4711", "Sam's number changed to 4712"),
    ("the main branch is master", "the main branch is now main"),
    ("our default language is english", "the default language is german now"),
    ("the demo is on 3 May", "the demo got pushed to 10 May"),
    ("the demo is due on friday", "the demo is due monday instead of friday"),
    ("the gym opens at 7", "the gym opens at 6 now"),
    ("Mila is vegetarian", "Mila isn't vegetarian anymore"),
    ("alerts go to #ops", "alerts go to #sre now instead of #ops"),
    ("keys are stored in s3", "keys are stored in postgres now"),
    ("keys go in redis", "keys go in postgres now"),
    ("retention is 30 days", "retention went down to 14 days"),
    ("the meeting room is B12", "the meeting room is C3 now"),
    ("the project is called orrery", "we renamed the project to atlas"),
    ("the club is in Leeds", "the club moved to York"),
    ("billing depends on redis", "billing no longer depends on redis"),
    ("the wifi is on channel 6", "the wifi moved to channel 11"),
    ("nightly runs on the old box", "nightly runs on the hetzner box now"),
    ("Tom works at Acme", "Tom works at Globex now"),
    ("Tom works at Acme", "Tom no longer works at Acme"),
    ("Tom is married to Eve", "Tom is no longer married to Eve"),
    ("max upload is 20 MB", "max upload is 50 MB now"),
    ("shop has 180k products", "shop has 200k products now"),
    ("parking is 3 euros", "parking is 5 euros now, was 3 euros"),
    ("our CI is Jenkins", "our CI is GitHub Actions now"),
    ("ci runs on jenkins", "ci moved to github actions"),
    ("prod runs on ubuntu 22.04", "we moved prod to debian 12"),
    ("we deploy billing to heroku", "we deploy billing to fly now"),
    ("billing is hosted at hetzner", "billing is hosted by aws now"),
    ("php is 8.1", "bumped php to 8.3"),
    ("the living room is set to 21 degrees", "living room is set to 20 degrees now"),
    ("the timeout is 30 seconds", "timeout is back at 20 seconds"),
    ("we use mailchimp", "moved off mailchimp to buttondown"),
    ("the standup is at 9:30", "standup is gone"),
    ("we use Trello", "Trello is gone, we use Plane"),
    ("we use Flake8", "Flake8 was replaced by Ruff"),
    ("we are on Django 4.2", "upgraded to Django 5.1"),
    ("our vet is Dr Hale", "new vet: Dr Moss"),
    ("rehearsal is at 19:00", "rehearsal at 19:30 from tomorrow"),
    ("the regatta is on 3 May", "they called the regatta off"),
    ("the pool size is 20", "pool size back to 10"),
    ("the freeze ends on 2 june", "the freeze ends on 9 june now"),
]
"""What holds, and in other words and walks of life what comes after it."""


COMPLETED = [
    (
        "training is on Wednesdays at 18:30",
        "training is at 19:00 now",
        "training [scheduled] Wednesday 19:00",
    ),
    (
        "rehearsal is at 19:00",
        "rehearsal moved to Thursdays",
        "rehearsal [scheduled] Thursday 19:00",
    ),
    (
        "swimming is on Mondays at 17:00",
        "swimming moved to Thursdays",
        "swimming [scheduled] Thursday",
    ),
    (
        "the offsite budget is 8000 euros",
        "finance cut the offsite budget to 6500",
        "offsite [budget] 6500 EUR",
    ),
    (
        "pocket money is 5 euros a week",
        "we raised the pocket money to 7 euros a week",
        "pocket_money [is] 7 EUR/week",
    ),
    (
        "the app is written in Angular",
        "we rewrote the app in Svelte",
        "app [tech] svelte",
    ),
    (
        "the clinic is on Station Road",
        "the clinic moved to 12 Park Lane",
        "clinic [geography] 12_park_lane",
    ),
    (
        "tickets cost 12 euros",
        "tickets are up to 15 euros now",
        "tickets [costs] 15 EUR",
    ),
    ("the mugs cost 220", "mugs went up to 240", "mugs [costs] 240"),
    (
        "the abstracts are due on 1 May",
        "they extended the abstracts until 15 May",
        "abstracts [due] 15 May",
    ),
    (
        "the treasurer of the club is Pauline",
        "Pauline has passed the treasurer job on to Derek",
        "club [treasurer] derek",
    ),
    (
        "the payments service is owned by Sasha",
        "Carol took the payments service over from Sasha",
        "payments_service [owned-by] carol",
    ),
    (
        "feature flags are in LaunchDarkly",
        "we dropped LaunchDarkly for Unleash",
        "feature_flags [geography] unleash",
    ),
]
"""Statements, changes that leave out a part of them, and what is held then."""


async def prompt(memory, text, who, session, project=""):
    """A person types something, and what comes of it is written."""
    turn = Turn(Role.USER, text, digest=digest_of(text))
    recollect_prompt(
        memory,
        [turn],
        principal=who,
        where=PromptOrigin(session=session, project=project),
    )
    await settled(memory)
    await asyncio.sleep(0)
    await memory.settle()


@pytest.mark.parametrize("said", SAID)
async def test_change_replaces_or_is_queued(memory, said):
    """The old fact is replaced, or the new one waits for a decision; nothing is lost."""
    await prompt(memory, "billing runs on podman", "alice", "tuesday")
    world = memory.world
    number = world.id("billing")
    (edge,) = world.facts(number)
    assert world.token(edge.parent_id) == "podman"

    await prompt(memory, said, "bob", "thursday")

    held = {world.token(it.parent_id) for it in world.facts(number)}
    async with memory.store.reading(memory.tenant) as reads:
        waiting = await reads.conflicts(states=[ConflictState.PENDING], limit=9)
    assert "podman" not in held or waiting


@pytest.mark.parametrize(("first", "then"), PAIRS)
async def test_change_is_heard_in_many_walks_of_life(memory, first, then):
    """The first sentence's statement is held no more, or something waits against it."""
    await prompt(memory, first, "alice", "tuesday")
    before = _held(memory)
    assert before

    await prompt(memory, then, "bob", "thursday")

    async with memory.store.reading(memory.tenant) as reads:
        waiting = await reads.conflicts(states=[ConflictState.PENDING], limit=9)
    assert not before & _held(memory) or waiting


@pytest.mark.parametrize(("first", "then", "held"), COMPLETED)
async def test_change_leaves_the_rest_of_a_fact_as_it_was(memory, first, then, held):
    """People say only what is new: the day, the unit and the property are those of before."""
    await prompt(memory, first, "alice", "tuesday")
    await prompt(memory, then, "bob", "thursday")

    facts = [memory.world.name(it) for it in memory.world.graph if it.assertion_id]
    assert [f"{it.concept} [{it.dimension}] {it.parent}" for it in facts] == [held]


APART = [
    # Two use it, and nobody says which of them is meant.
    (
        ["feature flags are in Redis", "the sessions are in Redis"],
        "we dropped Redis for Valkey",
    ),
    # The deadline of another thing.
    (["the paper is due on friday"], "the demo moved from friday to monday"),
    # Two amounts with the same unit.
    (
        ["the hall costs 200 euros", "the hall's deposit is 50 euros"],
        "the hall is up to 250 euros",
    ),
]


@pytest.mark.parametrize(("held", "then"), APART)
async def test_change_that_may_mean_several_facts_ends_none(memory, held, then):
    """A value is replaced only where nothing else can be meant."""
    for text in held:
        await prompt(memory, text, "alice", "tuesday")
    before = _held(memory)

    await prompt(memory, then, "bob", "thursday")

    assert before <= _held(memory)


def _held(memory):
    """Return the held facts, by their rows of the ledger."""
    return {edge.assertion_id for edge in memory.world.graph if edge.assertion_id}


@pytest.mark.parametrize("name", ["billing", "billing-api", "gnommoweb"])
async def test_change_is_heard_in_its_project(memory, name):
    """A common noun is one of its project, a name is one everywhere; neither is two."""
    await prompt(memory, f"{name} runs on podman", "alice", "tuesday", "shop")
    await prompt(memory, f"{name} is a service", "alice", "tuesday", "shop")
    before = _held(memory)

    await prompt(memory, f"{name} moved to kubernetes", "bob", "thursday", "shop")

    world = memory.world
    said = {
        world.token(edge.parent_id)
        for edge in world.graph
        if edge.assertion_id and world.token(edge.dim_id) == "runs-on"
    }
    assert before
    assert said == {"kubernetes"}


async def test_common_noun_of_another_project_is_left_alone(memory):
    """Two projects with a nightly each contradict each other in nothing."""
    await prompt(memory, "the indexer runs on podman", "alice", "tuesday", "shop")
    await prompt(memory, "the indexer runs on kubernetes", "bob", "tuesday", "lab")

    world = memory.world
    said = {
        (world.token(edge.concept_id), world.token(edge.parent_id))
        for edge in world.graph
        if edge.assertion_id
    }
    assert said == {("shop/indexer", "podman"), ("lab/indexer", "kubernetes")}
    async with memory.store.reading(memory.tenant) as reads:
        assert not await reads.conflicts(states=[ConflictState.PENDING], limit=9)


SHORTENED = [
    ("the group meeting is on Tuesday", "the meeting is on Wednesday from now on"),
    (
        "the staging database runs on postgres 14",
        "the database runs on postgres 16 now",
    ),
    ("the catalog indexer runs on podman", "the indexer runs on kubernetes now"),
    ("the spring concert is on 3 May", "the concert has been moved to 10 May"),
    ("the landlord of the surgery is Mr Gill", "the new landlord is Aire Homes"),
    ("the grant report is due on 25 May", "the deadline has been extended to 4 June"),
    ("the deadline of the grant report is 25 May", "the deadline moved to 4 June"),
    ("the hall costs 40 euros", "the price went up to 45 euros"),
]
"""What is called by its full name, and then by the last word of it."""


@pytest.mark.parametrize(("first", "then"), SHORTENED)
async def test_change_of_what_is_called_by_its_last_word_waits(memory, first, then):
    """A person decides whether "the meeting" that moved is the group meeting."""
    await prompt(memory, first, "alice", "tuesday", "shop")
    before = _held(memory)

    await prompt(memory, then, "bob", "thursday", "shop")

    async with memory.store.reading(memory.tenant) as reads:
        waiting = await reads.conflicts(states=[ConflictState.PENDING], limit=9)
    assert len(waiting) == 1
    assert _held(memory) == before


@pytest.mark.parametrize(
    ("first", "then", "held"),
    [
        (
            "default timeout is 300 ms",
            "the timeout default is 500 ms now",
            "default_timeout [is] 500 ms",
        ),
        (
            "lessons are wednesdays at 18:30",
            "Mrs Lund moved my lesson to thursdays",
            "lessons [scheduled] Thursday",
        ),
        (
            "the landlord of the surgery is Mr Gill",
            "Mr Gill sold the house, the new landlord is Aire Homes",
            "surgery [landlord] aire_homes",
        ),
    ],
)
async def test_change_of_what_has_the_same_words_is_of_it(memory, first, then, held):
    """
    Another order, a plural or "my" makes no other thing of it, and neither does a missing
    owner if the old value is named beside the new one.
    """
    await prompt(memory, first, "alice", "tuesday")
    await prompt(memory, then, "alice", "thursday")

    facts = [memory.world.name(it) for it in memory.world.graph if it.assertion_id]
    assert [f"{it.concept} [{it.dimension}] {it.parent}" for it in facts] == [held]


async def test_my_lesson_is_none_of_those_of_others(memory):
    """The lessons of which somebody else spoke go on as they are."""
    await prompt(memory, "lessons are wednesdays at 18:30", "alice", "tuesday")
    before = _held(memory)

    await prompt(memory, "Mrs Lund moved my lesson to thursdays", "bob", "thursday")

    assert before
    assert before < _held(memory)


async def test_change_that_names_the_old_value_is_of_what_has_it(memory):
    """
    "The indexer moved from podman" means the one of which podman is held.
    """
    await prompt(memory, "the catalog indexer runs on podman", "alice", "tue", "shop")
    await prompt(
        memory, "the indexer moved from podman to kubernetes", "bob", "thu", "shop"
    )

    world = memory.world
    said = {
        (world.token(edge.concept_id), world.token(edge.parent_id))
        for edge in world.graph
        if edge.assertion_id
    }
    assert said == {("catalog_indexer", "kubernetes")}


@pytest.mark.parametrize(
    ("others", "then"),
    [
        (["the search indexer runs on nomad"], "the indexer runs on kubernetes now"),
        ([], "my indexer runs on kubernetes now"),
        ([], "the indexer runs on kubernetes"),
        (["the indexer runs on nomad"], "the indexer runs on kubernetes now"),
    ],
    ids=["two can be meant", "of a person", "no change", "has a fact of its own"],
)
async def test_last_word_means_nothing_else_where_that_is_open(memory, others, then):
    """A name's last word is not taken for it if there are two, or somebody has their own."""
    await prompt(memory, "the catalog indexer runs on podman", "alice", "tue", "shop")
    for each in others:
        await prompt(memory, each, "alice", "tue", "shop")

    await prompt(memory, then, "bob", "thu", "shop")

    catalog = memory.world.id("catalog_indexer")
    (edge,) = memory.world.facts(catalog)
    assert memory.world.token(edge.parent_id) == "podman"
    assert catalog not in memory.world.conflicts.doubts
