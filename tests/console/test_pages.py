from __future__ import annotations

import pytest

PAGES = (
    "",
    "/memory",
    "/inbox",
    "/inbox?view=deferred",
    "/inbox/decisions",
    "/review/records",
    "/review/history",
    "/review/new",
    "/conflicts",
    "/curation/decided",
    "/metrics",
    "/predicates",
    "/metrics?hours=720",
    "/trail",
    "/concepts",
    "/state",
    "/live",
    "/settings",
)


@pytest.mark.parametrize("page", PAGES)
async def test_every_page_of_an_empty_memory(house, page):
    """There is something to see before anything was stated."""
    text = await house.see(f"/admin{page}")

    assert "<h1" in text


@pytest.mark.parametrize(
    "query",
    [
        "/inbox?at=99999999999999999999&view=odd&kind=%00&project=%FF",
        "/inbox?at=conflict-1&page=x&rule=%22",
        "/inbox?days=99999999999999999999&said=%00&type=%FF&mark=odd",
        "/inbox?edits=x&answered=99999999999999999999",
        "/metrics?hours=99999999999999999999",
        "/conflicts?concept=%00",
        "/live/events?after=x",
        "/curation/decided?page=x",
        "/review/records?q=%00&status=odd&page=x",
        "/state?project=%00",
        "/predicates?q=%00&done=%FF",
    ],
)
async def test_odd_addresses_do_no_harm(house, query):
    """A text that cannot be a number is none, and nothing fails of it."""
    async with house.http.get(f"{house.url}/admin{query}") as answer:
        assert answer.status in {200, 400}


@pytest.mark.parametrize("page", ["/review", "/curation"])
async def test_address_of_a_former_list_names_the_inbox(house, page):
    """Whoever has a bookmark reads where its items are now."""
    async with house.http.get(f"{house.url}/admin{page}") as answer:
        text = await answer.text()

    assert answer.status == 404
    assert "what waits is in /admin/inbox" in text
