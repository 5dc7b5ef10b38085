from __future__ import annotations

import os
from hashlib import sha256

import pytest

from festinger.credentials import (
    BOTS,
    OPERATOR,
    SHIM,
    ensure_callers,
    read_token,
    token_file,
)
from festinger.errors import ConfigurationError


@pytest.fixture(autouse=True)
def careless_umask():
    """
    The process's umask protects nothing.
    """
    before = os.umask(0)
    yield
    os.umask(before)


def test_first_start_makes_three_tokens(tmp_path):
    """
    For the shim and the bots, which act for others, and for the operator, who decides.
    """
    shim, bots, operator = ensure_callers(tmp_path)

    assert (shim.name, shim.trusted, shim.operator) == (SHIM, True, False)
    assert (bots.name, bots.trusted, bots.operator) == (BOTS, True, False)
    assert (operator.name, operator.trusted, operator.operator) == (
        OPERATOR,
        False,
        True,
    )
    assert len({it.token_sha256 for it in (shim, bots, operator)}) == 3


@pytest.mark.parametrize("name", [SHIM, BOTS, OPERATOR])
def test_tokens_are_for_their_owner(tmp_path, name):
    """
    Whoever can read the file is the caller, so nobody else can, whatever the umask.
    """
    ensure_callers(tmp_path)

    assert token_file(tmp_path, name).stat().st_mode & 0o777 == 0o600


def test_second_start_keeps_the_tokens(tmp_path):
    """
    A restart does not lock anybody out.
    """
    assert ensure_callers(tmp_path) == ensure_callers(tmp_path)


def test_caller_is_known_by_the_tokens_hash(tmp_path):
    """
    The token itself is in its file and nowhere else.
    """
    shim, *_ = ensure_callers(tmp_path)
    token = read_token(tmp_path, SHIM)

    assert token is not None
    assert len(token) >= 32
    assert shim.token_sha256 == sha256(token.encode()).hexdigest()


def test_empty_token_is_made_anew(tmp_path):
    """
    A file that a stop left empty is no credential.
    """
    token_file(tmp_path, SHIM).write_text("\n")

    ensure_callers(tmp_path)

    assert read_token(tmp_path, SHIM)


def test_half_a_token_is_made_anew(tmp_path):
    """
    What a stop left beside it does not stand in the way.
    """
    file = token_file(tmp_path, SHIM)
    file.with_name(f".{file.name}.new").write_text("half")

    ensure_callers(tmp_path)

    assert {it.suffix for it in tmp_path.iterdir()} == {".token"}


def test_there_may_be_no_token(tmp_path):
    """
    Another user's client goes without.
    """
    assert read_token(tmp_path / "nowhere", SHIM) is None


def test_token_that_is_no_text_is_made_anew(tmp_path):
    """
    Nobody can have used it.
    """
    token_file(tmp_path, OPERATOR).write_bytes(b"\xff\xfe\n")
    assert read_token(tmp_path, OPERATOR) is None

    ensure_callers(tmp_path)
    assert read_token(tmp_path, OPERATOR)


def test_token_that_cannot_be_written(tmp_path):
    """
    The refusal names the file and says why; nothing is left beside it.
    """
    token_file(tmp_path, SHIM).mkdir()

    with pytest.raises(ConfigurationError, match=r"shim\.token: Is a directory"):
        ensure_callers(tmp_path)
    assert os.listdir(tmp_path) == ["shim.token"]
