from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.graph.predicates import (
    BUILT_IN,
    Cardinality,
    Predicate,
    PredicateEdit,
    Registry,
    dimension_of,
    uri_of,
)
from festinger.core.graph.statement import to_token
from festinger.core.graph.tokens import is_renderable
from festinger.core.graph.values import canonical
from festinger.errors import InvalidArgument, NotATokenError
from festinger.store.system.tenancy import SEEDS


def test_the_specification_s_predicate_is_a_dimension_of_its_own():
    """`t:joined` is the dimension `joined`, in which something is part of something (I3)."""
    found = Registry().of_uri("t:joined")

    assert (found.dimension, found.is_isa) == ("joined", False)
    assert found.question == "did {subject} join {object}?"


def test_every_dimension_that_a_memory_begins_with_has_a_predicate():
    """The URI of each seeded dimension's predicate can be used to propose."""
    registry = Registry()

    for token, _, is_isa in SEEDS:
        assert registry.of(token, is_isa) is not None


def test_the_built_in_predicates_pass_the_check_of_all_others():
    """No predicate of the product is one that an operator could not write."""
    for each in BUILT_IN:
        checked = Predicate.checked(
            each.uri, each.dimension, each.is_isa, each.question, each.cardinality
        )
        assert each == replace(
            checked, values=each.values, wording=each.wording, offered=each.offered
        )
        assert each.question


@pytest.mark.parametrize(
    ("uri", "dimension"),
    [
        ("t:xyzAbc", "xyz-abc"),
        ("t:mentors", "mentors"),
        ("acme:hasHTTPServer", "has-http-server"),
        ("t:speaksC3", "speaks-c3"),
        ("t:Leads", "leads"),
    ],
)
def test_a_predicate_that_nobody_registered_is_named_as_it_reads(uri, dimension):
    """Its words become a dimension, and it is not registered by being used."""
    registry = Registry()

    assert registry.of_uri(uri) == Predicate(uri, dimension, is_isa=False)
    assert uri not in registry
    assert registry.of(dimension, is_isa=False) is None


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "joined",
        "t:",
        ":joined",
        "t:joined us",
        "T:joined",
        "https://example.org/joined",
        "t:joined\n",
        "t:жoined",
        "t:a:b",
        "t:" + "a" * 99,
    ],
)
def test_what_is_no_uri_of_a_predicate_is_refused(uri):
    """Addresses, blanks and letters that only look alike come into no prompt (E4)."""
    with pytest.raises(InvalidArgument):
        Registry().of_uri(uri)


@pytest.mark.parametrize("uri", ["t:is", "t:42", "t:" + "aB" * 40])
def test_a_predicate_after_which_no_dimension_can_be_named_is_refused(uri):
    """Until somebody says what it is, it is nothing."""
    with pytest.raises(InvalidArgument):
        Registry().of_uri(uri)

    assert (
        Registry([Predicate(uri, "kin", is_isa=False)]).of_uri(uri).dimension == "kin"
    )


def test_what_a_memory_registers_takes_the_place_of_what_is_built_in():
    """A memory's own words hold for its own predicates, and for nobody else's."""
    registry = Registry([Predicate("t:joined", "membership", is_isa=False)])

    assert registry.of_uri("t:joined").dimension == "membership"
    assert registry.of("joined", is_isa=False) is None
    assert Registry().of_uri("t:joined").dimension == "joined"


def test_the_first_of_several_speaks_for_a_dimension():
    """Another name for a dimension does not change how it is asked about."""
    registry = Registry([Predicate("a:inside", "membership", is_isa=False)])

    found = registry.of("membership", is_isa=False)
    assert found is not None
    assert found.uri == "t:partOf"


def test_a_dimension_can_be_named_instead_of_a_predicate():
    """A name of a dimension without a predicate is taken at its word."""
    registry = Registry()

    assert registry.named("works-at").uri == "t:worksAt"
    assert registry.named("type") == registry.of_uri("t:isA")
    assert registry.named("hobby") == Predicate("", "hobby", is_isa=False)
    with pytest.raises(InvalidArgument):
        registry.named("two words")


@pytest.mark.parametrize(
    "question",
    [
        "did they?",
        "did {subject}?",
        "did {subject} join {object}, {object}?",
        "did {subject} join {object} in {year}?",
        "did {subject} join {object.__class__}?",
        "did {subject} join {object}? {",
        "did {subject}\njoin {object}?",
        "did {subject} join {object}?" + " " * 200 + ".",
    ],
)
def test_a_question_that_could_not_be_asked_is_refused(question):
    """It names both sides once, and nothing else in braces."""
    with pytest.raises(InvalidArgument):
        Predicate.checked("t:joined", "joined", False, question)


@given(st.from_regex(r"[a-z]{1,5}:[A-Za-z0-9]{1,60}", fullmatch=True))
def test_what_is_named_after_a_predicate_may_be_told(uri):
    """A dimension made of a URI is a token, or the URI is refused."""
    try:
        found = Registry().of_uri(uri)
    except InvalidArgument:
        return

    assert to_token(found.dimension, "dimension") == found.dimension


@pytest.mark.parametrize(
    ("words", "dimension"),
    [
        ("runs-on", "runs-on"),
        ("t:runsOn", "runs-on"),
        ("t:hostedBy", "runs-on"),
        ("runsOn", "runs-on"),
        ("runs on", "runs-on"),
        ("is running on", "runs-on"),
        ("is now hosted on", "runs-on"),
        ("Hosted_On", "runs-on"),
        ("host", "runs-on"),
        ("deployment", "runs-on"),
        ("the owner", "owned-by"),
        ("owners are", "owned-by"),
        ("current owner is", "owned-by"),
        ("has been owned by", "owned-by"),
        ("port is", "port"),
        ("listens on port", "port"),
        ("is due on", "due"),
        ("deadline", "due"),
        ("price", "costs"),
        ("has a budget of", "budget"),
        ("is a", "type"),
        ("is part of", "part-of"),
        ("joined", "member-of"),
        ("t:joined", "joined"),
        ("uses", "uses"),
        ("are using", "uses"),
        ("doesn't like", "dislikes"),
        ("is allergic to", "allergic-to"),
        ("is not allowed to", "must-not"),
        ("never", "never"),
        ("is located in", "geography"),
        ("lives in", "lives-in"),
    ],
)
def test_words_as_people_write_them_mean_a_registered_predicate(words, dimension):
    """Verbs in their forms, nouns, synonyms and names in any notation are one predicate."""
    found = Registry().resolve(words)

    assert found is not None
    assert found.dimension == dimension


@pytest.mark.parametrize(
    "words",
    [
        "",
        "???",
        "is",
        "on",
        "by",
        "is in",
        "Postgres version",
        "tech contact",
        "shoe size",
        "used to run on",
        "no longer runs on",
        "does not run on",
        "will run on",
        "owns",
        "hosts",
        "is used by",
        "is the owner of",
        "owner of",
        "calls",
        "moved to",
        "t:xyzAbc",
    ],
)
def test_words_that_could_mean_another_thing_mean_no_predicate(words):
    """
    A compound keeps its meaning, a denial is none, and nothing is taken the wrong way
    round.
    """
    assert Registry().resolve(words) is None


@pytest.mark.parametrize(
    ("words", "value", "dimension"),
    [
        ("runs on", "Mondays", "scheduled"),
        ("is", "Thursdays at half past eight", "scheduled"),
        ("is on", "Tuesday 18:30, big room", "scheduled"),
        ("go out", "Tuesdays only", "scheduled"),
        ("is", "2 October 16:10, Dr Patel", "scheduled"),
        ("runs on", "pike", "runs-on"),
        ("is", "Tuesdays 10:00", "scheduled"),
        ("is at", "03:00", "scheduled"),
        ("moved to", "14:00", "scheduled"),
        ("price of", "14 EUR", "costs"),
    ],
)
def test_the_value_says_what_some_words_mean(words, value, dimension):
    """Nothing runs on a Monday as on a machine."""
    found = Registry().resolve(words, canonical(value))

    assert found is not None
    assert found.dimension == dimension


@pytest.mark.parametrize("value", ["Sunday loaf", "May Brown", "Sun Microsystems"])
def test_name_that_begins_with_a_day_is_no_moment(value):
    """The special of a bakery is not scheduled."""
    assert Registry().resolve("is", canonical(value)) is None


@pytest.mark.parametrize(
    ("words", "dimension"),
    [
        ("owns", "owned-by"),
        ("is the owner of", "owned-by"),
        ("hosts", "runs-on"),
        ("is used by", "uses"),
        ("owned by", None),
        ("owner of", None),
        ("eats", None),
    ],
)
def test_some_words_say_a_predicate_the_other_way_round(words, dimension):
    """
    "Sasha owns the indexer" is about the indexer.
    """
    found = Registry().inverse(words)

    assert (found and found.dimension) == dimension


@pytest.mark.parametrize(
    ("words", "dimension"),
    [
        ("gives up waiting at", "gives-up-waiting-at"),
        ("is", "is"),
        ("are", "is"),
        ("is a", "is"),
        ("on", "on"),
        ("is on", "on"),
        ("by", "by"),
        ("Postgres version", "postgres-version"),
        ("PG version is", "postgres-version"),
        ("max_connections", "max-connections"),
        ("the retry limit", "retry-limit"),
        ("mAP", "map"),
    ],
)
def test_an_unregistered_predicate_is_a_dimension_of_its_own(words, dimension):
    """It is named after its words, without those that say nothing."""
    assert dimension_of(words) == dimension


@pytest.mark.parametrize(
    "words", ["", "?!", "b c d e f g", "x" * 65, "\u200b", "<b>" * 90]
)
def test_words_after_which_no_dimension_can_be_named_are_refused(words):
    """A word that may not stand in a prompt names no dimension."""
    with pytest.raises(NotATokenError):
        dimension_of(words)


@given(st.text(max_size=80))
def test_any_words_are_a_predicate_or_are_refused(words):
    """Accepted words give a token that may be told, and naming it again changes nothing."""
    registry = Registry()
    registry.resolve(words)
    registry.inverse(words)
    try:
        dimension = dimension_of(words)
    except NotATokenError:
        return

    assert is_renderable(dimension)
    assert dimension_of(dimension) == dimension


def test_the_words_of_the_built_in_predicates_are_nobody_else_s():
    """Each literal word of the product's data means the predicate that it stands with."""
    registry = Registry()
    for each in BUILT_IN:
        wording = each.wording
        for words in (*wording.verbs, *wording.nouns, *wording.synonyms):
            found = registry.resolve(words)
            assert found is not None, words
            assert found.dimension == each.dimension, words


def test_every_dimension_says_how_many_values_it_has():
    """A registered one has a cardinality; of others nobody knows."""
    registry = Registry()

    assert registry.cardinality("type") is Cardinality.SINGLE
    assert registry.cardinality("uses") is Cardinality.MULTI
    assert registry.cardinality("married-to") is Cardinality.SYMMETRIC
    assert registry.cardinality("happened") is Cardinality.EVENT
    assert registry.cardinality("never") is Cardinality.RULE
    assert registry.cardinality("gives-up-at") is None


def test_a_memory_changes_the_cardinality_and_keeps_the_words():
    """Fields that an operator leaves out stay as they come with the product."""
    own = Predicate.checked("t:runsOn", "runs-on", False, "", "multi", ["Lebt Auf"])
    registry = Registry([own])

    assert registry.cardinality("runs-on") is Cardinality.MULTI
    for words in ("lebt auf", "is hosted on"):
        found = registry.resolve(words)
        assert found is not None
        assert found.cardinality is Cardinality.MULTI
        assert found.question


def test_a_memory_s_own_words_go_before_the_product_s():
    """If both define a word, the operator's meaning holds, there alone."""
    own = Predicate.checked(
        "t:boss", "boss", False, "", "single", ["supervisor", "owns"]
    )
    found = Registry([own]).resolve("owns")

    assert found is not None
    assert found.dimension == "boss"
    assert Registry([own]).inverse("owns") is None
    assert Registry().resolve("owns") is None


@pytest.mark.parametrize(
    ("cardinality", "synonyms"),
    [
        ("many", ()),
        ("single", [""]),
        ("single", ["x " * 60]),
        ("single", map(str, range(51))),
    ],
)
def test_a_predicate_that_cannot_be_kept_is_refused(cardinality, synonyms):
    """A cardinality is one of five, and a synonym has words."""
    with pytest.raises(InvalidArgument):
        Predicate.checked("t:boss", "boss", False, "", cardinality, synonyms)


def test_a_dimension_gets_a_uri():
    """An entry that names a dimension alone needs no other name for it."""
    assert uri_of("give-up-at") == "t:giveUpAt"
    with pytest.raises(InvalidArgument):
        uri_of("???")


def test_an_edit_keeps_what_it_does_not_say():
    """Predicates of the product are not written into the memory, which would freeze them."""
    first = PredicateEdit("runs-on", cardinality="multi", synonyms=("lebt auf",))
    own = first.applied(Registry())
    again = PredicateEdit("t:runsOn", synonyms=("wohnt auf",)).applied(Registry([own]))

    assert (own.uri, own.question, own.cardinality) == ("t:runsOn", "", "multi")
    assert own.wording.synonyms == ("lebt auf",)
    assert again.cardinality is Cardinality.MULTI
    assert again.wording.synonyms == ("lebt auf", "wohnt auf")


def test_an_edit_that_moves_a_predicate_takes_its_words_along():
    """In another dimension its question and its cardinality are new; its words stay its own."""
    moved = PredicateEdit("t:runsOn", "machine").applied(Registry())
    registry = Registry([moved])

    assert (moved.dimension, moved.question, moved.cardinality) == ("machine", "", None)
    assert registry.cardinality("machine") is None
    assert registry.of_uri("t:runsOn").dimension == "machine"
    found = registry.resolve("is hosted on")
    assert found is not None
    assert found.dimension == "machine"


def test_models_are_offered_a_few_predicates_and_the_memory_s_own():
    """A reader of single sentences does not read eighty questions with each."""
    own = Predicate.checked(
        "t:mentors", "mentor", False, "does {subject} mentor {object}?"
    )
    offered = Registry([own]).offered()

    assert offered["t:mentors"] == own.question
    assert {"t:joined", "t:worksAt", "t:isA"} <= offered.keys()
    assert "t:birthday" not in offered
    assert "t:birthday" in Registry()


@given(st.text(max_size=60), st.text(max_size=30), st.lists(st.text(max_size=20)))
def test_any_edit_is_kept_or_refused(name, dimension, synonyms):
    """A stored predicate can be loaded again, and speaks for its dimension."""
    edit = PredicateEdit(name, dimension, synonyms=tuple(synonyms))
    try:
        kept = edit.applied(Registry())
    except InvalidArgument:
        return

    loaded = Predicate.checked(
        kept.uri,
        kept.dimension,
        kept.is_isa,
        kept.question,
        kept.cardinality,
        kept.wording.synonyms,
    )
    assert loaded == kept
    assert kept.uri in Registry([kept])
