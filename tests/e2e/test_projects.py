from __future__ import annotations

import json
from io import BytesIO
from typing import Any
from urllib.parse import quote

import pytest

from tests.e2e.conftest import BLOCK, Festinger

LINES = (
    "The stock file from Kassel arrives at 05:40 every morning.",
    "Invoices are archived for eleven years in the vault bucket.",
    "We rotate the on-call pager every Tuesday at ten.",
)


async def send(
    festinger: Festinger, path: str, text: str, **headers: str
) -> tuple[int, Any]:
    """Send a prompt; the status, and what the model was given or what was wrong."""
    body = {"model": "llama3", "messages": [{"role": "user", "content": text}]}
    async with festinger.http.post(
        festinger.url + path, json=body, headers=headers
    ) as response:
        answer = await response.read()
        if response.status != 200:
            return response.status, json.loads(answer)
    return 200, json.loads(festinger.ollama.prompts[-1].body)


def told(given: Any) -> str:
    """Return the blocks of a prompt."""
    return "\n".join(
        BLOCK.findall("\n".join(it["content"] for it in given["messages"]))
    )


@pytest.mark.parametrize(
    ("name", "project"),
    [("nan", "shop"), ("Nadège", "boutique d'été"), ("ольга", "склад"), ("花子", "店")],
)
async def test_names_may_be_in_any_script(
    festinger: Festinger, name: str, project: str
) -> None:
    """Percent-encoded in the address, on any route; what was said there carries them."""
    path = f"/as/{quote(name)}/in/{quote(project, safe='')}"
    for number, text in enumerate(LINES, 1):
        await send(festinger, f"{path}/api/chat", text)
        await festinger.until_kept(number)

    async with festinger.http.get(f"{festinger.url}{path}/facts?q=Kassel") as answer:
        (line,) = (await answer.json())["facts"]
    async with festinger.http.get(f"{festinger.url}{path}/api/tags") as answer:
        assert answer.status == 200

    assert (line["by"], line["project"], line["quote"]) == (name, project, LINES[0])


async def test_header_names_the_project(festinger: Festinger) -> None:
    """As the address does; case makes no difference."""
    for number, text in enumerate(LINES, 1):
        await send(
            festinger, "/as/nan/api/chat", text, **{"X-Festinger-Project": "Shop"}
        )
        await festinger.until_kept(number)

    _, given = await send(
        festinger,
        "/as/theo/in/SHOP/api/chat",
        "When does the stock file from Kassel arrive in the morning?",
    )

    assert "05:40" in told(given)
    assert "(Shop)" not in told(given)


@pytest.mark.parametrize(
    "project", ["x" * 10_000, "a/b", "a%2Fb", "%00", "%E2%80%AE", " ", "a%0Ab", "%FF"]
)
async def test_project_that_is_no_name_is_refused(
    festinger: Festinger, project: str
) -> None:
    """With a sentence, and nothing is sent to the model."""
    if "/" in project:
        status, answer = await send(
            festinger, "/as/nan/api/chat", "hi", **{"X-Festinger-Project": project}
        )
    else:
        status, answer = await send(
            festinger, f"/as/nan/in/{project.replace(' ', '%20')}/api/chat", "hi"
        )

    assert 400 <= status < 500
    assert isinstance(answer["error"], str)
    assert not festinger.ollama.prompts


async def test_two_projects_keep_their_indexers_apart(festinger: Festinger) -> None:
    """A statement of one project's indexer is never told as the other's."""
    shop, wiki = "/as/nan/in/shop/api/chat", "/as/theo/in/wiki/api/chat"
    for path in (shop, wiki):
        for text in LINES:
            await send(festinger, path, f"{text} So it is.")
    await send(
        festinger, shop, "The indexer starts at 03:15 each night on host brimir."
    )
    await send(festinger, wiki, "The indexer starts at 22:45 each night on host gimle.")
    await festinger.until_kept(8)

    question = "When does our indexer start each night, and on which host?"
    _, of_shop = await send(festinger, "/as/eve/in/shop/api/chat", question)
    _, of_wiki = await send(festinger, "/as/eve/in/wiki/api/chat", question)

    assert "03:15" in told(of_shop)
    assert "22:45" in told(of_wiki)
    for line in told(of_shop).splitlines():
        assert "22:45" not in line or "(wiki)" in line
    for line in told(of_wiki).splitlines():
        assert "03:15" not in line or "(shop)" in line


@pytest.mark.parametrize(
    "text",
    [
        "the of and to in it",
        "```python\nfor x in range(3):\n    print(x)\n```",
        "🎉🎉🎉 🚀",
        "متى يصل ملف المخزون من كاسل؟",
        "ファイルはいつ届きますか",
        "nul \0 nul",
        "half \ud800 pair",
        "stock " * 180_000,
        "",
    ],
    ids=["stop", "code", "emoji", "rtl", "cjk", "nul", "surrogate", "long", "empty"],
)
async def test_odd_prompts_pass(festinger: Festinger, text: str) -> None:
    """Nothing that people type makes a prompt fail, or changes it where nothing is told."""
    for number, line in enumerate(LINES, 1):
        await festinger.chat(line, "nan")
        await festinger.until_kept(number)
    body = {"model": "llama3", "messages": [{"role": "user", "content": text}]}
    raw = json.dumps(body).encode()

    async with festinger.http.post(
        f"{festinger.url}/as/theo/api/chat",
        data=BytesIO(raw),
        headers={"Content-Type": "application/json"},
    ) as response:
        assert response.status == 200

    given = festinger.ollama.prompts[-1].body
    assert (
        given == raw or "<recollection>" in json.loads(given)["messages"][0]["content"]
    )


@pytest.mark.parametrize("other", ["NADÈGE", "nade\u0300ge"], ids=["case", "nfd"])
async def test_name_is_one_in_any_case(festinger: Festinger, other: str) -> None:
    """
    Nadège and NADÈGE are one person: what she says twice is kept once, and she may have
    it forgotten.
    """
    for name, project, status in (("Nadège", "Café", 201), (other, "CAFÉ", 200)):
        path = f"{festinger.url}/as/{quote(name)}/in/{quote(project)}/facts"
        async with festinger.http.post(path, json={"text": LINES[0]}) as answer:
            assert answer.status == status
    async with festinger.http.get(f"{path}?by=NAD%C3%88GE&project=caf%C3%A9") as answer:
        (line,) = (await answer.json())["facts"]

    async with festinger.http.delete(path, params={"name": line["name"]}) as answer:
        assert answer.status == 200
    async with festinger.http.get(path) as answer:
        assert (await answer.json())["facts"] == []
