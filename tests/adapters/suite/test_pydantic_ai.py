"""The capability in an agent of Pydantic AI."""

from __future__ import annotations

from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

from festinger.adapters.pydantic_ai import FestingerCapability


class Scripted:
    """A model that makes some tool calls and then says "ok"."""

    def __init__(self, *calls):
        self.calls = list(calls)
        self.instructions: list[str] = []
        self.messages: list = []

    def __call__(self, messages, info):
        """Return the next answer."""
        self.messages = messages
        self.instructions.append(info.instructions or "")
        self.tools = {it.name for it in info.function_tools}
        if self.calls:
            return ModelResponse([ToolCallPart(*self.calls.pop(0))])
        return ModelResponse([TextPart("ok")])

    @property
    def parts(self):
        """The parts that the model was given last."""
        return [part for message in self.messages for part in message.parts]


def agent_of(memory, script):
    """Return an agent with the memory."""
    return Agent(
        FunctionModel(script),
        instructions="Be kind.",
        capabilities=[FestingerCapability(memory)],
    )


async def test_model_is_told_what_is_known(memory, name):
    """In its instructions, about the newest prompt."""
    memory.tell(f"{name} is a repo.")
    script = Scripted()

    await agent_of(memory, script).run(f"What is {name}?")

    assert f"{name}: [type] repo" in script.instructions[0]
    assert "Be kind." in script.instructions[0]


async def test_prompt_teaches(memory, name, held, found):
    """A contradiction is reported."""
    agent = agent_of(memory, Scripted())

    first = await agent.run(f"{name} is a repo.")
    assert held() == "repo"
    await agent.run(f"{name} is a container.", message_history=first.all_messages())

    assert [it.told for it in found] == [f"{name} [type] container"]


async def test_model_looks_things_up_and_tells_them(memory, name):
    """With tools, whose results have the provenance."""
    script = Scripted(
        ("remember", {"text": f"The lift of {name} is broken."}),
        ("recall", {"query": name}),
    )

    await agent_of(memory, script).run("Go on.")

    assert script.tools == {"recall", "remember"}
    told, looked_up = (
        it.content for it in script.parts if it.part_kind == "tool-return"
    )
    assert "kept: " in told
    assert looked_up[0]["project"] == memory.project


async def test_contradiction_comes_back_to_the_model(memory, name):
    """It is asked to ask the person, and nothing was held."""
    memory.tell(f"{name} is a repo.")
    script = Scripted(("remember", {"text": f"{name} is a container."}))

    await agent_of(memory, script).run("Go on.")

    (answer,) = (it for it in script.parts if it.part_kind == "tool-return")
    assert answer.outcome == "retried"
    assert "ask the person" in answer.content
    assert f"{name} [type] repo" in answer.content


async def test_example_answers(example):
    """The page's example tells its model."""
    script = Scripted()

    names = await example("Pydantic AI", model=FunctionModel(script))

    assert "zilpha: [type] database" in script.instructions[0]
    assert names["answer"].output == "ok"
