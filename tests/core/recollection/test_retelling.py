from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from festinger.core.graph.conflicts import Clash
from festinger.core.memories.memory import Memory
from festinger.core.memories.types import MemoryType
from festinger.core.recollection.concepts import EDGES_MAX, Kind, Line, recollect
from festinger.core.recollection.retelling import (
    StandingLine,
    find_changes,
    leave_out_told,
    line_of,
    tell_about,
)
from festinger.core.system.preferences import Preferences
from tests.memories import DAY, NOW, contested_world, propose, stated, world_of
from tests.structures import SoasRow, UrdEdge, build_world, soas_by_token

REPO = "gnommoweb -isa repo"
PLACED = "gnommoweb -ispart ramanujan in context of geography"

HINT = (
    "? gnommoweb: no recollection. If not a typo, store it before proceeding:\n"
    "  gutask iknowthat 'gnommoweb -isa <parent> in context of <dimension>'\n"
    "  gutask iknowthat 'gnommoweb -ispart <system> in context of <dimension>'"
)


def changes(world, *texts, now=NOW, **preferences):
    """
    The changes of told lines: the index of each that no longer holds, and the text that
    tells of its concept now.
    """
    told = [
        StandingLine(text.removeprefix("? ").partition(":")[0], text) for text in texts
    ]
    found = find_changes(world, told, Preferences(**preferences), now)
    return {change.index: change.line and change.line.text for change in found}


def number(world, token):
    """Return a concept that there is."""
    return soas_by_token(world)[token].id


def forget(world, concept, dimension):
    """Hold a fact no more."""
    world.graph.remove(number(world, concept), number(world, dimension))


def test_held_lines_hold():
    """A line whose facts are all held has not changed."""
    world = world_of(REPO, PLACED)

    assert changes(world, "gnommoweb: [geography] ramanujan [type] repo") == {}


def test_line_that_gained_a_fact_holds():
    """A told line stays true when there is more to tell."""
    assert changes(world_of(REPO, PLACED), "gnommoweb: [type] repo") == {}


def test_retracted_fact():
    """The rest of the line is what is known now."""
    world = world_of(REPO, PLACED)
    forget(world, "gnommoweb", "type")

    assert changes(world, "gnommoweb: [geography] ramanujan [type] repo") == {
        0: "gnommoweb: [geography] ramanujan"
    }


def test_last_fact_retracted():
    """If nothing is left there is no line."""
    world = world_of(REPO)
    forget(world, "gnommoweb", "type")

    assert changes(world, "gnommoweb: [type] repo") == {0: None}


def test_replaced_fact():
    """Another parent in the dimension makes the line false."""
    world = world_of("gnommoweb -isa container")

    assert changes(world, "gnommoweb: [type] repo") == {
        0: "gnommoweb: [type] container"
    }


def test_moved_fact():
    """A fact that a decision moved to another dimension is told there."""
    world = world_of("gnommoweb -ispart chess in context of club")

    assert changes(world, "gnommoweb: [membership] chess") == {
        0: "gnommoweb: [club] chess"
    }


def test_fact_that_became_doubtful():
    """A conflict about a told fact changes its line."""
    doubt = "gnommoweb: [type?] repo — conflict pending"

    assert changes(contested_world(contested={101}), "gnommoweb: [type] repo") == {
        0: doubt
    }
    assert changes(contested_world(contested={101}), doubt) == {}


def test_doubt_that_was_settled():
    """When the conflict is gone the mark goes as well."""
    assert changes(contested_world(), "gnommoweb: [type?] repo — conflict pending") == {
        0: "gnommoweb: [type] repo"
    }


def test_doubt_about_another_fact():
    """Only the contested dimension counts."""
    world = world_of(REPO, PLACED)
    geography = number(world, "geography")
    clash = Clash(number(world, "gnommoweb"), geography, number(world, "repo"), False)
    world.conflicts.add(clash)

    assert changes(world, "gnommoweb: [type] repo") == {}


@pytest.mark.parametrize(
    "preferences",
    [{"recollection_recency_days": 1.0}, {"recollection_confidence_floor": 0.99}],
)
def test_age_and_thresholds_make_nothing_false(preferences):
    """A fact that would no longer be told is held all the same."""
    world = contested_world()

    found = changes(world, "gnommoweb: [type] repo", now=NOW + 30 * DAY, **preferences)

    assert found == {}


def test_choice_of_edges_makes_nothing_false():
    """A fact that others have pushed out of the line is held all the same."""
    edges = [
        UrdEdge(1, 100 + n, 10 + n, True, 0.7 + n / 100) for n in range(EDGES_MAX + 1)
    ]
    names = {1: "dobby"}
    names |= {e.dim_id: f"dim{e.dim_id}" for e in edges}
    names |= {e.parent_id: f"par{e.parent_id}" for e in edges}
    world = build_world({"dobby": SoasRow(id=1, novelty=1.0)}, names, edges=edges)

    assert "dim10" not in str(line_of(world, 1, Preferences(), NOW))
    assert changes(world, "dobby: [dim10] par100") == {}


def test_unanswered_hint():
    """A hint holds while nothing is known, whether or not the word was met."""
    world = world_of("ant -isa pet")
    met = build_world({"gnommoweb": SoasRow(id=7, encounter_count=9)})

    assert changes(world, HINT) == changes(met, HINT) == {}


def test_answered_hint():
    """The answer takes the place of the question."""
    assert changes(world_of(REPO), HINT) == {0: "gnommoweb: [type] repo"}


def test_hint_about_what_is_now_a_parent():
    """A word that stands in somebody else's fact is not unknown (D3)."""
    assert changes(world_of("ant -ispart gnommoweb"), HINT) == {0: None}


def test_hint_about_what_has_faded():
    """A concept whose facts are all too old is asked about, and the question stands."""
    world = contested_world()

    assert changes(world, HINT, recollection_confidence_floor=0.99) == {}


def test_unknown_concept():
    """A line about what this memory never met does not hold."""
    assert changes(world_of(REPO), "dobby: [type] elf") == {0: None}


@pytest.mark.parametrize("text", ["gnommoweb: whatever", "gnommoweb:"])
def test_unreadable_line(text):
    """A line that says nothing that could be checked gives way to what is known."""
    world = world_of(REPO)
    told = [StandingLine("gnommoweb", text)]

    (change,) = find_changes(world, told, Preferences(), NOW)

    assert change.line == line_of(world, number(world, "gnommoweb"), Preferences(), NOW)


def test_lines_without_text_are_not_checked():
    """The indexes are those of the request."""
    world = world_of(REPO)
    told = [StandingLine("dobby", ""), StandingLine("dobby", "dobby: [type] elf")]

    assert [c.index for c in find_changes(world, told, Preferences(), NOW)] == [1]


FACTS = st.lists(
    st.builds(
        "{} -isa {} in context of {}".format,
        st.sampled_from(["c++", "node.js", "o'neil", "c#", "agent-7", "größe", "a_b"]),
        st.sampled_from(["pet", "x.y", "f#", "z-8", "größe", "z-9"]),
        st.sampled_from(["type", "d.e", "c++", "in-house"]),
    ),
    min_size=1,
)


@given(FACTS, st.data())
def test_what_is_told_now_holds_now(facts, data):
    """
    Whatever the memory tells, doubts included, holds and is complete, until a fact of
    it is gone.
    """
    world = build_world()
    propose(world, *map(stated, facts))
    edges = [e for e in world.graph if e in world.facts(e.concept_id)]
    assume(edges)  # `ant -isa ant` is refused
    placed = sorted({edge.concept_id for edge in edges})
    preferences = Preferences(recollection_max_concepts=len(placed))
    lines = recollect(world, placed, preferences=preferences, now=NOW)
    told = [StandingLine(line.concept, line.text, kept=True) for line in lines]

    assert find_changes(world, told, preferences, NOW) == []
    assert leave_out_told(world, placed, told, preferences, NOW) == []
    gone = data.draw(st.sampled_from(edges))
    world.graph.remove(gone.concept_id, gone.dim_id)
    (change,) = find_changes(world, told, preferences, NOW)
    assert told[change.index].concept == world.token(gone.concept_id)


def left(world, *told, **preferences):
    """Return whether gnommoweb is still to be told of, beside these lines."""
    lines = [StandingLine("gnommoweb", text, kept=True) for text in told]
    salient = [number(world, "gnommoweb")]
    return (
        leave_out_told(world, salient, lines, Preferences(**preferences), NOW)
        == salient
    )


def test_nothing_new_is_left_out():
    """A fact that the prompt's lines say together is not told again."""
    world = world_of(REPO, PLACED)

    assert left(world)
    assert left(world, "gnommoweb: [type] repo")
    assert not left(world, "gnommoweb: [type] repo", "gnommoweb: [geography] ramanujan")


def test_doubt_is_news():
    """A fact that became doubtful is told again."""
    world = contested_world(contested={101})

    assert left(world, "gnommoweb: [type] repo")
    assert not left(world, "gnommoweb: [type?] repo — conflict pending")


def test_faded_line_is_no_reason_to_ask():
    """While a line about a concept stands in the prompt, it is not asked about."""
    world = contested_world()

    assert not left(world, "gnommoweb: [type] repo", recollection_confidence_floor=0.99)


def test_hints_and_lines_that_go_leave_nothing_out():
    """Only facts that stay in the prompt are told already."""
    world = world_of(REPO)
    told = [
        StandingLine("gnommoweb", HINT, kept=True),
        StandingLine("gnommoweb", "gnommoweb: [type] repo"),
    ]
    salient = [number(world, "gnommoweb")]

    assert leave_out_told(world, salient, told, Preferences(), NOW) == salient


# What is remembered of people

TEA = "about alice: loves tea (fact)"
CAT = "about alice: has a cat (fact)"


def remembering(*contents, subject="alice"):
    """Return a world in which things are remembered of somebody."""
    world = world_of(REPO)
    memories = [
        Memory(number, subject, MemoryType.USER_FACT, content, 0.9, NOW)
        for number, content in enumerate(contents, 1)
    ]
    world.people.replace([subject], {subject: memories})
    return world


def changes_about(world, *texts, subject="alice", now=NOW):
    """As `changes`, where somebody speaks."""
    told = [StandingLine(text.rpartition(" (")[0], text) for text in texts]
    found = find_changes(world, told, Preferences(), now, subject)
    return {change.index: change.line and change.line.text for change in found}


def test_what_is_remembered_holds():
    """As long as it is active, however long ago it was confirmed."""
    world = remembering("Loves tea", "Has a cat")

    assert changes_about(world, TEA, CAT) == {}
    assert changes_about(world, TEA, now=NOW + 900 * DAY) == {}


def test_what_is_remembered_no_more():
    """The line goes, and the others stay."""
    world = remembering("Has a cat")

    assert changes_about(world, TEA, CAT) == {0: None}


def test_what_is_remembered_of_another_does_not_hold_here():
    """Neither for somebody of whom other things are remembered, nor for nobody."""
    world = remembering("Loves tea")
    world.people.replace(["bob"], {"bob": []})

    assert changes_about(world, TEA, subject="bob") == {0: None}
    assert changes_about(world, TEA, subject="") == {0: None}


def test_pattern_that_became_a_fact():
    """The same words as another kind of memory take the line's place."""
    world = remembering("Loves tea")

    assert changes_about(world, "about alice: loves tea (pattern)") == {0: TEA}


def test_memories_stand_between_facts_and_hints():
    """Hints are last (D2), and what the prompt keeps is not told again."""
    about = remembering("Loves tea", "Has a cat").people.of("alice")
    fact = Line("gnommoweb", "gnommoweb: [type] repo", Kind.RECOLLECTION, "")
    hint = Line("ant", "? ant: no recollection", Kind.HINT, "")
    kept = [StandingLine("about alice: loves tea", TEA, kept=True)]

    every = tell_about([fact, hint], about, [], 9, NOW)
    news = tell_about([fact, hint], about, kept, 9, NOW)
    again = tell_about([fact, hint], about, [StandingLine("x", TEA)], 9, NOW)

    assert [it.text for it in every] == [fact.text, CAT, TEA, hint.text]
    assert [it.text for it in news] == [fact.text, CAT, hint.text]
    assert again == every


def test_kept_memories_take_their_place():
    """Of what is weaker nothing is told in the place of what the prompt keeps already."""
    about = remembering("Loves tea", "Has a cat").people.of("alice")
    first = tell_about([], about, [], 1, NOW)

    kept = [StandingLine(line.concept, line.text, kept=True) for line in first]

    assert len(first) == 1
    assert tell_about([], about, kept, 1, NOW) == []


def test_what_is_kept_of_people_leaves_the_concepts_alone():
    """A concept is told whatever of people is kept."""
    world = remembering("Loves tea")
    salient = [number(world, "gnommoweb")]
    kept = [StandingLine("about alice: loves tea", TEA, kept=True)]

    assert leave_out_told(world, salient, kept, Preferences(), NOW) == salient
