from __future__ import annotations

import os

import pytest

from festinger.private import replacing


@pytest.fixture(autouse=True)
def open_umask():
    """The process's umask protects nothing."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.parametrize("durable", [False, True])
def test_takes_the_place_of_what_was_there(tmp_path, durable):
    """All at once, at the end, and only for its owner, though the old one was open to all."""
    file = tmp_path / "labels.jsonl"
    file.write_text("old")
    file.chmod(0o644)

    with replacing(file, durable=durable) as stream:
        stream.write("néw")
        stream.flush()
        assert file.read_text() == "old"

    assert file.read_text(encoding="utf-8") == "néw"
    assert file.stat().st_mode & 0o777 == 0o600
    assert os.listdir(tmp_path) == ["labels.jsonl"]


def test_failure_leaves_what_was_there(tmp_path):
    """And nothing beside it."""
    file = tmp_path / "labels.jsonl"
    file.write_text("old")

    with pytest.raises(UnicodeEncodeError), replacing(file) as stream:
        stream.write("half\udc80")

    assert file.read_text() == "old"
    assert os.listdir(tmp_path) == ["labels.jsonl"]


def test_half_of_before_is_no_obstacle(tmp_path):
    """The remains of a stop are made anew; a link that somebody put there is not followed."""
    file, elsewhere = tmp_path / "labels.jsonl", tmp_path / "elsewhere"
    elsewhere.write_text("theirs")
    (tmp_path / ".labels.jsonl.new").symlink_to(elsewhere)

    with replacing(file) as stream:
        stream.write("ours")

    assert file.read_text() == "ours"
    assert elsewhere.read_text() == "theirs"
