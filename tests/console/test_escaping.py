"""Words of people, prompts and models are text on every page, whatever they look like."""

from __future__ import annotations

import re

import pytest

from festinger.errors import BadAnswer
from tests.console.house import doubt
from tests.serving import Client

PAYLOADS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "<svg/onload=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "</textarea></title><script>alert(1)</script>",
    "javascript:alert(1)",
    "<!--<img src=x onerror=alert(1)>-->",
)
TOGETHER = (
    # A script's address is one only where it begins.
    " ".join(("javascript:alert(1)", *PAYLOADS[:3])),
    " ".join(it for it in PAYLOADS[3:] if not it.startswith("javascript")),
)
"""All of them, in two texts: each is escaped wherever it stands."""
PAGES = (
    "",
    "/memory",
    "/memory?q=gnommoweb",
    "/memory/forget?by=alice",
    "/inbox",
    "/inbox?kind=statement",
    "/inbox/decisions",
    "/conflicts",
    "/conflicts/1",
    "/curation/1",
    "/metrics",
    "/predicates",
    "/concepts",
    "/concepts/gnommoweb",
    "/live",
    "/settings",
)


async def plant(house, pool, model, payload):
    """Say a payload wherever something can be said."""
    await pool.execute("update config set value = '1' where key = 'resolve_model_id'")
    await house.client.says(
        f"gnommoweb is a repo, {payload}", who=Client.as_("shim", principal="alice")
    )
    await house.client.says(
        f"gnommoweb is a container, {payload}", who=Client.as_("shim", principal="bob")
    )
    await house.contradict("wiki", "mailer")
    await pool.execute("update assertions set sentence = $1", payload)
    model.says(BadAnswer(payload), BadAnswer(payload), BadAnswer(payload))
    await house.send("/admin/run")
    await pool.execute(
        "update models set model_name = left($1, 200), last_error = $1", payload
    )
    await pool.execute("update runs set error = $1", payload)
    await pool.execute("update resolution_queue set last_error = $1", payload)
    await house.send("/admin/inbox/reject", item="conflict-1", reasoning=payload)
    await doubt(house.client, "heron is a bird")
    await pool.execute("update candidates set sentence = $1", payload)
    await house.prompt(f"Deploy gnommoweb. {payload}")


def scripts(page):
    """Return the tags and attributes of a page that could do something."""
    tags = re.findall(r"<script(?! src=\"/admin/static/)[^>]*>", page)
    handlers = re.findall(r"<[a-z][^>\"]*(?:\"[^\"]*\"[^>\"]*)*\son[a-z]+=", page)
    links = re.findall(r"(?:href|src|action)=\"(?!/|#)[^\"]*", page)
    return tags + handlers + links + re.findall(r"<img|<svg/", page)


@pytest.mark.parametrize("payload", TOGETHER)
async def test_nothing_said_becomes_markup(house, pool, model, payload):
    """Evidence, reasons, errors, names of models and values are escaped, on every page."""
    await plant(house, pool, model, payload)

    pages = [await house.see(f"/admin{page}") for page in PAGES]
    shown = [page for page in pages if "alert(1)" in page or "7 * 7" in page]

    assert {it for page in pages for it in scripts(page)} == set()
    assert len(shown) >= 4


@pytest.mark.parametrize("payload", TOGETHER)
async def test_nothing_asked_becomes_markup(house, payload):
    """Text from an address or a form comes back as text as well."""
    answers = [
        await house.http.get(f"{house.url}/admin{path}", params={name: payload})
        for path, name in (
            ("/concepts", "q"),
            ("/memory", "q"),
            ("/memory", "by"),
            ("/memory/forget", "phrase"),
            ("/inbox", "rule"),
            ("/inbox", "project"),
            ("/inbox", "at"),
            ("/conflicts", "concept"),
            ("/conflicts", "tenant"),
            ("/conflicts", "page"),
            ("/settings", "done"),
            ("/sign-in", "next"),
        )
    ]
    pages = [await answer.text() for answer in answers]
    pages += [
        (await house.send(path, **fields))[1]
        for path, fields in (
            ("/admin/settings/hints_per_block", {"value": payload}),
            ("/admin/models", {"model_name": payload, "base_url": payload}),
            ("/admin/inbox/accept", {"item": payload}),
        )
    ]
    pages.append((await house.get(f"/admin/{payload}"))[1])

    assert {it for page in pages for it in scripts(page)} == set()
