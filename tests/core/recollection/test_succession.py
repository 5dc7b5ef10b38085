from __future__ import annotations

import pytest

from festinger.core.graph.origins import StatementOrigin, StatementReader
from festinger.core.language.utterances import read_turn
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.lines.turns import SpokenTurn, digest_of, lines_of
from festinger.core.recollection.succession import (
    EarlierLine,
    PromptChanges,
    successor_of,
)
from festinger.core.recollection.weighing import shipped

NOW = 1_790_000_000.0
SAID = "the choir meets in the boathouse, and Lorna looks after the keys of it"


def index_of(*texts, session=""):
    """An index of turns of one person, the oldest first, among others about nothing of it."""
    index = LineIndex()
    others = [f"Page{at} tells of topic{at}, and of nothing else." for at in range(40)]
    for number, text in enumerate([*others, *texts], 1):
        turn = SpokenTurn(
            number,
            "ilka",
            "ilka",
            "choir",
            session or f"s{number}",
            NOW - 86_400 * (60 - number),
            digest_of(text),
            read_turn(text).utterances,
        )
        index.sources.put(LineKind.UTTERANCE, number, lines_of(turn))
    return index


@pytest.mark.parametrize(
    "later",
    ["The choir meets in room 3.", "the choir meets in room 3", "Room 3, the choir."],
)
def test_who_repeats_a_sentence_changes_nothing(later):
    """However alike it is, a sentence without a new word is no later state of things."""
    index = index_of("The choir meets in room 3.", later)
    (first,) = index.sources.turn_of(digest_of("The choir meets in room 3."))[:1]

    assert successor_of(index, first, shipped()) is None


FERRY = "The ferry to Ulvik leaves at 9:40 and costs 12 euros for a bike and its rider."


@pytest.mark.parametrize(
    "later",
    [
        "By the way, on Sundays that ferry is at 10:15, not 9:40, as Jorunn found out.",
        "Whoever takes it, says a lady on that ferry, comes at 10:15 instead of 9:40.",
        "A bike is 14 there and not 12, which the ferry man was sorry about.",
    ],
)
def test_sentence_that_denies_a_value_changes_what_has_it(later):
    """However little else the two have in common."""
    index = index_of(FERRY, later)
    (first,) = index.sources.turn_of(digest_of(FERRY))

    found = successor_of(index, first, shipped())

    assert found is not None
    assert found.text == later


@pytest.mark.parametrize(
    "later",
    [
        # Another value, a part of one, and no common topic.
        "The bus to Ulvik takes 40 minutes, not 45, with my rider's pass.",
        "A bike needs 2 locks and not 1.",
        "Lorna is 39, not 40, and 12 of us know it.",
        "Not 12 apples, Jorunn.",
    ],
)
def test_sentence_that_denies_another_value_changes_nothing(later):
    """A number that is denied is that of the line as a whole, and about the same."""
    index = index_of(FERRY, later)
    (first,) = index.sources.turn_of(digest_of(FERRY))

    assert successor_of(index, first, shipped()) is None


def test_a_number_is_no_common_topic():
    """Two sentences that share nothing else are about two things."""
    index = index_of("The choir meets in room 3.", "Number 3 is done now.")
    (first,) = index.sources.turn_of(digest_of("The choir meets in room 3."))

    assert successor_of(index, first, shipped()) is None


def statement(index, text, quote, said=SAID):
    """Return a statement that a model read from a turn."""
    (line, *_) = index.sources.turn_of(digest_of(said))
    origin = StatementOrigin(
        quote,
        line.speaker,
        line.speaker,
        line.project,
        line.session,
        line.said,
        line.digest,
        StatementReader.MODEL,
    )
    return IndexedLine(
        1 << 43,
        LineKind.STATEMENT,
        7,
        text,
        speaker=line.speaker,
        project=line.project,
        said=line.said,
        digest=line.digest,
        session=line.session,
        origin=origin,
    )


@pytest.mark.parametrize(
    "later",
    [
        "the boathouse is full of canoes, so the choir meets in the annex now",
        "choir has moved out of the boathouse",
        "no more boathouse for the choir, we meet at Pia's",
    ],
)
def test_statement_is_changed_by_a_later_sentence_that_nothing_was_read_from(later):
    """A small model misses a change: the words of it are told with what they change."""
    index = index_of(SAID, later)
    held = statement(
        index, "choir: [meets in] boathouse", "the choir meets in the boathouse"
    )

    found = successor_of(index, held, shipped())

    assert found is not None
    assert found.text == later


def test_another_value_of_the_same_kind_changes_a_statement():
    """A number of something else does not."""
    said = "choir practice costs 30 euros"
    line = "choir practice: [costs] 30 euros"
    dearer = index_of(said, "ilka says choir practice costs 35 euros again")
    longer = index_of(said, "ilka says choir practice lasts 35 minutes again")

    assert successor_of(dearer, statement(dearer, line, said, said), shipped())
    assert not successor_of(longer, statement(longer, line, said, said), shipped())


def test_sentence_about_other_things_changes_no_statement():
    """However much it speaks of changes."""
    index = index_of(SAID, "the organist has moved to Oban and is retired now")
    held = statement(
        index, "choir: [meets in] boathouse", "the choir meets in the boathouse"
    )

    assert successor_of(index, held, shipped()) is None


def test_words_of_the_same_session_change_less():
    """People talk on about a topic more often than they change it at once."""
    said = "the concert is in the town hall on 3 May"
    later = "the concert in the town hall needs new posters by 20 April"

    def change(session):
        index = index_of(said, later, session=session)
        (line,) = index.sources.turn_of(digest_of(said))
        earlier = EarlierLine(index, line)
        ((_, text),) = earlier.later()
        return shipped().of_change(line).probability(earlier.values(text))

    assert change("monday") < change("")


def test_a_prompt_that_changes_a_statement_is_not_told_it():
    """One that only asks is."""
    index = index_of(SAID)
    held = statement(
        index, "choir: [meets in] boathouse", "the choir meets in the boathouse"
    )
    changed = "the choir no longer meets in the boathouse"

    assert PromptChanges(index, changed, shipped()).replace(held)
    assert not PromptChanges(index, f"{changed}?", shipped()).replace(held)
