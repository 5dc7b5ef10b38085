"""The context provider in an agent of the Agent Framework."""

from __future__ import annotations

from agent_framework import Agent, BaseChatClient, ChatResponse, Message

from festinger.adapters.agent_framework import FestingerContextProvider


class Speaking(BaseChatClient):
    """A model that says "ok", and keeps what it was given."""

    def __init__(self):
        super().__init__()
        self.given: list[str] = []

    def _inner_get_response(self, *, messages, stream, options, **more):
        async def answer() -> ChatResponse:
            system = [it.text for it in messages if it.role == "system"]
            self.given.append("\n".join([*system, options.get("instructions") or ""]))
            return ChatResponse(messages=[Message("assistant", ["ok"])])

        return answer()


def agent_of(memory):
    """Return an agent, and its model."""
    model = Speaking()
    provider = FestingerContextProvider(memory)
    return Agent(model, instructions="Be kind.", context_providers=[provider]), model


async def test_model_is_told_what_is_known(memory, name):
    """Beside its instructions, about the newest message."""
    memory.tell(f"{name} is a repo.")
    agent, model = agent_of(memory)

    await agent.run(f"What is {name}?")

    assert "Be kind." in model.given[0]
    assert f"{name}: [type] repo" in model.given[0]


async def test_messages_teach(memory, name, held, found):
    """A contradiction is reported, and told as pending."""
    agent, model = agent_of(memory)
    session = agent.create_session()

    await agent.run(f"{name} is a repo.", session=session)
    assert held() == "repo"
    await agent.run(f"{name} is a container.", session=session)

    assert [it.told for it in found] == [f"{name} [type] container"]
    assert "conflict pending" in model.given[1]


async def test_example_answers(example):
    """The page's example tells its model."""
    model = Speaking()

    names = await example("Microsoft Agent Framework", model=model)

    assert "zilpha: [type] database" in model.given[0]
    assert names["answer"].text == "ok"
