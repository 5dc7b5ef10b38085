"""Prompts that nobody would write on purpose, through the shim and a real memory."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest

from tests.e2e.conftest import BLOCK, Festinger
from tests.e2e.test_facts import STOCK, say
from tests.shim.conftest import chat

WORDS = "the violin of the old baron weeps for the moon and "

PROMPTS = {
    "empty": "",
    "blank": " \t\r\n\u00a0\u3000",
    "stop-words": "and the of it is to be or not that which",
    "code": "```python\nfor each in range(10):\n    print(each, 'gnommoweb')\n```",
    "shell": "$ ls -la /var/lib\n$ make -j3 test | tee /tmp/out\n",
    "emoji": "😀😀 🧑\u200d💻🏳️\u200d🌈 👍🏽!! 🇩🇪",
    "rtl": "מה שלום השרת החדש? \u202eالخادم يعمل على المنفذ\u202c 8443",  # noqa: RUF001
    "cjk": "サーバーはどこで動いていますか。索引器在哪台主机上运行\uff1f 인덱서는 언제 실행됩니까?",
    "nuls": "\0\0what\0 runs\0where\0?\0",
    "surrogates": "\ud800what\udfff runs \udc00where\ud83d?",
    "controls": "".join(map(chr, range(32))) + "\x7f\x85\u2028\ufeff\uffff",
    "marks": "Z" + "\u0300\u0489" * 2_000 + "algo",
    "one-word": "x" * 2**20,
    "one-sentence": WORDS * (2**20 // len(WORDS)) + "so on.",
    "one-sentence-of-cjk": "索引器每天晚上运行" * (2**20 // 27),
    "dots": "." * 2**20,
    "brackets": "<" * 2**16 + "(" * 2**16 + '"' * 2**16,
}


async def send(festinger: Festinger, raw: bytes) -> tuple[str, bytes]:
    """Send the bytes of a prompt; what became of it, and what the model was given."""
    headers = {"Content-Type": "application/json"}
    url = f"{festinger.url}/as/theo/in/shop/api/chat"
    async with festinger.http.post(url, data=BytesIO(raw), headers=headers) as answer:
        await answer.read()
        assert answer.status == 200
        result = answer.headers["X-Festinger-Recollection"]
    return result, festinger.ollama.prompts[-1].body


def raw_of(body: Any, *, escaped: bool) -> bytes:
    """JSON as some client writes it, spaces and all."""
    text = json.dumps(body, ensure_ascii=escaped, indent=1)
    return text.encode("utf-8", "surrogatepass")


def said(raw: bytes) -> list[tuple[str, str]]:
    """The messages of a prompt without the block."""
    found = [
        (it["role"], BLOCK.sub("", it["content"]).strip())
        for it in json.loads(raw.decode("utf-8", "surrogatepass"))["messages"]
    ]
    return [it for it in found if it[1]]


@pytest.mark.parametrize("escaped", [True, False], ids=["escaped", "utf-8"])
@pytest.mark.parametrize("text", PROMPTS.values(), ids=PROMPTS)
async def test_bad_prompts_are_forwarded_untouched(
    festinger: Festinger, text: str, escaped: bool
) -> None:
    """
    The model is given the very bytes that were sent, or the very messages beside a block, and
    nothing fails, whatever the memory holds and however often it is asked.
    """
    await say(festinger, STOCK)

    for raw in (
        raw_of(chat(text), escaped=escaped),
        raw_of(chat(text, "Yes.", text, system=text), escaped=escaped),
    ):
        result, given = await send(festinger, raw)
        # Not compared by `assert` itself, which would show a difference of megabytes.
        is_as_sent = said(given) == said(raw) if result == "full" else given == raw
        assert is_as_sent
        assert result in ("none", "full") or result.startswith("skipped:"), result
        assert not result.startswith("skipped:memory"), result


async def test_memory_goes_on_after_bad_prompts(festinger: Festinger) -> None:
    """All of them in a row, and the next question is told what it needs."""
    await say(festinger, STOCK)
    for text in PROMPTS.values():
        await send(festinger, raw_of(chat(text), escaped=True))

    told = await festinger.told("When does Kassel deliver the stock file?")

    assert "05:40" in told
