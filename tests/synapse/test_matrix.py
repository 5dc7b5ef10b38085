"""The bot on a real Matrix homeserver, with the memory server played by a stand-in."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from festinger.chat.wording import MARKS
from festinger.config import PersonSettings
from festinger.errors import CandidateClosed
from tests.synapse.conftest import People, Running
from tests.synapse.homeserver import Somebody
from tests.waiting import until

YES, NO, NOT_SURE = MARKS


@pytest.fixture
async def room(asker, people, start_bot, synapse):
    """A room of the bot and alice, in which a question is posted."""
    return await Room.make(asker, people, start_bot, synapse)


class Room:
    """A room where the community is asked."""

    id: str
    event: str
    bot: Somebody
    alice: Somebody
    running: Running

    def __init__(self, asker, people, start_bot, synapse):
        self.asker, self.synapse, self.people = asker, synapse, people
        self.start_bot = start_bot
        self.known: dict[str, PersonSettings] = {}

    @classmethod
    async def make(cls, asker, people, start_bot, synapse):
        """Return the bot and alice enter it, and a question is posted there."""
        room = cls(asker, people, start_bot, synapse)
        room.bot = await people.make("bot")
        room.alice = await people.make("alice")
        room.id = await room.alice.make_room(room.bot.account)
        room.known["alice"] = PersonSettings(matrix=room.alice.account)
        room.running = await room.start()
        await until(lambda: any(room.id in it.channels for it in asker.leases))
        room.event = await room.ask(1, "Did Alice join the Chess Club?")
        return room

    async def start(self):
        """Start the bot."""
        return await self.start_bot(self.synapse, self.bot, self.known)

    async def ask(self, number, text, **fields):
        """Put a question, and return the event that asks it."""
        fields.setdefault("channel", self.id)
        question = self.asker.ask(number, text, **fields)
        await until(lambda: question.reference)
        return question.reference.rpartition("/")[2]

    async def enter(self, name):
        """Another person in the room."""
        somebody = await self.people.make(name)
        path = f"rooms/{self.id}/invite"
        await self.alice.call("POST", path, {"user_id": somebody.account})
        await somebody.join(self.id)
        return somebody

    async def shown(self, event):
        """Return a message as it reads now."""
        for each in reversed(await self.alice.messages(self.id)):
            relation = each["content"].get("m.relates_to", {})
            if relation.get("event_id") == event and "m.new_content" in each["content"]:
                return each["content"]["m.new_content"]["body"]
            if each["event_id"] == event:
                return each["content"].get("body", "")
        raise AssertionError(event)


async def test_reaction_is_the_answer_of_its_person(room):
    """A click of a known account counts for its principal, one of another for itself."""
    bob = await room.enter("bob")

    await room.alice.react(room.id, room.event, YES)
    await until(lambda: len(room.asker.answers) == 1)
    await bob.react(room.id, room.event, NO)
    await until(lambda: len(room.asker.answers) == 2)

    assert room.asker.said == [
        ("alice", 1, "confirmed"),
        (f"matrix:{bob.account}", 1, "rejected"),
    ]
    assert {it.bot_id for _, it in room.asker.answers} == {"matrix:barkeep"}
    assert all(it.delivery.startswith("$") for _, it in room.asker.answers)


async def test_own_reactions_are_refused(room):
    """The three reactions that the bot offers are seen, and count for nobody."""
    events = await room.alice.messages(room.id)
    offered = [
        it["content"]["m.relates_to"]["key"]
        for it in events
        if it["type"] == "m.reaction" and it["sender"] == room.bot.account
    ]
    assert offered == list(MARKS)

    await room.alice.react(room.id, room.event, NOT_SURE)
    await until(lambda: room.asker.answers)

    assert room.asker.said == [("alice", 1, "abstain")]


async def test_last_unredacted_answer_counts(room):
    """
    A person who takes the last answer back is at the one before it; an earlier one that
    is taken back below it changes nothing until then.
    """
    first = await room.alice.react(room.id, room.event, YES)
    last = await room.alice.react(room.id, room.event, NO)
    await until(lambda: len(room.asker.answers) == 2)

    await room.alice.redact(room.id, first)
    bob = await room.enter("bob")
    await bob.react(room.id, room.event, NOT_SURE)
    await until(lambda: len(room.asker.answers) == 3)
    assert [it for it in room.asker.said if it[0] == "alice"] == [
        ("alice", 1, "confirmed"),
        ("alice", 1, "rejected"),
    ]

    await room.alice.redact(room.id, last)
    await until(lambda: len(room.asker.answers) == 5)
    assert room.asker.said[3:] == [("alice", 1, "withdrawn")] * 2


async def test_redacted_reaction_is_withdrawn(room):
    """A single answer that is redacted is taken back, once."""
    event = await room.alice.react(room.id, room.event, YES)
    await until(lambda: room.asker.answers)

    redaction = await room.alice.redact(room.id, event)
    await until(lambda: len(room.asker.answers) == 2)

    assert room.asker.said[1] == ("alice", 1, "withdrawn")
    assert room.asker.answers[1][1].delivery == redaction


@pytest.mark.parametrize(
    ("text", "response", "note"),
    [
        ("Yes", "confirmed", ""),
        ("no, it was Bob", "rejected", "it was Bob"),
        ("not sure", "abstain", ""),
    ],
)
async def test_reply_in_words_is_an_answer(room, text, response, note):
    """A reply to the question is read; among several people any other text is not."""
    await room.enter("bob")
    await room.alice.say(room.id, "yes")
    await room.alice.say(room.id, "what a nice day", reply_to=room.event)
    await room.alice.say(room.id, text, reply_to=room.event)
    await until(lambda: room.asker.answers)

    assert room.asker.said == [("alice", 1, response)]
    assert room.asker.answers[0][1].note == note


async def test_answer_of_the_time_away_counts_once(room):
    """A click while the bot was not there is counted when it is, and not again."""
    await room.running.stop()
    await room.alice.react(room.id, room.event, YES)
    await room.alice.redact(
        room.id, await room.alice.react(room.id, room.event, NOT_SURE)
    )

    for _ in range(2):
        running = await room.start()
        await until(lambda: room.asker.answers)
        room.asker.leases.clear()
        await until(lambda: len(room.asker.leases) > 1)
        await running.stop()

    assert room.asker.said == [("alice", 1, "confirmed")]


async def test_gap_in_the_news_is_read(room):
    """An answer below more messages than a sync tells is not lost."""
    await room.running.stop()
    await room.alice.react(room.id, room.event, NO)
    for number in range(80):
        await room.alice.say(room.id, f"chatter {number}")

    await room.start()
    await until(lambda: room.asker.answers)

    assert room.asker.said == [("alice", 1, "rejected")]


async def test_bot_without_notes_looks_back(room, start_bot):
    """Whoever loses the file loses no answer, and none counts twice."""
    await room.alice.react(room.id, room.event, YES)
    await until(lambda: room.asker.answers)
    await room.running.stop()
    bob = await room.enter("bob")
    await bob.react(room.id, room.event, NO)

    await start_bot(room.synapse, room.bot, room.known, file="another.sqlite")
    await until(lambda: len(room.asker.answers) == 2)

    assert [it[2] for it in room.asker.said] == ["confirmed", "rejected"]
    assert room.asker.repeated == 1


async def test_server_away_delays_answers(room):
    """A message while the memory server is away is delivered when it is back."""
    await room.asker.stop()
    await room.alice.react(room.id, room.event, YES)
    await asyncio.sleep(1.0)
    assert room.asker.answers == []

    await room.asker.start()
    await until(lambda: room.asker.answers)

    assert room.asker.said == [("alice", 1, "confirmed")]


async def test_question_posted_before_a_kill_is_posted_once(room):
    """A bot that dies before it could report a message finds it again."""
    room.asker.fails = None
    room.asker.reporting.clear()
    room.asker.ask(2, "Did Alice leave?", channel=room.id)
    asked = await _asked(room, "Did Alice leave?")
    await room.running.stop()
    room.asker.reporting.set()
    await room.alice.react(room.id, asked[0], NO)

    await room.start()
    await until(lambda: room.asker.answers)

    assert room.asker.said == [("alice", 2, "rejected")]
    assert await _asked(room, "Did Alice leave?") == asked


async def _asked(room, text):
    return await _asked_in(room, room.id, text)


async def test_decision_changes_the_message(room):
    """A question that was decided says what became of it."""
    room.asker.close(1, "decided", "Confirmed: alice joined chess_club.")
    await until(lambda: not room.asker.updates)

    shown = await room.shown(room.event)

    assert shown.startswith("Did Alice join the Chess Club?")
    assert shown.endswith("Confirmed: alice joined chess_club.")


async def test_question_that_is_not_wanted_is_withdrawn(room):
    """The message of somebody who opted out is redacted."""
    room.asker.close(1, "opted_out")
    await until(lambda: not room.asker.updates)

    assert await room.shown(room.event) == ""


async def test_person_is_asked_in_a_room_of_their_own(room):
    """The room is made once; there a bare yes answers, and the thanks are told."""
    room.asker.ask(2, "Did you join?", recipient="alice")
    await until(lambda: room.asker.questions[2].reference)
    (invited,) = await room.alice.invitations()
    await room.alice.join(invited)
    room.asker.ask(3, "Do you work at Acme?", recipient="alice", channel="")
    await until(lambda: room.asker.questions[3].reference)

    assert room.asker.questions[3].reference.startswith(invited)
    await room.alice.say(invited, "yes")
    await _asked_in(room, invited, "Several questions wait here")
    room.asker.close(2, "expired")
    await until(lambda: not room.asker.updates)
    await room.alice.say(invited, "yes")
    await until(lambda: room.asker.answers)
    assert room.asker.said == [("alice", 3, "confirmed")]
    await _asked_in(room, invited, "Thank you.")


async def _asked_in(room, place, text):

    async def found():
        return [
            it["event_id"]
            for it in await room.alice.messages(place)
            if text in it["content"].get("body", "")
        ]

    return await until(found, pause=0.1)


async def test_stop_and_start(room):
    """
    A person who says stop to the bot is not asked any more, until they say start; said
    in a room with others it is not said to the bot.
    """
    room.asker.ask(2, "Did you join?", recipient="alice")
    await until(lambda: room.asker.questions[2].reference)
    (invited,) = await room.alice.invitations()
    await room.alice.join(invited)

    await room.enter("bob")
    await room.alice.say(room.id, "stop")
    await room.alice.say(invited, "Start!")
    await until(lambda: room.asker.opted_out)
    assert room.asker.opted_out == {"alice": False}

    await room.alice.say(invited, "stop")
    await until(lambda: room.asker.opted_out["alice"])


async def test_digest_is_one_message(room):
    """Its questions are answered by numbered reactions and in words, and closed one by one."""
    for number, text in ((2, "First?"), (3, "Second?"), (4, "Third?")):
        room.asker.ask(number, text, channel=room.id, digest_id=7)
    await until(lambda: room.asker.questions[4].reference)
    references = {room.asker.questions[it].reference for it in (2, 3, 4)}
    (event,) = [it.rpartition("/")[2] for it in references]

    await room.alice.react(room.id, event, f"2 {NO}")
    await until(lambda: len(room.asker.answers) == 1)
    await room.alice.say(room.id, "1 yes, 3 no", reply_to=event)
    await until(lambda: len(room.asker.answers) == 3)
    assert room.asker.said == [
        ("alice", 3, "rejected"),
        ("alice", 2, "confirmed"),
        ("alice", 4, "rejected"),
    ]

    room.asker.close(3, "decided", "Rejected.")
    await until(lambda: not room.asker.updates)
    shown = await room.shown(event)
    assert "2 statements wait for you." in shown
    assert "2. Second?\nRejected." in shown


async def test_all_of_a_digest_in_one_word(room):
    """`all yes` answers each question of it."""
    for number in (2, 3):
        room.asker.ask(number, f"Is it {number}?", channel=room.id, digest_id=7)
    await until(lambda: room.asker.questions[3].reference)
    event = room.asker.questions[2].reference.rpartition("/")[2]

    await room.alice.say(room.id, "all yes", reply_to=event)
    await until(lambda: len(room.asker.answers) == 2)

    assert room.asker.said == [("alice", 2, "confirmed"), ("alice", 3, "confirmed")]


async def test_edited_reply_is_the_answer_then(room):
    """A person who edits a yes into a no has answered no."""
    event = await room.alice.say(room.id, "yes", reply_to=room.event)
    await until(lambda: room.asker.answers)

    content = {
        "msgtype": "m.text",
        "body": "* no",
        "m.new_content": {"msgtype": "m.text", "body": "no"},
        "m.relates_to": {"rel_type": "m.replace", "event_id": event},
    }
    await room.alice.send(room.id, "m.room.message", content)
    await until(lambda: len(room.asker.answers) == 2)

    assert room.asker.said[1] == ("alice", 1, "rejected")


async def test_reply_from_another_room_is_forged(room):
    """A person who replies to the question from a room of their own answers nothing."""
    mallory = await room.people.make("mallory")
    elsewhere = await room.alice.make_room(room.bot.account, mallory.account)
    await mallory.join(elsewhere)
    await until(lambda: elsewhere in room.asker.leases[-1].channels)

    await mallory.say(elsewhere, "no", reply_to=room.event)
    await room.alice.react(room.id, room.event, YES)
    await until(lambda: room.asker.answers)

    assert room.asker.said == [("alice", 1, "confirmed")]


async def test_late_answer_is_refused_and_the_next_one_counts(room):
    """An answer that the server does not take is not delivered again."""
    room.asker.refusal = CandidateClosed("its time is over")
    await room.alice.react(room.id, room.event, NO)
    await until(lambda: room.asker.attempts)
    room.asker.refusal = None

    await room.alice.react(room.id, room.event, YES)
    await until(lambda: room.asker.answers)

    assert room.asker.said == [("alice", 1, "confirmed")]


async def test_failing_server_is_asked_again(room):
    """An answer that the server failed over is brought until it is taken."""
    room.asker.fails = grpc.StatusCode.INTERNAL
    await room.alice.react(room.id, room.event, YES)
    await until(lambda: room.asker.attempts)
    room.asker.fails = None
    await until(lambda: room.asker.answers)

    assert room.asker.said == [("alice", 1, "confirmed")]


async def test_encrypted_room_cannot_be_asked_in(room):
    """A question for an encrypted room is reported as one that cannot be posted."""
    state = {
        "type": "m.room.encryption",
        "state_key": "",
        "content": {"algorithm": "m.megolm.v1.aes-sha2"},
    }
    secret = await room.alice.make_room(room.bot.account, initial_state=[state])
    await until(lambda: secret in room.asker.leases[-1].channels)

    room.asker.ask(2, "Did Alice leave?", channel=secret)
    await until(lambda: any(it[0] == 2 for it in room.asker.reports))

    ((_, result, error),) = [it for it in room.asker.reports if it[0] == 2]
    assert result == "unreachable"
    assert "is encrypted" in error


async def test_markup_is_text(room):
    """The text of a question is neither markup nor a call to everybody."""
    event = await room.ask(2, '<img src=x onerror="x"> @room **Bob** \u202ehcni')
    (message,) = [
        it for it in await room.alice.messages(room.id) if it["event_id"] == event
    ]

    content = message["content"]
    assert "<img" not in content["formatted_body"]
    assert "&lt;img" in content["formatted_body"]
    assert content["m.mentions"] == {}
    assert "\u202e" not in content["body"]


async def test_homeserver_away_is_waited_for(room):
    """The bot goes on when the homeserver is back, and posts what it could not."""
    await room.synapse.stop()
    question = room.asker.ask(2, "Did Alice leave?", channel=room.id)
    await asyncio.sleep(1.0)
    assert not question.reference

    await room.synapse.start()
    await until(lambda: question.reference, 90)


async def test_homeserver_that_wants_fewer_messages(
    asker, strict_synapse, start_bot, tmp_path
):
    """The bot waits as long as it is asked to, and all is posted."""
    room = await Room.make(asker, People(strict_synapse), start_bot, strict_synapse)

    for number in (2, 3):
        await room.ask(number, f"Is it {number}?")

    assert [it for it in asker.reports if it[1] != "posted"] == []
