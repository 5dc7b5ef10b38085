"""Messages that the next one takes back: "scratch that", "just kidding"."""

from __future__ import annotations

import pytest

from festinger.core.language.turns import Role, Turn
from festinger.core.lines.turns import digest_of
from festinger.services.recollection.recollect import PromptOrigin
from tests.memories import recollect_prompt
from tests.services.conftest import say, settled
from tests.services.language.test_changes_heard import prompt

KEY = "The neighbours in number fourteen keep the spare key under a green pot."


def told(memory):
    """Return what somebody is told who asks for the key."""
    lines = say(memory, "where do the neighbours keep our spare key?").lines
    return "\n".join(line.text for line in lines)


@pytest.fixture
async def kept(memory, clock):
    """A memory in which it is told where the key is."""
    await prompt(memory, KEY, "nadia", "one")
    clock.now += 60
    assert "green pot" in told(memory)
    return memory


@pytest.mark.parametrize("text", ["Scratch that.", "haha just kidding :)"])
async def test_sentence_that_is_taken_back_is_told_no_more(kept, memories, text):
    """Neither now nor after a restart, whether or not it was a statement."""
    await prompt(kept, text, "nadia", "one")
    now = told(kept)
    await memories.reload(kept.tenant)

    assert "green pot" not in now
    assert "green pot" not in told(kept)


@pytest.mark.parametrize(
    ("who", "session"), [("tom", "one"), ("nadia", "two"), ("nadia", "")]
)
async def test_words_of_others_and_of_other_conversations_stay(kept, who, session):
    """Only the last message of one's own in the same conversation is meant."""
    await prompt(kept, "scratch that", who, session)

    assert "green pot" in told(kept)


async def test_request_that_is_taken_back_leaves_what_was_said_before(kept):
    """
    "Scratch that" behind "write a haiku" is about the haiku.
    """
    texts = [KEY, "Write me a haiku about keys.", "scratch that"]
    turns = [Turn(Role.USER, it, digest=digest_of(it)) for it in texts]
    recollect_prompt(kept, turns, principal="nadia", where=PromptOrigin(session="one"))
    await settled(kept)

    assert "green pot" in told(kept)


async def test_sentence_that_is_said_again_is_told_again(kept, clock):
    """The newest words count."""
    await prompt(kept, "just kidding", "nadia", "one")
    clock.now += 60
    turn = Turn(Role.USER, KEY, digest=b"another session's")
    recollect_prompt(kept, [turn], principal="nadia", where=PromptOrigin(session="two"))
    await settled(kept)

    assert "green pot" in told(kept)
