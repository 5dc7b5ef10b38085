from __future__ import annotations

import json
import random
from string import ascii_letters

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.config import LoopSettings
from festinger.shim.loops.repetition import CHUNK, JsonSpeechParser, Repetition
from tests.shim.loops.corpus.answers import ENDLESS, SENTENCE, SOUND

SETTINGS = LoopSettings()


def repetition():
    """With the settings as they are."""
    return Repetition(SETTINGS.answer_repeats, SETTINGS.answer_gap_max)


def pieces(text, seed):
    """Return a text in pieces of 1 to 9 characters, as tokens come."""
    chance = random.Random(seed)
    start = 0
    while start < len(text):
        end = start + chance.randint(1, 9)
        yield text[start:end]
        start = end


@pytest.mark.parametrize("answer", SOUND, ids=lambda it: it.__name__)
def test_sound_answers_go_on(answer):
    """Structure, verses and boilerplate are no repetition."""
    reading = repetition()

    assert not any(reading.feed(piece) for piece in pieces(answer(), 1))


@pytest.mark.parametrize("answer", ENDLESS, ids=lambda it: it.__name__)
def test_endless_answers_are_cut(answer):
    """The same words again and again are."""
    reading = repetition()

    assert any(reading.feed(piece) for piece in pieces(answer(), 1))


@pytest.mark.parametrize("answer", [*SOUND, *ENDLESS], ids=lambda it: it.__name__)
def test_pieces_do_not_matter(answer):
    """The verdict is the same whether a text comes whole or letter by letter."""
    whole = repetition().feed(answer())
    reading = repetition()

    assert any([reading.feed(letter) for letter in answer()]) == whole


def test_when_it_is_cut():
    """The tenth time is the one too many."""
    nine, ten = repetition(), repetition()

    assert not nine.feed("So: " + SENTENCE * 9)
    assert ten.feed("So: " + SENTENCE * 11)


def test_thresholds():
    """The settings decide how often, and how close together."""
    lenient, close = Repetition(50, 250), Repetition(10, 60)

    assert not lenient.feed(SENTENCE * 40)
    assert not close.feed(SENTENCE * 40)


def test_structure_forgets():
    """The text before a list does not count after it."""
    reading = repetition()
    text = SENTENCE * 8 + "\n- an item\n\n" + SENTENCE * 8

    assert not reading.feed(text)


def remembered(reading: Repetition) -> int:
    """Return the number of characters that are kept."""
    return len(reading._text) + len(reading._prose._head)


def test_memory_is_bounded():
    """However long the answer, no more is kept than a stretch of it."""
    chance = random.Random(7)
    reading = repetition()
    most = 0
    for _ in range(400):
        line = "".join(chance.choice("abcdefghij klmnop") for _ in range(500))
        assert not reading.feed(line + "\n")
        most = max(most, remembered(reading))

    assert most < 12_000


def test_memory_of_a_line_without_end():
    """Blanks that never become a line are not kept."""
    reading = repetition()
    for _ in range(1000):
        reading.feed(" " * 100)

    assert remembered(reading) < 200


@given(
    st.text(), st.text(), st.sampled_from([None, 1]), st.booleans(), st.integers(1, 9)
)
def test_what_an_envelope_says(thought, argument, indent, ascii_only, size):
    """Of any JSON the thoughts are read, in whatever pieces, and the arguments are not."""
    value = {
        "tool_args": {"text": argument, "list": [argument, {"thoughtless": argument}]},
        "thoughts": [thought, {"x": 1}, thought],
        "tool_name": "write",
        "text": argument,
    }
    written = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    envelope = JsonSpeechParser()
    parts = [written[n : n + size] for n in range(0, len(written), size)]
    said = "".join(envelope.feed(part) for part in parts)

    # Control characters and, if so written, all but ASCII come as code points.
    kept = "".join(c for c in thought if c >= " " and (c < "\x7f" or not ascii_only))
    whole = "".join(c for c in said if c >= " ")
    assert whole == kept * 2


@given(
    st.permutations(ascii_letters[:CHUNK]),
    st.text(ascii_letters[CHUNK:], max_size=120),
    st.integers(8, 11),
    st.integers(1, 2 * CHUNK),
)
def test_a_sentence_is_found_wherever_it_begins(letters, before, times, size):
    """
    Ten times the same 50 characters are found and nine are not, whatever precedes them
    and in whatever pieces they come.
    """
    said = before + "".join(letters) * times
    reading = repetition()
    found = [reading.feed(said[n : n + size]) for n in range(0, len(said), size)]

    assert any(found) == (times >= 10)
