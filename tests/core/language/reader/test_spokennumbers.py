from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.language.reader.coverage import said_words, share_covered
from festinger.core.language.reader.spokennumbers import spoken_numbers
from tests.core.language.reader.reading import answered, check


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("a hundred and forty five a term", {"145"}),
        ("two thousand four hundred now", {"2400"}),
        ("three hundred thousand and five", {"300005"}),
        ("The twenty-first of May", {"21"}),
        ("one two", {"1", "2"}),
        ("oh seven seven double oh, nine hundred", {"7700", "7", "900"}),
        ("forty times thirty two", {"40", "32"}),
        ("from twenty nineteen", {"20", "19", "2019", "20.19"}),
        ("two fifty each", {"2", "50", "250", "2.50"}),
        ("someone, often, tenfold", set()),
    ],
)
def test_numbers_in_words(text, numbers):
    """Words that add up are one number; a year and a price are also said as two."""
    assert spoken_numbers(text) == numbers


@given(st.text(st.sampled_from("one hundred and -,twenty"), max_size=300))
def test_every_text_is_read(text):
    """Whatever is made of number words, the numbers are digits."""
    assert all(it.replace(".", "").isdigit() for it in spoken_numbers(text))


def test_amount_that_was_dictated_is_held():
    """A model writes in digits what people say in words."""
    text = "Kids' classes are a hundred and forty five a term"

    (statement,) = check(
        text, answered(text, "kids' classes", "fee", "$145")
    ).statements

    assert (statement.value, statement.doubt) == ("$145", "")


@pytest.mark.parametrize(
    "said", ["exam is at 9.30", "exam is at 9h30", "exam is at 0930"]
)
def test_time_without_a_colon_is_held(said):
    """A model writes the colon, however people write the time."""
    (statement,) = check(said, answered(said, "exam", "is at", "9:30")).statements

    assert (statement.value, statement.doubt) == ("9:30", "")


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("EUR 11,40 / pc", "€11.40"),
        ("68.00 GBP", "£68"),
        ("3.000 pcs", "3,000"),
        ("it has 1,9 kg", "1.9 kg"),
        ("courier 5.15 back door", "17:15"),
        ("size 4.0 768", "768"),
        ("call oh one four three four, five five five", "01434 555"),
    ],
)
def test_amount_in_another_notation_is_held(said, value):
    """Decimals behind a comma or left out, the afternoon's hour, numbers side by side."""
    (statement,) = check(said, answered(said, "it", "is", value)).statements

    assert (statement.value, statement.doubt) == (value, "")


def test_ordinal_in_words_is_one_in_digits():
    """
    "Third floor" has all the words of "3rd floor".
    """
    assert share_covered("third floor", said_words(["on the 3rd floor"])) == 1.0


@pytest.mark.parametrize("predicate", ["state", "quote", "claim"])
def test_noun_of_speech_says_what_a_thing_has(predicate):
    """
    "State" is what a lift is in, and not that somebody spoke.
    """
    said = answered("lift is out of order", "lift", predicate, "out of order")

    (statement,) = check("The lift is out of order.", said).statements

    assert statement.predicate == predicate
