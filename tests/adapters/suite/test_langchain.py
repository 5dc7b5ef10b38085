"""LangChain's own tests of retrievers, and an agent with the middleware."""

from __future__ import annotations

import os

import pytest
from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_tests.integration_tests import RetrieversIntegrationTests
from pydantic import PrivateAttr

from festinger.adapters import AgentMemory
from festinger.adapters.langchain import FestingerMiddleware, FestingerRetriever
from festinger.client import Client


class TestRetriever(RetrieversIntegrationTests):
    """The standard tests."""

    @pytest.fixture(autouse=True)
    def lines(self, client: Client) -> None:
        """Enough to be found."""
        memory = AgentMemory(client, project="standard")
        for number in range(4):
            memory.tell(f"The {number}th delivery from Kassel was late again.")

    @property
    def retriever_constructor(self):
        """The class under test."""
        return FestingerRetriever

    @property
    def retriever_constructor_params(self):
        """With which memory."""
        client = Client(os.environ["FESTINGER_SERVER"])
        return {"memory": AgentMemory(client, project="standard")}

    @property
    def retriever_query_example(self):
        """A query that finds more than three."""
        return "delivery from Kassel"


def test_document_has_its_provenance(memory, name):
    """The metadata say who said it, where and when."""
    memory.tell(f"The stock file of {name} arrives at 05:40.")

    document, *_ = FestingerRetriever(memory=memory, k=1).invoke(name)

    assert document.metadata["quote"] == f"The stock file of {name} arrives at 05:40."
    assert document.metadata["project"] == memory.project
    assert document.metadata["speaker"] == "operator"


class Recording(GenericFakeChatModel):
    """A model that answers what it is told to, and keeps what it was given."""

    _given: list = PrivateAttr(default_factory=list)

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        self._given.append(messages)
        return super()._generate(messages, stop, run_manager, **kwargs)


def agent_of(memory):
    """Return an agent, and what its model was given."""
    model = Recording(messages=iter([AIMessage("ok")] * 9))
    middleware = [FestingerMiddleware(memory)]
    agent = create_agent(model, system_prompt="Be kind.", middleware=middleware)
    return agent, model._given


def test_model_is_told_what_is_known(memory, name):
    """The block stands at the end of the system message."""
    memory.tell(f"{name} is a repo.")
    agent, given = agent_of(memory)

    agent.invoke({"messages": [("user", f"What is {name}?")]})

    system = given[-1][0].text
    assert system.startswith("Be kind.\n\n<recollection>")
    assert f"{name}: [type] repo" in system


async def test_agent_learns_and_reports_contradictions(memory, name, held, found):
    """The person's statement is held; a contradiction is reported, and told as pending."""
    agent, given = agent_of(memory)

    await agent.ainvoke({"messages": [("user", f"{name} is a repo.")]})
    assert held() == "repo"
    await agent.ainvoke({"messages": [("user", f"{name} is a container.")]})

    assert [it.held for it in found] == [f"{name} [type] repo"]
    assert "conflict pending" in given[-1][0].text


async def test_example_answers(example):
    """The page's example finds documents, and its model is told."""
    model = Recording(messages=iter([AIMessage("ok")]))

    names = await example("LangChain", model=model)

    assert "zilpha" in names["documents"][0].page_content.lower()
    assert "zilpha: [type] database" in model._given[0][0].text
