from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.graph.statement import parse_fact
from festinger.core.language.cues import CueVerdict
from festinger.core.language.turns import Role, Turn
from festinger.core.recollection.reading import NEW_CONCEPTS_MAX, Reader, read
from festinger.errors import NotATokenError
from tests.fast.strategies import PROSE, TEXTS
from tests.memories import NOW, TRUST
from tests.structures import build_world, soas_by_token

from .cue_notation import find, told

# What is written, and no concept by its form (B2).
NO_CONCEPTS = {
    "hex of 16": "deadbeefdeadbee1",
    "hex of 40": "356a192b7913b04c54574d18c28d46e6395428ab",
    "capital hex": "DEADBEEFDEADBEE1",
    "hex with a capital": "Deadbeefdeadbee1",
    "UUID": "550e8400-e29b-41d4-a716-446655440000",
    "capital UUID": "A50E8400-E29B-41D4-A716-446655440000",
    "base64 of 24": "aB3dE5fG7hI9jK1lM3nO5pQ7",
    "base64 with a capital": "AB3dE5fG7hI9jK1lM3nO5pQ7",
    "base64 for URLs": "eyJhbGciOiJIUzI1NiIsInR5cCI6_kpXVCJ9-x",
    "number": "12345",
    "fraction": "3.14",
    "date": "2024-01-31",
    "Indic number": "٣٤",
    "65 characters": "x" * 65,
    "65 capitals": "X" * 65,
    "65 wide characters": "é" * 65,
}

# What looks like it and may be a name all the same.
CONCEPTS = {
    "hex of 15": "deadbeefdeadbe1",
    "hex without a digit": "deadbeefdeadbeef",
    "base64 of 23": "aB3dE5fG7hI9jK1lM3nO5pQ",
    "base64 without a digit": "AbcdefghiJklmnopqrStuvwxyz",
    "base64 of one case": "ab3de5fg7hi9jk1lm3no5pq7",
    "64 characters": "x" * 64,
    "number and letter": "3rd",
    "version": "v1.2",
}

SENTENCES = ["{}", "the key {} is here", "Bearer {}", "{} Agent Zero", "'{}'s", "({})"]


def hear(world, *turns):
    """Read turns."""
    reader = Reader(TRUST, "alice")
    return read(world, list(turns), reader, threshold=0.5, now=NOW)


def met(*texts):
    """Return the concepts that have a row when a person has said something."""
    world = build_world()
    hear(world, *(Turn(Role.USER, text) for text in texts))
    return set(soas_by_token(world))


@pytest.mark.parametrize("sentence", SENTENCES)
@pytest.mark.parametrize("word", NO_CONCEPTS.values(), ids=list(NO_CONCEPTS))
def test_what_is_no_concept_gets_no_row(word, sentence):
    """Keys, hashes, numbers and the like are not kept, alone, quoted or beside a name."""
    concepts = met(sentence.format(word))

    assert not [it for it in concepts if word.lower() in it]
    assert concepts <= {"key", "bearer", "agent_zero"}


@pytest.mark.parametrize("word", CONCEPTS.values(), ids=list(CONCEPTS))
def test_what_only_looks_like_it_gets_a_row(word):
    """The bounds are where the decision puts them."""
    assert met(word) == {word.lower()}


@pytest.mark.parametrize("word", NO_CONCEPTS.values(), ids=list(NO_CONCEPTS))
@pytest.mark.parametrize(
    "fact",
    ["{} -isa repo", "gnommoweb -isa {}", "gnommoweb -isa repo in context of {}"],
)
def test_no_fact_names_it(word, fact):
    """`gutask` refuses it at every place of a fact."""
    with pytest.raises(NotATokenError):
        parse_fact(fact.format(word))


@pytest.mark.parametrize("word", NO_CONCEPTS.values(), ids=list(NO_CONCEPTS))
@pytest.mark.parametrize(
    "sentence",
    [
        "{} is a repo",
        "gnommoweb is a {}",
        "gnommoweb runs on {}",
        "gnommoweb ISPART {}",
        "gnommoweb is part of Glitch {}",
        "gnommoweb is a repo of {}",
        "gnommoweb is a repo in context of {}",
    ],
)
def test_no_statement_names_it(word, sentence):
    """The cue scanner makes no concept of it at any place of a triple."""
    for cue in find(sentence.format(word)):
        if cue.verdict is not CueVerdict.DROPPED:
            triple = cue.triple
            names = triple.concept, triple.parent, triple.dimension
            assert not [name for name in names if word.lower() in name]


def test_a_statement_in_no_nameable_context_is_dropped():
    """It was qualified by its author, so it is not held without what qualified it."""
    assert told("gnommoweb is a repo in context of 42") == []
    assert told("gnommoweb is a repo in context of deadbeefdeadbee1") == []


def is_concept(token):
    """B2's exclusions, told in another way than the tokeniser tells them."""
    plain = token.replace("-", "")
    # The zero of U+3007 is written among Chinese numerals, which are letters.
    letters = [
        it for it in token if unicodedata.category(it)[0] == "L" or it == "\u3007"
    ]
    is_hex = not plain.strip("0123456789abcdef") and any(map(str.isdigit, plain))
    return len(token) <= 64 and bool(letters) and not (is_hex and len(plain) >= 16)


@settings(deadline=None)
@given(texts=st.lists(TEXTS | PROSE, max_size=3))
def test_whatever_is_said_only_concepts_get_rows(texts):
    """No text brings a row for what is too long, a number or a hash, or has a key in it."""
    for token in met(*texts):
        assert is_concept(token), token


@settings(deadline=None)
@given(
    key=st.text("abcXYZ019_-", min_size=24, max_size=60).filter(
        lambda key: (
            re.fullmatch(r"[A-Za-z0-9]+([_-][A-Za-z0-9]+)*", key)
            and re.search("[a-z]", key)
            and re.search("[A-Z]", key)
            and re.search("[0-9]", key)
        )
    ),
    sentence=st.sampled_from(SENTENCES),
)
def test_no_key_gets_a_row(key, sentence):
    """Base64 of 24 characters and more, of mixed classes, is nobody's name."""
    assert not [it for it in met(sentence.format(key)) if key.lower() in it]


def words(prefix, count):
    """So many words that nobody has met."""
    return " ".join(f"{prefix}{number}x" for number in range(count))


def test_the_cap_holds_over_all_turns_of_a_prompt():
    """500 new concepts a prompt, however many turns share them, first come first met (B5a)."""
    turns = [
        Turn(role, words(f"{role}{number}", 180))
        for number, role in enumerate([Role.USER, Role.TOOL, Role.ASSISTANT, Role.USER])
    ]
    world = build_world()

    hear(world, *turns)

    concepts = list(soas_by_token(world))
    assert len(concepts) == NEW_CONCEPTS_MAX == 500
    assert sum(it.startswith("assistant2") for it in concepts) == 500 - 2 * 180
    assert not any(it.startswith("user3") for it in concepts)


def test_every_prompt_has_the_cap_to_itself():
    """A name that did not fit is met when it is said again."""
    world = build_world()

    sizes = []
    for _ in range(3):
        hear(world, Turn(Role.USER, words("w", 1200)))
        sizes.append(len(soas_by_token(world)))

    assert sizes == [500, 1000, 1200]


def test_what_is_only_looked_up_takes_nothing_of_the_cap():
    """Turns of the history and system text bring no rows and leave the room to others."""
    world = build_world()

    hear(
        world,
        Turn(Role.SYSTEM, words("system", 600)),
        Turn(Role.USER, words("seen", 600), seen=True),
        Turn(Role.USER, words("new", 600)),
    )

    assert len(soas_by_token(world)) == NEW_CONCEPTS_MAX
    assert all(token.startswith("new") for token in soas_by_token(world))


def test_what_is_known_takes_nothing_of_the_cap():
    """Words with a row, and words said twice, are not new."""
    world = build_world()
    hear(world, Turn(Role.USER, words("old", 400)))

    hear(
        world,
        Turn(Role.USER, words("old", 400)),
        Turn(Role.USER, words("new", 300)),
        Turn(Role.TOOL, words("new", 300)),
        Turn(Role.USER, words("newer", 200)),
    )

    assert len(soas_by_token(world)) == 400 + 300 + 200


def test_what_is_no_concept_takes_nothing_of_the_cap():
    """A log full of numbers and hashes costs its words nothing."""
    log = " ".join(f"{number} deadbeefdeadbeef{number}" for number in range(600))
    world = build_world()

    hear(world, Turn(Role.TOOL, f"{log} {words('new', 500)}"))

    assert len(soas_by_token(world)) == 500
