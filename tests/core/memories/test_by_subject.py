from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from festinger.core.memories import by_subject as module
from festinger.core.memories.by_subject import MemoriesBySubject, SubjectMemories
from festinger.core.memories.lines import told
from festinger.core.memories.memory import TOLD_MIN, effective
from festinger.core.memories.rules import RULES
from festinger.core.memories.types import MemoryType

from .cases import DAY, FACT, NARRATIVE, PATTERN, memory

TEA = "about alice: loves tea (fact)"


def texts(about, now=0.0, limit=9):
    """Return the told texts."""
    return [line.text for line in about.lines(now, limit)]


def test_line_says_what_it_is_and_where_it_is_from():
    """A line is known by what it says, apart from the kind of memory; why names the memory."""
    (line,) = SubjectMemories([memory("Loves tea", id=7)]).lines(0.0, 9)

    assert line == ("about alice: loves tea", TEA, "memory", "memory 7")


def test_as_many_as_are_wanted():
    """The strongest, whatever was wanted before; none is none."""
    about = SubjectMemories(
        [memory("Loves tea", confidence=0.8), memory("Has a cat", id=2, confidence=0.9)]
    )

    assert texts(about, limit=1) == ["about alice: has a cat (fact)"]
    assert len(texts(about, limit=2)) == 2
    assert texts(about, limit=0) == []


def test_faded_is_not_told_and_holds():
    """To the second when it fades below 0.3; what was told of it stays true (D5)."""
    about = SubjectMemories([memory("Loves tea", confidence=0.6)])
    end = 30 * DAY

    assert texts(about, end - 1) == [TEA]
    assert texts(about, end + 1) == []
    assert about.holds(TEA)
    assert about.instead("about alice: loves tea", end + 1) is None
    # A clock that is put back makes it known again.
    assert texts(about, end - 1) == [TEA]


def test_block_stays_for_a_day():
    """The stronger of two is decided at midnight, the same on every server."""
    fact = memory("Loves tea", confidence=0.7)
    pattern = memory("Prefers tables", PATTERN, id=2, confidence=0.71, at=0.0)
    # The pattern fades faster, and is the weaker one in the course of the first day.
    morning, evening, next_day = DAY * 0.01, DAY * 0.99, DAY * 1.01
    assert 0.71 * 0.5 ** (0.99 / 14) < 0.7 * 0.5 ** (0.99 / 30)

    early, late = SubjectMemories([fact, pattern]), SubjectMemories([pattern, fact])

    assert texts(early, morning, 1) == ["about alice: prefers tables (pattern)"]
    assert texts(early, evening, 1) == texts(late, evening, 1) == texts(early, 1.0, 1)
    assert texts(early, next_day, 1) == texts(late, next_day, 1) == [TEA]


def test_holds_what_is_remembered():
    """Told or not, in the same words and of the same kind."""
    about = SubjectMemories(
        [memory("Loves tea"), memory("Works at Glitch University", id=2)]
    )

    assert about.holds(TEA)
    assert about.holds("about alice: works at glitch_university (fact)")
    assert not about.holds("about alice: loves tea (pattern)")
    assert not about.holds("about alice: loves (fact)")
    assert not about.holds("about bob: loves tea (fact)")
    assert not about.holds("about ")


def test_instead_of_a_pattern_the_fact():
    """A sentence that says the same as one of another kind takes its place."""
    about = SubjectMemories([memory("Loves tea")])

    line = about.instead("about alice: loves tea", 0.0)

    assert line is not None
    assert line.text == TEA
    assert about.instead("about alice: loves coffee", 0.0) is None


def test_lines_known_to_hold_are_bounded(monkeypatch):
    """However many lines of a subject were told and hold."""
    monkeypatch.setattr(module, "FOUND_MAX", 3)
    about = SubjectMemories(
        [memory(f"Has {number} cats", id=number) for number in range(9)]
    )

    assert all(about.holds(f"about alice: has {n} cats (fact)") for n in range(9))
    assert len(about._found) <= 3


def test_who_has_nothing_is_not_there():
    """Of whom nothing is remembered any more nothing is kept."""
    people, tea = MemoriesBySubject(), memory("Loves tea")

    people.replace(["alice", "bob"], {"alice": [tea]})

    assert people.memories == {("alice", 1): tea}
    assert people.of("bob") is None
    assert len(people) == 1
    people.replace(["alice"], {})
    assert people.of("alice") is None


def test_weak_fact_is_told_for_the_pattern_that_says_the_same():
    """However many are stronger, what is remembered as a fact is told as one."""
    songs = [
        memory(f"Plays song {number}", PATTERN, id=number, confidence=0.8, at=0.0)
        for number in range(2, 60)
    ]
    tea = [
        memory("Loves tea", PATTERN, id=0, confidence=0.99, at=0.0),
        memory("Loves tea", FACT, id=1, confidence=0.3, at=0.0),
    ]

    assert texts(SubjectMemories([*tea, *songs]), 0.0, 1) == [
        "about alice: loves tea (fact)"
    ]


MEMORIES = st.lists(
    st.tuples(
        st.sampled_from(["Loves tea", "loves tea.", "Has a cat", "Owns 50% of it"])
        | st.integers(0, 40).map("Plays song {}".format),
        st.sampled_from([FACT, PATTERN, NARRATIVE]),
        st.sampled_from([0.3, 0.5, 0.8, 0.81, 0.99]),
        st.integers(-20, 3).map(lambda days: days * DAY / 2),
    ),
    max_size=60,
)


@settings(max_examples=60)
@given(MEMORIES, st.integers(0, 9), st.integers(0, 40).map(lambda it: it * DAY / 4))
def test_told_as_if_all_were_worded(found, limit, now):
    """To choose among the strongest finds what choosing among all finds, at any time."""
    memories = [
        memory(content, type, id=id, confidence=confidence, at=at)
        for id, (content, type, confidence, at) in enumerate(found)
    ]
    about = SubjectMemories(memories)
    about.lines(now - DAY / 3, limit)

    left = [it for it in memories if _left(it, now) >= TOLD_MIN]
    wanted = told(left, now - now % DAY, limit).lines

    assert tuple(texts(about, now, limit)) == wanted


def _left(it, now):
    window = RULES[MemoryType(it.type)].window_days
    return effective(it.confidence, it.confirmed, now, window)
