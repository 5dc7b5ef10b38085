from __future__ import annotations

import pytest

from festinger.chat.adapter import PlatformAnswer
from festinger.chat.notes import Notes
from festinger.core.validation.events import EventResponse
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
    """
    Where notes are kept.
    """
    return tmp_path / "chat" / "matrix.sqlite"


@pytest.fixture
async def notes(file):
    """
    Notes that are open.
    """
    notes = Notes(file)
    await notes.open()
    yield notes
    await notes.close()


async def test_notes_outlive_their_bot(file):
    """
    What was heard waits in the file, as it was, until it is settled.
    """
    for _ in range(2):
        notes = Notes(file)
        await notes.open()
        await notes.hear([HEARD, HEARD], {"since": "s1"}, 5.0)
        (noted,) = await notes.waiting()
        assert noted.heard == HEARD
        assert await notes.kept("since") == "s1"
        await notes.close()
    assert file.stat().st_mode & 0o777 == 0o600


async def test_second_bot_is_refused(notes, file):
    """
    Two bots with one file would count everything twice.
    """
    with pytest.raises(DataDirectoryInUse, match="another bot writes"):
        await Notes(file).open()


async def test_file_that_is_none_is_told(file):
    """
    The message says what to do.
    """
    file.parent.mkdir()
    file.write_text("these are no notes, " * 100)

    with pytest.raises(ConfigurationError, match="Move it away"):
        await Notes(file).open()


async def test_what_is_settled_is_forgotten_in_time(notes):
    """
    But not what waits, nor what is about a message that can be answered.
    """
    await notes.hear([HEARD, PlatformAnswer("$f", "@a:b", "!r/$q")], {}, 5.0)
    await notes.settle("$e", "counted", question_id=1, candidate_id=2, principal="a")

    await notes.prune(4.0)
    assert len(await notes.to("!r/$q")) == 2
    await notes.prune(6.0)
    assert [it.heard.delivery for it in await notes.to("!r/$q")] == ["$f"]
