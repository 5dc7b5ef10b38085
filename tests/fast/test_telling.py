"""Promises of a telling; core's tests tell the rules by example."""

from __future__ import annotations

from typing import Any

import pytest

from festinger import _fast
from festinger._fast import Edge, GraphLineKind, Line

DAY = 86_400.0
NOW = 1_000 * DAY
TYPE, PLACE, REPO = 1, 2, 3
#: Ids that are so far apart share the digits by which things are remembered of them.
ALIKE = 4096
NAMES = {TYPE: "type", PLACE: "place", REPO: "repo"}


class Memory:
    """A vocabulary and a graph."""

    def __init__(self) -> None:
        """Start with the names of two dimensions and a parent."""
        self.vocabulary = _fast.Vocabulary()
        self.graph = _fast.Graph()
        for id, token in NAMES.items():
            self.vocabulary.add(token, id)

    def add(self, id: int, token: str, **row: Any) -> None:
        """Add a token; met now unless it is said otherwise."""
        self.vocabulary.add(token, id, **{"last_seen": NOW, **row})

    def place(self, id: int, dim_id: int = TYPE, **changes: Any) -> None:
        """Hold an edge of a concept."""
        edge = Edge(id, REPO, dim_id, True, 0.9, NOW, 1, 0, 1)
        self.graph.put(edge._replace(**changes))

    def tell(self, *ids: int, **changes: Any) -> Any:
        """Tell of concepts, with everyday limits."""
        limits = {
            "now": NOW,
            "half_life": 30 * DAY,
            "oldest": NOW - 90 * DAY,
            "floor": 0.6,
            "concepts_max": 12,
            "edges_max": 8,
            "doubts": {},
            "mentioned": (),
        }
        return _fast.tell(
            self.vocabulary, self.graph, list(ids), **{**limits, **changes}
        )


@pytest.fixture
def memory() -> Memory:
    """A memory in which nothing is placed."""
    return Memory()


def test_a_line_is_a_named_tuple(memory: Memory) -> None:
    """With everything that a line has, in order of the dimensions' names."""
    memory.add(10, "gnommoweb", encounters=3, novelty=1.0)
    memory.place(10, TYPE)
    memory.place(10, PLACE)

    (line,) = memory.tell(10).lines

    assert type(line) is Line
    assert line == Line(
        "gnommoweb",
        "gnommoweb: [place] repo [type] repo",
        GraphLineKind.RECOLLECTION,
        "novelty 1.0",
    )


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ({"encounters": 10, "novelty": 1.0}, "novelty 1.0"),
        ({"encounters": 11, "novelty": 1.0}, "met 11 times"),
        ({"encounters": 255}, "met 255 times"),
        ({"encounters": 256}, "met 256 times"),
        ({"encounters": 2**62}, f"met {2**62} times"),
        ({"encounters": 999, "dictionary": True}, "novelty 0.0"),
        ({"encounters": 2, "novelty": 0.55}, "novelty 0.6"),
    ],
)
def test_a_line_says_what_made_it_surface(
    memory: Memory, row: dict[str, Any], why: str
) -> None:
    """Novelty or encounters, whichever is more."""
    memory.add(10, "gnommoweb", **row)
    memory.place(10)

    assert memory.tell(10).lines[0].why == why


def test_a_doubted_dimension_is_marked(memory: Memory) -> None:
    """And the line says so at its end; a doubt elsewhere only brings a concept forward."""
    memory.add(10, "ant")
    memory.add(11, "bee")
    memory.place(10)
    memory.place(11)

    lines = memory.tell(10, 11, doubts={10: {TYPE}, 11: {PLACE}}).lines

    assert [(line.text, line.why) for line in lines] == [
        ("ant: [type?] repo — conflict pending", "conflict"),
        ("bee: [type] repo", "novelty 0.0"),
    ]


@pytest.mark.parametrize(
    ("modality", "doubts", "text"),
    [
        (1, {}, "ant: [type] repo"),
        (2, {}, "ant: [type~] repo"),
        (2, {10: {PLACE}}, "ant: [type~] repo"),
        (2, {10: {TYPE}}, "ant: [type?] repo — conflict pending"),
    ],
)
def test_a_belief_is_marked(
    memory: Memory, modality: int, doubts: dict[int, set[int]], text: str
) -> None:
    """A fact that is only a belief has a mark; if it is contested, that one's."""
    memory.add(10, "ant")
    memory.place(10, modality=modality)

    assert memory.tell(10, doubts=doubts).lines[0].text == text


@pytest.mark.parametrize(
    ("days", "other", "first"),
    [
        (0, 99, "ant"),
        (0, 101, "bee"),
        (30, 9, "ant"),
        (30, 11, "bee"),
        (60, 3, "ant"),
        (60, 4, "bee"),
        (-5, 99, "ant"),
    ],
)
def test_importance_halves_with_every_half_life(
    memory: Memory, days: int, other: int, first: str
) -> None:
    """
    Of 100 encounters a month ago as much is left as 10 of today count; a clock behind
    changes nothing.
    """
    memory.add(10, "ant", encounters=100, last_seen=NOW - days * DAY)
    memory.add(11, "bee", encounters=other)

    assert next(memory.tell(11, 10).unknown) == first


def test_never_met_is_never_important(memory: Memory) -> None:
    """A concept without an encounter comes behind all others, whatever placed it."""
    memory.add(10, "ant", novelty=1.0, last_seen=0.0)
    memory.add(11, "bee", encounters=2, last_seen=DAY)

    assert [*memory.tell(10, 11).unknown] == ["bee", "ant"]


def test_an_edge_that_never_ages_weighs_its_confidence(memory: Memory) -> None:
    """Structures filled by hand need no dates."""
    memory.add(10, "ant")
    memory.place(10, TYPE, confidence=0.8, last_confirmed=float("inf"))
    memory.place(10, PLACE, confidence=0.7)

    (line,) = memory.tell(10, edges_max=1).lines

    assert line.text == "ant: [type] repo"


def test_unknown_is_what_nothing_mentions(memory: Memory) -> None:
    """Neither an edge at any place, nor what else is said to; a root is no mention."""
    for id in (10, 11, 12, 13):
        memory.add(id, f"name{id}")
    memory.place(10, parent_id=11)
    memory.graph.put(Edge(12, 12, 12, True, 1.0, NOW, 1, 0, 1))

    telling = memory.tell(10, 11, 12, 13, mentioned={13})

    assert [line.concept for line in telling.lines] == ["name10"]
    assert [*telling.unknown] == ["name12"]


def test_what_was_unknown_is_known_once_it_is_placed(memory: Memory) -> None:
    """And unknown again once it is not, by what it was told of before or not."""
    memory.add(10, "gnommoweb")
    memory.add(11, "homelab")

    for _ in range(3):
        assert [*memory.tell(10, 11).unknown] == ["gnommoweb", "homelab"]
        memory.place(10)
        assert [line.concept for line in memory.tell(10, 11).lines] == ["gnommoweb"]
        memory.place(11)
        memory.graph.remove(10, TYPE)
        assert [line.concept for line in memory.tell(10, 11).lines] == ["homelab"]
        assert [*memory.tell(10, 11).unknown] == ["gnommoweb"]
        memory.graph.remove(11, TYPE)


def test_what_is_only_mentioned_is_neither_known_nor_unknown(memory: Memory) -> None:
    """For as long as something mentions it, and nothing places it."""
    memory.add(10, "gnommoweb")
    memory.add(11, "homelab")

    def told() -> tuple[list[str], list[str]]:
        telling = memory.tell(10)
        return [line.concept for line in telling.lines], [*telling.unknown]

    for _ in range(3):
        assert told() == ([], ["gnommoweb"])
        memory.place(11, parent_id=10)
        assert told() == told() == ([], [])
        memory.place(10)
        assert told() == (["gnommoweb"], [])
        memory.graph.remove(10, TYPE)
        assert told() == ([], [])
        memory.graph.remove(11, TYPE)


def test_the_first_of_several_edges_may_go(memory: Memory) -> None:
    """And come back, and each that is left is told, whatever was told before."""
    memory.add(10, "gnommoweb")
    memory.add(11, "homelab")
    for dim_id in (TYPE, PLACE):
        memory.place(10, dim_id)
        memory.place(11, dim_id)

    def told() -> list[str]:
        return [line.text for line in memory.tell(10, 11).lines]

    for dim_id, left in [(PLACE, "type"), (TYPE, "place")] * 2:
        whole = " [place] repo [type] repo"
        assert told() == [f"gnommoweb:{whole}", f"homelab:{whole}"]
        memory.graph.remove(10, dim_id)
        assert told() == [f"gnommoweb: [{left}] repo", f"homelab:{whole}"]
        memory.place(10, dim_id)


def test_what_one_graph_knows_another_need_not(memory: Memory) -> None:
    """A vocabulary may be told of by several, even of ids that are alike."""
    memory.add(10, "gnommoweb")
    memory.add(10 + ALIKE, "homelab")
    memory.tell(10)
    first, memory.graph = memory.graph, _fast.Graph()
    memory.place(10)

    assert [*memory.tell(10 + ALIKE).unknown] == ["homelab"]
    assert [line.concept for line in memory.tell(10).lines] == ["gnommoweb"]
    memory.graph = first
    assert [*memory.tell(10).unknown] == ["gnommoweb"]


def test_what_another_id_has_is_told(memory: Memory) -> None:
    """A token that gets the id of a placed concept is placed, even if the ids are alike."""
    memory.add(10, "gnommoweb")
    memory.place(10 + ALIKE)

    assert [*memory.tell(10).unknown] == ["gnommoweb"]
    memory.vocabulary.remap(10, 10 + ALIKE)
    assert [line.concept for line in memory.tell(10 + ALIKE).lines] == ["gnommoweb"]


def test_a_faded_concept_is_unknown(memory: Memory) -> None:
    """One with edges that are all too weak or too old, even if it is mentioned."""
    memory.add(10, "ant")
    memory.add(11, "bee")
    memory.place(10, confidence=0.59)
    memory.place(11, last_confirmed=NOW - 91 * DAY)

    telling = memory.tell(10, 11, mentioned={10, 11})

    assert (telling.lines, [*telling.unknown]) == ([], ["ant", "bee"])


def test_equals_stay_in_order(memory: Memory) -> None:
    """The first of equally important concepts is told, and asked about."""
    ids = list(range(10, 210))
    for id in ids:
        memory.add(id, f"name{id}")
        if id < 110:
            memory.place(id)

    telling = memory.tell(*reversed(ids), concepts_max=2)

    assert [line.concept for line in telling.lines] == ["name108", "name109"]
    assert [*telling.unknown] == [f"name{id}" for id in reversed(ids) if id >= 110]


@pytest.mark.parametrize("count", [7, 8, 9, 10, 40])
def test_the_important_come_first_and_none_is_lost(memory: Memory, count: int) -> None:
    """Be the unknown few or many, and in whatever order they are asked about."""
    for id in range(10, 10 + count):
        memory.add(id, f"name{id}", encounters=id)
    expected = [f"name{id}" for id in reversed(range(10, 10 + count))]

    assert [*memory.tell(*range(10, 10 + count)).unknown] == expected
    assert [*memory.tell(*reversed(range(10, 10 + count))).unknown] == expected


def test_names_may_be_long(memory: Memory) -> None:
    """Nothing is cut off here."""
    long = "x" * 65_000
    memory.add(10, long)
    memory.place(10)
    memory.place(10, PLACE, parent_id=10)

    (line,) = memory.tell(10).lines

    assert line.text == f"{long}: [place] {long} [type] repo"


@pytest.mark.parametrize("id", [99, 0, -1, 2**63, -(2**70)])
def test_an_id_without_a_token_is_an_error(memory: Memory, id: int) -> None:
    """Be it asked about, or at the end of an edge."""
    memory.add(10, "ant")
    memory.place(10, parent_id=99)

    with pytest.raises(KeyError):
        memory.tell(id)
    with pytest.raises(KeyError):
        memory.tell(10)


@pytest.mark.parametrize("limits", [{"concepts_max": -1}, {"edges_max": 0}])
def test_limits_must_make_sense(memory: Memory, limits: dict[str, int]) -> None:
    """No concept may be told, but none with nothing to tell."""
    memory.add(10, "ant")
    memory.place(10)

    assert memory.tell(10, concepts_max=0).lines == []
    with pytest.raises(ValueError, match="cannot be told"):
        memory.tell(10, **limits)


def test_nothing_is_told_of_nothing(memory: Memory) -> None:
    """No concepts, no lines, and none that is unknown."""
    telling = memory.tell()

    assert (telling.lines, [*telling.unknown]) == ([], [])


def test_a_block_is_the_texts_of_its_lines() -> None:
    """Between the two that are given, each on a line of its own."""
    texts = [
        "ant: [type] repo",
        "été: [type] 東京",
        "? bee: no recollection\n  store it",
    ]
    lines = [Line("name", text, GraphLineKind.RECOLLECTION, "") for text in texts]

    assert _fast.block("<a>", lines, "</a>") == "\n".join(["<a>", *texts, "</a>"])
    assert _fast.block("<a>", [], "</a>") == "<a>\n</a>"


def test_names_are_told_in_order(memory: Memory) -> None:
    """By their characters, be they few or many; one that begins another comes first."""
    names = ["b", "ant", "antelope", "été", "東京", "a_name_of_many_bytes", "ant-1"]
    names += [f"name{number}" for number in range(20)]
    for id, token in enumerate(names, 10):
        memory.add(id, token)
        memory.place(id)
    ids = range(10, 10 + len(names))

    for few in (ids[:7], ids):
        told = [line.concept for line in memory.tell(*few, concepts_max=99).lines]
        assert told == sorted(names[: len(few)])
