from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest

from festinger.credentials import (
    BOTS,
    LOCAL,
    LOOK_SECONDS,
    OPERATOR,
    SHIM,
    KnownTokens,
    ensure_tokens,
    hash_of,
    issue,
    issued,
    read_token,
    revoke,
    token_file,
)
from festinger.errors import ConfigurationError, PermissionDenied


@pytest.fixture(autouse=True)
def careless_umask():
    """The process's umask protects nothing."""
    before = os.umask(0)
    yield
    os.umask(before)


def callers_in(data_dir):
    """Return those who authenticate with the tokens of a directory."""
    ensure_tokens(data_dir)
    return KnownTokens(data_dir).callers


def test_first_start_makes_four_tokens(tmp_path):
    """
    For the shim and the bots, which act for others, for the operator, who decides, and
    for those who run gutask on this machine.
    """
    shim, bots, operator, local = callers_in(tmp_path)

    assert (shim.name, shim.trusted, shim.operator) == (SHIM, True, False)
    assert (bots.name, bots.trusted, bots.operator) == (BOTS, True, False)
    assert (operator.name, operator.trusted, operator.operator) == (
        OPERATOR,
        False,
        True,
    )
    assert (local.name, local.trusted, local.operator) == (LOCAL, False, False)
    assert len({it.token_sha256 for it in (shim, bots, operator, local)}) == 4


@pytest.mark.parametrize("name", [SHIM, BOTS, OPERATOR, LOCAL])
def test_tokens_are_for_their_owner(tmp_path, name):
    """Whoever can read the file is the caller, so nobody else can, whatever the umask."""
    ensure_tokens(tmp_path)

    assert token_file(tmp_path, name).stat().st_mode & 0o777 == 0o600


def test_second_start_keeps_the_tokens(tmp_path):
    """A restart does not lock anybody out."""
    assert callers_in(tmp_path) == callers_in(tmp_path)


def test_caller_is_known_by_the_tokens_hash(tmp_path):
    """The token itself is in its file and nowhere else."""
    shim, *_ = callers_in(tmp_path)
    token = read_token(tmp_path, SHIM)

    assert token is not None
    assert len(token) >= 32
    assert shim.token_sha256 == sha256(token.encode()).hexdigest()


def test_empty_token_is_made_anew(tmp_path):
    """A file that a stop left empty is no credential."""
    token_file(tmp_path, SHIM).write_text("\n")

    ensure_tokens(tmp_path)

    assert read_token(tmp_path, SHIM)


def test_half_a_token_is_made_anew(tmp_path):
    """The remains of a stop do not stand in the way."""
    file = token_file(tmp_path, SHIM)
    file.with_name(f".{file.name}.new").write_text("half")

    ensure_tokens(tmp_path)

    assert {it.suffix for it in tmp_path.iterdir()} == {".token"}


def test_there_may_be_no_token(tmp_path):
    """Another user's client goes without."""
    assert read_token(tmp_path / "nowhere", SHIM) is None


def test_token_that_is_no_text_is_made_anew(tmp_path):
    """Nobody can have used it."""
    token_file(tmp_path, OPERATOR).write_bytes(b"\xff\xfe\n")
    assert read_token(tmp_path, OPERATOR) is None

    ensure_tokens(tmp_path)
    assert read_token(tmp_path, OPERATOR)


def test_token_that_cannot_be_written(tmp_path):
    """The refusal names the file and says why; nothing is left beside it."""
    token_file(tmp_path, SHIM).mkdir()

    with pytest.raises(ConfigurationError, match=r"shim\.token: Is a directory"):
        ensure_tokens(tmp_path)
    assert os.listdir(tmp_path) == ["shim.token"]


def test_issued_token_is_known_by_its_hash_alone(tmp_path):
    """A person's token is kept nowhere, in a file that only its owner can read."""
    token = issue(tmp_path, "alice", tenants=("acme",))
    file = tmp_path / "tokens.json"

    assert [it.token_sha256 for it in issued(tmp_path)] == [hash_of(token)]
    assert token not in file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600


def test_issued_token_proves_its_name_in_its_tenants(tmp_path):
    """Elsewhere it is refused, and what nobody issued is not known."""
    token = issue(tmp_path, "alice", tenants=("acme",))
    known = KnownTokens(tmp_path)

    assert known.name_of(token, "acme") == "alice"
    with pytest.raises(PermissionDenied, match="alice may not use the memory default"):
        known.name_of(token, "default")
    assert known.name_of("other", "acme") is None


def test_trusted_token_speaks_for_others(tmp_path):
    """It proves no name of its own."""
    token = issue(tmp_path, "proxy", trusted=True)

    assert KnownTokens(tmp_path).name_of(token, "default") == ""


def test_tokens_that_are_made_at_once_are_all_kept(tmp_path):
    """Processes that make and revoke tokens wait for each other."""
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda it: issue(tmp_path, f"name{it}"), range(24)))
        list(threads.map(lambda it: revoke(tmp_path, f"name{it}"), range(12)))

    names = sorted(it.name for it in issued(tmp_path))
    assert names == sorted(f"name{it}" for it in range(12, 24))


def test_changes_are_noticed(tmp_path):
    """A token that is made or revoked needs no restart, and looks are rare."""
    seconds = [0.0]
    known = KnownTokens(tmp_path, lambda: seconds[0])
    assert known.callers == ()

    token = issue(tmp_path, "alice")
    assert known.callers == ()
    seconds[0] += LOOK_SECONDS
    assert known.name_of(token, "default") == "alice"

    revoke(tmp_path, "alice")
    seconds[0] += LOOK_SECONDS
    assert known.callers == ()


def test_expired_token_is_unknown(tmp_path):
    """From its last moment on it opens nothing."""
    past = datetime.now(UTC) - timedelta(seconds=1)
    issue(tmp_path, "old", expire_time=past)
    issue(tmp_path, "new", expire_time=past + timedelta(days=1))

    assert [it.name for it in KnownTokens(tmp_path).callers] == ["new"]


def test_one_token_of_a_name_is_revoked_by_its_id(tmp_path):
    """So that a second one can take its place first."""
    first, second = issue(tmp_path, "alice"), issue(tmp_path, "alice")

    (removed,) = revoke(tmp_path, hash_of(first)[:12])

    assert removed.token_sha256 == hash_of(first)
    assert [it.token_sha256 for it in issued(tmp_path)] == [hash_of(second)]


@pytest.mark.parametrize("name", [SHIM, OPERATOR, "A B", ""])
def test_name_that_cannot_be_one(tmp_path, name):
    """Nobody gets the name of a program, or one that is no name."""
    with pytest.raises(ConfigurationError):
        issue(tmp_path, name)
    assert issued(tmp_path) == []


@pytest.mark.parametrize("text", ["{", "[1]", '{"a": 1}', '[{"name": "alice"}]'])
def test_broken_file_locks_nobody_out(tmp_path, text):
    """Those who were known stay until it can be read, and the commands say what is wrong."""
    seconds = [0.0]
    known = KnownTokens(tmp_path, lambda: seconds[0])
    token = issue(tmp_path, "alice")
    assert known.name_of(token, "default") == "alice"

    (tmp_path / "tokens.json").write_text(text)
    seconds[0] += LOOK_SECONDS

    assert known.name_of(token, "default") == "alice"
    with pytest.raises(ConfigurationError, match=r"tokens\.json cannot be read"):
        issued(tmp_path)
