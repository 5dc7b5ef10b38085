"""The models' keys at rest: where they can be opened, and with what."""

from __future__ import annotations

import base64
import os
import secrets
import stat

import pytest
from pydantic import SecretStr

from festinger.core.system.models import Provider
from festinger.errors import ConfigurationError, KeyUnreadable
from festinger.llm.interface import KeyPlace
from festinger.llm.keyring import FILE, FileKeyring

KEY = SecretStr("sk-secret-0123456789")
PLACE = KeyPlace("default", 7, Provider.CLAUDE)


def fresh() -> str:
    """Return a key as the key file has them."""
    return base64.b64encode(secrets.token_bytes(32)).decode()


@pytest.fixture
def key_file(tmp_path, keyring):
    """The key file, in which a key was made."""
    keyring.seal(KEY, PLACE)
    return tmp_path / FILE


def test_sealed_key_is_opened_where_it_belongs(keyring):
    """And what is stored shows nothing of it."""
    sealed = keyring.seal(KEY, PLACE)

    assert keyring.open(sealed, PLACE).get_secret_value() == KEY.get_secret_value()
    assert b"secret" not in sealed


def test_key_is_sealed_otherwise_each_time(keyring):
    """Two models with one key do not look alike."""
    assert keyring.seal(KEY, PLACE) != keyring.seal(KEY, PLACE)


@pytest.mark.parametrize(
    "elsewhere",
    [
        KeyPlace("acme", 7, Provider.CLAUDE),
        KeyPlace("default", 8, Provider.CLAUDE),
        KeyPlace("default", 7, Provider.OPENAI),
    ],
)
def test_key_is_not_opened_elsewhere(keyring, elsewhere):
    """In another tenant's row, in another row, or for another provider it is worth nothing."""
    sealed = keyring.seal(KEY, PLACE)

    with pytest.raises(KeyUnreadable) as caught:
        keyring.open(sealed, elsewhere)

    assert caught.value.metadata == {"model_id": str(elsewhere.model_id)}


@pytest.mark.parametrize("position", [0, 1, 6, 17, -1])
def test_changed_byte_is_noticed(keyring, position):
    """Wherever it is: in the format, the key's name, the nonce, the text or the tag."""
    sealed = bytearray(keyring.seal(KEY, PLACE))
    sealed[position] ^= 1

    with pytest.raises(KeyUnreadable):
        keyring.open(bytes(sealed), PLACE)


@pytest.mark.parametrize("sealed", [b"", b"\x01", b"\x01abcd", b"\x01abcd" + b"n" * 12])
def test_stump_is_noticed(keyring, key_file, sealed):
    """A text too short to be a key is none."""
    with pytest.raises(KeyUnreadable):
        keyring.open(sealed, PLACE)


def test_key_file_is_made_for_its_owner_only(key_file, tmp_path):
    """With mode 0600 and one key, and nothing is left beside it."""
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    assert len(base64.b64decode(key_file.read_text())) == 32
    assert [it.name for it in tmp_path.iterdir()] == [FILE]


def test_nothing_is_made_before_it_is_needed(keyring, tmp_path):
    """Opening makes no key: it could not be the right one."""
    with pytest.raises(KeyUnreadable):
        keyring.open(b"\x01abcd" + b"n" * 40, PLACE)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_file_that_others_can_read_is_refused(keyring, key_file, mode):
    """With the command that mends it."""
    sealed = keyring.seal(KEY, PLACE)
    key_file.chmod(mode)

    for attempt in (
        lambda: keyring.seal(KEY, PLACE),
        lambda: keyring.open(sealed, PLACE),
    ):
        with pytest.raises(KeyUnreadable, match="chmod 600"):
            attempt()


@pytest.mark.parametrize("text", ["", "# a remark\n", "short", "no base64 !", "é"])
def test_broken_file_is_refused(keyring, key_file, text):
    """Without saying what stands there, and without making another."""
    key_file.write_text(text)

    with pytest.raises(KeyUnreadable, match="openssl rand -base64 32") as caught:
        keyring.seal(KEY, PLACE)

    assert "short" not in caught.value.message
    assert key_file.read_text() == text


def test_newest_key_seals_and_older_ones_open(keyring, key_file):
    """A key that is put first counts at once; the older one can go once nothing needs it."""
    old = keyring.seal(KEY, PLACE)
    before = key_file.read_text()
    newest = fresh()
    key_file.write_text(f"# rotated\n{newest}\n{before}")

    new = keyring.seal(keyring.open(old, PLACE), PLACE)
    key_file.write_text(f"{newest}\n")

    assert keyring.open(new, PLACE).get_secret_value() == KEY.get_secret_value()
    with pytest.raises(KeyUnreadable, match=str(key_file)):
        keyring.open(old, PLACE)


def test_environment_is_used_instead_of_a_file(tmp_path):
    """Several keys stand there in one line, and no file is made."""
    old, new = fresh(), fresh()
    sealed = FileKeyring(tmp_path, SecretStr(old)).seal(KEY, PLACE)

    opened = FileKeyring(tmp_path, SecretStr(f"{new} {old}")).open(sealed, PLACE)

    assert opened.get_secret_value() == KEY.get_secret_value()
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(KeyUnreadable, match="FESTINGER_KEYS"):
        FileKeyring(tmp_path, SecretStr(new)).open(sealed, PLACE)


def test_environment_is_checked_at_the_start(tmp_path):
    """A server does not start with keys that are none, and does not print them."""
    with pytest.raises(ConfigurationError, match="FESTINGER_KEYS") as caught:
        FileKeyring(tmp_path, SecretStr("hunter2"))

    assert "hunter2" not in caught.value.message


def test_two_servers_make_one_file(tmp_path):
    """Whoever comes second finds the first one's key."""
    first, second = FileKeyring(tmp_path), FileKeyring(tmp_path)

    sealed = first.seal(KEY, PLACE)
    second.seal(KEY, PLACE)

    assert second.open(sealed, PLACE).get_secret_value() == KEY.get_secret_value()
    assert os.listdir(tmp_path) == [FILE]
