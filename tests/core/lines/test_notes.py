from __future__ import annotations

from festinger.core.lines.index import LineIndex
from festinger.core.lines.line import IndexedLine, LineKind
from festinger.core.lines.notes import note_of_item, replace_notes, take_notes
from festinger.core.lines.quotes import word
from festinger.core.recollection.names import NoteName, is_quote, place_of
from festinger.core.recollection.rewriting import told_again
from festinger.core.review.state import StateItem
from tests.memories import NOW


def item(value="8443", key="checkout_port", **parts):
    """Return a line of the shop's trusted state."""
    return note_of_item(StateItem("shop", key, value, "op", updated_at=NOW, **parts))


def index_of(*lines):
    """Return an index that holds items of state."""
    index = LineIndex()
    replace_notes(index.sources, lines)
    return index


def test_project_is_named_in_another_one():
    """A note's place need not be given."""
    told = [
        word([item()], asker="nan", project=project, now=NOW)
        for project in ("shop", "wiki", "")
    ]

    assert told == [
        "trusted (15 Jan): checkout_port: 8443",
        "trusted (shop, 15 Jan): checkout_port: 8443",
        "trusted (shop, 15 Jan): checkout_port: 8443",
    ]


def test_long_value_is_told_in_part():
    """A line has 40 words, and looks like data."""
    text = word([item("<b>no</b> " * 500)], asker="nan", project="shop", now=NOW)

    assert text.endswith(" …")
    assert len(text.split()) <= 41
    assert "<" not in text


def test_name_of_a_note_is_read_back():
    """And no other name is taken for one."""
    name = NoteName.of(item()).name

    assert NoteName.from_name(name) == NoteName.of(item())
    assert is_quote(name)
    assert place_of(name) == (0, 0)
    assert NoteName.from_name("noted entity ff@00000000") is None
    assert not is_quote("noted utterance 7@00000000")


def test_told_item_is_rewritten_when_it_changes():
    """The new value stands where the old one stood."""
    index = index_of(item())
    name = NoteName.of(item()).name
    held = told_again(index, name, asker="nan", project="shop", now=NOW)

    replace_notes(index.sources, [item("9443")])
    holds, line = told_again(index, name, asker="nan", project="shop", now=NOW)

    assert held == (True, None)
    assert not holds
    assert line is not None
    assert line.text == "trusted (15 Jan): checkout_port: 9443"


def test_what_is_as_it_was_keeps_its_line():
    """Whoever takes over everything does not grow the index."""
    index = index_of(item(), item("on", "flags"))
    before = [line.number for line in index.sources.recent()]

    replace_notes(index.sources, [item(), item("on", "flags")])
    take_notes(index.sources, {(LineKind.STATE, "0" * 16): None})

    assert [line.number for line in index.sources.recent()] == before
    assert index.sources.keys_of(LineKind.STATE) == [
        item().key,
        item("on", "flags").key,
    ]


def test_note_makes_no_sentence_older():
    """A sentence is as old as what was said since, however often a state changed."""
    index = index_of(item())
    for turn in (1, 2):
        said = IndexedLine(0, LineKind.UTTERANCE, turn, f"sentence {turn}", said=NOW)
        index.sources.put(LineKind.UTTERANCE, turn, [said])
        replace_notes(index.sources, [item(str(turn))])

    ages = {it.text: index.sources.age_of(it) for it in index.sources.recent()}

    assert ages["sentence 1"] == 1
    assert ages["sentence 2"] == 0
