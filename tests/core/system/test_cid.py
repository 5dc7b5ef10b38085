from __future__ import annotations

import dag_cbor
import pytest
from hypothesis import given
from hypothesis import strategies as st
from multiformats import CID, multihash

from festinger.core.system.cid import canonical, cid_of, is_cid, read

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUES = st.recursive(
    TEXT | st.integers(-(2**63), 2**63 - 1) | st.booleans(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES)
def test_whoever_knows_the_format_writes_the_same_down(value):
    """
    The canonical form is the DAG-CBOR of another implementation, byte for byte, and says
    what was written down.
    """
    data = canonical(value)
    assert data == dag_cbor.encode(value)
    assert read(data) == value


@given(VALUES)
def test_whoever_knows_the_format_names_it_the_same(value):
    """The name is the CID of another implementation."""
    data = canonical(value)
    digest = multihash.digest(data, "sha2-256")
    assert cid_of(data) == str(CID("base32", 1, "dag-cbor", digest))
    assert is_cid(cid_of(data))


def test_the_order_of_fields_means_nothing():
    """Maps that say the same have one form, in the format's own order of keys."""
    assert canonical({"bb": 1, "a": 2}) == canonical({"a": 2, "bb": 1})
    assert canonical({"bb": 1, "a": 2}).hex() == "a2616102626262" + "01"


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (0.5, "the value is of a kind without"),
        (None, "the value is of a kind without"),
        (b"bytes", "the value is of a kind without"),
        ({"a": [1, 0.5]}, r"the value\['a'\]\[1\] is of a kind without"),
        (2**63, "64 bits"),
        (-(2**63) - 1, "64 bits"),
        ("\ud800", "not Unicode"),
        ({"\ud800": 1}, "not Unicode"),
        ({1: 2}, "is not text"),
    ],
)
def test_what_has_no_canonical_form_is_refused(value, problem):
    """Whatever could be written down in two ways is not written down at all."""
    with pytest.raises(ValueError, match=problem):
        canonical(value)


def test_no_depth_exhausts_whoever_reads():
    """An endlessly nested object is refused, when it is written and when it is read."""
    value: object = 1
    for _ in range(5_000):
        value = [value]
    with pytest.raises(ValueError, match="too deeply"):
        canonical(value)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no canonical form"):
        read(b"\x81" * 5_000 + b"\x01")


@pytest.mark.parametrize(
    "data",
    [
        "",
        "01 01",  # two values
        "18 01",  # 1, spelt longer than needed
        "a2 62 6262 01 61 61 02",  # keys in another order
        "a2 61 61 01 61 61 02",  # a key twice
        "9f 01 ff",  # a list without a length
        "fb 3fe0000000000000",  # a fraction
        "41 00",  # bytes
        "f6",  # nothing
        "c2 41 01",  # a tag
        "61 ff",  # no text
        "a1 01 02",  # a key that is no text
        "82 01",  # cut short
    ],
)
def test_only_canonical_forms_are_read(data):
    """Another way to write the same down, or something else, is no canonical form."""
    with pytest.raises(ValueError, match="canonical form"):
        read(bytes.fromhex(data))


@given(st.binary(max_size=40))
def test_no_bytes_are_read_as_anything_but_what_they_are(data):
    """Whatever can be read is written down in these very bytes."""
    try:
        value = read(data)
    except ValueError:
        return
    assert canonical(value) == data


@given(VALUES, st.data())
def test_one_bit_makes_another_name(value, draw):
    """Bytes of which one bit is another have another name."""
    data = bytearray(canonical(value))
    bit = draw.draw(st.integers(0, 8 * len(data) - 1))
    data[bit // 8] ^= 1 << bit % 8
    assert cid_of(bytes(data)) != cid_of(canonical(value))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "b",
        "alice",
        "f:0x123",
        "bafy",
        cid_of(b"").upper(),
        cid_of(b"")[:-1],
        cid_of(b"") + "a",
        cid_of(b"")[:-1] + "1",
        # the last character has four bits to spare
        cid_of(b"")[:-1] + "z",
        # of another format: raw bytes
        str(CID("base32", 1, "raw", multihash.digest(b"", "sha2-256"))),
        "bä" + cid_of(b"")[2:],
    ],
)
def test_only_names_of_ours_are_taken_for_names(text):
    """A client's own name, another format's and another spelling are no content identifiers."""
    assert not is_cid(text)
