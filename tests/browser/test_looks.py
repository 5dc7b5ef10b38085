"""The pages' look: texts fit, in both lights and on a small screen."""

from __future__ import annotations

import pytest

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.line_service_pb2 import SayRequest
from festinger.errors import BadAnswer
from tests.browser.conftest import LOOKS
from tests.console.house import doubt
from tests.serving import Client

PAGES = {
    "overview": "",
    "memory": "/memory?q=stock",
    "forget": "/memory/forget?by=nadia",
    "inbox": "/inbox",
    "statement": "/inbox?kind=statement",
    "decided": "/inbox/decisions",
    "settled": "/conflicts",
    "conflict": "/conflicts/1",
    "candidate": "/curation/1",
    "metrics": "/metrics",
    "concepts": "/concepts",
    "concept": "/concepts/gnommoweb",
    "live": "/live",
    "predicates": "/predicates",
    "settings": "/settings",
}
CHECKED = {
    **{
        name: PAGES[name]
        for name in (
            *("overview", "inbox", "statement", "decided", "memory", "forget"),
            *("concept", "conflict", "candidate", "metrics"),
        )
    },
    # A few of its rows, which are alike: all of them take a minute.
    "predicates": "/predicates?q=work",
}
DECOMPOSE = {
    "decision": "decompose",
    "existing_dimension": "machine",
    "new_dimension": "layer",
    "reasoning": "what it is built of, and what it does",
}
SAID = (
    ("nadia", "The staging cluster runs in Falkenstein, and Priya signs off deploys."),
    ("nadia", "Kassel delivers the stock file at 05:40 every morning."),
    ("theo", "Invoices are archived for eleven years in the vault bucket."),
    (
        "theo",
        "The stock importer starts ten minutes after the file from Kassel is there.",
    ),
    ("nadia", "We rotate the on-call pager every Tuesday at ten."),
    ("nadia", "Never force-push to the main branch of the stock importer."),
    ("theo", "The stock file must not be opened by hand, the importer locks it."),
)
SHIM = Client.as_("shim", principal="alice", subject="alice")


@pytest.fixture
async def full(house, pool, model, clock):
    """A memory in which something happened."""
    client = house.client
    await pool.execute("update config set value = '1' where key = 'resolve_model_id'")
    for fact in (
        "gnommoweb -isa repo",
        "gnommoweb -ispart ramanujan in context of geography",
        "gnommoweb -ispart platform_team in context of owned-by",
        "gnommoweb -ispart docker in context of runs-on",
        "festinger -isa memory_server",
        "docs -ispart gnommoweb",
        "scheduler -ispart gnommoweb",
        "build_pipeline -ispart gnommoweb in context of deployment",
        "glitch_university -isa organisation",
        "thesis_tracker -isa service",
        "thesis_tracker -ispart glitch_university",
        "billing -isa service",
    ):
        clock.now += 3600
        await client.states(fact, *SHIM)
    for who, text in SAID:
        clock.now += 1800
        await client.lines.Say(
            SayRequest(text=text, project="shop"),
            metadata=Client.as_("shim", principal=who, subject=who),
        )
    for who, text in (
        ("alice", "ramanujan is a server in the north wing."),
        ("dave", "wiki is a documentation for newcomers."),
        ("carol", "gnommoweb is a container deployed on Docker."),
        ("bob", "ramanujan is a hypervisor in the basement."),
        ("dave", "wiki is a handbook for everybody."),
    ):
        clock.now += 5400
        await client.says(text, who=Client.as_("shim", principal=who))
    await client.states("thesis_tracker -isa app", *SHIM)
    await client.states("billing -isa cronjob", *Client.as_("guest"))
    for name, decision in (
        ("thesis_tracker", Conflict.DECISION_UPDATE),
        ("billing", Conflict.DECISION_DISMISS),
    ):
        await client.memory.Resolve(
            pb.ResolveRequest(
                conflict_id=(await client.concept(name)).conflict_ids[0],
                decision=decision,
                reasoning="It was rebuilt in spring; the owners say so.",
            ),
            metadata=Client.as_("operator"),
        )
    await doubt(client, "mailer is a daemon", "Michigan is a state of USA")
    failure = BadAnswer("the answer names no dimension")
    model.says(DECOMPOSE, failure, failure)
    await house.send("/admin/run")
    await house.prompt("Please deploy gnommoweb on ramanujan.", "8c74e6cd", "alice")
    await house.prompt("heron is a scheduler. Is billing fine?", "b1207fa0", "bob")
    clock.now += 240
    return house


@LOOKS
async def test_pages_fit(full, windows, size, light):
    """No page is wider than its window, and none makes the browser complain."""
    window = await windows.open(size=size, light=light)

    wide = await window.too_wide(PAGES)

    assert wide == []
    assert window.complaints == []


@LOOKS
async def test_pages_can_be_used_with_any_sense(full, windows, size, light):
    """The checks of axe-core find nothing wrong, with everything unfolded."""
    from axe_core_python.async_playwright import Axe  # type: ignore[import-not-found]

    window = await windows.open(size=size, light=light)
    wrong = []
    for page, path in CHECKED.items():
        await window.open(path)
        await window.page.evaluate(
            "document.querySelectorAll('details').forEach(it => it.open = true)"
        )
        found = await Axe().run(window.page)
        wrong += [
            (page, it["id"], [node["html"] for node in it["nodes"]])
            for it in found["violations"]
        ]

    assert wrong == []


async def test_memory_is_used_by_keys_alone(full, windows):
    """From the search to a line, to what it came from, and to its form."""
    window = await windows.open("/memory")
    keys = window.page.keyboard
    await keys.press("/")
    await keys.type("vault")
    await keys.press("Enter")
    await window.page.wait_for_url("**q=vault**")

    for _ in range(60):
        await keys.press("Tab")
        if await window.page.evaluate("document.activeElement.tagName") == "SUMMARY":
            text = await window.page.evaluate("document.activeElement.textContent")
            if text.startswith("Where it comes from"):
                break
    await keys.press("Enter")
    await keys.press("Tab")

    assert await window.page.evaluate("document.activeElement.name") == "text"


async def test_predicates_are_changed_by_keys_alone(full, windows):
    """From the search to a predicate, and to its form: it has one value, then many."""
    window = await windows.open("/live")
    keys, page = window.page.keyboard, window.page
    await keys.type("gp")
    await page.wait_for_url("**/predicates**")
    await keys.press("/")
    await keys.type("hosted on")
    await keys.press("Enter")
    await page.wait_for_url("**q=hosted**")

    await keys.press("j")
    for _ in range(60):
        await keys.press("Tab")
        focused = await page.evaluate("document.activeElement.textContent.trim()")
        name = await page.evaluate("document.activeElement.name || ''")
        if focused == "Change it":
            await keys.press("Enter")
        elif name == "cardinality":
            await keys.type("multi")
        elif focused == "Write":
            break
    await keys.press("Enter")
    await page.wait_for_url("**done=**")

    item = await page.text_content("[data-item]")
    assert item is not None
    assert "multi" in item.split("Change it")[0]
    assert window.complaints == []
