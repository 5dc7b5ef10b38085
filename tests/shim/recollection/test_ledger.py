from __future__ import annotations

from festinger.shim.recollection.ledger import Ledger, RequestLayout, ToldLine, render
from festinger.shim.recollection.segments import (
    BodyPlace,
    SegmentRole,
    SystemTextCreation,
    make_segment,
)

FACT = ToldLine("gnommoweb", "gnommoweb: [type] repo", b"1", False)
HINT = ToldLine("ant", "? ant: no recollection.", b"2", True)
MESSAGES = (("system", "s"), ("user", "one"), ("assistant", "two"), ("user", "three"))


def layout(*messages):
    """Return the positions of a conversation."""
    segments = []
    for index, (role, text) in enumerate(messages):
        place = BodyPlace(("messages", index, "content"))
        end = place.after(len(text))
        segments.append(make_segment(SegmentRole(role), text, place, end=end))
    system = segments[0].place if messages[0][0] == "system" else None
    return RequestLayout.of(segments, system or SystemTextCreation())


def told(bytes_max=10_000):
    """Return a ledger in which a fact stands at the head of a conversation."""
    ledger, here = Ledger(bytes_max), layout(*MESSAGES[:2])
    ledger.open(here)
    ledger.tell(here, here.head, [FACT])
    ledger.answered(here)
    return ledger


def test_the_other_side_of_a_conflict_stands_behind_the_held_one():
    """The held value is read first, then what is said against it, then other quotations."""
    quoted = [
        ToldLine(name, text, b"1", False, quote=True)
        for name, text in (
            ("against 7.12@9f8a01c2", "club: [treasurer?] Irene, says jonas"),
            ("said 4.0@9", 'jonas: "Irene is the treasurer."'),
            ("noted statement 31@9f8a01c2", "club: [treasurer?] Greta, says mira"),
        )
    ]

    text = render(quoted)

    assert text.index("Greta") < text.index("Irene, says") < text.index("Irene is")


def test_positions_are_those_of_longer_conversations():
    """The messages before a position name it, and none that follow."""
    short, long = layout(*MESSAGES[:2]), layout(*MESSAGES)

    assert long.head == short.head
    assert long.ends[:2] == short.ends
    assert len({long.head, *long.ends}) == 5


def test_edit_changes_all_later_positions():
    """Behind an edited message nothing is where it was."""
    edited = layout(*MESSAGES[:1], ("user", "other"), *MESSAGES[2:])

    assert edited.ends[0] == layout(*MESSAGES).ends[0]
    assert set(edited.ends[1:]).isdisjoint(layout(*MESSAGES).ends)


def test_roles_tell_positions_apart():
    """The same text said by somebody else is another message."""
    assert layout(("user", "x")).ends != layout(("assistant", "x")).ends


def test_newest_is_the_users_last_word():
    """A request that ends otherwise has none; system texts do not count."""
    system = ("system", "late")

    assert layout(*MESSAGES).newest == 3
    assert layout(*MESSAGES, system).newest == 3
    assert layout(*MESSAGES[:3]).newest is None
    assert layout(*MESSAGES, ("tool", "result")).newest is None
    assert layout(system).newest is None


def test_block_has_names_first():
    """The same lines are the same bytes, hints last."""
    bee = ToldLine("bee", "bee: [type] pet", b"3", False)

    assert render([HINT, FACT, bee]) == render([bee, HINT, FACT])
    assert render([HINT, FACT]).splitlines()[1:3] == [FACT.text, HINT.text]
    assert render([]) == ""


def test_conversation_is_opened_once():
    """The first request of a conversation is the first with its system text."""
    ledger, here = Ledger(), layout(*MESSAGES)

    assert ledger.is_new_to(here)
    assert ledger.open(here)
    assert not ledger.is_new_to(here)
    assert not ledger.open(layout(*MESSAGES[:2]))
    assert ledger.open(layout(("system", "other"), *MESSAGES[1:]))


def test_unread_begins_behind_what_was_answered():
    """The newest message is asked about in any case."""
    ledger = told()

    assert ledger.unread(layout(*MESSAGES)) == 2
    assert ledger.unread(layout(*MESSAGES[:2])) == 0
    assert ledger.unread(layout(("user", "one"), *MESSAGES[2:])) == 0


def test_news_are_what_was_not_said_last():
    """A line that says the same as the last about its concept is none."""
    ledger, here = told(), layout(*MESSAGES)
    more = FACT._replace(text="gnommoweb: [type] repo [x] y", digest=b"9")

    assert ledger.news(here, [FACT, HINT, more]) == [HINT, more]
    ledger.tell(here, here.ends[3], [more])
    assert ledger.news(here, [more]) == [more]
    later = layout(*MESSAGES, ("assistant", "a"), ("user", "b"))
    assert ledger.news(later, [more]) == []


def test_same_block_is_no_news():
    """Telling a message the same again changes nothing."""
    ledger, here = told(), layout(*MESSAGES)

    assert ledger.tell(here, here.ends[3], [HINT])
    assert not ledger.tell(here, here.ends[3], [HINT])
    assert ledger.tell(here, here.ends[3], [])


def test_telling_nothing_weighs_nothing():
    """A long conversation in which nothing is told fits as well."""
    ledger, here = told(), layout(*MESSAGES)
    before = ledger.weight

    ledger.tell(here, here.ends[3], [])

    assert ledger.weight == before


def test_correction_of_another_branch_waits():
    """A change concerns the blocks of its request."""
    ledger, elsewhere = told(), layout(("user", "alone"))
    changes = {FACT[:2]: None}

    assert not ledger.correct(elsewhere, changes)
    assert ledger.standing(layout(*MESSAGES))
    assert ledger.correct(layout(*MESSAGES), changes)
    assert not ledger.standing(layout(*MESSAGES))


def test_other_branches_are_forgotten_first():
    """The excess goes, and the entries that this request needs stay."""
    ledger, here = told(bytes_max=1000), layout(*MESSAGES[:2])
    for number in range(10):
        other = layout(("system", f"{number}"), *MESSAGES[1:])
        ledger.open(other)
    assert ledger.weight > 1000

    ledger.make_room(here)

    assert ledger.weight < 1000
    assert list(ledger.standing(here)) == [here.head]
    assert ledger.is_new_to(other)


def test_too_long_conversation_starts_anew():
    """If one conversation is too much by itself, it is told from its head again."""
    ledger, here = told(bytes_max=200), layout(*MESSAGES[:2])

    ledger.make_room(here)

    assert ledger.weight == 0
    assert ledger.is_new_to(here)
    assert ledger.unread(layout(*MESSAGES)) == 0


def test_ledger_within_its_bounds_keeps_all():
    """Nothing is forgotten without need."""
    ledger = told()
    ledger.make_room(layout(("user", "elsewhere")))

    assert ledger.standing(layout(*MESSAGES))


def test_memories_stand_behind_concepts_and_before_hints():
    """Facts before patterns before narratives, each by name, in whatever order they came."""
    texts = [
        "about zoe: been chatting since 2019 (narrative)",
        "about zoe: prefers tables (pattern)",
        "about zoe: loves tea (fact)",
        "about zoe: has a cat (fact)",
    ]
    memories = [ToldLine(it.rpartition(" (")[0], it, b"", False, True) for it in texts]

    block = render([HINT, *memories, FACT])

    assert block.split("\n")[1:-1] == [
        FACT.text,
        texts[3],
        texts[2],
        texts[1],
        texts[0],
        HINT.text,
    ]


def test_quotation_is_told_once_whatever_names_it():
    """
    A quotation that stands is no news when its name has changed, which says what was known
    when it was told; nor is another way to tell it held back.
    """
    ledger, here = Ledger(), layout(*MESSAGES[:2])
    said = ToldLine(
        "said 1.0@1", 'nan, 2 Mar: "Kassel is closed."', b"1", False, quote=True
    )
    later = said._replace(concept="said 1.0@2", digest=b"2")
    ledger.open(here)
    ledger.tell(here, here.head, [said])
    again = later._replace(text='nan, 3 Mar: "Kassel is open."')

    assert ledger.news(here, [later, again]) == [again]
