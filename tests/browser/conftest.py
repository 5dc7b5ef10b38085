"""These tests run if they are named, as `make test-browser` does.

They need a Playwright, which is not installed with everything else, and a Chromium.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from tests.apart import ROOT, ignore_unless_named, tell_if_left_out
from tests.console.house import House, opened
from tests.memories import Clock
from tests.serving import Client

try:
    from playwright.async_api import Browser, BrowserContext, Page, async_playwright
except ImportError:
    HAS_PLAYWRIGHT = False
else:
    HAS_PLAYWRIGHT = True

HERE = Path(__file__).parent
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first shows pages as the others do, at half the cost: it has no windows of its own."""
WIDE = {"width": 1280, "height": 800}
NARROW = {"width": 390, "height": 844}
LOOKS = pytest.mark.parametrize(
    # What is dark has other colours only, and what is narrow another layout only.
    ("size", "light"),
    [(WIDE, "light"), (NARROW, "dark")],
    ids=["wide", "narrow"],
)
PICTURES = ROOT / "build" / "browser"


pytest_ignore_collect = ignore_unless_named(HERE)
pytest_terminal_summary = tell_if_left_out(HERE, "Console not shown: make test-browser")


def chromium() -> str:
    """The system's Chromium; without it, or without Playwright, nothing can be shown."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    why = ""
    if not HAS_PLAYWRIGHT:
        why = "there is no Playwright: make test-browser"
    elif found is None:
        why = f"there is no browser ({', '.join(NAMES)}): apt install chromium"
    if why and os.environ.get("FESTINGER_REQUIRE_BROWSER"):
        pytest.fail(why)
    if why:
        pytest.skip(why)
    assert found is not None
    return found


@dataclass
class Window:
    """
    A window of a browser, and what it complained about.

    Attributes:
        page: Playwright's.
        light: What its pages are shown in, "light" or "dark".
        complaints: What its console called an error or a warning, what scripts threw,
            and what the content security policy refused.
    """

    house: House
    page: Page
    light: str
    complaints: list[str] = field(default_factory=list)

    async def open(self, path: str) -> None:
        """Go to a page of the console."""
        await self.page.goto(f"{self.house.url}/admin{path}")

    async def too_wide(self, pages: Mapping[str, str]) -> list[str]:
        """
        The names of those pages that are wider than the window. With FESTINGER_PICTURES
        pictures of all of them are left, which takes as long as all else.
        """
        wide, size = [], self.page.viewport_size
        assert size
        for name, path in pages.items():
            await self.open(path)
            if os.environ.get("FESTINGER_PICTURES"):
                file = PICTURES / f"{name}-{self.light}-{size['width']}.png"
                await self.page.screenshot(path=file, full_page=True)
            needs: int = await self.page.evaluate(
                "document.documentElement.scrollWidth"
            )
            wide += [name] if needs > size["width"] else []
        return wide

    async def presses(self, *keys: str) -> None:
        """Type keys, one after the other."""
        for key in keys:
            await self.page.keyboard.press(key)

    async def text(self, selector: str = "main") -> str:
        """Return the visible text."""
        text: str = await self.page.locator(selector).first.inner_text()
        return text


class Windows:
    """Opens windows on a console."""

    def __init__(self, house: House, browser: Browser) -> None:
        self._house = house
        self._browser = browser
        self._contexts: list[BrowserContext] = []

    async def open(
        self, path: str = "", *, size: Any = WIDE, light: str = "light", **options: Any
    ) -> Window:
        """Return a window that shows a page."""
        context = await self._browser.new_context(
            viewport=size,
            color_scheme="dark" if light == "dark" else "light",
            reduced_motion="reduce",
            **options,
        )
        self._contexts.append(context)
        window = Window(self._house, await context.new_page(), light)
        page = window.page
        page.on("console", lambda said: _note(window, said))
        page.on("pageerror", lambda error: window.complaints.append(str(error)))
        await page.goto(f"{self._house.url}/admin{path}")
        return window

    async def close(self) -> None:
        """Close all windows."""
        for context in self._contexts:
            await context.close()


def _note(window: Window, said: Any) -> None:
    if said.type in {"error", "warning"}:
        window.complaints.append(f"{said.type}: {said.text}")


@pytest.fixture
async def house(client: Client, clock: Clock) -> AsyncIterator[House]:
    """A console that its operator looks at from the machine itself."""
    async with opened(client, now=clock) as house:
        yield house


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser(pytestconfig: pytest.Config) -> AsyncIterator[Browser]:
    """A real browser for all tests: to start one takes longer than most of them."""
    path = chromium()
    if pytestconfig.getini("asyncio_default_test_loop_scope") != "session":
        pytest.fail("a browser needs one event loop: make test-browser ARGS=…")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--disable-dev-shm-usage"]
        )
        yield browser
        await browser.close()


@pytest.fixture
async def windows(house: House, browser: Browser) -> AsyncIterator[Windows]:
    """Open windows that share nothing with those of other tests."""
    windows = Windows(house, browser)
    yield windows
    await windows.close()
