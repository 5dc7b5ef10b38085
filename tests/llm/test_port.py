"""Promises of every `LanguageModel`, the scripted one of other tests included."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import BaseModel

from festinger.core.system.models import Purpose
from festinger.errors import BadAnswer
from festinger.llm.interface import LanguageModel
from tests.providers import Say
from tests.scripted_model import ScriptedModel


class Word(BaseModel):
    """An answer."""

    word: str


@pytest.fixture(params=["asker", "scripted"])
def answering(request, asker, provider, store, memories):
    """Make a model that gives an answer, however often it is asked."""

    async def answering(said: Any) -> LanguageModel:
        if request.param == "scripted":
            return ScriptedModel([said])
        await store.models.change_setting("default", "resolve_model_id", "1", 1)
        await memories.read_settings("default")
        provider.will(Say(said), Say(said))
        model: LanguageModel = asker
        return model

    return answering


async def ask(model):
    """Ask for a word."""
    return await model.ask(
        "default", Purpose.RESOLVE, system="Answer.", prompt="Which word?", form=Word
    )


async def test_answer_is_a_value_of_the_form(answering):
    """Checked, and typed."""
    assert await ask(await answering({"word": "pong"})) == Word(word="pong")


async def test_other_answers_are_bad(answering):
    """Whatever else it says is an error, and never half of a value."""
    with pytest.raises(BadAnswer):
        await ask(await answering({"sentence": "pong"}))
