from __future__ import annotations

from functools import cache

import pytest

from festinger.config import LoopSettings
from festinger.shim.loops import dialects
from festinger.shim.loops.rules import find
from festinger.shim.loops.turns import turns_of
from tests.shim.loops.corpus.stuck import STUCK
from tests.shim.loops.corpus.work import WORK
from tests.shim.loops.talks import DIALECTS, Say, User, requests

SETTINGS = LoopSettings()


@cache
def found_in(builder, dialect):
    """Return the loops found in each request of a conversation, in a client's dialect."""
    return [found_at_end(part, dialect) for part in requests(builder())]


def found_at_end(script, dialect):
    """Return the loop found in a conversation's last request, None if there is none."""
    talk = dialects.read(DIALECTS[dialect][1](script))
    turns = turns_of(talk, SETTINGS.polling_tools, SETTINGS.speech_characters)
    return find(turns, SETTINGS)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("work", WORK, ids=lambda it: it.__name__)
def test_work_is_left_alone(work, dialect):
    """No request of a conversation that gets on is taken for a loop."""
    assert [loop.rule for loop in found_in(work, dialect) if loop] == []


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    ("stuck", "rule", "request_number"),
    STUCK,
    ids=lambda it: getattr(it, "__name__", it),
)
def test_loops_are_noticed(stuck, rule, request_number, dialect):
    """
    A conversation that goes round in circles is noticed at once, by the right rule,
    and is so until its end.
    """
    loops = found_in(stuck, dialect)

    assert [loop for loop in loops[: request_number - 1] if loop] == []
    assert {loop.rule for loop in loops[request_number - 1 :] if loop} == {rule}
    assert None not in loops[request_number - 1 :]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("stuck", STUCK, ids=lambda it: it[0].__name__)
def test_a_new_message_ends_a_loop(stuck, dialect):
    """A new message of the user ends every loop."""
    script = stuck[0]()
    if dialect == "litellm":
        # It runs a user's words into the tool's result that they follow.
        script.append(Say("I could not do it, whatever I tried, and give up now."))

    assert found_at_end([*script, User("Do something else.")], dialect) is None


@pytest.mark.parametrize("dialect", DIALECTS)
def test_precision_and_recall(dialect):
    """Over the whole corpus nothing is met that is work, and every loop is."""
    met = [any(found_in(work, dialect)) for work in WORK]
    noticed = [any(found_in(stuck, dialect)) for stuck, _, _ in STUCK]

    assert len(WORK) >= 2 * len(STUCK)
    assert sum(noticed) / (sum(noticed) + sum(met)) == 1.0
    assert sum(noticed) / len(STUCK) == 1.0
