"""The signed webhook, both ways, with the program on the other side played by the test."""

from __future__ import annotations

import asyncio
import json

import pytest
from aiohttp import web

from festinger.chat.webhook import DELIVERY, SIGNATURE, TIMESTAMP, Webhook, sign
from festinger.errors import CandidateClosed
from tests.waiting import until

SECRET = "a secret of both sides"


class Program:
    """The program on the other side."""

    def __init__(self, clock):
        self.clock = clock
        self.got = []
        self.deliveries = []
        self.statuses = []
        self.answer = None
        app = web.Application()
        app.router.add_post("/hook", self._take)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)

    async def start(self):
        """Listen."""
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}/hook"

    async def stop(self):
        """Stop."""
        await self._runner.cleanup()

    async def _take(self, request):
        body = await request.read()
        stamp = request.headers[TIMESTAMP]
        assert request.headers[SIGNATURE] == sign(SECRET.encode(), stamp, body)
        assert abs(self.clock() - int(stamp)) <= 1
        self.deliveries.append(request.headers[DELIVERY])
        if self.statuses:
            return web.Response(status=self.statuses.pop(0))
        self.got.append(json.loads(body))
        if self.answer is not None:
            return web.json_response(self.answer)
        return web.json_response({"reference": f"m{len(self.got)}"})


@pytest.fixture
async def program(clock):
    """The other side."""
    program = Program(clock)
    await program.start()
    yield program
    await program.stop()


@pytest.fixture
def start(start_bot, program, clock):
    """Start the bot."""

    def make(bot_state, accounts):
        return Webhook(
            program.url, SECRET, bot_state, accounts, channels=("lobby",), now=clock
        )

    return lambda **fields: start_bot("webhook", make, **fields)


@pytest.fixture
async def posted(asker, start):
    """A bot whose question is at `m1`."""
    running = await start()
    question = asker.ask(
        1, "Did Alice join?", channel="webhook:lobby", why="We read it."
    )
    await until(lambda: question.reference)
    return running


@pytest.fixture
def bring(http, clock):
    """Bring a body to `POST /answer`; the status and the answer."""

    async def bring(running, body, secret=SECRET, age=0.0, **headers):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        stamp = str(int(clock() - age))
        signed = {TIMESTAMP: stamp, SIGNATURE: sign(secret.encode(), stamp, data)}
        signed.update({name.replace("_", "-"): it for name, it in headers.items()})
        async with http.post(
            f"{running.url}/answer", data=data, headers=signed
        ) as response:
            return response.status, await response.json()

    return bring


def answer(delivery="d1", response="yes", **fields):
    """Return the reply of the other side."""
    return {
        "delivery": delivery,
        "account": "alice@chat",
        "reference": "m1",
        "response": response,
        **fields,
    }


async def test_question_is_sent_with_all_that_it_says(posted, program):
    """The body is signed, and its answer names the message."""
    (sent,) = program.got

    assert sent["type"] == "post"
    assert sent["question"]["text"] == "Did Alice join?"
    assert sent["question"]["why"] == "We read it."
    assert sent["question"]["options"] == ["Yes", "No", "Not sure"]
    assert sent["question"]["channel"] == "webhook:lobby"


async def test_answer_is_counted_and_told(asker, posted, bring):
    """Whoever brings an answer hears what became of it."""
    status, told = await bring(posted, answer(note="in May"))

    assert (status, told) == (200, {"message": "Thank you.", "repeated": False})
    assert asker.said == [("alice", 1, "confirmed")]
    assert asker.answers[0][1].note == "in May"
    assert asker.answers[0][1].bot_id == "webhook:barkeep"


async def test_own_words_are_brought(asker, posted, bring):
    """A correction goes to the server in the person's own words."""
    status, _ = await bring(posted, answer(instead="Bob coaches Sam."))

    [(_, request)] = asker.answers
    assert status == 200
    assert request.instead == "Bob coaches Sam."


async def test_delivery_counts_once(asker, posted, bring):
    """The same again is known; another answer by the same name is refused."""
    await bring(posted, answer())

    assert await bring(posted, answer()) == (200, {"message": "", "repeated": True})
    status, told = await bring(posted, answer(response="no"))
    assert (status, list(told)) == (409, ["error"])
    assert asker.said == [("alice", 1, "confirmed")]


async def test_delivery_that_comes_twice_at_once(asker, posted, bring):
    """The one is counted and told, the other one known."""
    one, other = sorted(
        await asyncio.gather(bring(posted, answer()), bring(posted, answer())),
        key=lambda it: it[1]["repeated"],
    )

    assert one == (200, {"message": "Thank you.", "repeated": False})
    assert other == (200, {"message": "", "repeated": True})
    assert asker.said == [("alice", 1, "confirmed")]


async def test_answer_is_taken_back(asker, posted, bring):
    """`withdrawn` takes back the last answer that stands, and then there is none."""
    await bring(posted, answer())

    status, _ = await bring(posted, answer("d2", "withdrawn"))
    assert status == 200
    assert asker.said[1] == ("alice", 1, "withdrawn")
    assert (await bring(posted, answer("d3", "withdrawn")))[0] == 400


async def test_taking_back_comes_again(asker, posted, bring):
    """A retraction has its effect when it is delivered once more."""
    await bring(posted, answer())
    await bring(posted, answer("d2", "withdrawn"))

    again = await bring(posted, answer("d2", "withdrawn"))

    assert again == (200, {"message": "", "repeated": True})
    assert len(asker.said) == 2


@pytest.mark.parametrize(
    ("status", "fields"),
    [
        (401, {"secret": "another secret of one"}),
        (401, {"age": 301}),
        (401, {"age": -301}),
        (401, {"Festinger_Timestamp": "soon"}),
        (401, {"Festinger_Timestamp": "²"}),
        (401, {"Festinger_Signature": "v1=ü"}),
        (400, {"body": b"["}),
        (400, {"body": b"\xff"}),
        (400, {"body": b"[" * 100_000}),
        (400, {"body": []}),
        (400, {"body": {}}),
        (400, {"body": answer(delivery="")}),
        (400, {"body": answer(account=7)}),
        (400, {"body": answer(reference="x" * 201)}),
        (400, {"body": answer(response="perhaps not")}),
        (400, {"body": answer(response=None)}),
        (400, {"body": answer(line="1")}),
        (400, {"body": answer(line=-1)}),
        (400, {"body": answer(note=7)}),
        (400, {"body": {"delivery": "d", "account": "a", "opts_out": "yes"}}),
        (413, {"body": b" " * (2**19 + 1)}),
    ],
)
async def test_what_cannot_be_meant_is_refused(asker, posted, bring, status, fields):
    """Forged, old and broken requests are answered with what is wrong, and kept nowhere."""
    body = fields.pop("body", answer())

    refused, told = await bring(posted, body, **fields)

    assert (refused, list(told)) == (status, ["error"])
    assert await posted.bot_state.by_reference("m1") == []
    assert asker.answers == []


async def test_refusal_of_the_server_is_told(asker, posted, bring):
    """A late answer is answered 409, in the server's words."""
    asker.refusal = CandidateClosed("its time is over")

    assert await bring(posted, answer()) == (409, {"error": "its time is over"})


async def test_answer_to_nothing_is_dropped_in_time(
    asker, posted, bring, clock, program
):
    """A message that may just be posted is waited for, and then nothing was asked."""
    status, _ = await bring(posted, answer(reference="zork"))
    assert status == 202
    (stored,) = await posted.bot_state.waiting()

    clock.now += 601
    await until(lambda: program.got[-1]["type"] == "notice")
    assert program.got[-1]["delivery"] == stored.answer.delivery
    assert program.got[-1]["refused"]
    assert await posted.bot_state.waiting() == []
    assert asker.answers == []


async def test_opting_out(asker, posted, bring):
    """A person opts out of questions without naming a message."""
    body = {"delivery": "d1", "account": "bob@chat", "opts_out": True}

    assert (await bring(posted, body))[0] == 200
    assert asker.opted_out == {"webhook:bob@chat": True}


async def test_server_away_delays_the_answer(asker, posted, bring):
    """It is taken with 202, and brought when the server is back, once."""
    await asker.stop()
    status, told = await bring(posted, answer())
    assert (status, list(told)) == (202, ["message"])
    assert asker.answers == []

    await asker.start()
    await until(lambda: asker.answers)
    assert asker.said == [("alice", 1, "confirmed")]


async def test_busy_program_is_asked_again(asker, start, program):
    """The same delivery is sent again for as long as it does not get through."""
    program.statuses = [500, 429, 408]
    await start()
    question = asker.ask(1, "Did Alice join?", recipient="alice")
    await until(lambda: question.reference)

    assert len(program.deliveries) == 4
    assert len(set(program.deliveries)) == 1
    assert program.got[0]["question"]["account"] == "alice@chat"


async def test_program_that_refuses_is_not_asked_again(asker, start, program):
    """A 4xx says that it cannot be posted there."""
    program.statuses = [404]
    await start()
    asker.ask(1, "Did Alice join?", recipient="alice")
    await until(lambda: asker.reports)

    assert asker.reports[0][1:] == ("unreachable", "the webhook answers 404")


@pytest.mark.parametrize("wrong", [[], {}, {"reference": 7}, {"reference": ""}, "m1"])
async def test_answer_without_reference_fails(asker, start, program, wrong):
    """Without a name of the message its answers could not be told apart."""
    program.answer = wrong
    await start()
    asker.ask(1, "Did Alice join?", recipient="alice")
    await until(lambda: asker.reports)

    assert asker.reports[0][1] == "failed"
    assert "reference" in asker.reports[0][2]


async def test_update_and_digest(asker, start, program, bring):
    """A digest is one message, whose lines are answered by number; what is closed is told."""
    running = await start()
    for number in (1, 2):
        asker.ask(number, f"Is it {number}?", recipient="mod", digest_id=3)
    await until(lambda: asker.questions[2].reference)
    assert [it["text"] for it in program.got[0]["questions"]] == [
        "Is it 1?",
        "Is it 2?",
    ]

    body = answer(account="mod@chat", line=2, response="rejected")
    assert (await bring(running, body))[0] == 200
    assert (await bring(running, answer("d2")))[0] == 409
    asker.close(2, "decided", "Rejected.")
    await until(lambda: not asker.updates)

    assert asker.said == [("mod", 2, "rejected")]
    update = program.got[-1]
    assert (update["type"], update["reference"]) == ("update", "m1")
    assert [it["outcome"] for it in update["questions"]] == ["", "Rejected."]


async def test_withdrawal(asker, posted, program):
    """The other side is told to take the message away."""
    asker.close(1, "opted_out")
    await until(lambda: not asker.updates)

    assert program.got[-1] == {"type": "withdraw", "reference": "m1"}


async def test_dispute_names_what_was_answered(asker, posted, bring):
    """A person who disputes has answered first."""
    assert (await bring(posted, answer("d0", dispute=True)))[0] == 409
    await bring(posted, answer("d1", "no"))

    await bring(posted, answer("d2", "not sure", dispute=True, note="look again"))

    assert asker.said == [("alice", 1, "rejected")] * 2
    assert asker.answers[1][1].dispute
    assert asker.answers[1][1].note == "look again"
