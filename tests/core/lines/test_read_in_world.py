"""A world that holds statements which were read from words."""

from __future__ import annotations

from festinger.core.graph.conflicts import Clash
from festinger.core.graph.origins import StatementOrigin, StatementReader
from festinger.core.lines.line import LineKind
from festinger.core.lines.listing import listed
from festinger.core.recollection.concepts import Kind, Line, recollect
from festinger.core.recollection.retelling import (
    StandingLine,
    find_changes,
    leave_out_read,
    tell_disputes,
)
from festinger.core.system.preferences import Preferences
from festinger.core.world.world import World
from tests.memories import NOW, propose, stated, world_of

QUOTE = "gnommoweb is a repo, as far as I know"


def number(world: World, name: str) -> int:
    """Return the number of a name that is known."""
    found = world.id(name)
    assert found is not None
    return found


def origin(speaker="nadia", quote=QUOTE):
    """Return words that a statement was read from."""
    reader = StatementReader.MODEL
    return StatementOrigin(quote, speaker, speaker, "", "s", NOW, b"0" * 16, reader)


def read_all(world, concept):
    """Has all that is held of a concept be read from words."""
    concept_id = number(world, concept)
    for edge in world.facts(concept_id):
        world.origins[edge.assertion_id] = origin()
    world.statements.follow(concept_id)
    return concept_id


def test_a_statement_without_an_origin_is_a_line_of_the_graph():
    """Both kinds are found by their words, each once."""
    world = world_of("gnommoweb -isa repo", "kassel -isa depot")
    read_all(world, "gnommoweb")

    found = [it.line for it in world.lines.search_text("gnommoweb kassel", limit=9)]

    assert {(it.kind, it.text) for it in found} == {
        (LineKind.STATEMENT, "gnommoweb: [type] repo"),
        (LineKind.STATEMENT, "kassel: [type] depot"),
    }
    assert {it.speaker for it in found} == {"nadia", ""}


def test_a_concept_of_which_all_was_read_is_not_told_at_each_mention():
    """
    A sentence about everyday things is told where it fits; what somebody told the
    memory keeps its place.
    """
    world = world_of("gnommoweb -isa repo", "kassel -isa depot")
    concept_id = read_all(world, "gnommoweb")
    salient = [concept_id, number(world, "kassel")]

    assert list(leave_out_read(world, salient)) == [number(world, "kassel")]


def test_loaded_statements_are_found_by_the_words_they_were_read_from():
    """A memory that starts anew finds them as before."""
    world = world_of("gnommoweb -isa repo", "kassel -isa depot")
    (edge,) = world.facts(number(world, "gnommoweb"))
    world.origins[edge.assertion_id] = origin()
    world.furnish(world.vocabulary, world.graph)
    for _ in world.index_statements():
        pass

    (match,) = world.lines.search_text("as far as we know", limit=9)

    assert match.line.text == "gnommoweb: [type] repo"
    assert len(world.statements) == len(world.read) == 1


def test_a_statement_of_another_subject_may_replace_one():
    """A renamed concept is told by its new name."""
    world = world_of("gnommoweb -isa repo", "gnomweb -isa repo")
    old = read_all(world, "gnommoweb")
    read_all(world, "gnomweb")
    (edge,) = world.facts(old)
    (other,) = world.facts(number(world, "gnomweb"))
    world.read.succeed(edge.assertion_id, other.assertion_id)
    world.graph.remove(edge.concept_id, edge.dim_id)
    world.statements.follow(old)

    (line,) = world.read.successor_of(edge.assertion_id)

    assert line.text == "gnomweb: [type] repo"


def test_a_contested_concept_keeps_its_place():
    """A doubt is told wherever the concept is named, with the other side behind it."""
    world = world_of("gnommoweb -isa repo")
    concept_id = read_all(world, "gnommoweb")
    propose(world, stated("gnommoweb -isa container", "carol"))
    (clash,) = world.conflicts.of(concept_id)
    world.conflicts.add(clash, origin=origin("carol", "gnommoweb is a container"))

    assert list(leave_out_read(world, [concept_id])) == [concept_id]
    lines = recollect(world, [concept_id], preferences=Preferences(), now=NOW)
    texts = [it.text for it in tell_disputes(world, lines, NOW)]

    assert texts == [
        "gnommoweb: [type?] repo — conflict pending",
        "gnommoweb: [type?] container, says carol (15 Jan)",
    ]


def test_a_told_other_side_is_taken_back_once_people_decided():
    """The session that keeps the line hears that it holds no more."""
    world = world_of("gnommoweb -isa repo")
    concept_id = read_all(world, "gnommoweb")
    propose(world, stated("gnommoweb -isa container", "carol"))
    (clash,) = world.conflicts.of(concept_id)
    world.conflicts.add(clash, origin=origin("carol", "gnommoweb is a container"))
    lines = recollect(world, [concept_id], preferences=Preferences(), now=NOW)
    against = tell_disputes(world, lines, NOW)[1]
    told = [StandingLine(against.concept, against.text, kept=True)]

    assert find_changes(world, told, Preferences(), NOW) == []
    world.conflicts.discard(clash)
    (change,) = find_changes(world, told, Preferences(), NOW)
    assert change.line is None


def test_a_conflict_of_which_nobody_knows_the_words_has_no_other_side():
    """The line is as the specification has it."""
    world = world_of("gnommoweb -isa repo")
    concept_id = number(world, "gnommoweb")
    world.conflicts.add(Clash(concept_id, number(world, "type"), concept_id, False))
    line = Line(
        "gnommoweb", "gnommoweb: [type?] repo — conflict pending", Kind.RECOLLECTION, ""
    )

    assert list(tell_disputes(world, [line], NOW)) == [line]


def test_a_read_statement_is_listed_with_the_words_it_was_read_from():
    """People see what it says, and whence."""
    world = world_of("gnommoweb -isa repo")
    read_all(world, "gnommoweb")
    (match,) = world.lines.search_text("gnommoweb", limit=9)

    shown = listed(match.line, now=NOW)

    assert (shown.subject, shown.predicate, shown.value) == (
        "gnommoweb",
        "type",
        "repo",
    )
    assert (shown.quote, shown.speaker) == (QUOTE, "nadia")
    assert shown.text == "gnommoweb: [type] repo — nadia, 15 Jan"


def test_a_discarded_conflict_forgets_whose_words_it_was():
    """Nothing stays behind."""
    world = world_of("gnommoweb -isa repo")
    clash = Clash(number(world, "gnommoweb"), number(world, "type"), 1, False)
    world.conflicts.add(clash, 3, origin())
    world.conflicts.discard(clash)

    assert world.conflicts.origins == {}
