"""Traps of the token rules: text that is not what it looks like."""

from __future__ import annotations

import re
import sys
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from festinger import _fast
from festinger._fast import CAPITAL, COMPOUND
from festinger._fast.alphabet import MARKS_IN_A_ROW_MAX
from festinger._fast.words import CLOSED_CLASS, OPENERS
from tests.fast.strategies import GROWING, INVISIBLE, TEXTS

#: Characters that are upper-case and no letters: Ⓐ, 🄰, Ⅷ.
CAPITAL_SIGNS = [
    character
    for character in map(chr, range(sys.maxunicode + 1))
    if character.isupper() and unicodedata.category(character)[0] != "L"
]


def stacked(text: str) -> int:
    """Return the most combining marks in a row."""
    marks = "".join("M" if unicodedata.combining(c) else " " for c in text)
    return max(map(len, marks.split(" ")), default=0)


@given(text=TEXTS)
def test_decomposed_text_has_the_tokens_of_composed_text(text: str) -> None:
    """`café` is the same token in four code points and in five, and stands where it stood."""
    decomposed = unicodedata.normalize("NFD", text)
    assume(stacked(decomposed) <= MARKS_IN_A_ROW_MAX)

    one, other = _fast.scan(text), _fast.scan(decomposed)

    assert list(other) == list(one)
    assert other.text == one.text == unicodedata.normalize("NFC", text)


@given(word=st.text("ΑΒΣσς", min_size=1), behind=st.sampled_from(["", "'s", "’S", "."]))
def test_a_sigma_at_the_end_of_a_word_is_final(word: str, behind: str) -> None:
    """The case of a sigma depends on the word around it, and not on what was cut off."""
    assert list(_fast.scan(f"x {word}{behind}")) == ["x", word.lower()]


def test_there_are_25_characters_that_change_their_length() -> None:
    """Unicode adds to them, and the lower case of each is Python's."""
    text = " - ".join(f"x{character}{character}y z" for character in GROWING)
    scan = _fast.scan(text)

    assert len(GROWING) >= 25
    assert list(scan) == [
        token
        for character in GROWING
        for token in (unicodedata.normalize("NFC", f"x{character * 2}y".lower()), "z")
    ]
    # What follows stands where it stood.
    assert [scan.text[slice(*scan.span(i))] for i in range(1, len(scan), 2)] == [
        "z" for _ in GROWING
    ]


@pytest.mark.parametrize("character", GROWING)
def test_names_with_them_merge(character: str) -> None:
    """A compound is written anew where its lower case takes other room than its words."""
    scan = _fast.scan(f"the {character}a {character}b's c")
    first, second = (
        unicodedata.normalize("NFC", f"{character}{letter}".lower()) for letter in "ab"
    )

    assert list(scan) == ["the", f"{first}_{second}", "c"]
    assert scan.span(1) == (4, 9)


def test_capital_signs_are_no_letters() -> None:
    """All 104 enclosed letters, and the Roman numbers: they divide words and begin none."""
    assert sum(unicodedata.category(sign) == "So" for sign in CAPITAL_SIGNS) >= 104
    for sign in CAPITAL_SIGNS:
        assert list(_fast.scan(f"{sign}Ab{sign}Cd {sign}")) == ["ab", "cd"], sign


MERGING = [" ", "\u00a0", "\n", "\r\n"]
DIVIDING = [
    "  ", "   ", " \u00a0", "\u00a0 ", "\u00a0\u00a0", "\t", "\v", "\f", "\x85", "\r",
    "\n\r", "\n\n", "\r\n\r\n", "\n\r\n", " \n", "\n ", " \r\n", "\r\n ", "\n\t", "\u2003",
    "\u2009", "\u202f", "\u2028", "\u2029", "\u3000", "\u200b", " \u200b", "\u2060", "\0",
    "\ud800", ", ", ". ", ".\n", " - ", " & ", "/", " / ", ": ", "; ", "! ", "\n- ", "\n* ",
    "\n1. ", "\n> ", "\n# ", "** **", " **", "` `", "_ _", "|", " | ", "](", "’s ", "'s\n",
]  # fmt: skip


@pytest.mark.parametrize("names", [("Glitch", "University"), ("Éa", "Éb")])
@pytest.mark.parametrize("between", MERGING)
def test_names_merge_across_one_blank_or_wrap(
    names: tuple[str, str], between: str
) -> None:
    """A space, a no-break space or one line wrap of either kind is between them (B3)."""
    scan = _fast.scan(between.join(names))

    assert list(scan) == ["_".join(names).lower()]
    assert scan.flags(0) & COMPOUND


@pytest.mark.parametrize("names", [("Glitch", "University"), ("Éa", "Éb")])
@pytest.mark.parametrize("between", DIVIDING)
def test_names_do_not_merge_across_anything_else(
    names: tuple[str, str], between: str
) -> None:
    """Two blanks, an empty line, markup and punctuation divide them (B3)."""
    scan = _fast.scan(between.join(names))

    assert not any(scan.flags(i) & COMPOUND for i in range(len(scan)))
    # The emphasis of one belongs to its words; everything else to none.
    assert [token.strip("_") for token in scan if token not in "1"] == [
        name.lower() for name in names
    ]


@given(text=TEXTS)
def test_lines_end_one_way_or_the_other(text: str) -> None:
    """CRLF gives the tokens of LF."""
    text = text.replace("\r", "")

    assert list(_fast.scan(text.replace("\n", "\r\n"))) == list(_fast.scan(text))


_NAMES = st.lists(
    st.from_regex(re.compile("[A-ZÉ][A-Zéx]{0,20}"), fullmatch=True).filter(
        lambda word: word.lower() not in CLOSED_CLASS | OPENERS
    ),
    min_size=1,
    max_size=8,
)


@given(names=_NAMES)
def test_shouting_does_not_merge(names: list[str]) -> None:
    """Two to five words of 64 characters together are a name, longer runs a headline."""
    merged = "_".join(names).lower()
    is_name = 2 <= len(names) <= 5 and len(merged) <= 64

    tokens = list(_fast.scan(" ".join(names)))

    assert tokens == ([merged] if is_name else [name.lower() for name in names])


HEADLINES = [
    (
        "BREAKING NEWS ABOUT THE GLITCH UNIVERSITY",
        ["breaking_news", "about", "the", "glitch_university"],
    ),
    ("WHAT IS GOING ON HERE", ["what", "is", "going", "on", "here"]),
    ("STOP SHOUTING AT ME", ["stop", "shouting", "at", "me"]),
    ("GNOMMOWEB IS DOWN", ["gnommoweb", "is", "down"]),
    (
        "Seven Capital Words Never Make One Name",
        ["seven_capital_words", "never", "make", "one_name"],
    ),
    (
        "Six Capital Words Become No Name",
        ["six_capital_words_become", "no", "name"],
    ),
]


@pytest.mark.parametrize(("text", "tokens"), HEADLINES)
def test_closed_class_words_end_a_shouted_run(text: str, tokens: list[str]) -> None:
    """They and the openers divide a run of capitals as they divide any other."""
    assert list(_fast.scan(text)) == tokens


MARKDOWN = [
    ("**Glitch University** is big", ["glitch_university", "is", "big"]),
    ("*Glitch University* is big", ["glitch_university", "is", "big"]),
    ("***Glitch University***", ["glitch_university"]),
    ("`Glitch University`", ["glitch_university"]),
    ("``Glitch University``", ["glitch_university"]),
    ("~~Glitch University~~", ["glitch_university"]),
    ("[Glitch University](x)", ["glitch_university", "x"]),
    ("> Glitch University", ["glitch_university"]),
    ("**Glitch** University", ["glitch", "university"]),
    ("`Glitch` University", ["glitch", "university"]),
    ("Glitch **University**", ["glitch", "university"]),
    ("> Glitch\n> University", ["glitch", "university"]),
    ("| Glitch | University |", ["glitch", "university"]),
    ("**Agent\nZero**", ["agent_zero"]),
    ("**Glitch University**’s x", ["glitch_university", "s", "x"]),
    # A `_` is a word character (B2), wherever it stands.
    ("_Glitch University_", ["_glitch", "university_"]),
    ("__Glitch University__", ["__glitch", "university__"]),
    ("_gnommoweb_", ["_gnommoweb_"]),
]


@pytest.mark.parametrize(("text", "tokens"), MARKDOWN)
def test_markup_is_no_part_of_a_name(text: str, tokens: list[str]) -> None:
    """Emphasis, code and links around a name leave it as it is, between its words not."""
    assert list(_fast.scan(text)) == tokens


@given(
    word=st.from_regex(re.compile("[A-Za-z_éßΣİ東0-9]+"), fullmatch=True),
    apostrophe=st.sampled_from("'’"),
    letter=st.sampled_from("sS"),
)
def test_a_possessive_is_dropped(word: str, apostrophe: str, letter: str) -> None:
    """With it a word is the token that it is without it."""
    assume("東" not in word)

    assert list(_fast.scan(word + apostrophe + letter)) == list(_fast.scan(word))


def test_what_cannot_be_seen_divides() -> None:
    """Zero-width and bidirectional control characters stand in no token, and hide none."""
    for character in INVISIBLE:
        text = f"{character}Glitch{character}University {character}Ab {character}"

        assert list(_fast.scan(text)) == ["glitch", "university", "ab"], ascii(text)


@given(text=TEXTS)
def test_no_token_holds_what_cannot_be_seen(text: str) -> None:
    """Neither format nor control characters, nor blanks, nor surrogates, in any text."""
    for token in _fast.scan(text):
        assert not {unicodedata.category(c)[0] for c in token} & {"C", "Z"}, ascii(
            token
        )


@given(
    text=st.lists(
        st.one_of(
            st.sampled_from(["A", "b", "é", "'s", " "]),
            st.characters(categories=["Cs"]),
        )
    ).map("".join)
)
def test_lone_surrogates_are_like_punctuation(text: str) -> None:
    """They have no UTF-8, so they divide words and every offset holds."""
    scan = _fast.scan(text)

    assert scan.text == text
    assert list(scan) == list(_fast.scan(re.sub("[\ud800-\udfff]", "\0", text)))
    for i, token in enumerate(scan):
        assert token.encode().decode() == token
        assert text[slice(*scan.span(i))].lower() == token.replace("_", " ")


KEYS = [
    "AB3dE5fG7hI9jK1lM3nO5pQ7",
    "A50E8400-E29B-41D4-A716-446655440000",
    "DEADBEEFDEADBEE1",
    "Deadbeefdeadbee1",
    "Sk_aB3dE5fG7hI9jK1lM3nO5",
    "X" * 65,
]


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_no_part_of_a_name(key: str) -> None:
    """A token that is no concept by its form merges with no neighbour, and divides them."""
    scan = _fast.scan(f"Bearer {key} Agent Zero")

    assert list(scan) == ["bearer", key.lower(), "agent_zero"]
    assert scan.flags(1) == CAPITAL


@pytest.mark.parametrize("text", ["C++_c Bcd", "F#_é Bcd", "C++_c Bcd Efg"])
def test_a_name_goes_on_behind_a_literal_ending(text: str) -> None:
    """A word that goes on behind `++` or `#` is one word, and merges with the next as one."""
    scan = _fast.scan(text)

    assert list(scan) == [text.lower().replace(" ", "_")]
