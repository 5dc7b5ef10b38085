from __future__ import annotations

import json

import grpc
import pytest

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.api.v1.triple_pb2 import Triple
from festinger.shim.recollection.ledger import ToldBlock
from festinger.shim.recollection.request_records import (
    REQUESTS_MAX,
    RequestRecord,
    SessionAccounts,
)
from festinger.shim.recollection.why import report_of
from tests.shim.conftest import BLOCK, POSITIONS, chat
from tests.shim.loops.test_looping import READ, SENTENCE, TASK, ask, play
from tests.shim.recollection.test_sticky import FACT, OTHER, line

SECRET = "the heron drinks at midnight"
NAMED = {"X-Festinger-Session": "s/1"}
TEXT = {"Accept": "text/plain"}


@pytest.fixture(autouse=True)
def sticky(memory):
    """Blocks stay where they were told."""
    memory.position = POSITIONS.POSITION_STICKY


def because(text, why):
    """Return a line of the memory's answer, and why it was chosen."""
    told = line(text, hint=text.startswith("?"))
    told.why = why
    return told


async def says(http, shim, body, path="/api/chat", **headers):
    """Send a prompt of the session `s/1`."""
    answer = await http.post(shim.url + path, json=body, headers=NAMED | headers)
    await answer.read()
    return answer


async def why(http, shim, name="s/1", prefix="", **headers):
    """Return the explanation of a session: status and body."""
    url = f"{shim.url}{prefix}/festinger/why" + (f"/{name}" if name else "")
    answer = await http.get(url, headers=headers)
    return answer.status, json.loads(await answer.read())


async def test_what_was_told_where_and_why(http, shim, memory):
    """
    Each request tells its lines, why the memory chose them, and where they stand; the
    session tells what stands in its newest request.
    """
    memory.lines = [because(FACT, "novelty 1.0")]
    await says(http, shim, chat("one", system="Be brief."))
    memory.lines = [because(OTHER, "conflict"), because("? odd", "met often")]
    await says(http, shim, chat("one", "two", "three", system="Be brief."))
    status, told = await why(http, shim)

    assert status == 200
    first, second = told["requests"]
    assert (first["route"], first["result"]) == ("/api/chat", "full")
    assert first["told"] == [
        {
            "side": "before",
            "message": 1,
            "role": "system",
            "path": "messages.0.content",
            "concept": "gnommoweb",
            "text": FACT,
            "kind": "recollection",
            "why": "novelty 1.0",
        }
    ]
    assert {(it["side"], it["message"], it["path"]) for it in second["told"]} == {
        ("behind", 4, "messages.3.content")
    }
    assert [(it["kind"], it["why"]) for it in second["told"]] == [
        ("recollection", "conflict"),
        ("hint", "met often"),
    ]
    assert [(it["text"], it["why"], it["side"]) for it in told["standing"]] == [
        (FACT, "novelty 1.0", "before"),
        (OTHER, "conflict", "behind"),
        ("? odd", "met often", "behind"),
    ]
    assert first["added_ms"] > 0
    assert first["time"].endswith("Z")


@pytest.mark.parametrize(
    ("position", "side", "path"),
    [
        (POSITIONS.POSITION_SYSTEM, "before", "messages.0"),
        (POSITIONS.POSITION_RECENT, "before", "messages.0.content"),
    ],
    ids=["system", "recent"],
)
async def test_other_positions(http, shim, memory, position, side, path):
    """The lines told anew with every request are explained as well."""
    memory.position, memory.block = position, BLOCK
    memory.lines = [because(FACT, "novelty 1.0")]
    await says(http, shim, chat("one"))
    _, told = await why(http, shim)

    [each] = told["requests"][0]["told"]
    assert (each["side"], each["path"], each["text"]) == (side, path, FACT)
    assert told["standing"] == []


async def test_what_is_no_longer_true(http, shim, memory):
    """A rewritten line is told with what stands there now, and why."""
    memory.lines = [because(FACT, "novelty 1.0")]
    await says(http, shim, chat("one"))
    new = because("gnommoweb: [type] service", "met 5 times")
    memory.lines = []
    memory.changes = [pb.RecollectResponse.Change(told_index=0, line=new)]
    await says(http, shim, chat("one", "two", "three"))
    _, told = await why(http, shim)

    assert told["requests"][1]["rewritten"] == [
        {
            "concept": "gnommoweb",
            "old": FACT,
            "new": new.text,
            "why": "met 5 times",
        }
    ]
    assert [(it["text"], it["why"]) for it in told["standing"]] == [
        (new.text, "met 5 times")
    ]


async def test_what_was_learnt(http, shim, memory):
    """A prompt's statement is explained with its outcome."""
    triple = Triple(concept="a", parent="b", dimension="type", is_isa=True)
    memory.outcomes = [
        Outcome(verdict=Outcome.VERDICT_HELD, triple=triple),
        Outcome(
            verdict=Outcome.VERDICT_CONFLICTED,
            triple=triple,
            reason="isa_isa",
            conflict_id=7,
            message=SECRET,
        ),
    ]
    await says(http, shim, chat("one"))
    _, told = await why(http, shim)

    held, conflicted = told["requests"][0]["learnt"]
    assert (held["outcome"], held["concept"], held["relation"]) == ("held", "a", "isa")
    assert (conflicted["outcome"], conflicted["reason"]) == ("conflicted", "isa_isa")
    assert conflicted["conflict_id"] == 7
    assert SECRET not in json.dumps(told)


async def test_what_was_missed(http, shim, memory):
    """A prompt that had to do without the memory says so, beside what was put back."""
    memory.lines = [because(FACT, "novelty 1.0")]
    await says(http, shim, chat("one"))
    await memory.stop()
    await says(http, shim, chat("one", "two", "three"))
    _, told = await why(http, shim)

    missed = told["requests"][1]
    assert (missed["result"], missed["missed"]) == ("replay", "memory-down")
    assert (missed["told"], missed["blocks"]) == ([], 1)


async def test_loops(http, shim):
    """A loop, and the measures against it, are explained without the repeated text."""
    await play(http, shim, [TASK, *[READ] * 4], headers=NAMED)
    _, told = await why(http, shim)

    loops = [it for each in told["requests"] for it in each["loops"]]
    assert [(it["rule"], it["rung"], it["count"]) for it in loops] == [
        ("repeat", "temperature", 3),
        ("repeat", "forbid", 4),
    ]
    assert loops[1]["rungs"] == ["temperature", "forbid"]
    assert "README" not in json.dumps(told)


async def test_a_stopped_request_is_told_of(http, start_shim):
    """So is what was done to a request that was not forwarded."""
    shim = await start_shim(loops={"rungs": ["stop"]})
    await ask(http, shim, [TASK, *[READ] * 3], headers=NAMED)
    _, told = await why(http, shim)

    assert told["requests"][0]["result"] == "skipped:loop"
    assert told["requests"][0]["loops"][0]["rung"] == "stop"


async def test_an_answer_that_was_cut(http, shim, ollama):
    """The findings in an answer come to the account of its request."""
    ollama.knobs.reply = SENTENCE * 100
    await says(http, shim, {**chat("one"), "stream": True})
    _, told = await why(http, shim)

    [loop] = told["requests"][0]["loops"]
    assert (loop["rule"], loop["rung"]) == ("answer", "cut")


async def test_no_message_is_in_it(http, shim, memory):
    """It holds lines and concepts, and no text of a message."""
    memory.lines = [because(FACT, "novelty 1.0")]
    await says(http, shim, chat(SECRET, SECRET, SECRET, system=SECRET))
    _, told = await why(http, shim)

    answer = await http.get(f"{shim.url}/festinger/why/s%2F1", headers=TEXT)
    assert FACT in json.dumps(told)
    assert SECRET not in json.dumps(told)
    assert SECRET not in await answer.text()


async def test_as_text(http, shim, memory):
    """For people it is one readable text."""
    triple = Triple(concept="a", parent="b", dimension="type", is_isa=True)
    memory.outcomes = [Outcome(verdict=Outcome.VERDICT_HELD, triple=triple)]
    memory.lines = [because(FACT, "novelty 1.0")]
    await says(http, shim, chat("one", system="Be brief."))
    answer = await http.get(f"{shim.url}/festinger/why/s/1", headers=TEXT)
    text = await answer.text()

    assert answer.content_type == "text/plain"
    assert "session s/1\n" in text
    assert "told before messages.0.content (message 1, system):" in text
    assert "gnommoweb: [type] repo   — novelty 1.0" in text
    assert "held: a -isa b [type]" in text


# Who may ask


async def test_sessions_are_told_to_who_leads_them(http, shim):
    """Nobody sees another's sessions: not with another key, nor without one."""
    key = {"Authorization": "Bearer ann"}
    await says(http, shim, chat("one"), **key)

    assert (await why(http, shim, **key))[0] == 200
    assert (await why(http, shim, **{"X-Api-Key": "ann"}))[0] == 200
    for other in ({}, {"Authorization": "Bearer bob"}):
        status, body = await why(http, shim, **other)
        assert status == 404
        assert "X-Festinger-Session" in body["error"]
        assert (await why(http, shim, "", **other))[1] == {"sessions": []}


async def test_sessions_of_a_name(http, shim):
    """A caller of `/as/NAME` asks there."""
    await says(http, shim, chat("one"), "/as/ann/api/chat")

    assert (await why(http, shim, prefix="/as/ann"))[0] == 200
    assert (await why(http, shim, prefix="/as/bob"))[0] == 404
    assert (await why(http, shim))[0] == 404


async def test_which_sessions_there_are(http, shim):
    """Without a name it lists the sessions, the last used first."""
    await http.post(f"{shim.url}/api/chat", json=chat("one"))
    await says(http, shim, chat("two"))
    status, body = await why(http, shim, "")

    assert status == 200
    assert body["sessions"][0]["session"] == "s/1"
    assert [it["requests"] for it in body["sessions"]] == [1, 1]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Sec-Fetch-Site": "none"}, 200),
    ],
)
@pytest.mark.parametrize("name", ["", "s/1"])
async def test_foreign_pages_are_refused(http, shim, headers, status, name):
    """A page of another site does not read it, nor one that rebinds its name."""
    await says(http, shim, chat("one"))

    assert (await why(http, shim, name, **headers))[0] == status


async def test_it_is_only_read(http, shim, ollama):
    """Other methods are refused, and nothing of it reaches the upstream."""
    answer = await http.post(f"{shim.url}/festinger/why/s", json={})

    assert answer.status == 405
    assert ollama.requests == []


# How much is kept


def test_the_newest_requests_are_kept():
    """A session keeps so many requests, and no blocks but the newest's."""
    accounts = SessionAccounts()
    for number in range(REQUESTS_MAX + 5):
        accounts.add(
            "ann",
            "s",
            RequestRecord(route=str(number), standing={b"": ToldBlock((), b"")}),
        )

    history = accounts.of("ann", "s")
    assert history
    assert history.requests[0].route == "5"
    assert len(history.requests) == REQUESTS_MAX
    assert [it.standing for it in history.requests] == [{}] * REQUESTS_MAX


def test_sessions_that_are_not_used_are_forgotten():
    """All accounts together weigh no more than they may."""
    accounts = SessionAccounts(bytes_max=100_000)
    for number in range(1000):
        accounts.add("ann", f"s{number // 2}", RequestRecord())
        accounts.add("ann", "busy", RequestRecord())

    kept = accounts.sessions("ann")
    assert sum(history.weight for history in kept) <= 100_000
    assert accounts.of("ann", "s0") is None
    assert {history.session for history in kept[:2]} == {"busy", "s499"}


SAYING = 'nan, 3 Mar: "Kassel delivers the stock file at 05:40."'


def quote():
    """Return a quotation, as the memory tells it."""
    kinds = pb.RecollectResponse.Line
    told = because(SAYING, "helps with 60%")
    told.concept, told.kind = "said 1.0@1", kinds.KIND_QUOTE
    return told


async def test_a_quotation_that_no_longer_holds_is_not_shown(http, shim, memory):
    """
    The memory is asked whenever somebody looks; the words are nowhere in the answer, be
    it that they were forgotten or that nobody can say.
    """
    memory.lines = [quote()]
    await says(http, shim, chat("one"))
    _, told = await why(http, shim)
    memory.changes = [pb.RecollectResponse.Change(told_index=0)]
    _, forgotten = await why(http, shim)
    memory.changes, memory.abort = [], grpc.StatusCode.UNAVAILABLE
    _, unsure = await why(http, shim)

    assert told["requests"][0]["told"][0]["kind"] == "quote"
    assert [it["text"] for it in told["standing"]] == [SAYING]
    for body in (forgotten, unsure):
        assert "05:40" not in json.dumps(body)
        assert body["requests"][0]["told"][0]["text"].startswith("(")
    assert memory.recollects[-1].told[0].text == SAYING
    assert not memory.recollects[-1].turns


async def test_old_and_new_words_of_a_correction(http, shim, memory):
    """The replacement of a quotation is shown as long as that holds itself."""
    memory.lines = [quote()]
    await says(http, shim, chat("one"))
    newer = quote()
    newer.concept, newer.text = "said 1.0>2.0@2", 'nan, 4 Mar: "It comes at six."'
    memory.lines = []
    memory.changes = [pb.RecollectResponse.Change(told_index=0, line=newer)]
    await says(http, shim, chat("one", "Ok.", "two"))
    memory.changes = []
    _, told = await why(http, shim)

    [change] = told["requests"][1]["rewritten"]
    assert (change["old"], change["new"]) == (SAYING, newer.text)
    asked = {(it.concept, it.text) for it in memory.recollects[-1].told}
    assert (newer.concept, newer.text) in asked


async def test_forgotten_words_are_in_no_account(http, shim, memory):
    """Once the session's next prompt has heard of it, they are not even held."""
    memory.lines = [quote()]
    await says(http, shim, chat("one"))
    memory.lines, memory.changes = [], [pb.RecollectResponse.Change(told_index=0)]
    await says(http, shim, chat("one", "Ok.", "two"))
    accounts = shim._dispatcher._shim.accounts
    history = accounts.of("local", "s/1")

    shown = [report_of("local", "s/1", each) for each in history.requests]
    assert "05:40" not in json.dumps(shown)
    assert shown[1]["rewritten"][0]["old"].startswith("(forgotten")
