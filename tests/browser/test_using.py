"""People's actions in the console, done in a real browser."""

from __future__ import annotations

import asyncio

from tests.console.test_escaping import PAGES, PAYLOADS, plant

DECIDED = {"decision": "update", "reasoning": "it was rebuilt"}
DISMISSED = {"decision": "dismiss", "reasoning": "a typing error"}
TWINKLE = "() => getComputedStyle(document.body).backgroundColor"


async def parent(house, token):
    """Return the first thing that a concept is placed in."""
    return (await house.client.concept(token)).edges[0].parent


async def test_deciding_and_undoing_by_keyboard(house, windows):
    """j to the item, a to accept it, u to take it back: no mouse is needed."""
    await house.contradict("gnommoweb", "wiki")
    window = await windows.open("/inbox")
    page = window.page

    await window.presses("j")
    await page.locator("article#conflict-2").wait_for()
    await window.presses("a")
    await page.get_by_text("Last: accept conflict-2").wait_for()
    decided = await parent(house, "wiki")
    await window.presses("u")
    await page.locator("article#conflict-2").wait_for()

    assert decided == "container"
    assert await parent(house, "wiki") == "repo"
    assert await parent(house, "gnommoweb") == "repo"
    assert window.complaints == []


async def test_decomposing_by_keyboard(house, windows):
    """m asks for the two dimensions; Enter there moves both and does nothing else."""
    await house.contradict("gnommoweb")
    window = await windows.open("/inbox")

    await window.presses("m")
    await window.page.keyboard.type("deployment")
    await window.presses("Tab")
    await window.page.keyboard.type("code_host")
    await window.presses("Enter")
    await window.page.get_by_text("Last: accept conflict-1").wait_for()

    edges = (await house.client.concept("gnommoweb")).edges
    assert {it.dimension: it.parent for it in edges} == {
        "code_host": "repo",
        "deployment": "container",
    }
    assert window.complaints == []


async def test_enter_in_a_reason_decides_nothing(house, windows):
    """Of several buttons none is meant until it is pressed."""
    await house.contradict("gnommoweb")
    window = await windows.open("/conflicts/1")

    await window.page.get_by_text("Say why").click()
    await window.page.locator("#why-conflict-1").fill("because")
    await window.presses("Enter")
    await window.page.reload()

    assert (await house.client.conflict(1)).HasField("resolution") is False


async def test_run_is_watched(house, windows, pool, model):
    """The button starts a run, and what it settles appears as it happens."""
    await pool.execute("update config set value = '1' where key = 'resolve_model_id'")
    await house.contradict("gnommoweb", "wiki")
    begun, go_on, says = asyncio.Event(), asyncio.Event(), model.ask

    async def slowly(*args, **values):
        if len(model.asked) == 1:
            begun.set()
            await go_on.wait()
        return await says(*args, **values)

    model.ask = slowly
    model.says(DECIDED, DISMISSED)
    window = await windows.open()

    await window.page.get_by_role("button", name="Run resolution now").click()
    await begun.wait()
    settled = window.page.locator("#settled li")
    await settled.first.wait_for()
    halfway = await settled.count()
    run = await window.text("#run")
    go_on.set()
    await window.page.locator("#run .tag", has_text="done").wait_for()

    assert halfway == 1
    assert "running" in run
    assert "1 of 2 looked at" in run
    assert await settled.count() == 2
    assert "1 resolved · 1 dismissed" in await window.text("#run")
    assert window.complaints == []


async def test_searching_by_keyboard(house, windows):
    """/ goes to the search, Enter searches, j and Enter open the concept."""
    for name in ("gnommoweb", "glitch_university"):
        await house.client.states(f"{name} -isa thing")
    window = await windows.open("/concepts")
    page = window.page

    await window.presses("/")
    await page.keyboard.type("glitch")
    await window.presses("Enter")
    await page.wait_for_url("**/concepts?q=glitch")
    await window.presses("j", "Enter")
    await page.wait_for_url("**/concepts/glitch_university")

    assert await window.text("h1") == "glitch_university"
    assert await page.locator("svg.picture a").count() == 1
    assert window.complaints == []


async def test_recollections_appear(house, windows):
    """A prompt's recollection stands on the page a moment later, with the reasons."""
    await house.client.states("gnommoweb -isa repo")
    window = await windows.open("/live")
    await window.page.get_by_text("Watching").wait_for()

    await house.prompt("Deploy gnommoweb.", who="bob")
    await window.page.locator("#accounts li.account").first.wait_for()

    text = await window.text("#accounts")
    assert "bob" in text
    assert "gnommoweb: [type] repo" in text
    assert "novelty 1.0" in text
    assert window.complaints == []


async def test_help_and_places(house, windows):
    """? lists the keys, Escape closes the list, g and a letter lead to a page."""
    window = await windows.open()

    await window.presses("?")
    shown = await window.page.locator("#help").is_visible()
    await window.presses("Escape", "g", "s")
    await window.page.wait_for_url("**/admin/settings")

    assert shown
    assert window.complaints == []


async def test_settings_are_changed(house, windows):
    """A value is written and saved; forgetting a model asks first."""
    window = await windows.open("/settings")
    page = window.page

    await page.locator("#set-hints_per_block").fill("1")
    await window.presses("Enter")
    await page.get_by_text("Done; it is in force.").wait_for()
    asked: list[str] = []
    page.on("dialog", lambda dialog: _dismissed(dialog, asked))
    await page.get_by_role("button", name="Remove").click()

    assert await page.locator("#set-hints_per_block").input_value() == "1"
    assert asked == ["Remove model #1 and its key?"]
    assert await page.get_by_role("button", name="Test").count() == 1


async def _dismissed(dialog, asked):
    asked.append(dialog.message)
    await dialog.dismiss()


async def test_dark_where_the_system_is(house, windows):
    """The page takes the system's light."""
    light = await windows.open(light="light")
    dark = await windows.open(light="dark")

    def brightness(colour):
        return sum(map(int, colour.removeprefix("rgb(").rstrip(")").split(",")))

    assert brightness(await light.page.evaluate(TWINKLE)) > 600
    assert brightness(await dark.page.evaluate(TWINKLE)) < 100


async def test_without_scripts(house, windows):
    """Everything can be read and decided without a script."""
    await house.contradict("gnommoweb")
    window = await windows.open("/inbox", java_script_enabled=False)

    await window.page.get_by_role("button", name="Accept").click()
    nothing = await window.text()
    await window.page.get_by_role("button", name="Undo").click()

    assert "Nothing waits for you." in nothing
    assert "Waiting 1" in await window.text()


async def test_signing_in(client, clock, windows):
    """From elsewhere the token is asked for once; signing out ends it."""
    window = await windows.open(extra_http_headers={"X-Forwarded-For": "203.0.113.9"})
    page = window.page

    await page.locator("#token").fill("wrong")
    await window.presses("Enter")
    await page.get_by_role("alert").wait_for()
    await page.locator("#token").fill("operator")
    await window.presses("Enter")
    await page.get_by_role("heading", name="Overview").wait_for()
    cookies = await page.evaluate("document.cookie")
    await page.get_by_role("button", name="Sign out").click()
    await page.get_by_role("heading", name="Sign in").wait_for()

    assert cookies == ""


async def test_other_sites_cannot_act(house, windows):
    """A form that another site's page sends in this very browser changes nothing."""
    await house.contradict("gnommoweb")
    window = await windows.open()
    here = f"{house.url}/admin/inbox/accept"
    # The same machine under another name is another site.
    there = house.url.replace("127.0.0.1", "localhost")
    await window.page.route(
        f"{there}/evil",
        lambda route: route.fulfill(
            content_type="text/html",
            body=f'<form method="post" action="{here}"><input name="item" '
            'value="conflict-1"><button>win</button></form>',
        ),
    )

    await window.page.goto(f"{there}/evil")
    async with window.page.expect_navigation() as navigation:
        await window.page.get_by_role("button").click()

    assert (await navigation.value).status == 403
    assert await parent(house, "gnommoweb") == "repo"


async def test_payloads_are_inert(house, windows, pool, model):
    """Whatever was said anywhere, no page runs it, asks for it, or breaks."""
    await plant(house, pool, model, " ".join(PAYLOADS))
    window = await windows.open("/live")
    dialogs: list[str] = []
    window.page.on("dialog", lambda dialog: _dismissed(dialog, dialogs))

    for path in PAGES:
        await window.open(path)
        strange = await window.page.locator("main :is(img, script, iframe)").count()
        assert strange == 0

    assert dialogs == []
    assert window.complaints == []
