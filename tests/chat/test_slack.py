"""The bot on Slack: the real SDK against a stand-in for its API."""

from __future__ import annotations

import json

import pytest

from festinger.chat.slack import Slack
from festinger.errors import PermissionDenied
from tests.chat.workspace import BOT, SIGNING_SECRET, TOKEN, Sender, Workspace
from tests.waiting import until

YES, NO, NOT_SURE = "festinger.0.0", "festinger.0.1", "festinger.0.2"


@pytest.fixture
async def workspace():
    """A stand-in for Slack."""
    workspace = Workspace()
    await workspace.start()
    yield workspace
    await workspace.stop()


@pytest.fixture
def sender(http, clock):
    """Send what Slack would."""
    return Sender(http, clock)


@pytest.fixture
def start(start_bot, workspace, clock):
    """Start the bot."""

    def make(bot_state, accounts):
        return Slack(
            TOKEN, SIGNING_SECRET, workspace.url, bot_state, accounts,
            channels=("C7",), now=clock,
        )  # fmt: skip

    async def start(**fields):
        running = await start_bot("slack", make, **fields)
        await until(lambda: workspace.called("auth.test"))
        return running

    return start


@pytest.fixture
async def posted(asker, start):
    """A bot, and where its question was posted."""
    running = await start()
    question = asker.ask(1, "Did Alice join the Chess Club?", channel="C1")
    await until(lambda: question.reference)
    return running, question.reference


def shown(workspace, reference):
    """Return the text of a message, and the actions of its buttons."""
    channel, _, stamp = reference.rpartition("/")
    blocks = workspace.messages[channel, stamp]["blocks"]
    texts = [it["text"]["text"] for it in blocks if it["type"] == "section"]
    actions = [
        button["action_id"]
        for it in blocks
        if it["type"] == "actions"
        for button in it["elements"]
    ]
    return "\n".join(texts), actions


async def test_click_is_the_answer_of_its_person(asker, posted, sender, workspace):
    """
    A click of a known account counts for its principal, one of another for itself, and
    only they see the thanks.
    """
    running, reference = posted
    assert shown(workspace, reference)[1] == [YES, NO, NOT_SURE]

    assert await sender.click(running.url, "U1", reference, YES) == 200
    assert await sender.click(running.url, "U5", reference, NO) == 200
    await until(lambda: len(workspace.ephemeral) == 2)

    assert asker.said == [("alice", 1, "confirmed"), ("slack:U5", 1, "rejected")]
    assert {it.bot_id for _, it in asker.answers} == {"slack:barkeep"}
    assert workspace.ephemeral[0]["user"] == "U1"
    assert workspace.ephemeral[0]["text"] == "Thank you."


async def test_click_that_is_brought_again_counts_once(asker, posted, sender):
    """Slack repeats what was not acknowledged in time."""
    running, reference = posted

    for _ in range(3):
        await sender.click(running.url, "U1", reference, YES, "1800000010.5")
    await sender.click(running.url, "U1", reference, NO, "1800000010.6")
    await until(lambda: len(asker.answers) == 2)

    assert asker.said == [("alice", 1, "confirmed"), ("alice", 1, "rejected")]


@pytest.mark.parametrize(
    ("changed", "value"),
    [
        ("secret", "another"),
        ("age", 301),
        ("age", -301),
        ("X-Slack-Signature", "v0=ü"),
        ("X-Slack-Signature", ""),
        ("X-Slack-Request-Timestamp", "soon"),
    ],
)
async def test_forged_or_old_request_is_refused(asker, posted, sender, changed, value):
    """
    A request that Slack did not sign within five minutes is answered 401, in a
    sentence.
    """
    running, reference = posted
    payload = sender.payload("U1", reference, YES)
    body = f"payload={json.dumps(payload)}".encode()

    status, text = await sender.send(
        f"{running.url}/slack/interactive", body, **{changed: value}
    )

    assert status == 401
    assert set(json.loads(text)) == {"error"}
    assert await running.bot_state.by_reference(reference) == []


@pytest.mark.parametrize(
    "body",
    [b"", b"payload=", b"payload=[", b"payload=[]", b'payload={"actions": 1}'],
)
async def test_payload_that_says_nothing_is_let_go(asker, posted, sender, body):
    """Slack is told that it came, for it would send it again."""
    running, _ = posted

    status, text = await sender.send(f"{running.url}/slack/interactive", body)

    assert (status, text) == (200, "")
    assert await running.bot_state.waiting() == []


async def test_other_paths_are_told_in_json(posted, http):
    """There is no page here, and no traceback."""
    running, _ = posted

    async with http.get(f"{running.url}/slack/interactive") as response:
        assert response.status == 405
        assert set(await response.json()) == {"error"}


async def test_challenge_is_answered(posted, sender):
    """Slack asks whether the address is ours."""
    running, _ = posted
    body = json.dumps({"type": "url_verification", "challenge": "abc"}).encode()

    status, text = await sender.send(f"{running.url}/slack/events", body)

    assert (status, json.loads(text)) == (200, {"challenge": "abc"})


async def test_reaction_counts_and_is_withdrawn(asker, posted, sender):
    """
    An emoji is an answer, too; the bot's own is none, and one that is removed is taken
    back.
    """
    running, reference = posted
    channel, _, stamp = reference.rpartition("/")
    item = {"type": "message", "channel": channel, "ts": stamp}

    def reacts(number, user, kind="added", name="white_check_mark"):
        return sender.event(
            running.url,
            number,
            type=f"reaction_{kind}",
            user=user,
            reaction=name,
            item=item,
        )

    await reacts("E0", BOT)
    await reacts("E1", "U1")
    await reacts("E1", "U1")
    await reacts("E2", "U1", "removed")
    await reacts("E3", "U1", name="tada")
    await reacts("E4", "U1", name="x")
    await until(lambda: len(asker.answers) == 3)

    assert asker.said == [
        ("alice", 1, "confirmed"),
        ("alice", 1, "withdrawn"),
        ("alice", 1, "rejected"),
    ]
    assert [it.delivery for _, it in asker.answers] == ["E1", "E2", "E4"]


async def test_reaction_of_the_time_away_counts_once(asker, posted, start, workspace):
    """At each start the reactions of open messages are looked up."""
    running, reference = posted
    channel, _, stamp = reference.rpartition("/")
    await running.stop()
    workspace.reactions[channel, stamp] = [
        {"name": "x", "users": ["U1", BOT], "count": 2},
        {"name": "tada", "users": ["U5"], "count": 1},
    ]

    running = await start()
    await until(lambda: asker.answers)
    await running.stop()
    workspace.reactions.clear()
    running = await start()
    await until(lambda: len(asker.answers) == 2)

    assert asker.said == [("alice", 1, "rejected"), ("alice", 1, "withdrawn")]


async def test_words_in_a_thread_and_in_person(asker, posted, sender, workspace):
    """
    A reply in the thread of a question answers it; said to the bot alone, `stop` and
    `start` count, and in a channel they do not.
    """
    running, reference = posted
    stamp = reference.rpartition("/")[2]

    def says(number, text, **fields):
        values = {"user": "U1", "channel": "C1", "channel_type": "channel", **fields}
        return sender.event(running.url, number, type="message", text=text, **values)

    await says("E1", "stop")
    await says("E2", "instead: it was Bob", thread_ts=stamp)
    await says("E3", "yes", thread_ts="1.0")
    await until(lambda: asker.answers)
    await says("E4", "Stop", channel="D1", channel_type="im")
    await until(lambda: len(workspace.ephemeral) == 2)

    assert asker.said == [("alice", 1, "rejected")]
    assert asker.answers[0][1].instead == "it was Bob"
    assert asker.opted_out == {"alice": True}
    assert await running.bot_state.waiting() == []


async def test_person_is_asked_in_person(asker, start, workspace):
    """The direct conversation is opened once."""
    await start()
    for number in (1, 2):
        asker.ask(number, "Did you join?", recipient="alice")
    await until(lambda: asker.questions[2].reference)

    assert asker.questions[1].reference.startswith("DU1/")
    assert len(workspace.called("conversations.open")) == 1


async def test_decision_takes_the_buttons_away(asker, posted, workspace):
    """The message says what became of it."""
    _, reference = posted
    asker.close(1, "decided", "Confirmed: alice joined chess_club.")
    await until(lambda: not asker.updates)

    text, actions = shown(workspace, reference)

    assert text.endswith("Confirmed: alice joined chess_club.")
    assert actions == []


async def test_question_that_is_not_wanted_is_deleted(asker, posted, workspace):
    """The message of somebody who opted out is taken away."""
    asker.close(1, "opted_out")
    await until(lambda: not asker.updates)

    assert workspace.messages == {}


async def test_digest_has_buttons_for_each_question(asker, start, sender, workspace):
    """It is one message, and each line is answered by itself."""
    running = await start()
    for number in (1, 2, 3):
        asker.ask(number, f"Is it {number}?", channel="C1", digest_id=4)
    await until(lambda: asker.questions[3].reference)
    reference = asker.questions[1].reference

    await sender.click(running.url, "U9", reference, "festinger.2.1")
    await until(lambda: asker.answers)
    asker.close(2, "decided")
    await until(lambda: not asker.updates)

    assert asker.said == [("mod", 2, "rejected")]
    assert {it.reference for it in asker.questions.values()} == {reference}
    text, actions = shown(workspace, reference)
    assert text.startswith("2 statements wait for you.\n1. Is it 1?")
    assert {it.split(".")[1] for it in actions} == {"1", "3"}


async def test_all_of_a_digest_in_one_word(asker, start, sender):
    """`all yes` answers each question of it."""
    running = await start()
    for number in (1, 2):
        asker.ask(number, f"Is it {number}?", channel="C1", digest_id=4)
    await until(lambda: asker.questions[2].reference)

    await sender.event(
        running.url,
        "E1",
        type="message",
        user="U1",
        channel="C1",
        channel_type="channel",
        text="all yes",
        thread_ts=asker.questions[1].reference.rpartition("/")[2],
    )
    await until(lambda: len(asker.answers) == 2)

    assert asker.said == [("alice", 1, "confirmed"), ("alice", 2, "confirmed")]


async def test_long_labels_of_buttons_are_cut(asker, start, workspace):
    """Slack takes 75 characters of a label, and refuses the message otherwise."""
    await start()
    question = asker.ask(1, "Which?", channel="C1", options=["a" * 80, "b" * 75])
    await until(lambda: question.reference)

    (message,) = workspace.messages.values()
    labels = [it["text"]["text"] for it in message["blocks"][1]["elements"]]
    assert labels == ["a" * 74 + "…", "b" * 75]


async def test_question_is_asked_in_any_of_many_channels(asker, start, workspace):
    """The bot reads all pages of the list of its channels."""
    workspace.page_size, workspace.channels = 2, ["C1", "C2", "C3", "C4", "C5"]
    await start()
    question = asker.ask(1, "Did Alice join?", channel="C5")
    await until(lambda: question.reference)

    assert question.reference.startswith("C5/")


async def test_lost_message_is_found_in_a_busy_channel(asker, start, workspace):
    """Other messages that were posted since are read past, page by page."""
    workspace.page_size = 2
    workspace.loses_answers, workspace.noise = 1, 5
    await start()
    question = asker.ask(1, "Did Alice join?", channel="C1")
    await until(lambda: question.reference)

    assert question.reference == "C1/1800000009.000001"


async def test_busy_slack_is_asked_again(asker, start, workspace):
    """A 429 is waited for, and nothing fails."""
    await start()
    workspace.busy = 3
    question = asker.ask(1, "Did Alice join?", channel="C1")
    await until(lambda: question.reference)

    assert [it[1] for it in asker.reports] == ["posted"]


async def test_slack_away_is_waited_for(asker, start, workspace):
    """A question that could not be posted is posted when Slack is back."""
    await start()
    workspace.down = True
    question = asker.ask(1, "Did Alice join?", channel="C1")
    await until(lambda: asker.reports)
    assert asker.reports[0][1] == "failed"
    workspace.down = False

    await until(lambda: question.reference)


async def test_message_whose_answer_was_lost_is_found(asker, start, workspace):
    """A connection that breaks after the message was posted does not make a second one."""
    await start()
    workspace.loses_answers = 1
    question = asker.ask(1, "Did Alice join?", channel="C1")
    await until(lambda: question.reference)

    assert len(workspace.messages) == 1


async def test_channel_that_refuses_is_unreachable(asker, start, workspace):
    """Nobody tries again what cannot help."""
    await start()
    workspace.errors["chat.postMessage"] = "not_in_channel"
    asker.ask(1, "Did Alice join?", channel="C1")
    await until(lambda: asker.reports)

    assert asker.reports[0][1] == "unreachable"
    assert "not_in_channel" in asker.reports[0][2]


async def test_click_while_the_server_is_away_is_kept(asker, posted, sender, start):
    """It is acknowledged when it is on disk: a kill does not lose it."""
    running, reference = posted
    await asker.stop()
    assert await sender.click(running.url, "U1", reference, NO) == 200
    await running.stop()
    await asker.start()

    await start()
    await until(lambda: asker.answers)

    assert asker.said == [("alice", 1, "rejected")]


async def test_own_claim_is_refused_in_a_sentence(asker, posted, sender, workspace):
    """A person who may not vote is told so, alone; it is not delivered again."""
    running, reference = posted
    asker.refusal = PermissionDenied("you proposed this yourself")
    await sender.click(running.url, "U1", reference, YES)
    await until(lambda: workspace.ephemeral)

    assert workspace.ephemeral[0]["text"] == "you proposed this yourself"
    assert await running.bot_state.waiting() == []


async def test_text_is_no_markup(asker, start, workspace):
    """Nobody is called by what stands in a question."""
    await start()
    question = asker.ask(1, "<!channel> *yes* <http://x|y>", channel="C1")
    await until(lambda: question.reference)

    (message,) = workspace.messages.values()
    assert "<" not in message["text"]
    assert message["blocks"][0]["text"]["type"] == "plain_text"


async def test_credential_that_may_not_is_for_the_operator(asker, posted, sender):
    """An answer is not dropped for what the bots may not do: it waits until they may."""
    running, reference = posted
    asker.refusal = PermissionDenied("it is for operators", method="Answer")
    await sender.click(running.url, "U1", reference, YES)
    await until(lambda: asker.attempts)
    asker.refusal = None

    await until(lambda: asker.answers)
    assert asker.said == [("alice", 1, "confirmed")]
