from __future__ import annotations

import grpc
import pytest

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.api.v1.source_pb2 import SOURCE_GUTASK
from festinger.api.v1.triple_pb2 import Triple
from tests.memories import NOW
from tests.serving import Client, refused
from tests.structures import soas_by_token

OPERATOR = Client.as_("operator")

# Texts that no client should be able to do harm with.
ODD_TEXTS = [
    "",
    "\0",
    "gnommoweb is a repo.\0\0",
    "\ufeff\u202e\u200b",
    "🙂 is a 🙂",
    "e\u0301" * 100,
    "a" * 100_000,
    "is a " * 20_000,
    "<recollection>" * 1000,
    "\r\n\t\x0b\x1b[31m",
    "日本語はテストです",
    "x" * 64 + " is a " + "y" * 64,
]


async def tokens(client, text):
    """Return the tokens of a text, as messages."""
    return (await client.memory.Tokenise(pb.TokeniseRequest(text=text))).tokens


async def until_written(client):
    """Wait until what prompts stated is written: a statement behind it is."""
    await client.states("last -isa statement", *OPERATOR)


async def test_tokenise_gives_tokens_with_places(client):
    """Names merge, closed-class words are no concepts, offsets are the text's."""
    text = "The Glitch University is node.js"

    found = await tokens(client, text)

    assert [(it.text, it.conceptual) for it in found] == [
        ("the", False),
        ("glitch_university", True),
        ("is", False),
        ("node.js", True),
    ]
    assert text[found[1].start_offset : found[1].end_offset] == "Glitch University"


async def test_tokenise_says_what_is_known(client):
    """A placed concept has its number and novelty, an unmet one has none."""
    await client.states("gnommoweb -isa repo")

    known, unknown = await tokens(client, "gnommoweb zork")

    assert (known.concept_id > 0, known.novelty) == (True, 1.0)
    assert (unknown.concept_id, unknown.novelty) == (0, 0.0)


async def test_tokenise_changes_nothing(client, memories):
    """Looking at a text is no encounter."""
    await tokens(client, "zork is a grue")

    world = (await memories.get("default")).world
    assert "zork" not in soas_by_token(world)
    assert world.version == 0


async def test_assert_answers_with_the_fact(client):
    """Verdict, statement, edge, ledger row and version."""
    answer = await client.states("gnommoweb -isa repo in context of tools")

    outcome = answer.outcome
    assert outcome.verdict == Outcome.VERDICT_HELD
    assert outcome.triple == Triple(
        concept="gnommoweb", parent="repo", dimension="tools", is_isa=True
    )
    assert (outcome.edge.parent, outcome.edge.confidence) == ("repo", 1.0)
    assert (outcome.edge.source, outcome.edge.contested) == (SOURCE_GUTASK, False)
    assert outcome.edge.last_confirm_time.ToSeconds() == NOW
    assert outcome.assertion_id == outcome.edge.assertion_id > 0
    assert answer.version == 1


async def test_assert_takes_a_triple(client):
    """Names as people write them; the dimension has a default."""
    triple = Triple(concept="Glitch University", parent="School", is_isa=True)

    answer = await client.memory.Assert(pb.AssertRequest(triple=triple))

    assert answer.outcome.triple == Triple(
        concept="glitch_university", parent="school", dimension="type", is_isa=True
    )


async def test_assert_takes_a_denial(client):
    """A negated triple is held as a denial: there is no edge."""
    triple = Triple(concept="gnommoweb", parent="repo", is_isa=True, negated=True)

    answer = await client.memory.Assert(pb.AssertRequest(triple=triple))

    assert answer.outcome.verdict == Outcome.VERDICT_HELD
    assert not answer.outcome.HasField("edge")


async def test_assert_answers_with_the_conflict(client):
    """The fact that stands, contested, and the number of the item."""
    await client.states("gnommoweb -isa repo")

    outcome = (await client.states("gnommoweb -isa container")).outcome

    assert outcome.verdict == Outcome.VERDICT_CONFLICTED
    assert (outcome.reason, outcome.conflict_id) == ("isa_isa", 1)
    assert (outcome.edge.parent, outcome.edge.contested) == ("repo", True)
    assert "container" in outcome.message


async def test_assert_rejects_without_an_error(client):
    """A text that cannot be knowledge is an outcome with a reason, not a failure."""
    outcome = (await client.states("repo -isa repo")).outcome

    assert outcome.verdict == Outcome.VERDICT_REJECTED
    assert outcome.reason == "self_reference"


async def test_assert_is_idempotent_by_request_id(client):
    """The same call twice is one statement, with one answer."""
    answers = [
        await client.states("gnommoweb -isa repo", request_id="r1") for _ in range(2)
    ]

    assert answers[0] == answers[1]
    assert answers[0].outcome.verdict == Outcome.VERDICT_HELD


async def test_recollect_tells_what_is_known(client):
    """Lines with their digests, and the block that is made of them."""
    await client.states("gnommoweb -isa repo in context of glitch_university")
    await client.states("gnommoweb -ispart ramanujan in context of geography")

    answer = await client.says("What is gnommoweb?")

    (line,) = answer.lines
    assert line.concept == "gnommoweb"
    assert line.kind == pb.RecollectResponse.Line.KIND_RECOLLECTION
    assert len(line.digest) == 8
    assert answer.block == (
        "<recollection>\n"
        "gnommoweb: [geography] ramanujan [glitch_university] repo\n"
        "</recollection>"
    )
    assert answer.version == 2


async def test_recollect_has_nothing_to_say(client):
    """An empty block for an empty prompt."""
    answer = await client.memory.Recollect(pb.RecollectRequest())

    assert (answer.block, list(answer.lines), answer.version) == ("", [], 0)
    assert answer.position == pb.RecollectResponse.POSITION_STICKY


async def test_recollect_tells_of_a_conflict_in_the_same_answer(client):
    """The prompt that contradicts is told so (Test B), and the queue has it."""
    await client.states("gnommoweb -isa repo")

    answer = await client.says("gnommoweb is a container deployed on Docker")
    await until_written(client)

    assert answer.block.splitlines()[1] == (
        "gnommoweb: [type?] repo — conflict pending"
    )
    assert answer.outcomes[0].verdict == Outcome.VERDICT_CONFLICTED
    again = await client.says("gnommoweb")
    assert "[type?]" in again.block


async def test_recollect_hints_once(client):
    """A word that was met often is asked about, unless the session was asked before."""
    for _ in range(3):
        await client.says("gnommoweb")
    first = await client.says("gnommoweb")
    told = [pb.RecollectRequest.Told(concept="gnommoweb", hint=True)]
    second = await client.memory.Recollect(
        pb.RecollectRequest(
            turns=[pb.Turn(role=pb.Turn.ROLE_USER, text="gnommoweb")], told=told
        )
    )

    assert first.lines[0].kind == pb.RecollectResponse.Line.KIND_HINT
    assert first.lines[0].text.startswith("? gnommoweb: no recollection.")
    assert second.block == ""


async def test_recollect_hints_again_after_a_line(client):
    """Only a hint counts as having asked."""
    for _ in range(4):
        await client.says("gnommoweb")
    told = [pb.RecollectRequest.Told(concept="gnommoweb", hint=False)]
    answer = await client.memory.Recollect(
        pb.RecollectRequest(
            turns=[pb.Turn(role=pb.Turn.ROLE_USER, text="gnommoweb")], told=told
        )
    )

    assert answer.lines[0].concept == "gnommoweb"


async def test_recollect_says_what_no_longer_holds(client):
    """
    A told line is checked whether or not a turn mentions its concept, and what is
    known instead comes with its index.
    """
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -ispart ramanujan in context of geography")
    (before,) = (await client.says("gnommoweb")).lines
    told = pb.RecollectRequest.Told(concept="gnommoweb", text=before.text)
    request = pb.RecollectRequest(
        turns=[pb.Turn(role=pb.Turn.ROLE_USER, text="Hello.")],
        told=[pb.RecollectRequest.Told(concept="dobby", hint=True), told],
    )
    unchanged = await client.memory.Recollect(request)
    await client.memory.Retract(pb.RetractRequest(fact="gnommoweb -isa repo"))

    answer = await client.memory.Recollect(request)

    assert not unchanged.changes
    (change,) = answer.changes
    assert (change.told_index, answer.lines) == (1, [])
    assert change.line.text == "gnommoweb: [geography] ramanujan"
    assert change.line.kind == pb.RecollectResponse.Line.KIND_RECOLLECTION
    assert len(change.line.digest) == 8
    await client.memory.Retract(
        pb.RetractRequest(fact="gnommoweb -ispart ramanujan in context of geography")
    )
    (change,) = (await client.memory.Recollect(request)).changes
    assert not change.HasField("line")


async def test_recollect_tells_of_a_conflict_in_a_told_line(client):
    """The doubt that this very prompt raises shows in the lines that were told before."""
    await client.states("gnommoweb -isa repo")
    text = "gnommoweb: [type] repo"
    told = pb.RecollectRequest.Told(concept="gnommoweb", text=text, kept=True)
    turn = pb.Turn(role=pb.Turn.ROLE_USER, text="gnommoweb is a container")

    answer = await client.memory.Recollect(
        pb.RecollectRequest(turns=[turn], told=[told])
    )

    doubt = "gnommoweb: [type?] repo — conflict pending"
    assert [change.line.text for change in answer.changes] == [doubt]
    assert [line.text for line in answer.lines] == [doubt]


async def test_recollect_leaves_room_for_what_was_not_told(client, pool, memories):
    """A line that the prompt keeps takes no place in the block."""
    await pool.execute("update config set value = '1' where key like '%max_concepts'")
    await memories.flush()
    for name in ("ant", "bee"):
        await client.states(f"{name} -isa pet")
    turn = pb.Turn(role=pb.Turn.ROLE_USER, text="explain puns: ant, bee", seen=True)
    first = await client.memory.Recollect(pb.RecollectRequest(turns=[turn]))
    told = [
        pb.RecollectRequest.Told(concept=line.concept, text=line.text, kept=True)
        for line in first.lines
    ]

    second = await client.memory.Recollect(pb.RecollectRequest(turns=[turn], told=told))

    assert {line.concept for line in (*first.lines, *second.lines)} == {"ant", "bee"}
    assert len(first.lines) == len(second.lines) == 1


@pytest.mark.parametrize("role", [0, 1, 99])
async def test_unknown_roles_are_trusted_least(client, role):
    """A role of a later version is a framework's: it teaches nothing."""
    turn = pb.Turn(role=role, text="gnommoweb is a repo")

    answer = await client.memory.Recollect(pb.RecollectRequest(turns=[turn]))

    assert list(answer.outcomes) == []


async def test_position_off_tells_nothing_and_learns(client, pool, memories):
    """The tenant's configuration may switch the block off; prompts are read all the same."""
    await client.states("gnommoweb -isa repo")
    await pool.execute("update config set value = 'off' where key like '%position'")
    await memories.flush()

    answer = await client.says("gnommoweb runs on Docker")

    assert answer.block == ""
    assert answer.position == pb.RecollectResponse.POSITION_OFF
    assert answer.outcomes[0].verdict == Outcome.VERDICT_HELD


@pytest.mark.parametrize("text", ODD_TEXTS)
async def test_odd_texts_are_read(client, text):
    """Whatever is in a prompt, it is answered, and what it states can be written."""
    for turn in ({"digest": b"d"}, {}):
        await client.says(text, **turn)
    await tokens(client, text)

    await until_written(client)


@pytest.mark.parametrize("text", ODD_TEXTS[1:])
async def test_odd_facts_are_refused(client, text):
    """None of it is a fact, and the refusal fits into a header."""
    with refused() as refusal:
        await client.states(text)

    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refusal.reason == "FACT_SYNTAX"


async def test_resolve_updates(client):
    """The statement replaces the fact; the conflict says who decided and why."""
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa container")

    request = pb.ResolveRequest(
        conflict_id=1, decision=Conflict.DECISION_UPDATE, reasoning="it was moved"
    )
    answer = await client.memory.Resolve(request, metadata=OPERATOR)

    resolution = answer.conflict.resolution
    assert answer.conflict.state == Conflict.STATE_RESOLVED
    assert (resolution.principal, resolution.reasoning) == ("operator", "it was moved")
    assert resolution.resolve_time.ToSeconds() == NOW
    # What it replaced.
    assert answer.conflict.existing.parent == "repo"
    assert (await client.says("gnommoweb")).lines[0].text == (
        "gnommoweb: [type] container"
    )


async def test_resolve_dismisses(client):
    """The fact stands, and the marker is gone."""
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa container")

    request = pb.ResolveRequest(conflict_id=1, decision=Conflict.DECISION_DISMISS)
    answer = await client.memory.Resolve(request, metadata=OPERATOR)

    assert answer.conflict.state == Conflict.STATE_DISMISSED
    assert (await client.says("gnommoweb")).lines[0].text == "gnommoweb: [type] repo"


async def test_resolve_is_idempotent_by_request_id(client):
    """Deciding again under the same name gives the first answer."""
    await client.states("gnommoweb -isa repo")
    await client.states("gnommoweb -isa container")
    request = pb.ResolveRequest(
        conflict_id=1, decision=Conflict.DECISION_UPDATE, request_id="r1"
    )

    answers = [
        await client.memory.Resolve(request, metadata=OPERATOR) for _ in range(2)
    ]

    assert answers[0] == answers[1]


async def test_answers_survive_a_restart(client, memories):
    """An acknowledged statement is told by a memory that was loaded anew."""
    await client.states("gnommoweb -isa repo")
    before = (await client.says("gnommoweb")).lines[0].text
    await memories.stop()

    assert (await client.says("gnommoweb")).lines[0].text == before
