"""Which cue words may be left alone."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from festinger import _fast
from festinger._fast.kinds import ADVERB
from festinger.core.language.cues import scanner
from festinger.core.language.cues.patterns import _kinds
from tests import oracle
from tests.fast.strategies import ADVERSARIAL, PIECES, PROSE, PROSE_PIECES, TEXTS
from tests.oracle.cuefilter import _View

KINDS = _kinds()

# Words that a lead is told by, and what may stand between them.
_WORD = st.sampled_from(sorted(KINDS))
STATING = st.builds(
    lambda glue, parts: glue.join(parts),
    st.sampled_from([" ", " ", "\n", ""]),
    st.lists(
        st.one_of(_WORD, _WORD, st.sampled_from([*PROSE_PIECES, *PIECES])), max_size=30
    ),
)
#: The same, some of it farther apart than a sentence is long.
FAR = st.lists(STATING | st.just(" plain" * 70), max_size=8).map(" ".join)


def leads_of(build: Any, text: str) -> tuple[list[int], list[int]]:
    """Return the findings of a module in a text."""
    found: tuple[list[int], list[int]] = build.CueFilter(KINDS).find(build.scan(text))
    return found


@pytest.mark.parametrize(
    ("text", "stating"),
    [
        ("gnommoweb is a repo", True),
        ("dobby runs on docker", True),
        ("gnommoweb (a name) is a repo", True),
        ("This is a repo", False),
        ("the server is a repo", False),
        ("it works with gnommoweb is a repo", False),
        ("gnommoweb is in a repo", False),
        ("is a repo", False),
    ],
)
def test_a_cue_word_that_states_nothing_is_told_by_its_neighbours(text, stating):
    """Nobody reads a sentence in which there is no subject or no pattern."""
    assert bool(leads_of(_fast, text)[1]) == stating


def test_a_lead_that_no_hope_is_near_is_left_out():
    """Its sentence cannot hold one, and is not read."""
    text = "this is a repo. " + "plain words " * 40 + ". gnommoweb is a repo"

    leads, hopes = leads_of(_fast, text)

    assert leads == hopes == [len(_fast.scan(text)) - 3]


def test_too_long_a_word_is_refused():
    """A table of words has room for words of sixteen bytes."""
    with pytest.raises(ValueError, match="16 bytes"):
        _fast.CueFilter({"x" * 17: 1})


def test_a_word_of_a_pattern_that_is_not_listed_is_refused():
    """A scan marks the listed ones only, and a lead would be lost."""
    _fast.CueFilter({"purely": ADVERB, "solely": ADVERB})

    with pytest.raises(ValueError, match="'alone' is not of PATTERN_WORDS"):
        _fast.CueFilter({"alone": ADVERB})


@pytest.mark.parametrize(
    ("behind", "hoped"),
    [
        (" été", True),
        ("<x", True),
        ("\u2019 x", True),
        (" friendly a", True),
        (" a", True),
        (" friendly", False),
        ("-x", False),
        (" x", False),
        ("", False),
    ],
)
def test_only_a_plain_word_behind_shows_that_a_cue_word_leads_nowhere(behind, hoped):
    """If anything else is there, its neighbours are asked as well."""
    text = f"dobby is a repo and gnommoweb is{behind}"

    leads, hopes = leads_of(_fast, text)

    assert leads[0] == 1
    assert (6 in hopes) == hoped


def test_a_name_that_is_wrapped_hides_no_line():
    """The end of our own hint is told by its line, and so what is behind it may state."""
    assert leads_of(_fast, "Iknowthat\nH is\nContained ý") == ([1], [1])


@settings(max_examples=200, deadline=None)
@given(text=STATING | FAR | PROSE | TEXTS)
def test_leads_are_those_of_the_oracle(text: str) -> None:
    """The same cue words lead somewhere, and the same may state something."""
    assert leads_of(_fast, text) == leads_of(oracle, text)


@pytest.mark.parametrize("make", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_leads_in_what_repeats_are_those_of_the_oracle(make: Any) -> None:
    """So they do where a text says one thing over and over."""
    for size in (63, 380):
        assert leads_of(_fast, make(size)) == leads_of(oracle, make(size))


class Everything:
    """A memory that knows every name, so that none is refused for being unknown."""

    def is_everyday(self, token: str) -> bool:
        """Return whether a word is of the dictionary."""
        return False

    def is_known(self, token: str) -> bool:
        """Return whether a name is known."""
        return True


class AllCueWords:
    """A search that leaves no cue word out that may match, and none that may state."""

    def find(self, scan: Any) -> tuple[list[int], list[int]]:
        """Return the cue words that may match, and all of them."""
        view = _View(scan, KINDS.get)
        return [at for at in scan.cues() if view.may_match(at)], scan.cues()


def test_no_statement_is_lost_by_leaving_words_alone(monkeypatch):
    """If every cue word is tried, the statements are the same, dropped ones included."""
    chance = random.Random(20240131)
    words = [*sorted(KINDS), *PROSE_PIECES]
    found = 0

    for _ in range(1_500):
        glue = chance.choice([" ", " ", ""])
        size = chance.choice([20, 20, 20, 20, 150])
        scan = _fast.scan(glue.join(chance.choices(words, k=size)))
        few = scanner.find_cues(scan, Everything())
        with monkeypatch.context() as patch:
            patch.setattr(scanner, "CUE_FILTER", AllCueWords())
            assert scanner.find_cues(scan, Everything()) == few
        found += len(few)

    assert found > 30


@pytest.mark.parametrize("make", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_looking_around_cue_words_is_linear(make: Any) -> None:
    """No text makes a word be looked at for more than a few of its neighbours."""
    text = make(20_000)
    leads = _fast.CueFilter(KINDS)
    leads.find(_fast.scan(text))

    assert leads.steps <= 12 * len(text) + 400
