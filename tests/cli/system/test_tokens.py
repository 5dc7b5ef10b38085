from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from festinger import credentials
from festinger.cli.system.tokens import tokens
from festinger.errors import FestingerError


@pytest.fixture
def run(tmp_path):
    """Run `festinger system tokens` on a directory; what it prints."""

    def run(*words):
        given = [*words, "--data-dir", str(tmp_path)]
        return CliRunner().invoke(tokens, given, catch_exceptions=False).output

    return run


def test_token_is_shown_once(run, tmp_path):
    """It is printed by itself, and only its name, rights and times are listed."""
    token = run("create", "alice", "--tenant", "acme", "--days", "90").strip()
    (caller,) = credentials.issued(tmp_path)

    assert caller.token_sha256 == credentials.hash_of(token)
    assert caller.tenants == ("acme",)
    assert caller.create_time
    assert caller.expire_time
    assert (caller.expire_time - caller.create_time).days in {89, 90}
    listed = run("list")
    assert token not in listed
    assert f"{caller.id}  alice  acme  caller  made " in listed


def test_tokens_are_printed_as_json(run):
    """Programs read what people read, without the hash."""
    run("create", "alice", "--tenant", "acme")

    told = json.loads(run("list", "--json"))

    assert (told["name"], told["tenants"]) == ("alice", ["acme"])
    assert len(told["id"]) == 12
    assert "token_sha256" not in told


def test_rights_are_given_in_words(run, tmp_path):
    """A token decides or speaks for others only if it was said so."""
    run("create", "plain")
    run("create", "chief", "--operator")
    run("create", "proxy", "--trusted", "--tenant", "*")

    rights = [(it.operator, it.trusted) for it in credentials.issued(tmp_path)]
    assert rights == [(False, False), (True, False), (False, True)]


def test_revoked_token_is_gone(run, tmp_path):
    """A revocation is told, and a missing token is refused."""
    run("create", "alice")

    assert "revoked" in run("revoke", "alice")
    assert credentials.issued(tmp_path) == []
    with pytest.raises(FestingerError, match="there is no token alice"):
        run("revoke", "alice")
