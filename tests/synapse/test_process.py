"""`festinger system bots` as a process of its own, which is killed."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest
import yaml

from festinger.chat.wording import MARKS
from tests.kill.server import COMMAND
from tests.waiting import until

YES, NO, _ = MARKS


@pytest.fixture
async def start(asker, tmp_path, synapse):
    """Start the process of a bot's account."""
    processes: list[asyncio.subprocess.Process] = []
    (tmp_path / "bots.token").write_text("bots\n")
    file = tmp_path / "festinger.yaml"

    async def start(account, **people):
        section = {"homeserver": synapse.url, "user": account.account}
        values = {
            "data_dir": str(tmp_path),
            "server": {"address": asker.address},
            "chat": {"matrix": section},
            "validation": {"people": people},
        }
        file.write_text(yaml.safe_dump(values))
        with (tmp_path / "output").open("ab") as output:
            process = await asyncio.create_subprocess_exec(
                *COMMAND, "system", "bots", "--config", str(file),
                stdout=output,
                stderr=output,
                env={**os.environ, "FESTINGER_CHAT__MATRIX__TOKEN": account.token},
            )  # fmt: skip
        processes.append(process)
        return process

    yield start
    for process in processes:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_killed_bot_loses_nothing(asker, people, start, tmp_path):
    """Killed before and after an answer, and while the server is away, it counts each once."""
    bot, alice = await people.make("bot"), await people.make("alice")
    room = await alice.make_room(bot.account)
    known = {"alice": {"matrix": alice.account}}
    process = await start(bot, **known)
    question = asker.ask(1, "Did you join the Chess Club?", channel=room)
    await until(lambda: question.reference, 60)
    event = question.reference.rpartition("/")[2]

    process.kill()
    await process.wait()
    await alice.react(room, event, YES)
    process = await start(bot, **known)
    await until(lambda: len(asker.answers) == 1, 60)

    await asker.stop()
    await alice.react(room, event, NO)
    await asyncio.sleep(2.0)
    process.kill()
    await process.wait()
    await asker.start()
    process = await start(bot, **known)
    await until(lambda: len(asker.answers) == 2, 60)

    process.send_signal(signal.SIGTERM)
    assert await process.wait() == 0
    assert asker.said == [("alice", 1, "confirmed"), ("alice", 1, "rejected")]
    output = (tmp_path / "output").read_text()
    assert "The bots ask on matrix" in output
    assert bot.token not in output
    assert "Traceback" not in output
