from __future__ import annotations

from typing import Any

import aiohttp
import pytest

from festinger.api.v1 import config_service_pb2 as config_pb
from festinger.api.v1 import extraction_service_pb2 as pb
from festinger.api.v1 import promotion_service_pb2 as promotion_pb
from festinger.config import CaptureMode, ServerSettings, ShimSettings
from festinger.core.memories.types import MemoryType, Status
from festinger.shim.app import Shim
from festinger.standin import StandIn
from tests.e2e.conftest import BLOCK
from tests.services.memories.test_extraction import LOVES, PASTA, answer
from tests.services.review.offers import BY_HAND, write
from tests.serving import Client
from tests.shim.conftest import chat
from tests.structures import soas_by_token
from tests.waiting import until

OPERATOR = Client.as_("operator")
FETTUCCINI = "about alice: loves fettuccini with alfredo sauce (fact)"
TEA, CAT = "about alice: loves tea (fact)", "about alice: has a cat (fact)"
SYSTEM = "Be brief."


class House:
    """A memory server, a shim and a stand-in for Ollama, and who talks to them."""

    def __init__(self, client, server, shim, ollama, http, memory):
        self.client, self.server, self.shim = client, server, shim
        self.ollama, self.http, self.memory = ollama, http, memory

    async def says(
        self, *said: str, who: str = "alice", session: str = "", **more: Any
    ) -> list[str]:
        """Return the messages that the model is given of somebody's conversation."""
        headers = {"X-Festinger-Subject": who} if who else {}
        if session:
            headers |= {"X-Festinger-Session": session, "Authorization": "Bearer one"}
        body = chat(*said, system=SYSTEM, **more)
        url = self.shim.url + "/api/chat"
        async with self.http.post(url, json=body, headers=headers) as response:
            await response.read()
            assert response.status == 200
        return [it["content"] for it in self.ollama.prompts[-1].json["messages"]]

    async def told(self, *said: str, **more: Any) -> str:
        """Return the blocks in that."""
        return "\n".join(BLOCK.findall("\n".join(await self.says(*said, **more))))

    async def why(self, session: str) -> Any:
        """Return the explanation of a named session."""
        url = f"{self.shim.url}/festinger/why/{session}"
        async with self.http.get(url, headers={"Authorization": "Bearer one"}) as it:
            return await it.json()

    async def remembers(self, content: str, **parts: Any) -> Any:
        """Has something remembered of Alice, unless told otherwise."""
        usual = {
            "type": MemoryType.USER_FACT,
            "subject": "alice",
            "status": Status.ACTIVE,
            "origin": BY_HAND,
        }
        return await write(self.memory, content, **usual | parts)

    async def decides(self, method: str, record_id: int) -> None:
        """Has the operator decide about a record."""
        request = getattr(promotion_pb, f"{method}RecordRequest")(record_id=record_id)
        call = getattr(self.client.promotion, f"{method}Record")
        await call(request, metadata=OPERATOR)

    async def set_(self, key: str, value: str) -> None:
        """Change a setting of the memory."""
        request = config_pb.UpdateSettingRequest(key=key, value=value)
        await self.client.config.UpdateSetting(request, metadata=OPERATOR)

    async def interactions(self) -> list[Any]:
        """Return the kept conversations, with all their turns."""
        listed = await self.client.extraction.ListInteractions(
            pb.ListInteractionsRequest(), metadata=OPERATOR
        )
        return [
            (
                await self.client.extraction.GetInteraction(
                    pb.GetInteractionRequest(interaction_id=it.id), metadata=OPERATOR
                )
            ).interaction
            for it in listed.interactions
        ]


@pytest.fixture
async def house(serve, memories):
    """All of it, without what `festinger up` adds."""
    server, client = await serve()
    memory = await memories.get("default")
    async with StandIn() as ollama, aiohttp.ClientSession() as http:
        settings = ShimSettings(
            address="127.0.0.1:0",
            upstream=ollama.url,
            # A test on a busy machine must not fail open.
            memory_milliseconds_max=5000,
            drain_seconds=1.0,
            capture=CaptureMode.EXTRACT,
        )
        served = ServerSettings(address=client.address)
        async with Shim(settings, served, lambda: "shim") as shim:
            yield House(client, server, shim, ollama, http, memory)


async def test_said_in_one_conversation_told_in_the_next(house, model):
    """Alice's sentence is kept and read, and her next conversation has it; nobody else's."""
    await house.set_("extract_model_id", "1")
    model.says(answer(LOVES))
    await house.says(PASTA)
    await until(lambda: _captured(house) == 1)
    [kept] = await house.interactions()
    request = pb.ExtractRequest(interaction_id=kept.id)
    await house.client.extraction.Extract(request, metadata=OPERATOR)

    told = await house.told("Hello, what shall we cook?")

    assert (kept.subject, kept.extract) == ("alice", True)
    assert told == f"<recollection>\n{FETTUCCINI}\n</recollection>"
    assert await house.told("Hello, what shall we cook?", who="bob") == ""
    assert await house.told("Hello, what shall we cook?", who="") == ""


async def test_kept_once_however_often_it_is_sent(house):
    """
    A client sends its history with every turn, with our blocks in it; what was told is
    never kept as something that was said.
    """
    await house.remembers("Loves tea")
    said = ["I moved to Bonn.", "Noted.", "My dog is called Kim.", "Fine.", "Hello?"]
    for end in (1, 1, 3, 5):
        given = await house.says(*said[:end])
    # A client that stores what was sent, and not what it said.
    await house.says(*given[1:])
    await until(lambda: _captured(house) >= 3)

    [kept] = await house.interactions()

    assert [turn.text for turn in kept.turns] == said


async def test_reverted_memory_goes_from_every_block(house):
    """
    A line that was told and is no longer active goes at once; until then every request
    begins with the bytes of the one before, and after it again.
    """
    tea = await house.remembers("Loves tea")
    await house.remembers("Has a cat")
    first = await house.says("Hello, it is me")
    second = await house.says("Hello, it is me", "Hi.", "How are you?")

    await house.decides("Revert", tea.id)
    third = await house.says(
        "Hello, it is me", "Hi.", "How are you?", "Fine.", "What is up?"
    )
    fourth = await house.says(
        "Hello, it is me", "Hi.", "How are you?", "Fine.", "What is up?", "A.", "B?"
    )

    assert first[0] == f"<recollection>\n{CAT}\n{TEA}\n</recollection>\n\n{SYSTEM}"
    assert second[: len(first)] == first
    assert third[0] == f"<recollection>\n{CAT}\n</recollection>\n\n{SYSTEM}"
    assert third[1:4] == second[1:]
    assert fourth[: len(third)] == third
    assert "tea" not in "".join(third + fourth)


async def test_news_stand_behind_the_newest_message(house):
    """A memory that is promoted during a conversation is told there, and stays."""
    await house.remembers("Loves tea")
    cat = await house.remembers("Has a cat", status=Status.CANDIDATE)
    first = await house.says("Hello, it is me")

    await house.decides("Promote", cat.id)
    second = await house.says("Hello, it is me", "Hi.", "How are you?")
    third = await house.says("Hello, it is me", "Hi.", "How are you?", "A.", "B?")

    assert TEA in first[0]
    assert CAT not in first[0]
    assert second[0] == first[0]
    assert second[-1] == f"How are you?\n\n<recollection>\n{CAT}\n</recollection>"
    assert third[: len(second)] == second
    assert third[-1] == "B?"


@pytest.mark.parametrize("position", ["system", "recent", "off"])
async def test_other_positions(house, position):
    """With every request anew, at its head or in the newest message; or not at all."""
    await house.set_("recollection_position", position)
    await house.remembers("Loves tea")
    block = f"<recollection>\n{TEA}\n</recollection>"

    for said in (["one"], ["one", "two", "three"]):
        given = await house.says(*said)
        told = [number for number, text in enumerate(given) if block in text]
        where = {"system": [0], "recent": [len(given) - 1], "off": []}
        assert told == where[position]
        assert "".join(given).count(TEA) == len(told)


async def test_told_by_name_or_token_as_well(house):
    """Whoever speaks by `/as/NAME` is told of themselves, and what they say is not kept."""
    await house.remembers("Loves tea")
    url = f"{house.shim.url}/as/alice/api/chat"

    async with house.http.post(url, json=chat("Hello", system=SYSTEM)) as response:
        await response.read()

    assert TEA in house.ollama.prompts[-1].body.decode()
    assert await house.interactions() == []


async def test_session_of_another_subject(house):
    """
    Nothing of Alice stands in a session of the same name about Bob, not even when the
    memory cannot be asked.
    """
    await house.remembers("Loves tea")
    alice = await house.told("Hello", session="s1")
    await house.told("Hello", session="s2")

    bob = await house.told("Hello", "Hi.", "And me?", session="s1", who="bob")
    await house.server.stop()
    down = await house.told("Hello", "Hi.", "And me?", session="s2", who="bob")
    still = await house.told("Hello", "Hi.", "And me?", session="s1")

    assert TEA in alice
    assert bob == down == ""
    assert still == alice


async def test_facts_first_where_there_is_little_room(house):
    """
    A block that is cut to the model's context keeps what is known of concepts, then
    facts.
    """
    await house.client.states("gnommoweb -isa repo", *OPERATOR)
    await house.remembers("Been chatting since 2019", type=MemoryType.SHARED_NARRATIVE)
    await house.remembers("Prefers tables", type=MemoryType.USER_PATTERN)
    await house.remembers("Loves tea")
    said = "What of gnommoweb? " + "a " * 3_000

    room = len(said) + len(SYSTEM) + 140
    told = await house.told(said, options={"num_ctx": room // 3})

    assert told.split("\n")[1:-1] == ["gnommoweb: [type] repo", TEA]


async def test_why(house):
    """The page says what was told of whom, and which memory it is."""
    tea = await house.remembers("Loves tea")
    await house.says("Hello", session="s1")
    await house.decides("Revert", tea.id)
    await house.says("Hello", "Hi.", "Well?", session="s1")

    told = await house.why("s1")

    first, second = told["requests"]
    [line] = first["told"]
    assert (line["kind"], line["text"]) == ("memory", TEA)
    assert line["concept"] == "about alice: loves tea"
    assert line["why"] == f"memory {tea.id}"
    assert second["rewritten"] == [
        {"concept": "about alice: loves tea", "old": TEA, "new": None, "why": ""}
    ]
    assert told["standing"] == []


async def test_told_lines_teach_nothing(house):
    """A block that a client brings back is not read for what it says (B7)."""
    await house.remembers("Loves tea")
    given = await house.says("Hello, it is me")

    await house.says(f"{given[0]} and hello again", who="carol")

    world = house.memory.world
    assert soas_by_token(world).get("tea") is None
    assert soas_by_token(world).get("alice") is None


def _captured(house):
    """Return the number of kept requests."""
    return house.shim._dispatcher._shim.captures.results["kept"]
