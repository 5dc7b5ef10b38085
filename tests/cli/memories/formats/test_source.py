from __future__ import annotations

import json
import sys
import zipfile
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festinger.cli.memories.formats import source as module
from festinger.cli.memories.formats.registry import NAMES, format_of
from festinger.cli.memories.formats.source import ImportSource
from festinger.errors import UnreadableFile

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd


def objects(path):
    """Return the JSON objects of a file."""
    return [it for _, it in ImportSource(path).objects()]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**6), 10**6) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    found=st.lists(st.dictionaries(st.text(), JSON, max_size=4), max_size=6),
    size=st.integers(1, 40),
    ascii_only=st.booleans(),
)
def test_array_is_read_in_pieces(tmp_path_factory, found, size, ascii_only):
    """Wherever a piece ends, as within a character."""
    path = tmp_path_factory.mktemp("in") / "a.json"
    text = json.dumps(found, ensure_ascii=ascii_only, indent=1)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_CHUNK", size)
        if any(0xD800 <= ord(it) <= 0xDFFF for it in text):
            return
        assert objects(path) == found


@pytest.mark.parametrize(
    ("content", "where", "why"),
    [
        (b'{"a": 1}\n{"b": ', "line 2", "wrong or cut off"),
        (b'{"a": 1}\n{"b": "\xff"}\n', "line 2", "not in UTF-8"),
        (b'{"a": 1}\n7\n{"b": 2}', "line 2", "no JSON object"),
        (b"[" * 100_000, "element 1", "nested too deeply"),
    ],
)
def test_broken_line_is_named(tmp_path, content, where, why):
    """With its number, and what is wrong with it."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    if content.startswith(b"[["):
        path = path.rename(tmp_path / "a.json")

    with pytest.raises(UnreadableFile, match=f"a.json.*, {where}: .*{why}"):
        objects(path)


def test_array_that_is_cut_off_gives_what_stands_before(tmp_path):
    """And then names the element."""
    path = tmp_path / "a.json"
    path.write_text('[{"a": 1}, {"b": 2}, {"c": ', "utf-8")
    found: list[dict[str, Any]] = []

    with pytest.raises(UnreadableFile, match="element 3"):
        found.extend(it for _, it in ImportSource(path).objects())

    assert found == [{"a": 1}, {"b": 2}]


def test_endless_line_is_refused_without_reading_it(tmp_path):
    """A file of 10 GB without a line end takes no more memory than a long line."""
    path = tmp_path / "a.jsonl"
    with path.open("wb") as file:
        file.write(b'{"type": "entity", "name": "')
        file.truncate(10 * 2**30)  # a hole: it takes no room

    with pytest.raises(UnreadableFile, match="line 1: it is longer than 32 MB"):
        format_of(path)


def test_archive_that_is_a_bomb_is_refused(tmp_path):
    """By how much its file would unpack to."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", b" " * 50_000_000)

    with pytest.raises(UnreadableFile, match="times its size"):
        format_of(path)


def test_archive_is_read(tmp_path):
    """Of an export, the conversations."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("chat.html", "<html>")
        archive.writestr("conversations.json", json.dumps([{"chat_messages": []}]))

    assert format_of(path).name == "claude"


def test_archive_with_several_files_is_read(tmp_path):
    """Large exports of ChatGPT have their conversations in parts."""
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in ("001", "000"):
            archive.writestr(f"conversations-{part}.json", f'[{{"part": "{part}"}}]')
        archive.writestr("user.json", "{}")

    assert list(ImportSource(path).objects()) == [
        ("conversations-000.json, element 1", {"part": "000"}),
        ("conversations-001.json, element 1", {"part": "001"}),
    ]


def test_log_in_zstd_is_read(tmp_path):
    """As Codex packs its logs after a week."""
    path = tmp_path / "rollout.jsonl.zst"
    path.write_bytes(zstd.compress(b'{"a": 1}\n{"b": 2}\n'))

    assert objects(path) == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize(
    ("packed", "why"),
    [
        (zstd.compress((b" " * 2**20 + b"\n") * 100), "200 times its size"),
        (zstd.compress(b'{"a": 1}\n' * 10)[:-4], "cannot be unpacked"),
        (b"no zstd", "cannot be unpacked"),
    ],
    ids=["bomb", "cut off", "other"],
)
def test_bad_zstd_is_refused(tmp_path, packed, why):
    """With the reason."""
    path = tmp_path / "rollout.jsonl.zst"
    path.write_bytes(packed)

    with pytest.raises(UnreadableFile, match=why):
        objects(path)


def test_broken_archive_is_named(tmp_path):
    """It cannot be unpacked."""
    path = tmp_path / "export.zip"
    path.write_bytes(b"PK\x03\x04 and nothing else")

    with pytest.raises(UnreadableFile, match="cannot be unpacked"):
        format_of(path)


@pytest.mark.parametrize("content", [b"", b" \n", b"\xef\xbb\xbf"])
def test_empty_file_is_named(tmp_path, content):
    """It has no format."""
    path = tmp_path / "a.json"
    path.write_bytes(content)

    with pytest.raises(UnreadableFile, match="is empty"):
        format_of(path)


def test_unknown_format_is_told_with_the_known_ones(tmp_path):
    """One of them may be named."""
    path = tmp_path / "a.json"
    path.write_text('{"colour": "red"}', "utf-8")

    with pytest.raises(UnreadableFile, match=r"mcp-memory.*--format"):
        format_of(path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "role", "content", "text", "messages", "mapping"])
            | st.text(max_size=5),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@given(
    content=st.binary(max_size=200) | JSON.map(lambda it: json.dumps(it).encode()),
    suffix=st.sampled_from([".json", ".jsonl", ".csv", ".nq", ".ttl", ".md", ".af"]),
    name=st.sampled_from(["", *NAMES]),
)
def test_no_file_is_a_defect(tmp_path_factory, content, suffix, name):
    """Whatever it holds: it is read or refused."""
    path = tmp_path_factory.mktemp("any") / f"some{suffix}"
    path.write_bytes(content)

    with suppress(UnreadableFile):
        for _ in format_of(path, name).read(ImportSource(path)):
            pass
