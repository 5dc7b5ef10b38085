"""Which rung a loop is met with is read off its own conversation, and nothing else."""

from __future__ import annotations

import pytest

from tests.shim.loops.talks import Do, Say, User
from tests.shim.loops.test_looping import LOOP, READ, TASK, ask, play

RUNGS = ["repeat:temperature", "repeat:forbid", "repeat:truncate", "repeat:stop"]


async def rung(http, shim, script):
    """Return the rung that meets the request at the end of a script."""
    return (await ask(http, shim, script)).headers.get(LOOP)


def step(number, result="nothing"):
    """Return a call that no other number makes."""
    return Do(f"step_{number}", {"n": number}, result)


async def test_a_sibling_that_works_does_not_set_a_loop_free(http, shim):
    """
    Of two conversations with the same first words the one that loops is stopped at its
    sixth repeat, and the one that works between is left alone.
    """
    loops, works = [], []
    for number in range(1, 7):
        loops.append(await rung(http, shim, [TASK, *[READ] * number]))
        works.append(await rung(http, shim, [TASK, *map(step, range(number))]))

    assert loops == [None, None, *RUNGS]
    assert works == [None] * 6


async def test_siblings_do_not_climb_on_each_others_loops(http, shim):
    """
    Four conversations with the same first words and a loop of their own each meet
    every rung in turn.
    """
    met = [
        [await rung(http, shim, [TASK, *[step(who)] * number]) for who in range(4)]
        for number in range(3, 7)
    ]

    assert met == [[each] * 4 for each in RUNGS]


async def test_a_client_that_drops_its_oldest_messages_climbs(http, shim):
    """A cut of a conversation's beginning brings nobody down."""
    past = [step(number) for number in range(8)]
    met = [
        await rung(http, shim, [*past[count:], *[READ] * count])
        for count in range(3, 7)
    ]

    assert met == RUNGS


async def test_a_restart_brings_nobody_down(http, shim, start_shim):
    """A new shim meets a loop with the same rung."""
    script = [TASK, *[READ] * 5]
    before = (await play(http, shim, script))[-1]

    assert before == await rung(http, await start_shim(), script) == "repeat:truncate"


SPEECH = Say("I will now look at the README and then put all of it in order.")

LENIENT = [
    ({"errors": 50}, [Do("go", {}, "Error: no")] * 53, "error:stop"),
    ({"repeats": 50}, [READ] * 53, "repeat:stop"),
    (
        {"cycle_rounds": 10, "cycle_turns_max": 10},
        [*map(step, range(10))] * 13,
        "cycle:stop",
    ),
    (
        {"near_repeats": 50, "rules": ["near"]},
        [SPEECH, User("Go on.")] * 53,
        "near:stop",
    ),
    ({"turns_max": 1000}, [*map(step, range(1001))], "cap:stop"),
]


@pytest.mark.parametrize(("settings", "script", "met"), LENIENT)
async def test_the_largest_thresholds_leave_room_for_the_ladder(
    http, start_shim, settings, script, met
):
    """Even with the most lenient configuration a loop is stopped in the end."""
    shim = await start_shim(loops=settings)

    assert await rung(http, shim, [TASK, *script]) == met
