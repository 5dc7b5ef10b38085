from __future__ import annotations

import pytest

from festinger.core.graph.candidates import Lane
from festinger.core.review.inbox import InboxPlace, InboxRef
from festinger.core.validation.planning import PlannedQuestion
from festinger.core.validation.posting import PostingReport, PostingResult
from festinger.core.validation.questions import BotName, Question
from festinger.errors import QuestionNotFound


def about(item):
    """Return a question about an item of the inbox."""
    return PlannedQuestion(
        Question(0, "", BotName.HISTORIAN, Lane.MODERATOR, "?", "", "h", item=item)
    )


async def test_who_was_asked_about_an_item_is_found_by_its_table(store):
    """An item of another table with the same number is another item."""
    await store.questions.add("default", [about("conflict-7"), about("settled-7")])

    wanted = InboxRef(InboxPlace.SETTLED, 7)
    asked = await store.questions.asked_items("default", [wanted])

    assert [it.ref for it in asked] == [wanted]


async def test_missing_question_is_told_in_one_way(store):
    """Whatever is to be done with it, the error is the same."""
    told = []
    report = PostingReport(PostingResult.POSTED)
    for asked in (
        store.questions.get("default", 9),
        store.questions.report("default", 9, "bot", report, 0.0),
        read_asked(store),
    ):
        with pytest.raises(QuestionNotFound) as caught:
            await asked
        told.append((caught.value.message, caught.value.metadata))

    assert told == [("there is no question 9", {"question_id": "9"})] * 3


async def read_asked(store):
    """Read what an answer to a question needs."""
    async with store.reading("default") as reads:
        return await reads.question_asked(9)
