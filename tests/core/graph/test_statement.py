from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.graph.proposal import Triple
from festinger.core.graph.statement import FACT_CHARACTERS_MAX, normalise, parse_fact
from festinger.core.graph.tokens import is_renderable
from festinger.errors import FactSyntaxError, FestingerError, NotATokenError
from tests.fast.strategies import FACTS

GOOD = {
    "gnommoweb -isa repo": Triple("gnommoweb", "repo", "type", True),
    "gnommoweb -ispart agent0": Triple("gnommoweb", "agent0", "membership", False),
    "gnommoweb -isa repo in context of glitch_university": Triple(
        "gnommoweb", "repo", "glitch_university", True
    ),
    "gnommoweb -ispart glitch_university in context of membership": Triple(
        "gnommoweb", "glitch_university", "membership", False
    ),
    "gnommoweb -not -isa repo": Triple("gnommoweb", "repo", "type", True, True),
    "gnommoweb -not -ispart agent0 in context of tech": Triple(
        "gnommoweb", "agent0", "tech", False, True
    ),
    "Glitch University -isa school": Triple(
        "glitch_university", "school", "type", True
    ),
    "dobby -ispart Agent Pool in context of Glitch University": Triple(
        "dobby", "agent_pool", "glitch_university", False
    ),
    "  gnommoweb   -isa\n repo\tin  context of  tech ": Triple(
        "gnommoweb", "repo", "tech", True
    ),
    "GNOMMOWEB -ISA Repo IN CONTEXT OF Tech": Triple("gnommoweb", "repo", "tech", True),
    "node.js -isa c++": Triple("node.js", "c++", "type", True),
    "glitch.university -isa artifact-type": Triple(
        "glitch.university", "artifact-type", "type", True
    ),
    "cafe\u0301 -isa stra\u00dfe": Triple("caf\u00e9", "stra\u00dfe", "type", True),
    "дом -isa здание": Triple("дом", "здание", "type", True),
}

NO_FACTS = {
    "": "is empty",
    "   ": "is empty",
    "gnommoweb": "no -isa or -ispart",
    "gnommoweb is a repo": "no -isa or -ispart",
    "gnommoweb -isabel repo": "no -isa or -ispart",
    "-isa repo": "one concept before",
    "gnommoweb -isa": "one parent behind",
    "gnommoweb -isa ": "one parent behind",
    "gnommoweb -isa repo -ispart agent0": "one parent behind",
    "gnommoweb -isa repo -not": "one parent behind",
    "gnommoweb -isa <parent>": "<parent> is a placeholder",
    "<concept> -isa repo in context of <dimension>": "<concept> is a placeholder",
    "x" * 401: "at most 400 characters",
}

NO_NAMES = {
    "gnommoweb -isa web service": ("parent", "web_service"),
    "my web service -isa repo": ("concept", "my_web_service"),
    "gnommoweb -isa repo in context of all the things": ("dimension", "all_the_things"),
    "gnommoweb -isa the": ("parent", "the"),
    "gnommoweb -isa 'repo'": ("parent", "repo"),
    "gnommoweb -isa 12345": ("parent", "12345"),
    "gnommoweb -isa http://repo": ("parent", "http_repo"),
    "gnommoweb -isa re\u200bpo": ("parent", "re_po"),
    "gnommoweb -isa !!!": ("parent", "name nothing"),
    "gnommoweb -isa system:": ("parent", "system"),
    "gnommoweb -isa one_two_three_four_five_six": ("parent", "one_two"),
    "gnommoweb -not -not -isa repo": ("concept", "gnommoweb_not"),
    "gnommoweb -isa repo in context of": ("parent", "repo_in_context_of"),
}


@pytest.mark.parametrize("fact", GOOD)
def test_fact_is_read(fact):
    """Flags, default dimensions, capitals, spaces and other alphabets."""
    assert parse_fact(fact) == GOOD[fact]


@pytest.mark.parametrize("fact", NO_FACTS)
def test_other_forms_are_refused_with_the_form(fact):
    """A text that is no fact is refused with the reason and the right form."""
    with pytest.raises(FactSyntaxError) as caught:
        parse_fact(fact)

    assert NO_FACTS[fact] in caught.value.message
    assert "gutask iknowthat '" in caught.value.message


@pytest.mark.parametrize("fact", NO_FACTS)
def test_refused_fact_is_in_the_metadata(fact):
    """Programs get what was wrong, short enough for a header."""
    with pytest.raises(FactSyntaxError) as caught:
        parse_fact(fact)

    assert fact.startswith(caught.value.metadata["fact"])


@pytest.mark.parametrize("fact", NO_NAMES)
def test_names_are_one_token(fact):
    """A phrase is refused with the field it is in and what to write instead."""
    field, advice = NO_NAMES[fact]

    with pytest.raises(NotATokenError) as caught:
        parse_fact(fact)

    assert caught.value.metadata["field"] == field
    assert advice in caught.value.message


def test_longest_fact_is_read():
    """The limit itself is allowed."""
    fact = "gnommoweb -isa repo"

    assert parse_fact(fact.ljust(FACT_CHARACTERS_MAX)).parent == "repo"


@pytest.mark.parametrize(
    "fact",
    [
        " " * 400,
        "x -isa y" + " " * 391 + "z",
        ("x -isa y" + " in context of" * 30)[:400],
        "x -isa y" + " in" * 130,
        " -not" * 80,
        "<" * 400,
    ],
)
def test_tiresome_texts_are_refused(fact):
    """Flags and contexts without end are no fact; that they are no work is told elsewhere."""
    with pytest.raises(FestingerError):
        parse_fact(fact)


def test_longest_placeholder_is_shown_in_part():
    """An error's message stays small enough to travel in a header."""
    with pytest.raises(FactSyntaxError) as caught:
        parse_fact("<" + "\U0001d4b3" * 390 + ">")

    assert len(caught.value.message) < 400


@pytest.mark.parametrize(
    ("is_isa", "dimension"), [(True, "type"), (False, "membership")]
)
@pytest.mark.parametrize("given", ["", "  "])
def test_dimension_has_a_default(is_isa, dimension, given):
    """A triple without a dimension gets the one of its flavour."""
    assert normalise("x", "y", given, is_isa=is_isa).dimension == dimension


@given(st.text(max_size=60), st.text(max_size=60), st.text(max_size=60))
def test_what_is_read_can_be_told(concept, parent, dimension):
    """Whatever people write: it is refused, or its three names may stand in a prompt."""
    try:
        triple = normalise(concept, parent, dimension, is_isa=True)
    except NotATokenError:
        return

    names = triple.concept, triple.parent, triple.dimension
    assert all(map(is_renderable, names))


@given(FACTS | st.text(st.characters(codec=None), max_size=80))
def test_any_text_is_a_fact_or_refused(text):
    """Nothing but the two errors comes out of the reader; a fact reads as it is shown."""
    try:
        triple = parse_fact(text)
    except (FactSyntaxError, NotATokenError):
        return

    assert parse_fact(str(triple)) == triple
