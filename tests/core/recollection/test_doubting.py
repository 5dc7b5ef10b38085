from __future__ import annotations

import pytest

from festinger.core.graph.origins import StatementOrigin, StatementReader
from festinger.core.language.marks import marks_of
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.lines.quotes import word
from festinger.core.lines.turns import digest_of
from festinger.core.recollection.choosing import ChosenLine
from festinger.core.recollection.doubting import told_changes
from festinger.core.recollection.scoring import ScoredLine
from festinger.core.recollection.weighing import shipped
from tests.core.recollection.test_succession import NOW, index_of


def chosen(*lines):
    """Choice of one line each."""
    return [ChosenLine([it], ScoredLine(it, 0.5, [], 0)) for it in lines]


def sentences(index, *texts):
    """Return the first sentences of some turns."""
    return [index.sources.turn_of(digest_of(it))[0] for it in texts]


def statement(text, quote, *, day, speaker="ilka"):
    """Return the line of a statement that a model has read from a sentence."""
    digest = digest_of(quote)
    origin = StatementOrigin(
        quote, speaker, speaker, "choir", "", NOW, digest, StatementReader.MODEL
    )
    return IndexedLine(
        number=1_000 + day,
        kind=LineKind.STATEMENT,
        key=day,
        text=text,
        speaker=speaker,
        project="choir",
        said=NOW + 86_400 * day,
        marks=marks_of(quote),
        digest=digest,
        origin=origin,
    )


def doubted(index, lines):
    """Return the texts of the lines that a later one of the block may change."""
    found = told_changes(index, chosen(*lines), shipped())
    return [lines[at].text for at in sorted(found)]


VENUE = "The summer concert is set for Tuesday 30 June, tickets are at the bakery."
OFF = "The tuner cannot come, so the concert on the 30th is off."


def test_a_told_sentence_that_a_later_one_of_the_block_denies_is_doubted():
    """Both are told, and the older one not as if it held."""
    index = index_of(VENUE, OFF)

    assert doubted(index, sentences(index, VENUE, OFF)) == [VENUE]


def test_a_sentence_is_not_doubted_by_an_earlier_one():
    """The last statement is not doubted because of earlier ones."""
    index = index_of(OFF, VENUE)

    assert VENUE not in doubted(index, sentences(index, OFF, VENUE))


@pytest.mark.parametrize(
    ("later", "is_doubted"),
    [
        ("From Easter the doors open at 18:45 and not 19:15.", True),
        ("From Easter the doors open at 18:45 and not 20:15.", False),
        ("We need 12 chairs and not 19 of them.", False),
    ],
)
def test_a_told_line_whose_exact_value_is_denied_is_doubted(later, is_doubted):
    """
    Beside each other in a block they need no other word in common: few things begin at
    the same minute, and a plain number may count anything.
    """
    rehearsal = "Choir rehearsal is every Thursday, 19:15, 19 singers."
    index = index_of(rehearsal, later)

    found = doubted(index, sentences(index, rehearsal, later))
    assert found == ([rehearsal] if is_doubted else [])


@pytest.mark.parametrize(
    ("beside", "is_doubted"),
    [("Marta sings the solo.", True), ("Auditions are on tuesdays.", False)],
)
def test_a_told_line_that_alone_has_a_denied_day_is_doubted(beside, is_doubted):
    """Of two lines with the day nobody knows which one is meant."""
    tuner = "The tuner comes on Tuesday."
    later = "He texted, no tuesday, it's thursday."
    index = index_of(tuner, beside, later)

    found = doubted(index, sentences(index, tuner, beside, later))
    assert (tuner in found) is is_doubted


def test_a_request_changes_nothing():
    """A request does not say that something else has ended."""
    request = "Please change the reminder of the concert on the 30th, not the text."
    index = index_of(VENUE, request)

    assert doubted(index, sentences(index, VENUE, request)) == []


def test_what_adds_to_a_denial_changes_nothing():
    """
    "Either" says that what was said before still holds.
    """
    denial = "The choir does not sing at weddings."
    other = "The choir does not sing at funerals either."
    index = index_of(denial, other)

    assert doubted(index, sentences(index, denial, other)) == []


def test_an_address_that_names_the_topic_changes_nothing():
    """A new address of somebody there ends nothing that was said of the place."""
    said = "For Brandt Pumpen I translate manuals."
    news = "New contact: Uwe Lenz, uwe.lenz@brandt-pumpen.example."
    index = index_of(said, news)

    assert doubted(index, sentences(index, said, news)) == []


def test_a_rule_is_not_doubted():
    """It holds until somebody ends it in so many words."""
    rule = "Never sell concert tickets after the concert has begun."
    index = index_of(rule, "We now sell concert tickets at the concert.")
    lines = sentences(index, rule, "We now sell concert tickets at the concert.")

    assert doubted(index, lines) == []


@pytest.mark.parametrize(
    "said", ["Dad is allergic to penicillin.", "Dad must never get penicillin."]
)
def test_an_allergy_is_not_doubted(said):
    """News of the same person leave it as it is."""
    news = "Dad does not take his pills at noon anymore."
    index = index_of(said, news)

    assert doubted(index, sentences(index, said, news)) == []


NEW_RATE = statement(
    "Dov: [rate-from-may] 400 EUR", "my rate goes up to 400 from may", day=9
)


@pytest.mark.parametrize(
    ("old", "is_doubted"),
    [
        ("Dov: [rate] 350 EUR", True),
        ("Dov: [rate] day by day", False),
        ("Dov: [rent] 350 EUR", False),
        ("Ines: [rate] 350 EUR", False),
    ],
)
def test_another_value_of_much_the_same_is_doubted(old, is_doubted):
    """A model that names a change differently leaves the old value standing."""
    index = index_of("Dov is back.", "The rate is paid monthly.")
    earlier = statement(old, "it is 350 for a day", day=1)

    assert bool(doubted(index, [earlier, NEW_RATE])) is is_doubted


def test_a_doubted_line_says_when_it_was_perhaps_replaced():
    """A reader finds the newer line of the block by its day."""
    earlier = statement("Dov: [rate] 350 EUR", "it is 350 for a day", day=1)
    text = word([earlier], doubted=NOW + 86_400 * 9, asker="", project="choir", now=NOW)

    assert text.endswith("(perhaps replaced 30 Sep)")
