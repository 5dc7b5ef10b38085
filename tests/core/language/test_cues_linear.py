from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger import _fast
from festinger._fast import Sentence, SentenceReader, native, readable
from festinger.core.language.cues import scanner
from festinger.core.language.cues.patterns import match_at

from .cue_notation import find

SIZE = 20_000

# Texts that would make a careless scanner quadratic.
ADVERSARIAL = {
    "cues only": "is a " * 20_000,
    "one word": "A" * SIZE,
    "no punctuation": "gnommoweb is a repo and " * 833,
    "capitals": "A " * (SIZE // 2),
    "quotes": '"' * SIZE,
    "opening quotes": "“x " * (SIZE // 3),
    "spaced quotes": 'x "y is a ' * 2_000,
    "apostrophes": "'a is a " * 2_500,
    "backticks": "` " * (SIZE // 2),
    "runs of backticks": "".join("`" * n + " is a " for n in range(1, 200)),
    "fences": "```\nx is a y\n" * 1_533,
    "parentheses": "(x is a " * 2_500,
    "closing parentheses": "x ) is a " * 2_200,
    "brackets": "[x](" * (SIZE // 4),
    "tags": "<a " * (SIZE // 3),
    "code tags": "<code>x is a y " * 1_333,
    "comments": "<!-- x is a y " * 1_400,
    "addresses": "a://b is a c " * 1_533,
    "commas": "x, is a " * 2_500,
    "dashes": "x - is a " * 2_200,
    "newlines": "\n" * SIZE,
    "short lines": "x is a\n" * 2_833,
    "spaces": "x is a" + " " * SIZE + "y",
    "adverbs": "x " + "now " * 5_000 + "is a repo",
    "behind adverbs": "is also " * 2_500,
    "hints": "gutask iknowthat " * 1_166,
    "line ends": ("x" * 390 + " is a\n") * 50,
    "exclamations": "!" * SIZE + " x is a y",
    "negations": "is not never " * 1_533,
}


@pytest.fixture
def visits(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Count what a scan visits: gaps and words."""
    counted: Counter[str] = Counter()

    class Reader(SentenceReader):
        def around(self, cue: int) -> int:
            before = self.steps
            found = super().around(cue)
            counted["steps"] += self.steps - before
            return found

        def sentence(self, first: int) -> Sentence:
            before = self.steps
            found = super().sentence(first)
            counted["steps"] += self.steps - before
            return found

    monkeypatch.setattr("festinger.core.language.cues.scanner.SentenceReader", Reader)
    return counted


@pytest.mark.parametrize("text", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_visits_are_linear_in_the_text(text, visits):
    """No text makes the scanner visit its characters and tokens more than a few times."""
    find(text)

    assert visits["steps"] <= 4 * len(text) + 400


@pytest.mark.parametrize("text", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_cue_words_are_tried_once(text, monkeypatch):
    """No cue word is tried twice."""
    tried = Counter[int]()

    def matched(sentence, at):
        tried[sentence.start(at)] += 1
        return match_at(sentence, at)

    monkeypatch.setattr(scanner, "match_at", matched)
    find(text)

    assert set(tried.values()) <= {1}


@pytest.mark.parametrize("text", ADVERSARIAL.values(), ids=list(ADVERSARIAL))
def test_characters_searched_for_marks_are_linear(text):
    """A mark that is never closed is searched for once, not once for each opening."""
    # Runs of backticks are of a kind each, at most 28 of them within a sentence.
    assert native.steps_of(text) <= 28 * len(text) + 400


_WORDS = (
    "gnommoweb is a repo isa ispart not of part and that the Glitch runs on owned by "
    "kind member if which University or never also no longer"
)

MARKED = st.lists(
    st.sampled_from(
        [
            *_WORDS.split(),
            *" \t\n\"'`“”«»()[]<>!?.,:;-—*_#>|/\0\1\x0b\u2028\u200d🎉é東京",
            "```", "</code>", "<code>", "<!--", "-->", "](", "\r\n", "\n\n", "://",
            "gutask iknowthat", "'s", "n't", "e.g. ", "\ud800",
        ]
    ),
    max_size=60,
)  # fmt: skip


@given(MARKED, st.sampled_from(["", " "]))
def test_any_text_is_scanned_and_its_spans_hold(parts, glue):
    """Whatever the text, nothing fails, and every statement points into it."""
    text = glue.join(parts)
    scan = _fast.scan(text)
    found = find(text)
    for cue in found:
        assert 0 <= cue.start < cue.end <= len(scan.text)
        assert len(cue.sentence) <= 400
        assert cue.triple.concept
        assert cue.triple.parent
    # A statement in parentheses ends before the one around it.
    assert all(after.end > cue.start for cue, after in pairwise(found))


@given(st.text(max_size=200))
def test_blotting_keeps_the_length_of_any_text(text):
    """Offsets in the blotted text are offsets in the text."""
    assert len(readable(text)) == len(text)
