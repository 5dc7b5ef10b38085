"""`festinger memories interactions` and `festinger memories rejections`, as processes against a server."""

from __future__ import annotations

import pytest

from festinger.errors import BadAnswer
from tests.rpc.memories.test_extraction import asks, capture
from tests.services.memories.test_extraction import (
    INVENTED,
    LOVES,
    PASTA,
    STUDIO,
    answer,
)


@pytest.fixture
async def talked(pool, operator, memories):
    """A model is chosen, and two conversations took place."""
    await pool.execute("update config set value = '1' where key = 'extract_model_id'")
    await memories.read_settings("default")
    await capture(operator.client, PASTA + "\x1b[2J")
    await capture(operator.client, STUDIO, session="s2", extract=False)


async def test_what_waits(talked, operator):
    """With whom, how many turns, and when it is read."""
    first, second = (await operator.prints("memories", "interactions")).splitlines()

    assert first == (
        "#1 open  alice in s1, 1 turns until 2027-01-15 08:00 UTC  (to be extracted at "
        "2027-01-15 08:10 UTC)"
    )
    assert second.endswith("(not to be extracted)")


async def test_extracted_by_hand(talked, operator, model):
    """The log and what was found, now; rejections, and their report, later."""
    model.says(answer(LOVES), answer(INVENTED))

    extracted = await operator.prints("memories", "interactions", "extract", "1")
    await asks(operator.client, "Extract", interaction_id=2)
    rejected = await operator.prints("memories", "rejections")
    report = await operator.prints("memories", "rejections", "--report")
    left = await operator.prints("memories", "interactions", "--subject", "alice")

    assert "[RESULT] 1/1 extractions stored successfully" in extracted
    assert "Loves fettuccini with alfredo sauce: active #1 (user_fact" in extracted
    assert "#1 Works as a professional FL Studio producer  (user_fact" in rejected
    assert "hallucination" in rejected
    assert "- Accepted: 1 (50%)" in report
    assert left == "No conversation waits.\n"


async def test_failure_is_one_sentence(talked, operator, model):
    """The failure stands in the list too, until it is extracted again."""
    model.says(BadAnswer("it answered with prose"))

    code, _, complained = await operator.runs(
        "memories", "interactions", "extract", "1"
    )
    listed = await operator.prints("memories", "interactions")

    assert (code, complained) == (1, "festinger: it answered with prose\n")
    assert "#1 failed" in listed
    assert "failed 1 times: it answered with prose" in listed


async def test_shown_and_forgotten(talked, operator):
    """All that was said, until somebody wants it forgotten."""
    shown = await operator.prints("memories", "interactions", "show", "1")

    forgotten = await operator.prints("memories", "interactions", "forget", "1")
    read = await asks(operator.client, "GetInteraction", interaction_id=1)

    assert f"user: {PASTA}\N{REPLACEMENT CHARACTER}[2J" in shown
    assert forgotten.startswith("#1 forgotten  alice in s1, 0 turns")
    assert not read.interaction.turns


async def test_resting_says_what_to_do(operator):
    """Nothing waits, nothing was rejected, and no model is chosen."""
    nothing, resting = (await operator.prints("memories", "interactions")).splitlines()

    assert nothing == "No conversation waits."
    assert "festinger config set extract_model_id NUMBER" in resting
    assert await operator.prints("memories", "rejections") == "Nothing was rejected.\n"
