from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from festinger import _fast
from festinger.core.graph.conflicts import PendingConflicts
from festinger.core.graph.outcome import ASSERTED
from festinger.core.graph.proposal import StatementSource
from festinger.core.graph.statement import parse_fact
from festinger.core.language.terms import terms
from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import LineFilter, LineKind
from festinger.core.lines.statements import StatementLines
from festinger.core.memories.memory import Memory
from festinger.core.memories.types import MemoryType
from festinger.core.world.draft import Draft
from tests.memories import NOW, held, propose, stated, world_of

NAMES = ("billing_service", "db-prod-1", "kassel")
FACTS = [
    f"{concept} {verb} {parent}"
    for concept in NAMES
    for verb in ("-isa", "-not -isa", "-ispart")
    for parent in ("kassel", "queue")
]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(["state", "retract", "move"]),
        st.lists(st.sampled_from(FACTS), min_size=1, max_size=3, unique=True),
    ),
    max_size=6,
)


def change(world, what, facts):
    """State, take back or move facts as one batch."""
    draft = Draft(world, now=NOW)
    for fact in facts:
        triple = parse_fact(fact)
        if what == "state":
            draft.propose(stated(fact))
        elif what == "move":
            draft.move(triple, "tech", by="conflict 1")
        elif triple in held(world):
            draft.retract(triple, principal="op")
    clashes = [it.clash for it in draft.changes.entries if it.clash]
    numbers = {it: count for count, it in enumerate(clashes, 1)}
    draft.publish(numbers, world.version + 1)


def found(index, query, **filters):
    """Return the texts that a search finds."""
    return {
        it.line.text for it in index.search_text(query, LineFilter(**filters), limit=99)
    }


def plain(triple):
    """Return a statement as a block tells it, without a mark."""
    return f"{triple.concept}: [{triple.dimension}] {triple.parent}"


def memory(number, content, subject="alice", confidence=0.9):
    """Return an active memory of somebody."""
    return Memory(number, subject, MemoryType.USER_FACT, content, confidence, NOW)


@given(STEPS, st.sampled_from(["billing", "prod", "kassel queue", "type", "tech"]))
def test_search_finds_what_the_graph_holds(steps, query):
    """After any batches: exactly the held statements that have one of the words."""
    world = world_of()
    for what, facts in steps:
        change(world, what, facts)

    asked = set(terms(query))
    expected = {
        text for text in map(plain, held(world)) if asked.intersection(terms(text))
    }
    statements = {text.replace("?]", "]") for text in found(world.lines, query)}
    assert statements == expected
    assert len(world.statements) == len(held(world))


def test_root_is_no_line():
    """A dimension's statement about itself is not told."""
    world = world_of("kassel -isa city")

    assert found(world.lines, "type") == {"kassel: [type] city"}


def test_contested_statement_is_marked():
    """As it is in a block."""
    world = world_of("kassel -isa city", "kassel -isa queue")

    assert found(world.lines, "kassel") == {"kassel: [type?] city"}


def test_confirmed_statement_keeps_its_entry():
    """A repeated statement does not grow the index."""
    world = world_of("kassel -isa city")
    postings, entries = world.statements._postings, world.statements._concepts
    before = len(postings), len(entries)

    for principal in ("bob", "carol", "dave"):
        propose(world, stated("kassel -isa city", principal))

    assert (len(postings), len(entries)) == before


def test_loaded_graph_is_found_as_far_as_there_is_room():
    """Beyond the limit a statement has no line, until another one is gone."""
    vocabulary, graph = _fast.Vocabulary(), _fast.Graph()
    for number, token in enumerate(["type", "city", "kassel", "bonn"], 1):
        vocabulary.add(token, number)
    for concept_id in (3, 4):
        source = StatementSource.GUTASK.code
        edge = _fast.Edge(concept_id, 2, 1, True, 1.0, NOW, source, ASSERTED, 1)
        graph.put(edge)
    statements = StatementLines(vocabulary, graph, PendingConflicts(), most=1)
    for _ in statements.fill():
        pass
    index = LineIndex(statements)
    (first,) = found(index, "city")
    held_id, other_id = (3, 4) if first.startswith("kassel") else (4, 3)

    graph.remove(held_id, 1)
    statements.follow(held_id)
    statements.follow(other_id)

    assert len(found(index, "city")) == 1
    assert found(index, "city") != {first}


def test_many_statements_do_not_make_every_word_rare():
    """They count for so many lines at most, and their words in proportion."""
    vocabulary, graph = _fast.Vocabulary(), _fast.Graph()
    vocabulary.add("type", 1)
    vocabulary.add("city", 2)
    for number in range(3, 5003):
        vocabulary.add(f"place{number}", number)
        source = StatementSource.GUTASK.code
        graph.put(_fast.Edge(number, 2, 1, True, 1.0, NOW, source, ASSERTED, 1))
    statements = StatementLines(vocabulary, graph, PendingConflicts())
    index = LineIndex(statements)
    for _ in statements.fill():
        pass

    assert len(index) == 5000
    assert index.counted == 2000
    assert index.frequency("citi") == 2000
    assert index.frequency("place7") < 1


def test_memory_is_a_candidate_for_its_own_subject_only():
    """Others' memories neither come up nor take the place of one's own."""
    world = world_of()
    others = {f"p{at}": [memory(at, "loves tea", f"p{at}")] for at in range(1, 90)}
    world.remember(others, others)
    world.remember(["alice"], {"alice": [memory(99, "loves green tea")]})
    asked = [("tea", 1.0)]

    assert [it.line.text for it in world.lines.facts(asked, "alice")] == [
        "about alice: loves green tea (fact)"
    ]
    assert world.lines.facts(asked, "nobody") == []


def test_memory_that_is_gone_is_not_found():
    """And one that was only confirmed stays where it is."""
    world = world_of()
    world.remember(["alice"], {"alice": [memory(1, "loves tea"), memory(2, "runs")]})
    world.remember(["alice"], {"alice": [memory(1, "loves tea", confidence=0.5)]})

    assert found(world.lines, "runs") == set()
    assert found(world.lines, "tea", kinds=[LineKind.MEMORY]) == {
        "about alice: loves tea (fact)"
    }
    (line,) = world.lines.lines_of(LineKind.MEMORY, 1)
    assert line.subject == "alice"
    assert world.lines.lines_of(LineKind.MEMORY, 2) == []


def test_newest_statements_come_first_without_words():
    """As far back as is asked, and none where only what somebody said is wanted."""
    world = world_of("kassel -isa city")
    propose(world, stated("bonn -isa city"), now=NOW + 5)
    world.remember(["alice"], {"alice": [memory(1, "loves tea")]})
    old, new = "kassel: [type] city", "bonn: [type] city"

    lines = [it.line.text for it in world.lines.search_text("", limit=9)]

    assert lines[0] == new
    assert {*lines} == {old, new, "about alice: loves tea (fact)"}
    assert found(world.lines, "", since=NOW + 1) == {new}
    assert found(world.lines, "", kinds=[LineKind.STATEMENT]) == {old, new}
    assert found(world.lines, "city", speaker="alice") == set()
    assert found(world.lines, "", project="shop") == set()
