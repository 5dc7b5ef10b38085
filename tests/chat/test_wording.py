from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.api.v1.validation_pb2 import Question
from festinger.chat.accounts import PlatformAccounts
from festinger.chat.events import TYPES, read
from festinger.chat.payloads import clicked, reaction, written
from festinger.chat.wording import (
    WordedAnswer,
    lines_of,
    read_mark,
    read_text,
    read_wish,
)
from festinger.config import PersonSettings
from festinger.core.validation.votes import EventResponse

YES, NO, NOT_SURE = (
    EventResponse.CONFIRMED,
    EventResponse.REJECTED,
    EventResponse.ABSTAIN,
)

MARKS = {
    "✅": WordedAnswer(YES),
    "✔️": WordedAnswer(YES),
    "👍🏽": WordedAnswer(YES),
    "❌": WordedAnswer(NO),
    "🤷🏿‍♀️": WordedAnswer(NOT_SURE),
    "🤷‍♂": WordedAnswer(NOT_SURE),
    "3 ❌": WordedAnswer(NO, line=3),
    "12 ✅": WordedAnswer(YES, line=12),
    "🎉": None,
    "": None,
    "✅✅": None,
    "x ✅": None,
    "² ✅": None,
    "12345 ✅": None,
}
TEXTS = {
    "Yes": [WordedAnswer(YES)],
    "  yes! ": [WordedAnswer(YES)],
    "✅": [WordedAnswer(YES)],
    "no": [WordedAnswer(NO)],
    "No, it was Bob, in May.": [WordedAnswer(NO, "it was Bob, in May.")],
    "no idea": [WordedAnswer(NOT_SURE)],
    "I don\u2019t know": [WordedAnswer(NOT_SURE)],
    "Not sure.": [WordedAnswer(NOT_SURE)],
    "1 yes, 2 no": [WordedAnswer(YES, line=1), WordedAnswer(NO, line=2)],
    "1: yes\n#3 no, never": [
        WordedAnswer(YES, line=1),
        WordedAnswer(NO, "never", line=3),
    ],
    "all yes": [WordedAnswer(YES, everything=True)],
    "dispute: look again": [WordedAnswer(NOT_SURE, "look again", disputes=True)],
    "Accept": [WordedAnswer(YES)],
    "reject: it was a test": [WordedAnswer(NO, "it was a test")],
    "later": [WordedAnswer(NOT_SURE)],
    "instead: Bob coaches Sam.": [WordedAnswer(NO, "Bob coaches Sam.", instead=True)],
    "1 accept, 2 instead: use Go": [
        WordedAnswer(YES, line=1),
        WordedAnswer(NO, "use Go", line=2, instead=True),
    ],
    "instead": [],
    "yes and no": [],
    "nobody": [],
    "1 yes, 2 perhaps it was": [],
    "": [],
    "what a day": [],
}


@pytest.mark.parametrize("mark", MARKS)
def test_reaction_is_read(mark):
    """Variants, skin tones and genders are the same sign; a number names a line."""
    assert read_mark(mark) == MARKS[mark]


@pytest.mark.parametrize("text", TEXTS)
def test_text_is_read(text):
    """A text that begins with an answer is one, and every other is none."""
    assert read_text(text) == TEXTS[text]


def test_wish_is_the_whole_text():
    """`stop` in a sentence is no wish."""
    assert [read_wish(it) for it in ("Stop.", " start!", "please stop", "")] == [
        True,
        False,
        None,
        None,
    ]


@given(st.text())
def test_any_text_can_be_read(text):
    """Nothing that somebody writes breaks the bot, and no note is too long."""
    for said in read_text(text * 3):
        assert len(said.note) <= 1000
    read_mark(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ("content", "m.relates_to", "event_id", "key", "rel_type", "body",
                 "msgtype", "m.new_content", "m.in_reply_to", "redacts", "item",
                 "user", "channel", "ts", "reaction", "text", "container", "actions")
            ),
            inner,
            max_size=6,
        )
    ),
    max_leaves=12,
)  # fmt: skip


@given(st.sampled_from(TYPES), JSON, JSON)
def test_any_event_can_be_read(kind, content, redacts):
    """Whoever is in a room chooses what events hold; nothing of it breaks the bot."""
    event = {
        "type": kind,
        "event_id": "$e",
        "sender": "@a:b",
        "content": content,
        "redacts": redacts,
    }

    for heard in read("!r", event).answers:
        assert heard.account == "@a:b"


def test_half_a_character_is_none():
    """A character that JSON may hold and no file can is replaced."""
    relation = {"rel_type": "m.annotation", "event_id": "$\ud800", "key": "✅"}
    event = {
        "type": "m.reaction",
        "event_id": "$e\udfff",
        "sender": "@a\ud800:b",
        "content": {"m.relates_to": relation},
    }

    (heard,) = read("!r", event).answers

    assert (heard.delivery, heard.account, heard.reference) == ("$e?", "@a?:b", "!r/$?")


@given(JSON, st.text(max_size=20))
def test_any_payload_can_be_read(payload, text):
    """The same is true of what Slack brings."""
    clicked(text)
    for kind in ("reaction_added", "reaction_removed", "message"):
        event = {"type": kind, **(payload if isinstance(payload, dict) else {})}
        reaction(event, "E1")
        written(event, "E1")


def test_lines_are_printable():
    """
    Characters that turn the direction of text, or are invisible, are not shown as they
    are.
    """
    question = Question(text="Did \u202eecilA\u200b join?\n\x1b[2Jgone", why="Because.")

    lines = lines_of(question)

    assert lines[0].replace(" ", "") == "DidecilAjoin?"
    assert all(line.isprintable() for line in lines)


PEOPLE = {"alice": PersonSettings(matrix="@alice:test")}


def test_account_is_a_person_or_itself():
    """An account that is not configured is called by its name, with the platform in front."""
    accounts = PlatformAccounts("matrix", PEOPLE)

    assert accounts.principal("@alice:test") == "alice"
    assert accounts.principal("@bob:test") == "matrix:@bob:test"
    assert accounts.account("alice") == "@alice:test"
    assert accounts.account("matrix:@bob:test") == "@bob:test"
    assert accounts.account("carol") == ""


@pytest.mark.parametrize(
    "account",
    [
        "@\u0430lice:test",
        "@alice\u200b:test",
        "@Alice:test",
        " @alice:test",
        "@a=b/c:t",
    ],
)
def test_name_that_only_looks_alike_is_somebody_else(account):
    """Letters of other alphabets, invisible ones and capitals do not make an alice."""
    principal = PlatformAccounts("matrix", PEOPLE).principal(account)

    assert principal != "alice"
    assert principal.isascii()
    assert len(principal) <= 128


@given(st.text(min_size=1), st.text(min_size=1))
def test_two_accounts_are_two_people(one, other):
    """No two accounts are one principal."""
    accounts = PlatformAccounts("matrix", PEOPLE)

    same = accounts.principal(one) == accounts.principal(other)

    assert same == (one == other)
