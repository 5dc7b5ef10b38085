from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.shim.recollection.jsontext import (
    TextEdit,
    UnreadableBody,
    locate,
    locate_all,
    parse,
)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


def paths(value, path=()):
    """Return all paths of a value."""
    yield path
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from paths(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from paths(inner, (*path, index))


@given(VALUES, st.booleans(), st.sampled_from([None, 1]))
def test_every_value_is_located(value, ascii_only, indent):
    """The text at a path's place is that of its value."""
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    for path in paths(value):
        start, end = locate(text, path)
        found = value
        for step in path:
            found = found[step]
        assert json.loads(text[start:end]) == found


@given(VALUES, st.booleans(), st.data())
def test_values_are_located_together(value, ascii_only, data):
    """Several paths are found in one walk, where each is found alone."""
    text = json.dumps(value, ensure_ascii=ascii_only)
    wanted = data.draw(st.sets(st.sampled_from(list(paths(value)))))

    assert locate_all(text, wanted) == {path: locate(text, path) for path in wanted}


@pytest.mark.parametrize("path", [("a", 2), ("b",), ("a", 0, "x")])
def test_missing_values_are_not_located(path):
    """A path that leads nowhere is an error, beside others that lead somewhere."""
    with pytest.raises((LookupError, ValueError)):
        locate_all('{"a": [{"y": 1}, 2]}', [("a",), path])


CHARACTERS = st.characters(exclude_categories=[]) | st.sampled_from(
    '"\\/\n\ud83d\ude00😀'
)


@given(st.lists(st.text(CHARACTERS), min_size=1, max_size=3), st.booleans(), st.data())
def test_edits_change_what_they_name(texts, ascii_only, data):
    """
    Of each string the named characters are replaced, and the others stay as they were
    written.
    """
    # As a client reads its own text back: surrogates that meet are one character.
    texts = json.loads(json.dumps(texts))
    raw = json.dumps({"a": texts, "n": 1.0}, ensure_ascii=True)
    if not ascii_only:
        raw = json.dumps({"a": texts, "n": 1.0}, ensure_ascii=False)
        raw = raw.encode("utf-8", "replace").decode()
        texts = json.loads(raw)["a"]
    expected, edits = list(texts), []
    for index in data.draw(st.sets(st.integers(0, len(texts) - 1))):
        offsets = st.integers(0, len(texts[index]))
        cuts = sorted(data.draw(st.lists(offsets, min_size=4, max_size=4)))
        apart = cuts[1] < cuts[2]
        for start, end in [(cuts[2], cuts[3]), (cuts[0], cuts[1])][: 1 + apart]:
            new = data.draw(st.text(st.characters(codec="utf-8"), min_size=1))
            edits.append(TextEdit(("a", index), start, end, new))
            expected[index] = expected[index][:start] + new + expected[index][end:]

    got = parse(raw.encode()).with_edits(edits).text

    assert json.loads(got) == {"a": expected, "n": 1.0}
    if not edits:
        assert got == raw


def test_edited_string_keeps_its_escapes():
    """Bytes beside the change are not written anew."""
    raw = r'{"a": "\u00fc\ud83d\ude00\/x\n", "b": [1.0]}'

    got = parse(raw.encode()).with_edits([TextEdit(("a",), 3, 4, "<ü>")])

    assert got.text == r'{"a": "\u00fc\ud83d\ude00\/<ü>\n", "b": [1.0]}'
    assert got.value == json.loads(raw)


@given(st.text(), st.text(), st.booleans())
def test_text_is_put_before_a_string(old, new, ascii_only):
    """Only the string changes, and its old characters stay as they were written."""
    raw = json.dumps({"a": 1, "b": [old], "c": "x"}, ensure_ascii=ascii_only)
    got = parse(raw.encode()).with_string(("b", 0), new + old).decode()

    assert json.loads(got) == {"a": 1, "b": [new + old], "c": "x"}
    tail = raw.split("[", 1)[1][1:]
    assert got.endswith(tail)


def test_other_string():
    """A string may be replaced as a whole, by one that cannot be UTF-8 too."""
    body = parse(rb'{"a": "x\ud800", "b": 1.0}')

    assert body.with_string(("a",), "y") == b'{"a": "y", "b": 1.0}'
    assert body.with_string(("a",), "\ud800z") == rb'{"a": "\ud800z", "b": 1.0}'


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("{}", '{"k":"v"}'),
        ('{ "a": 1.50 }', '{"k":"v", "a": 1.50 }'),
        ('{"k": null, "a": 1}', '{"k": "v", "a": 1}'),
        ('{"k": 1, "k": {}}', '{"k": 1, "k": "v"}'),
    ],
)
def test_member(raw, expected):
    """A member is added, or its last value replaced."""
    assert parse(raw.encode()).with_value(("k",), "v").decode() == expected


@pytest.mark.parametrize(
    ("raw", "index", "expected"),
    [
        ('{"m": [ ]}', 0, '{"m": [0 ]}'),
        ('{"m":[ 1]}', 0, '{"m":[ 0,1]}'),
        ('{"m":[1 , 2]}', 1, '{"m":[1 , 0,2]}'),
        ('{"m":[1 ]}', 1, '{"m":[1,0 ]}'),
    ],
)
def test_element(raw, index, expected):
    """An element is put into a list, before another or at the end."""
    assert parse(raw.encode()).with_element(("m",), index, 0).decode() == expected


@pytest.mark.parametrize(
    "raw", [b"", b"{", b"\xff", b"Infinity", b"[" * 100_000, b'"\x00"', b"{} {}"]
)
def test_unreadable(raw):
    """A body that is not JSON is refused, without its text in the message."""
    with pytest.raises(UnreadableBody):
        parse(raw)


@pytest.mark.parametrize("path", [("x",), ("a", 5)])
def test_missing(path):
    """A value that is not there is not found."""
    with pytest.raises(LookupError):
        locate('{"a": [1]}', path)


LISTS = st.lists(VALUES, max_size=6)


@given(LISTS, st.sets(st.integers(0, 5)), st.sampled_from([None, 1]))
def test_elements_are_left_out(values, out, indent):
    """A list loses the named elements, and the others stay as they were written."""
    raw = json.dumps({"a": 1.0, "list": values, "z": [1]}, indent=indent)
    got = parse(raw.encode()).without_elements(("list",), out)

    kept = [value for index, value in enumerate(values) if index not in out]
    assert json.loads(got) == {"a": 1.0, "list": kept, "z": [1]}


@given(LISTS, VALUES)
def test_last_element_is_added(values, value):
    """An element is put at the end of a list, empty or not."""
    got = parse(json.dumps({"list": values}).encode()).with_last_element(
        ("list",), value
    )

    assert json.loads(got) == {"list": [*values, value]}


@given(st.text(), st.text(), st.booleans())
def test_text_is_put_after_a_string(old, more, ascii_only):
    """A string is lengthened, and its old characters stay as they were written."""
    raw = json.dumps({"a": [old], "z": 1}, ensure_ascii=ascii_only)
    got = parse(raw.encode()).with_appended(("a", 0), more).decode()

    assert json.loads(got) == {"a": [old + more], "z": 1}
    assert got.startswith(raw.rsplit('"]', 1)[0])


@given(st.dictionaries(st.text(max_size=3), VALUES, max_size=4), st.text(), VALUES)
def test_value_within_an_object(members, key, value):
    """A member of an inner object is replaced, or made where it is missing."""
    raw = json.dumps({"options": members, "z": 1}).encode()
    got = parse(raw).with_value(("options", key), value)

    assert json.loads(got) == {"options": {**members, key: value}, "z": 1}
