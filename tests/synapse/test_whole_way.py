"""The whole way, with everything real: a guess, a click on Matrix, and a held fact."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import grpc
import pytest

from festinger import app, config
from festinger.api.v1 import candidate_pb2
from festinger.api.v1 import validation_service_pb2 as pb
from festinger.chat.wording import MARKS
from festinger.credentials import OPERATOR, read_token
from tests.conftest import fastest_place
from tests.serving import Client
from tests.waiting import until

YES, NO, _ = MARKS
EXAMPLE = pb.ProposeCandidateRequest(
    external_id="f:0x123",
    subject_raw="Alice",
    predicate="t:joined",
    object_raw="Chess Club",
    confidence=0.36,
    sentence="Yesterday I joined the Chess Club.",
    author="alice",
    message_id="m:0x998",
    extractor_version="microllm:v0.1",
)


@pytest.fixture
def data_dir():
    """A data directory whose dictionary has few words."""
    directory = Path(tempfile.mkdtemp(prefix="festinger-", dir=fastest_place()))
    directory.chmod(0o755)
    directory.joinpath("dictionary-en-3.3.txt").write_text("please\nyesterday\n")
    yield directory
    shutil.rmtree(directory)


def settings_of(data_dir, synapse, bot, schedule="0 9 * * *", **people):
    """Return the configuration of an operator: a platform, and who is who."""
    chat = {"homeserver": synapse.url, "user": bot.account, "token": bot.token}
    values = {
        "data_dir": data_dir,
        "server": {"address": "127.0.0.1:0"},
        "shim": {"address": "127.0.0.1:0", "upstream": "http://127.0.0.1:1"},
        "chat": {"matrix": chat},
        "validation": {
            "people": people,
            "gold_share": 0,
            "digest_schedule": schedule,
        },
    }
    return config.load(overrides=values, environment={})


def operating(data_dir):
    """Return the metadata of a call of the operator's."""
    return (("authorization", f"Bearer {read_token(data_dir, OPERATOR)}"),)


async def test_contradiction_is_decided_in_the_thread(data_dir, people, synapse):
    """
    A moderator is asked about a contradiction in a room of their own, replies "accept", and
    the new statement is held; the message says that it was accepted.
    """
    bot, mo = await people.make("bot"), await people.make("mo")
    person = {"matrix": mo.account, "moderator": True}
    settings = settings_of(data_dir, synapse, bot, schedule="never", mo=person)
    async with (
        app.everything(settings) as running,
        grpc.aio.insecure_channel(running.server) as channel,
    ):
        client = Client(channel)
        await client.states("gnommoweb -isa repo")
        await client.states("gnommoweb -isa container")
        (room,) = await until(mo.invitations, 90, 0.2)
        await mo.join(room)

        async def bodies():
            return [
                it["content"].get("m.new_content", it["content"]).get("body", "")
                for it in await mo.messages(room)
            ]

        async def asked():
            return [it for it in await bodies() if "(Accept / Reject / Later)" in it]

        await until(asked, 90, 0.2)
        await mo.say(room, "accept")

        async def decided():
            concept = await client.concept("gnommoweb")
            return [edge.parent for edge in concept.edges] == ["container"]

        await until(decided, 90, 0.2)

        async def closed():
            return [it for it in await bodies() if "mo: Accepted." in it]

        await until(closed, 90, 0.2)


async def test_guess_becomes_a_fact_by_one_click(data_dir, people, synapse):
    """
    A candidate is asked about in the room of its author, who clicks Yes; it is held, told
    to whoever asks, and the message says so.
    """
    bot, alice = await people.make("bot"), await people.make("alice")
    settings = settings_of(data_dir, synapse, bot, alice={"matrix": alice.account})
    async with (
        app.everything(settings) as running,
        grpc.aio.insecure_channel(running.server) as channel,
    ):
        assert running.platforms == ("matrix",)
        client = Client(channel)
        proposed = await client.validation.ProposeCandidate(EXAMPLE)
        assert (
            proposed.candidate.state == candidate_pb2.Candidate.STATE_PENDING_VALIDATION
        )
        assert (await client.says("What does Alice do?")).lines == []

        (room,) = await until(alice.invitations, 90, 0.2)
        await alice.join(room)

        async def asked():
            return [
                it
                for it in await alice.messages(room)
                if "joined the Chess Club" in it["content"].get("body", "")
            ]

        (question,) = await until(asked, 90, 0.2)
        assert "t:joined" not in question["content"]["body"]

        async def posted():
            # An answer names the message that asked once the bot has said which it is.
            listed = await client.validation.ListQuestions(
                pb.ListQuestionsRequest(), metadata=operating(data_dir)
            )
            return [it for it in listed.questions if it.reference]

        await until(posted, 90, 0.2)
        await alice.react(room, question["event_id"], YES)

        async def told():
            lines = (await client.says("What does Alice do?")).lines
            return "alice: [joined] chess_club" in [line.text for line in lines]

        await until(told, 90, 0.2)

        async def edited():
            return [
                it["content"]["m.new_content"]["body"]
                for it in await alice.messages(room)
                if "m.new_content" in it["content"]
            ]

        (text, *_) = await until(edited, 90, 0.2)
        history = await client.validation.GetCandidate(
            pb.GetCandidateRequest(external_id="f:0x123"),
            metadata=operating(data_dir),
        )

    assert text.splitlines()[0] == question["content"]["body"].splitlines()[0]
    assert text != question["content"]["body"]
    (event,) = history.events
    assert (event.responder, event.bot_id) == ("alice", "matrix:barkeep")
    assert event.context_message_cid
    assert history.candidate.decision_rule == "author"
    assert history.questions[0].reference.startswith(f"{room}/$")
