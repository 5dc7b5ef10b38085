"""A world counts each encounter once, however late it is told of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from festinger import _fast
from festinger.core.world.world import World
from tests.structures import build_world, soas_by_token

WORDS = ("dobby", "gnommoweb", "glitch_university")


@given(
    st.lists(
        st.one_of(
            st.lists(st.sampled_from(WORDS), min_size=1, unique=True), st.just("drain")
        ),
        max_size=20,
    )
)
def test_late_encounters_are_all_counted_and_all_drained(steps):
    """
    Prompts that met the same new word at once count it once each: in memory, and in
    what is drained, whenever that is.
    """
    world = build_world()
    expected = dict.fromkeys(WORDS, 0)
    drained = dict.fromkeys(WORDS, 0)
    for step in [*steps, "drain"]:
        if step == "drain":
            for number, count, _ in world.vocabulary.drain():
                drained[world.token(number)] += count
            continue
        world.meet_late(list(step), now=1.0)
        for token in step:
            expected[token] += 1

    known = soas_by_token(world)
    assert drained == expected
    assert {
        token: known[token].encounter_count if token in known else 0 for token in WORDS
    } == expected


def test_what_was_loaded_is_known_to_the_rules():
    """Whoever asks for a name asks the words that took the place of a world's own."""
    world = World(frozenset({"repo"}))
    words = _fast.Vocabulary()
    words.add("gnommoweb", 7, novelty=1.0)
    words.add("dobby", 8)

    world.furnish(words, _fast.Graph())

    assert world.is_known("gnommoweb")
    assert not any(map(world.is_known, ["dobby", "repo", "", "\ud800"]))
    assert world.is_everyday("repo")
    assert not world.is_everyday("gnommoweb")
    assert (world.id("gnommoweb"), world.token(7)) == (7, "gnommoweb")
    assert world.edge(7, 1) is None
