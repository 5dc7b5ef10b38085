"""Both clients against a memory server: what they send, and what they return."""

from __future__ import annotations

from festinger.api.v1.admin_service_pb2 import CheckWorldRequest
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.api.v1.line_service_pb2 import ExportLinesRequest, Note
from festinger.api.v1.memory_service_pb2 import RecollectRequest, Turn
from festinger.api.v1.outcome_pb2 import Outcome
from festinger.client.channel import ClientScope, from_environment


def prompt(text: str) -> RecollectRequest:
    """Return a prompt that teaches nothing."""
    turn = Turn(role=Turn.ROLE_USER, text=text, seen=True)
    return RecollectRequest(turns=[turn])


async def test_contradiction_is_an_outcome(memory):
    """A fact is held, another one is queued, and both are there to be read."""
    held = await memory.assert_fact("gnommoweb -isa repo")
    queued = await memory.assert_fact("gnommoweb -isa container")

    assert held.verdict == Outcome.VERDICT_HELD
    assert queued.verdict == Outcome.VERDICT_CONFLICTED
    (edge,) = (await memory.concept("gnommoweb")).edges
    assert (edge.parent, edge.contested) == ("repo", True)
    (conflict,) = await memory.conflicts()
    assert conflict.id == queued.conflict_id


async def test_operator_resolves(memory, connections, client):
    """A decision comes back with the conflict as it is now."""
    await memory.assert_fact("gnommoweb -isa repo")
    queued = await memory.assert_fact("gnommoweb -isa container")
    operator = connections.to(client.address, token="operator")

    settled = await operator.resolve(
        queued.conflict_id, Conflict.DECISION_UPDATE, reasoning="it moved"
    )

    assert settled.state == Conflict.STATE_RESOLVED
    assert settled.resolution.reasoning == "it moved"
    assert await memory.conflicts() == []


async def test_fact_is_taken_back(memory):
    """A retracted fact is not held any more, with the reason."""
    await memory.assert_fact("gnommoweb -isa repo")

    taken = await memory.retract("gnommoweb -isa repo", "it moved")

    assert taken.triple.parent == "repo"
    assert list((await memory.concept("gnommoweb")).edges) == []


async def test_sentence_is_kept_found_and_forgotten(memory):
    """Lines are found by their words, with who said them and where."""
    said = await memory.say("The stock file from Kassel arrives at 05:40.")
    (line,) = (await memory.search("stock file", limit=5)).lines

    assert [it.name for it in said.lines] == [line.name]
    assert line.speaker == "guest"
    gone = await memory.forget([line.name])
    assert gone.total_size == 1
    assert list((await memory.search("stock file")).lines) == []


async def test_search_is_narrowed(connections, client):
    """The client's project is where something is said; a search may be of one project."""
    shop = connections.to(client.address, project="Läden & Co")
    await shop.say("The stock file from Kassel arrives at 05:40.")

    found = await shop.search("stock file", project="Läden & Co")
    elsewhere = await shop.search("stock file", project="bakery")

    assert [it.project for it in found.lines] == ["Läden & Co"]
    assert list(elsewhere.lines) == []


async def test_scoped_client_shares_the_connection(connections, client):
    """Another person and project for some calls, which a trusted token may name."""
    memory = connections.to(client.address, token="shim")

    other = await memory.scoped(person="nadia", project="shop")
    said = await other.say("I park in row 7.")

    (line,) = said.lines
    assert (line.speaker, line.project) == ("nadia", "shop")


async def test_notes_are_kept_as_they_are(memory):
    """A note is a line of its session; what it states passes the gate."""
    note = Note(text='{"service": "billing"}', reading="billing is a service.")

    kept = await memory.keep_notes([note], "records", "shop")

    (line,) = kept.lines
    assert (line.quote, line.session, line.project) == (
        '{"service": "billing"}',
        "records",
        "shop",
    )
    assert kept.outcomes[0].verdict == Outcome.VERDICT_HELD


async def test_prompt_is_recollected(memory):
    """Known facts come as lines and as a block."""
    await memory.assert_fact("gnommoweb -isa repo")

    told = await memory.recollect(prompt("Where is gnommoweb?"))

    assert [it.text for it in told.lines] == ["gnommoweb: [type] repo"]
    assert "<recollection>" in told.block


async def test_text_is_tokenised(memory):
    """Each token comes with its place."""
    tokens = await memory.tokenise("The gnommoweb")

    assert [(it.text, it.start_offset) for it in tokens] == [
        ("the", 0),
        ("gnommoweb", 4),
    ]


async def test_any_call_can_be_made(memory, connections, client):
    """By service and method; one with several answers yields them."""
    await memory.assert_fact("gnommoweb -isa repo")
    operator = connections.to(client.address, token="operator")

    checked = await operator.call("AdminService.CheckWorld", CheckWorldRequest())
    pages = await operator.stream("LineService.ExportLines", ExportLinesRequest())

    assert checked.IsInitialized()
    assert [it.subject for page in pages for it in page.lines] == ["gnommoweb"]


def test_environment_names_the_server():
    """The variables are those of the other programs; missing ones leave the defaults."""
    environment = {"FESTINGER_SERVER": "host:1", "FESTINGER_PROJECT": "shop", "X": "y"}

    assert from_environment(environment) == {"address": "host:1", "project": "shop"}


def test_scope_becomes_metadata():
    """Names of any script are escaped, and what is empty is not sent."""
    scope = ClientScope(tenant="acme", token="t", project="Läden", person="nadia")

    assert dict(scope.metadata) == {
        "festinger-tenant": "acme",
        "authorization": "Bearer t",
        "festinger-project": "L%C3%A4den",
        "festinger-principal": "nadia",
        "festinger-subject": "nadia",
    }
    assert ClientScope().metadata == ()
