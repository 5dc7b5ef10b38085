"""The session and the input filter in a run of the OpenAI Agents SDK."""

from __future__ import annotations

import pytest
from agents import Agent, Model, ModelResponse, RunConfig, Runner, Session, Usage
from agents.memory import SQLiteSession
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from festinger.adapters.openai_agents import FestingerSession, input_filter


class Speaking(Model):
    """A model that says "ok", and keeps what it was given."""

    def __init__(self):
        self.instructions: list[str | None] = []

    async def get_response(self, system_instructions, input, *rest, **more):
        """Return the answer."""
        self.instructions.append(system_instructions)
        text = ResponseOutputText(text="ok", type="output_text", annotations=[])
        message = ResponseOutputMessage(
            id="1", type="message", role="assistant", status="completed", content=[text]
        )
        return ModelResponse(output=[message], usage=Usage(), response_id=None)

    def stream_response(self, *rest, **more):
        """Nobody asks for it."""
        raise NotImplementedError


@pytest.fixture
def session(memory):
    """A session over one in memory."""
    return FestingerSession(SQLiteSession("chat"), memory)


async def run(session, memory, *texts):
    """Return the block that the model was given for each text."""
    model = Speaking()
    agent = Agent(name="a", instructions="Be kind.", model=model)
    config = RunConfig(
        call_model_input_filter=input_filter(memory, session.session_id),
        tracing_disabled=True,
    )
    for text in texts:
        await Runner.run(agent, text, session=session, run_config=config)
    return model.instructions


async def test_session_keeps_items_as_they_are(session):
    """The interface's four methods do as those of the session that it wraps."""
    items = [{"role": "user", "content": str(number)} for number in range(3)]
    assert isinstance(session, Session)

    await session.add_items(items)

    assert await session.get_items() == items
    assert await session.get_items(2) == items[1:]
    assert await session.pop_item() == items[2]
    await session.clear_session()
    assert await session.get_items() == []
    assert await session.pop_item() is None


async def test_model_is_told_what_is_known(session, memory, name):
    """At the end of its instructions."""
    memory.tell(f"{name} is a repo.")

    (instructions,) = await run(session, memory, f"What is {name}?")

    assert instructions.startswith("Be kind.\n\n<recollection>")
    assert f"{name}: [type] repo" in instructions


async def test_run_teaches_once(session, memory, name, held, found):
    """
    The person's statement is held; a contradiction is reported once, although both the
    filter and the session read it.
    """
    for text in (f"{name} is a repo.", f"{name} is a container."):
        await run(session, memory, text)
        assert held() == "repo"

    assert [it.told for it in found] == [f"{name} [type] container"]
    assert len(await session.get_items()) == 4


async def test_example_answers(example):
    """The page's example tells its model."""
    model = Speaking()

    names = await example("OpenAI Agents SDK", model=model)

    assert "zilpha: [type] database" in (model.instructions[0] or "")
    assert names["answer"].final_output == "ok"
