from __future__ import annotations

import aiohttp
import pytest

from festinger import app, config
from festinger.errors import AddressInUse, ConfigurationError
from tests.cli.system.test_check import printed

SECRET = "hunter2hunter2hunter2"
WEBHOOK = {"url": "http://127.0.0.1:9/hook", "secret": SECRET}
MATRIX = {
    "homeserver": "http://127.0.0.1:9",
    "user": "@festinger:test",
    "token": SECRET,
}
SLACK = {"bot_token": SECRET, "signing_secret": SECRET}

# What is written, and the line and the words that the refusal must hold.
WRONG = [
    ("chat: {zork: 1}", 1, "no setting 'chat.zork'"),
    (
        "chat:\n  matrix: {homeserver: ftp://x}",
        2,
        "chat.matrix.homeserver: must be a URL",
    ),
    (
        "chat:\n  matrix:\n    homeserver: http://x",
        2,
        "user and token must be set, too",
    ),
    ("chat:\n  matrix: {user: festinger}", 2, "chat.matrix.user"),
    ("chat:\n  slack: {bot_token: " + SECRET + "}", 2, "signing_secret must be set"),
    ("chat:\n  slack: {bot_token: [" + SECRET + "]}", 2, "chat.slack.bot_token"),
    ("chat:\n  slack: " + SECRET, 2, "chat.slack"),
    ("chat: " + SECRET, 1, "chat"),
    ("chat:\n  webhook: {url: http://x}", 2, "secret must be set, too"),
    ("chat:\n  webhook:\n    secret: hunter2", 3, "at least 16 characters"),
    ("chat:\n  address: nowhere", 2, "chat.address"),
    ("chat:\n  tenant: a b", 2, "chat.tenant"),
    (
        "validation:\n  people:\n    a: {matrix: '@a:b'}\n    b: {matrix: '@a:b'}",
        2,
        "a and b have the same matrix account",
    ),
    (
        "validation:\n  people:\n    al ice: {matrix: '@a:b'}",
        2,
        "nobody can be called 'al ice'",
    ),
]


def read(tmp_path, text):
    """Return the settings of a file."""
    file = tmp_path / "festinger.yaml"
    file.write_text(text)
    return config.load(file, environment={})


@pytest.mark.parametrize(("text", "line", "words"), WRONG)
def test_wrong_setting_is_told_with_its_line(tmp_path, text, line, words):
    """The message names the line and the reason, and no secret."""
    with pytest.raises(ConfigurationError) as caught:
        read(tmp_path, text)

    assert f"festinger.yaml:{line}: " in caught.value.message
    assert words in caught.value.message
    assert "hunter2" not in caught.value.message


def test_secrets_may_come_from_the_environment(tmp_path):
    """The file then says where the bot is, and nothing that nobody may read."""
    file = tmp_path / "festinger.yaml"
    file.write_text("chat: {matrix: {homeserver: 'https://m.org/', user: '@f:m.org'}}")

    chat = config.load(file, environment={"FESTINGER_CHAT__MATRIX__TOKEN": SECRET}).chat

    assert chat.matrix.token is not None
    assert chat.matrix.token.get_secret_value() == SECRET
    assert chat.matrix.homeserver == "https://m.org"
    assert chat.platforms == ("matrix",)


def test_secrets_are_not_printed(tmp_path):
    """Neither by `festinger check` nor where a setting is shown."""
    file = tmp_path / "festinger.yaml"
    file.write_text(
        f"chat:\n  matrix: {MATRIX}\n  slack: {SLACK}\n  webhook: {WEBHOOK}\n"
    )

    output = printed("--config", str(file))

    assert "hunter2" not in output
    assert output.count("(set, not shown)") == 4
    assert "hunter2" not in repr(config.load(file, environment={}))


def settings(tmp_path, **chat):
    """Return the settings of bots."""
    values = {"address": "127.0.0.1:0", **chat}
    return config.load(None, {"data_dir": tmp_path, "chat": values}, {})


async def test_bots_need_a_platform(tmp_path):
    """Bots without a platform are refused with the setting to set."""
    with pytest.raises(ConfigurationError, match=r"chat\.matrix, chat\.slack or"):
        async with app.chatting(settings(tmp_path)):
            pass


async def test_bots_need_their_token(tmp_path):
    """The message says which file, and where it comes from."""
    with pytest.raises(ConfigurationError, match=r"bots\.token"):
        async with app.chatting(settings(tmp_path, webhook=WEBHOOK)):
            pass


async def test_bots_may_listen_beyond_this_machine(tmp_path):
    """A delivery from elsewhere is taken only if it is signed."""
    (tmp_path / "bots.token").write_text("bots")
    chosen = settings(tmp_path, webhook=WEBHOOK, address="0.0.0.0:0", plain_text=True)

    async with app.chatting(chosen) as running, aiohttp.ClientSession() as session:
        url = f"http://{running.chat}/answer".replace("0.0.0.0", "127.0.0.1")
        async with session.post(url, data=b"{}") as response:
            assert response.status == 401


async def test_bots_start_without_anybody_there(tmp_path):
    """Neither the server nor a platform has to be there; what is brought is taken."""
    (tmp_path / "bots.token").write_text("bots")
    chosen = settings(tmp_path, matrix=MATRIX, slack=SLACK, webhook=WEBHOOK)

    async with app.chatting(chosen) as running:
        assert running.platforms == ("matrix", "slack", "webhook")
        async with (
            aiohttp.ClientSession() as session,
            session.post(f"http://{running.chat}/answer", data=b"{}") as response,
        ):
            assert response.status == 401
            assert set(await response.json()) == {"error"}
        taken = settings(tmp_path / "x", webhook=WEBHOOK, address=running.chat)
        (tmp_path / "x").mkdir()
        (tmp_path / "x" / "bots.token").write_text("bots")
        with pytest.raises(AddressInUse, match=r"chat\.address"):
            async with app.chatting(taken):
                pass
