from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.core.language.terms import terms
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine, LineFilter, LineKind

WORDS = ["indexer", "kassel", "port", "podman", "deployed", "db-prod-1", "日本語"]
TEXTS = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.just("put"),
            st.integers(1, 6),
            st.lists(TEXTS, max_size=3),
            st.sampled_from(["", "shop", "wiki"]),
            st.sampled_from(["nan", "theo"]),
        ),
        st.tuples(st.just("remove"), st.integers(1, 6)),
    ),
    max_size=16,
)


def line_of(key, text, ordinal=0, *, project="shop", speaker="nan"):
    """A line that somebody said in a turn of this number, at a time of the same number."""
    return IndexedLine(
        0,
        LineKind.UTTERANCE,
        key,
        text,
        ordinal=ordinal,
        speaker=speaker,
        project=project,
        said=float(key),
    )


def index_of(*texts, **more):
    """Return an index of turns of one line each, numbered from 1."""
    index = LineIndex()
    for key, text in enumerate(texts, 1):
        index.sources.put(LineKind.UTTERANCE, key, [line_of(key, text, **more)])
    return index


def found(index, query, **filters):
    """Return the texts that a search finds."""
    return [
        it.line.text for it in index.search_text(query, LineFilter(**filters), limit=50)
    ]


@given(STEPS, TEXTS)
def test_search_finds_what_a_scan_finds(steps, query):
    """After any puts and removes: exactly the kept lines that share a term."""
    index, kept = LineIndex(), {}
    for what, key, *rest in steps:
        if what == "put":
            texts, project, speaker = rest
            lines = [
                line_of(key, text, at, project=project, speaker=speaker)
                for at, text in enumerate(texts)
            ]
            index.sources.put(LineKind.UTTERANCE, key, lines)
            kept[key] = lines
        else:
            index.sources.remove(LineKind.UTTERANCE, key)
            kept.pop(key, None)
    lines = [line for each in kept.values() for line in each]
    asked = set(terms(query))

    for project in ("", "shop"):
        matches = index.search_text(query, LineFilter(project=project), limit=100)

        expected = {
            (it.key, it.ordinal)
            for it in lines
            if asked & set(terms(it.text)) and project in ("", it.project)
        }
        assert {(it.line.key, it.line.ordinal) for it in matches} == expected
        assert len(matches) == len(expected)
    assert len(index) == len(lines)


def test_any_word_finds_its_line():
    """Wherever it stands, and in another form."""
    index = index_of("the indexer was deployed to kassel", "podman runs here")

    assert found(index, "deploy") == ["the indexer was deployed to kassel"]
    assert found(index, "kassel cellar") == ["the indexer was deployed to kassel"]


def test_without_words_the_newest_come_first():
    """As many as are asked for, from where it is asked."""
    index = index_of("one", "two", "three")

    assert found(index, " ") == ["three", "two", "one"]
    (match,) = index.search_text("", limit=1, offset=1)
    assert match.line.text == "two"


@pytest.mark.parametrize(
    ("filters", "texts"),
    [
        ({"kinds": [LineKind.STATE]}, []),
        ({"project": "SHOP"}, ["port kassel"]),
        ({"project": "\uff33hop"}, ["port kassel"]),
        ({"speaker": "Theo"}, ["port podman"]),
        ({"about": "podman"}, ["port podman"]),
        ({"about": "theo"}, ["port podman"]),
        ({"since": 2.0}, ["port podman"]),
    ],
)
def test_filters_leave_out_what_is_not_wanted(filters, texts):
    """Each by itself."""
    index = LineIndex()
    first = line_of(1, "port kassel")
    second = line_of(2, "port podman", project="wiki", speaker="theo")
    for line in (first, second):
        index.sources.put(LineKind.UTTERANCE, line.key, [line])

    assert found(index, "port", **filters) == texts


@pytest.mark.parametrize("project", ["SHOP", "\uff33hop"])
def test_lines_of_the_project_are_preferred_in_any_spelling(project):
    """Clients write a project as they like."""
    index = LineIndex()
    for turn, where in enumerate(("shop", "wiki"), 1):
        line = line_of(turn, "port kassel", project=where)
        index.sources.put(LineKind.UTTERANCE, turn, [line])

    found = index.sources.search([("kassel", 1.0)], project)

    assert [it.line.project for it in found] == ["shop", "wiki"]


def test_pages_do_not_overlap():
    """Page by page the same lines come as all at once."""
    index = index_of(*(f"port {at}" for at in range(30)), project="wiki")
    index.sources.put(LineKind.UTTERANCE, 99, [line_of(99, "port of another")])
    ours = LineFilter(project="wiki")

    pages = [
        it.line.text
        for at in range(0, 40, 7)
        for it in index.search_text("port", ours, limit=7, offset=at)
    ]

    assert len(set(pages)) == len(pages) == 30
