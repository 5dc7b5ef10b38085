from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from festinger.chat.adapter import PlatformAnswer
from festinger.chat.bot_state import BotState
from festinger.core.validation.votes import EventResponse
from festinger.errors import ConfigurationError, DataDirectoryInUse

HEARD = PlatformAnswer(
    "$e",
    "@a:b",
    "!r/$q",
    "!r",
    2,
    EventResponse.REJECTED,
    "so\nit \u202e is",
    "❌",
    disputes=True,
)


@pytest.fixture
def file(tmp_path):
    """The file of the notes."""
    return tmp_path / "chat" / "matrix.sqlite"


@pytest.fixture
async def bot_state(file):
    """Note that are open."""
    bot_state = BotState(file)
    await bot_state.open()
    yield bot_state
    await bot_state.close()


async def test_notes_outlive_their_bot(file):
    """An answer waits in the file unchanged, until it is settled."""
    for _ in range(2):
        bot_state = BotState(file)
        await bot_state.open()
        await bot_state.add_answers([HEARD, HEARD], {"since": "s1"}, 5.0)
        (stored,) = await bot_state.waiting()
        assert stored.answer == HEARD
        assert await bot_state.value("since") == "s1"
        await bot_state.close()
    assert file.stat().st_mode & 0o777 == 0o600


async def test_answers_in_a_file_of_an_earlier_version_still_wait(file):
    """A bot that is upgraded sends what it had not sent, and listens from where it was."""
    bot_state = BotState(file)
    await bot_state.open()
    await bot_state.add_answers([HEARD], {"since": "s1"}, 5.0)
    await bot_state.close()
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(
            "drop index answers_by_state; drop index answers_of; drop index answers_to;"
            "alter table answers rename content to said;"
            "alter table answers rename withdrawn_by to taken_by;"
            "alter table answers rename to heard; alter table settings rename to kept;"
            "create index heard_by_state on heard (state, number);"
            "create index heard_of on heard (candidate_id, principal, number);"
            "create index heard_to on heard (reference, account);"
        )

    for _ in range(2):
        bot_state = BotState(file)
        await bot_state.open()
        (stored,) = await bot_state.waiting()
        assert stored.answer == HEARD
        assert await bot_state.value("since") == "s1"
        await bot_state.close()


async def test_second_bot_is_refused(bot_state, file):
    """Two bots with one file would count everything twice."""
    with pytest.raises(DataDirectoryInUse, match="another bot writes"):
        await BotState(file).open()


async def test_file_that_is_none_is_told(file):
    """The message says what to do."""
    file.parent.mkdir()
    file.write_text("these are no notes, " * 100)

    with pytest.raises(ConfigurationError, match="Move it away"):
        await BotState(file).open()


async def test_what_is_settled_is_forgotten_in_time(bot_state):
    """But not what waits, nor what is about a message that can be answered."""
    await bot_state.add_answers([HEARD, PlatformAnswer("$f", "@a:b", "!r/$q")], {}, 5.0)
    await bot_state.settle(
        "$e", "counted", question_id=1, candidate_id=2, principal="a"
    )

    await bot_state.prune(4.0)
    assert len(await bot_state.by_reference("!r/$q")) == 2
    await bot_state.prune(6.0)
    assert [it.answer.delivery for it in await bot_state.by_reference("!r/$q")] == [
        "$f"
    ]
