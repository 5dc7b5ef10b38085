from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.predicates import BUILT_IN, Predicate, Registry
from festinger.core.statement import to_token
from festinger.errors import InvalidArgument
from festinger.store.tenants import SEEDS


def test_the_specification_s_predicate_is_a_dimension_of_its_own():
    """
    `t:joined` is the dimension `joined`, in which something is part of something (I3).
    """
    found = Registry().of_uri("t:joined")

    assert (found.dimension, found.is_isa) == ("joined", False)
    assert found.asked("Alice", "Chess Club") == "did Alice join Chess Club?"


def test_every_dimension_that_a_memory_begins_with_has_a_predicate():
    """
    What the six seeded dimensions ask for can be put forward by a URI.
    """
    registry = Registry()

    for token, _, is_isa in SEEDS:
        assert registry.of(token, is_isa) is not None


def test_the_built_in_predicates_pass_the_check_of_all_others():
    """
    No predicate of the product is one that an operator could not write.
    """
    for each in BUILT_IN:
        checked = Predicate.checked(
            each.uri, each.dimension, each.is_isa, each.question, each.cardinality
        )
        assert each == replace(checked, values=each.values, wording=each.wording)
        assert each.cardinality
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
    """
    Its words become a dimension, and it is not registered by being used.
    """
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
    """
    Addresses, blanks and letters that only look alike come into no prompt (E4).
    """
    with pytest.raises(InvalidArgument):
        Registry().of_uri(uri)


@pytest.mark.parametrize("uri", ["t:is", "t:42", "t:" + "aB" * 40])
def test_a_predicate_after_which_no_dimension_can_be_named_is_refused(uri):
    """
    Until somebody says what it is, it is nothing.
    """
    with pytest.raises(InvalidArgument):
        Registry().of_uri(uri)

    assert (
        Registry([Predicate(uri, "kin", is_isa=False)]).of_uri(uri).dimension == "kin"
    )


def test_what_a_memory_registers_takes_the_place_of_what_is_built_in():
    """
    A memory's own words hold for its own predicates, and for nobody else's.
    """
    registry = Registry([Predicate("t:joined", "membership", is_isa=False)])

    assert registry.of_uri("t:joined").dimension == "membership"
    assert registry.of("joined", is_isa=False) is None
    assert Registry().of_uri("t:joined").dimension == "joined"


def test_the_first_of_several_speaks_for_a_dimension():
    """
    Another name for a dimension does not change how it is asked about.
    """
    registry = Registry([Predicate("a:inside", "membership", is_isa=False)])

    found = registry.of("membership", is_isa=False)
    assert found is not None
    assert found.uri == "t:partOf"


def test_a_dimension_can_be_named_instead_of_a_predicate():
    """
    What no predicate speaks for is taken at its word.
    """
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
    """
    It names both sides once, and nothing else in braces.
    """
    with pytest.raises(InvalidArgument):
        Predicate.checked("t:joined", "joined", False, question)


def test_a_name_that_looks_like_a_place_is_no_place():
    """
    What is put into a question is not read as one.
    """
    asked = Registry().of_uri("t:joined").asked("{object}", "{subject}")

    assert asked == "did {object} join {subject}?"


@given(st.from_regex(r"[a-z]{1,5}:[A-Za-z0-9]{1,60}", fullmatch=True))
def test_what_is_named_after_a_predicate_may_be_told(uri):
    """
    A dimension made of a URI is a token, or the URI is refused.
    """
    try:
        found = Registry().of_uri(uri)
    except InvalidArgument:
        return

    assert to_token(found.dimension, "dimension") == found.dimension
