"""Lines of statements that were read from words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger import _fast
from festinger.core.graph.conflicts import Clash, PendingConflicts
from festinger.core.graph.origins import StatementOrigin, StatementReader
from festinger.core.graph.outcome import ASSERTED
from festinger.core.language.utterances import read_turn
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import LineKind, readable
from festinger.core.lines.originlines import OriginLines
from festinger.core.lines.turns import SpokenTurn, digest_of, lines_of
from festinger.core.recollection.disputes import contested_place, dispute_of
from festinger.core.recollection.names import NoteName
from festinger.core.recollection.recall import RecallRequest, recall
from festinger.core.recollection.rewriting import told_again
from tests.memories import COMMON_WORDS

NOW = 1_790_000_000.0
DAY = 86_400.0
ROTATION = "We rotate the on-call pager every Tuesday at ten."
DELIVERY = "Kassel delivers the stock file at 05:40, and Herr Brandt runs their IT."
MOVED = "The stock file from Kassel arrives at 06:10 now."


class Read:
    """An index of what was said and read, built by hand."""

    def __init__(self):
        self.index = LineIndex()
        self.conflicts = PendingConflicts()
        self.origins: dict[int, StatementOrigin] = {}
        self.vocabulary = _fast.Vocabulary()
        self.edges: dict[int, Any] = {}
        self.lines = OriginLines(
            self.vocabulary, self.conflicts, self.origins, self.index.sources.turn_of
        )
        self.index.read = self.lines
        self.turns = 0
        self.numbers = 0

    def say(self, text, speaker="nan", project="shop"):
        """Keep a turn; return what a reader needs of it."""
        self.turns += 1
        kept = read_turn(text)
        said = NOW - DAY * (50 - self.turns)
        turn = SpokenTurn(
            self.turns,
            speaker,
            speaker,
            project,
            "s",
            said,
            digest_of(text),
            kept.utterances,
            kept.audience,
        )
        self.index.sources.put(LineKind.UTTERANCE, self.turns, lines_of(turn))
        return turn

    def origin(self, turn, quote, reader=StatementReader.MODEL, **more):
        """Return words of a turn."""
        return StatementOrigin(
            quote,
            turn.speaker,
            turn.speaker,
            turn.project,
            turn.session,
            turn.said,
            turn.digest,
            reader,
            **more,
        )

    def hold(self, turn, quote, statement, instead_of=0, **more):
        """Hold a statement that was read from a turn; return its row of the ledger."""
        subject, dimension, value = statement
        concept = self.id(subject)
        number = self.next()
        self.origins[number] = self.origin(turn, quote, **more)
        edge = _fast.Edge(
            concept,
            self.id(value),
            self.id(dimension),
            False,
            0.9,
            turn.said,
            0,
            ASSERTED,
            number,
        )
        held = self.edges.setdefault(concept, [])
        held[:] = [it for it in held if it.assertion_id != instead_of]
        held.append(edge)
        self.lines.follow(concept, held)
        self.origins.pop(instead_of, None)
        return number

    def end(self, number):
        """Has a statement hold no more, and nothing in its place."""
        for concept, held in self.edges.items():
            held[:] = [it for it in held if it.assertion_id != number]
            self.lines.follow(concept, held)
        del self.origins[number]

    def contest(self, number, value, origin):
        """Has another value wait against a statement."""
        edge = next(
            it
            for held in self.edges.values()
            for it in held
            if it.assertion_id == number
        )
        clash = Clash(edge.concept_id, edge.dim_id, self.id(value), False)
        self.conflicts.add(clash, 7, origin)
        return clash

    def id(self, token):
        """Return the number of a token."""
        known = self.vocabulary.id(token)
        if known is None:
            known = self.next()
            self.vocabulary.add(token, known)
        return known

    def next(self):
        """Return a number that was never given out."""
        self.numbers += 1
        return self.numbers

    def told(self, prompt, asker="theo", project="shop", **more):
        """Return the texts that a prompt is told."""
        return [it.text for it in self.tell(prompt, asker, project, **more)]

    def tell(self, prompt, asker="theo", project="shop", **more):
        """Return the lines that a prompt is told."""
        asked = RecallRequest(prompt, asker=asker, project=project, **more)
        recalled = recall(
            self.index, asked, dictionary=COMMON_WORDS, tokens=200, now=NOW
        )
        return recalled.lines


ASKED = "When does Kassel deliver the stock file to our shop today?"


@pytest.fixture
def read():
    """Two sentences were said."""
    read = Read()
    read.say(ROTATION)
    return read


def test_a_statement_is_told_with_who_said_it_and_when(read):
    """One short line, which reads like any other statement."""
    turn = read.say(DELIVERY)
    read.hold(
        turn, "delivers the stock file at 05:40", ("stock_file", "arrives", "05:40")
    )

    assert read.told(ASKED)[0] == "stock file: [arrives] 05:40 — nan, 4 Aug"


def test_a_sentence_is_not_told_beside_the_statements_that_say_it_all(read):
    """A statement that was read from all words of a sentence stands for it."""
    turn = read.say(DELIVERY)
    read.hold(
        turn,
        "Kassel delivers the stock file at 05:40",
        ("stock_file", "arrives", "05:40"),
    )
    read.hold(turn, "Herr Brandt runs their IT", ("herr_brandt", "runs", "kassel_it"))

    told = read.told(ASKED)

    assert "stock file: [arrives] 05:40 — nan, 4 Aug" in told
    assert not any(DELIVERY in it for it in told)


def test_a_sentence_is_told_if_it_says_more_than_what_was_read(read):
    """A reader that leaves something out hides nothing."""
    text = (
        "Kassel delivers the stock file at 05:40, encrypted with the old depot key,"
        " and a retry after a broken transfer needs Herr Brandt."
    )
    turn = read.say(text)
    read.hold(turn, "the stock file at 05:40", ("stock_file", "arrives", "05:40"))

    told = read.told(ASKED)

    assert any(text in it for it in told)


def test_a_sentence_is_told_if_no_statement_has_its_number(read):
    """However little is left, a number is what most likely was left out."""
    text = "Kassel delivers the stock file at 05:40 over port 2207."
    turn = read.say(text)
    quote = "Kassel delivers the stock file at 05:40"
    read.hold(turn, quote, ("stock_file", "arrives", "05:40"))

    assert any(text in it for it in read.told(ASKED))


def test_a_sentence_is_told_if_a_rule_read_one_of_its_clauses(read):
    """Rules name their whole sentence, and may have read as little of it as a model."""
    text = (
        "The stock file is in Kassel, and nobody opens it unless Priya has signed off."
    )
    turn = read.say(text)
    stated = ("stock_file", "located", "kassel")
    read.hold(turn, text, stated, reader=StatementReader.RULES)

    told = read.told("Where in Kassel is our stock file, and who opens it?")

    assert any(text in it for it in told)


def test_a_statement_that_a_rule_read_is_told_if_its_sentence_shortens_the_name(read):
    """
    "The indexer" alone does not say that it is the catalog's.
    """
    text = "As of today the indexer is owned by Jonas, and the catalog by Sasha."
    turn = read.say(text)
    stated = ("catalog_indexer", "owned-by", "jonas")
    read.hold(
        turn,
        text,
        stated,
        reader=StatementReader.RULES,
        subject="catalog indexer",
        value="Jonas",
    )

    told = read.told("who owns the catalog indexer?")

    assert told == ["catalog indexer: [owned-by] Jonas — nan, 4 Aug"]


@pytest.mark.parametrize("block", [0, 500])
def test_words_of_a_replaced_statement_are_not_told_as_true(read, block):
    """
    A prompt that would be told the old words is told the present fact instead, whichever
    server wrote it: each numbers from a block of its own.
    """
    old = read.say(DELIVERY)
    read.numbers += block
    first = read.hold(old, DELIVERY[:38], ("stock_file", "arrives", "05:40"))
    read.numbers -= block
    new = read.say(MOVED)
    second = read.hold(
        new, MOVED[:-1], ("stock_file", "arrives", "06:10"), instead_of=first
    )

    told = read.told(ASKED)

    assert any("[arrives] 06:10, no longer 05:40" in it for it in told)
    assert all("no longer 05:40" in it for it in told if "05:40" in it)
    assert [it.key for it in read.lines.successor_of(first)] == [second]


@pytest.mark.parametrize(
    ("said", "is_forgotten"),
    [
        ("Between us, the stock file arrives at 05:40.", False),
        ("The stock file arrives at 05:40.", True),
    ],
)
def test_former_value_is_told_no_more_than_its_words(read, said, is_forgotten):
    """Neither what was said to few, nor what was forgotten, is told as what held before."""
    old = read.say(said)
    first = read.hold(old, said[-31:], ("stock_file", "arrives", "05:40"))
    new = read.say(MOVED, speaker="priya")
    read.hold(new, MOVED[:-1], ("stock_file", "arrives", "06:10"), instead_of=first)
    if is_forgotten:
        assert any("no longer 05:40" in it for it in read.told(ASKED))
        read.index.sources.remove(LineKind.UTTERANCE, old.id)

    told = read.told(ASKED)

    assert any("[arrives] 06:10 — priya" in it for it in told)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("postgres 14", "postgres 14 on db-prod-1"),
        ("the shelf behind the second door of the old boiler house", "shelf 4"),
    ],
)
def test_former_value_is_told_if_it_is_short_and_another(read, before, after):
    """A statement that was only made more precise did not end."""
    old = read.say(DELIVERY)
    first = read.hold(old, DELIVERY[:38], ("stock_file", "in", before))
    read.hold(read.say(MOVED), MOVED, ("stock_file", "in", after), instead_of=first)

    assert not any("no longer" in it for it in read.told(ASKED))


def test_no_value_is_told_as_ended_beside_several_that_hold(read):
    """Nobody can tell which of them took its place."""
    turn = read.say(DELIVERY)
    first = read.hold(turn, DELIVERY[:38], ("stock_file", "goes_to", "Lyon"))
    read.hold(turn, DELIVERY[:38], ("stock_file", "goes_to", "Bern"))
    new = read.say(MOVED)
    read.hold(new, MOVED[:-1], ("stock_file", "goes_to", "Graz"), instead_of=first)

    assert not any("no longer" in it for it in read.told(ASKED))


def test_words_of_an_ended_statement_are_not_told(read):
    """Nothing holds in its place, and nothing is told."""
    turn = read.say(DELIVERY)
    number = read.hold(turn, DELIVERY[:38], ("stock_file", "arrives", "05:40"))
    read.end(number)

    assert not any("05:40" in it for it in read.told(ASKED))


def test_a_statement_that_is_held_again_is_told_again(read):
    """Somebody took back that it was replaced: its words are as good as before."""
    statement = ("stock_file", "arrives", "05:40")
    old = read.say(DELIVERY)
    first = read.hold(old, DELIVERY[:38], statement)
    new = read.say(MOVED)
    second = read.hold(
        new, MOVED[:-1], ("stock_file", "arrives", "06:10"), instead_of=first
    )
    read.hold(old, DELIVERY[:38], statement, instead_of=second)

    told = read.told(ASKED)

    assert any("[arrives] 05:40, no longer 06:10" in it for it in told)
    assert all("no longer 06:10" in it for it in told if "06:10" in it)


def test_a_statement_is_not_told_without_what_was_said_since_and_is_unread(read):
    """Newest words count, even if nobody has read them yet."""
    turn = read.say("prod is on postgres 14, dont use anything newer")
    read.hold(turn, "prod is on postgres 14", ("prod", "postgres", "14"))
    for number in range(40):
        read.say(f"Locker {number} of the depot is painted green.")
    read.say("we moved prod to postgres 16, prod is not on postgres 14 anymore")

    told = read.told("which postgres is prod on, and what may we use on our prod?")

    assert any("postgres 16" in it for it in told)
    assert all("postgres 16" in it for it in told if "[postgres] 14" in it)


def test_both_sides_of_a_contested_statement_are_told(read):
    """The doubt on the line itself, the other side on one of its own."""
    turn = read.say(DELIVERY)
    number = read.hold(turn, DELIVERY[:38], ("stock_file", "arrives", "05:40"))
    other = read.say("the stock file comes at 04:30", speaker="carol")
    read.contest(number, "04:30", read.origin(other, "comes at 04:30"))

    lines = read.tell(ASKED)
    held = next(it for it in lines if "05:40" in it.text)
    place = contested_place(read.index, held.concept)
    assert place is not None
    against = dispute_of(read.index, place, NOW)
    assert against is not None

    assert held.text == (
        "stock file: [arrives?] 05:40, says nan (4 Aug) — conflict pending"
    )
    assert against.text == "stock file: [arrives?] 04:30, says carol (5 Aug)"
    assert not any(DELIVERY in it.text for it in lines)


def test_the_other_side_is_told_in_the_words_of_its_speaker(read):
    """Not in the name of the concept: that of the held side is told as it was said, too."""
    turn = read.say("The treasurer of the club is Greta Berg.")
    number = read.hold(turn, "The treasurer", ("club", "treasurer", "greta_berg"))
    other = read.say("The treasurer of the club is Irene Moss.", speaker="carol")
    origin = read.origin(other, "the club is Irene Moss", value="Irene Moss")
    clash = read.contest(number, "irene_moss", origin)

    against = dispute_of(read.index, (clash.concept_id, clash.dim_id), NOW)

    assert against is not None
    assert "Irene Moss, says carol" in against.text


def test_the_other_side_is_taken_back_once_it_waits_no_more(read):
    """People decided: a session that was told of the doubt is told that it is gone."""
    turn = read.say(DELIVERY)
    number = read.hold(turn, DELIVERY[:38], ("stock_file", "arrives", "05:40"))
    clash = read.contest(number, "04:30", read.origin(turn, "at 04:30"))
    place = (clash.concept_id, clash.dim_id)
    against = dispute_of(read.index, place, NOW)
    assert against is not None
    name = against.concept
    again: Any = {"asker": "theo", "project": "shop", "now": NOW}

    assert told_again(read.index, name, **again) == (True, None)
    read.conflicts.discard(clash)
    assert told_again(read.index, name, **again) == (False, None)


def test_a_told_statement_is_rewritten_once_it_is_replaced(read):
    """Nobody keeps an old value in a session."""
    old = read.say(DELIVERY)
    first = read.hold(old, DELIVERY[:38], ("stock_file", "arrives", "05:40"))
    name = NoteName.of(read.index.lines_of(LineKind.STATEMENT, first)[0]).name
    again: Any = {"asker": "theo", "project": "shop", "now": NOW}
    assert told_again(read.index, name, **again) == (True, None)

    new = read.say(MOVED)
    read.hold(new, MOVED[:-1], ("stock_file", "arrives", "06:10"), instead_of=first)
    holds, line = told_again(read.index, name, **again)

    assert not holds
    assert line is not None
    assert line.text == "stock file: [arrives] 06:10, no longer 05:40 — nan, 5 Aug"


def test_a_told_statement_gives_way_to_the_one_that_an_undo_restores(read):
    """Whoever was told the new value reads the old one again, and that the new one is gone."""
    old = read.say(DELIVERY)
    first = read.hold(old, DELIVERY[:38], ("stock_file", "arrives", "05:40"))
    (edge,) = read.edges[read.id("stock_file")]
    origin = read.origins[first]
    new = read.say(MOVED)
    second = read.hold(
        new, MOVED[:-1], ("stock_file", "arrives", "06:10"), instead_of=first
    )
    name = NoteName.of(read.index.lines_of(LineKind.STATEMENT, second)[0]).name
    read.origins[first] = origin

    read.lines.follow(edge.concept_id, [edge])
    holds, line = told_again(read.index, name, asker="theo", project="shop", now=NOW)

    assert not holds
    assert line is not None
    assert line.text == "stock file: [arrives] 05:40, no longer 06:10 — nan, 4 Aug"


def test_a_told_sentence_is_taken_back_once_its_statement_is_replaced(read):
    """A sentence told before anybody read the change gives way."""
    old = read.say("Kassel delivers the stock file at 05:40 every morning.")
    first = read.hold(old, "stock file at 05:40", ("stock_file", "arrives", "05:40"))
    new = read.say(MOVED)
    read.hold(new, MOVED[:-1], ("stock_file", "arrives", "06:10"), instead_of=first)

    holds, line = told_again(
        read.index, "said 2.0@2", asker="theo", project="shop", now=NOW
    )

    assert not holds
    assert line is not None
    assert "06:10" in line.text


def test_a_noun_of_another_project_is_not_told(read):
    """The indexer of one project is not that of another, and is shown without its name."""
    turn = read.say("the indexer starts at 04:25 each night")
    read.hold(turn, "the indexer starts at 04:25", ("shop/indexer", "starts", "04:25"))
    asked = "when does our indexer start at night, and what starts it today?"

    assert read.told(asked)[0].startswith("indexer: [starts] 04:25")
    assert not any("[starts]" in it for it in read.told(asked, project="wiki"))


def test_what_was_said_in_confidence_is_not_told_as_a_statement(read):
    """Whoever must not hear the words must not hear what was read from them."""
    read.say("Good that the depot is green.", speaker="theo")
    read.say("I like the green depot.", speaker="carol")
    text = "The stock file from Kassel costs 900 EUR a month. Don't tell theo."
    turn = read.say(text)
    read.hold(turn, text[:49], ("stock_file", "costs", "900_eur"))
    asked = "what does the stock file from Kassel cost our shop a month?"

    assert not any("900" in it for it in read.told(asked))
    assert any("900" in it for it in read.told(asked, asker="carol"))


def test_what_the_request_holds_is_not_told_as_a_statement(read):
    """The turn stands in the request already."""
    turn = read.say(DELIVERY)
    read.hold(turn, DELIVERY[:38], ("stock_file", "arrives", "05:40"))

    told = read.told(ASKED, present=frozenset([turn.digest]))
    assert not any("stock file" in it for it in told)


def test_topics_find_a_statement_and_are_not_told(read):
    """A task finds the rule whose words it does not share."""
    turn = read.say("torchaudio breaks on capella, so we pin it to 2.1 there")
    topics = ("install a package on the cluster", "pip environment")
    quote = "we pin it to 2.1 there"
    read.hold(turn, quote, ("torchaudio", "pinned_to", "2.1"), topics=topics)
    wanted = [("pip", 1.0), ("environ", 1.0)]

    (match,) = read.index.read_lines(wanted, "shop")

    assert match.line.text == "torchaudio: [pinned to] 2.1"


def test_statement_without_a_kept_turn_is_found_as_well(read):
    """Statements are told even if nothing else is kept."""
    text = "the depot key expires on 3 March"
    turn = SpokenTurn(0, "nan", "nan", "shop", "s", NOW, digest_of(text), [])
    read.hold(turn, text, ("depot_key", "expires", "3 march"))

    assert read.told("when does our depot key expire, and what do we do in march?")


@pytest.mark.parametrize(
    ("token", "quote", "told"),
    [
        ("orders_table", "The orders table is large", "orders table"),
        ("pay_router_v2", "flag is pay_router_v2 in unleash", "pay_router_v2"),
        ("pay_router_v2", "flag is PAY_ROUTER_V2", "pay_router_v2"),
        ("90 seconds", "", "90 seconds"),
    ],
)
def test_words_are_told_apart_unless_they_were_said_as_one(token, quote, told):
    """An identifier stays one; a compound that we made does not."""
    assert readable(token, quote) == told


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["alpha", "beta"]),
        st.sampled_from(["port", "owner"]),
        st.sampled_from(["8085", "9090", "sasha"]),
        st.booleans(),
    ),
    max_size=12,
)


@given(STEPS)
def test_lines_are_what_is_held_whatever_came_before(steps):
    """After any holding and ending, every held statement has a line, and no other."""
    read = Read()
    held: dict[Any, int] = {}
    for subject, dimension, value, ends in steps:
        turn = read.say(f"the {dimension} of {subject} is {value}")
        old = held.pop((subject, dimension), 0)
        if ends and old:
            read.end(old)
        else:
            statement = (subject, dimension, value)
            held[subject, dimension] = read.hold(
                turn, f"{subject} is {value}", statement, instead_of=old
            )

    assert {it.key for it in read.lines.recent()} == set(held.values())
    assert len(read.lines) == len(held)
    for (subject, dimension), number in held.items():
        (line,) = read.index.lines_of(LineKind.STATEMENT, number)
        assert line.text.startswith(f"{subject}: [{dimension}] ")
