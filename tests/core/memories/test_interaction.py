from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.language.turns import Role, Turn
from festinger.core.memories.interaction import (
    CHARACTERS_MAX,
    Interaction,
    InteractionState,
    KeptTurnText,
    portions,
    utterances,
)

ROLES = st.sampled_from(list(Role))
WORDS = st.text("ab <\0\ud800\n", max_size=6)
TURNS = st.lists(st.builds(Turn, ROLES, WORDS, st.just(False), st.just(b"")))


def said(*turns):
    """Return a conversation with alice."""
    return Interaction(
        1, "alice", "", "", "shim", InteractionState.CLOSED, True, 0.0, 0.0, turns=turns
    )


@settings(max_examples=50)
@given(TURNS, st.integers(0, 10))
def test_history_keeps_its_names(turns, upto):
    """Turns are called the same, however much of the conversation follows."""
    whole = utterances(turns)
    earlier = utterances(turns[:upto])

    assert whole[: len(earlier)] == earlier
    assert len({each.digest for each in whole}) == len(whole)


@settings(max_examples=50)
@given(TURNS)
def test_what_is_kept(turns):
    """Nothing of the framework's, nothing empty, and nothing that Postgres does not store."""
    for each in utterances(turns):
        assert each.role is not Role.SYSTEM
        assert each.text.strip() == each.text != ""
        assert "\0" not in each.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("yes", "yes"),
        ("yes  please", "yes\nplease"),
        ("<recollection>\nant: [type] pet\n</recollection>\nyes", "yes"),
        ("yes", "yes <recollection>half of a block"),
    ],
)
def test_blanks_and_our_blocks_name_nothing(before, after):
    """A client that gives a turn back with other blanks, or a block of ours, says the same."""
    (one,), (other,) = (utterances([Turn(Role.USER, it)]) for it in (before, after))

    assert one.digest == other.digest


def test_who_says_it_matters():
    """The same words of another role are another turn."""
    both = utterances([Turn(Role.USER, "yes"), Turn(Role.ASSISTANT, "yes")])

    assert both[0].digest != both[1].digest


@settings(max_examples=50)
@given(
    st.lists(st.integers(1, CHARACTERS_MAX), max_size=12),
    st.integers(0, 2 * CHARACTERS_MAX),
)
def test_portions_hold_all_of_it(lengths, characters):
    """In order, none of them empty but the first, and none begun before the last was full."""
    spoken = [
        KeptTurnText(Role.USER, "x" * length, bytes([at]))
        for at, length in enumerate(lengths)
    ]

    first, *further = portions(spoken, characters)

    assert [each for part in (first, *further) for each in part] == spoken
    assert all(further)
    filled = characters + sum(len(each.text) for each in first)
    for part in further:
        assert filled >= CHARACTERS_MAX
        filled = sum(len(each.text) for each in part)


def test_place_is_the_subjects():
    """A text that both typed was found where the subject said it."""
    interaction = said(
        Turn(Role.ASSISTANT, "Do you love tea?"), Turn(Role.USER, "Yes. I love tea!")
    )
    transcript = "assistant: Do you love tea?\n\nuser: Yes. I love tea!"

    start, end = interaction.place_of("love tea")

    assert transcript[:start].endswith("Yes. I ")
    assert transcript[start:end] == "love tea"
    assert interaction.place_of("coffee") == interaction.place_of("") == (0, 0)


@pytest.mark.parametrize(
    "pasted",
    [
        "From: Bob <bob@x.org>\nSubject: monday\n\nHi Alice,\nI hate Mondays.",
        "> I hate Mondays.",
        "Dear Alice,\n\nI hate Mondays and I live in Rome.\n\nBest regards,\nBob",
        "```\nI hate Mondays.\n```",
    ],
)
def test_pasted_text_is_not_spoken(pasted):
    """Mail, quotations and code that somebody shows are not their own words."""
    spoken = said(Turn(Role.USER, f"Please reply to this:\n\n{pasted}")).spoken

    assert [each.split() for each in spoken] == [["Please", "reply", "to", "this:"]]
