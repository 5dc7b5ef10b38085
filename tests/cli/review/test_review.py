"""`festinger conflicts` and `festinger validation candidates`, as processes against a server."""

from __future__ import annotations

import asyncio
import socket

import pytest
from click.testing import CliRunner

from festinger.api.v1 import memory_service_pb2 as pb
from festinger.api.v1.conflict_pb2 import Conflict
from festinger.cli import cli
from festinger.credentials import OPERATOR, token_file
from tests.serving import Client


async def contradict(client, *names):
    """
    Makes a conflict about each name.
    """
    for name in names:
        await client.states(f"{name} -isa repo")
        await client.states(f"{name} -isa container")


async def doubt(client, *names):
    """
    Makes a candidate about each name: a tool's result states something of it.
    """
    for name in names:
        turn = pb.Turn(role=pb.Turn.ROLE_TOOL, text=f"{name} is a pet")
        await client.memory.Recollect(
            pb.RecollectRequest(turns=[turn]), metadata=Client.as_("guest")
        )
    # It is committed after them.
    await client.states("last -isa statement")


async def dismiss(client, number):
    """
    Has a conflict decided, by the operator.
    """
    request = pb.ResolveRequest(conflict_id=number, decision=Conflict.DECISION_DISMISS)
    await client.memory.Resolve(request, metadata=Client.as_("operator"))


async def placings(client, token):
    """
    What places a concept: its parents by their dimensions.
    """
    return {it.dimension: it.parent for it in (await client.concept(token)).edges}


async def test_conflicts_that_wait_are_listed(operator):
    """
    Each has its number, what is held, what was refused, and who stated it.
    """
    await contradict(operator.client, "gnommoweb", "wiki")
    await operator.client.states("wiki -isa container")

    assert await operator.prints("conflicts") == (
        "#1 pending  gnommoweb [type]: held repo, refused container  "
        "(isa_isa, by local)\n"
        "#2 pending  wiki [type]: held repo, refused container  "
        "(isa_isa, by local, 2 times)\n"
    )


async def test_conflict_shows_the_sentence_it_stood_in(operator):
    """
    What a prompt stated is quoted below it.
    """
    await operator.client.states("gnommoweb -isa repo")
    await operator.client.says("gnommoweb is not a repo.")
    await operator.client.states("last -isa statement")

    assert await operator.prints("conflicts") == (
        "#1 pending  gnommoweb [type]: held repo, refused not repo  "
        "(negation, by local)\n"
        "    “gnommoweb is not a repo.”\n"
    )


@pytest.mark.parametrize(
    ("role", "command"),
    [(pb.Turn.ROLE_USER, "conflicts"), (pb.Turn.ROLE_TOOL, "validation candidates")],
    ids=["conflicts", "candidates"],
)
async def test_nothing_said_moves_the_cursor(operator, role, command):
    """
    What somebody said to an agent is text in the operator's terminal.
    """
    await operator.client.states("gnommoweb -isa repo")
    turn = pb.Turn(role=role, text="gnommoweb is a pet of \x1b]0;mine\x07 ours")
    await operator.client.memory.Recollect(pb.RecollectRequest(turns=[turn]))
    await operator.client.states("last -isa statement")

    printed = await operator.prints(*command.split())

    assert "\N{REPLACEMENT CHARACTER}]0;" in printed
    assert "\x1b" not in printed


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("conflicts", "No conflict waits."),
        ("validation candidates", "No candidate waits."),
    ],
)
async def test_empty_list_says_so(operator, command, line):
    """
    Where nothing waits there is a sentence and no error.
    """
    assert await operator.prints(*command.split()) == f"{line}\n"


async def test_list_is_whole(operator):
    """
    What does not fit on a page is listed too, each once.
    """
    names = [f"name{number:02}x" for number in range(51)]
    await contradict(operator.client, *names)

    listed = await operator.prints("conflicts")

    assert [line.split()[2] for line in listed.splitlines()] == names


DECISIONS = [
    pytest.param(
        ("update", "1"),
        {"type": "container"},
        "#1 resolved  gnommoweb [type]: met repo; in question was container"
        "  (isa_isa, by local)\n    update, decided by operator: carol says so",
        id="update",
    ),
    pytest.param(
        ("dismiss", "1"),
        {"type": "repo"},
        "#1 dismissed  gnommoweb [type]: met repo; in question was container"
        "  (isa_isa, by local)\n    dismiss, decided by operator: carol says so",
        id="dismiss",
    ),
    pytest.param(
        ("decompose", "1", "--existing", "Code Host", "--incoming", "deployment"),
        {"code_host": "repo", "deployment": "container"},
        "#1 resolved  gnommoweb [type]: met repo; in question was container"
        "  (isa_isa, by local)\n    decompose, decided by operator: carol says so",
        id="decompose",
    ),
    pytest.param(
        ("decompose", "1", "--existing", "type", "--incoming", "deployment"),
        {"type": "repo", "deployment": "container"},
        "#1 resolved  gnommoweb [type]: met repo; in question was container"
        "  (isa_isa, by local)\n    decompose, decided by operator: carol says so",
        id="decompose where the fact stands",
    ),
    pytest.param(
        ("reclassify", "1", "--incoming", "deployment"),
        {"type": "repo", "deployment": "container"},
        "#1 resolved  gnommoweb [type]: met repo; in question was container"
        "  (isa_isa, by local)\n    reclassify, decided by operator: carol says so",
        id="reclassify",
    ),
]


@pytest.mark.parametrize(("words", "held", "line"), DECISIONS)
async def test_conflict_is_decided(operator, words, held, line):
    """
    Each decision changes the memory as it says, and is shown with its reason.
    """
    await contradict(operator.client, "gnommoweb")

    printed = await operator.prints("conflicts", *words, "--because", "carol says so")

    assert printed == f"{line}\n"
    assert await placings(operator.client, "gnommoweb") == held


async def test_reason_may_be_left_out(operator):
    """
    Without --because a decision has no reason.
    """
    await contradict(operator.client, "gnommoweb")

    printed = await operator.prints("conflicts", "update", "1")

    assert printed.endswith("    update, decided by operator\n")
    assert (await operator.client.conflict(1)).resolution.reasoning == ""


async def test_decided_conflicts_are_listed_on_demand(operator):
    """
    --all lists what was decided beside what waits.
    """
    await contradict(operator.client, "gnommoweb", "wiki")
    await dismiss(operator.client, 1)

    waiting = await operator.prints("conflicts")
    everything = await operator.prints("conflicts", "--all")

    assert waiting.startswith("#2 pending")
    assert everything.startswith("#1 dismissed")
    assert everything.endswith(waiting)


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        (("decompose", "1", "--incoming", "deployment"), "--existing"),
        (("reclassify", "1"), "--incoming"),
    ],
)
async def test_move_needs_its_dimensions(operator, words, missing):
    """
    A decision that moves something and does not say where to is a usage error.
    """
    await contradict(operator.client, "gnommoweb")

    code, _, complained = await operator.runs("conflicts", *words)

    assert code == 2
    assert f"Missing option '{missing}'" in complained
    assert (await operator.client.conflict(1)).state == Conflict.STATE_PENDING


@pytest.mark.parametrize(
    "words",
    [
        ("conflicts", "dismiss"),
        ("validation", "candidates", "confirm"),
        ("system", "models", "test"),
        ("graph", "resolve"),
        ("review", "ingestions", "extract"),
        ("memories", "interactions", "forget"),
    ],
    ids=" ".join,
)
def test_number_that_is_too_large_is_refused(words):
    """
    Nothing is called so: a usage error, and nobody is asked.
    """
    done = CliRunner().invoke(cli, [*words, str(2**63)])

    assert done.exit_code == 2
    assert f"{2**63} is not in the range" in done.output


async def test_refusal_is_a_sentence(operator):
    """
    What the server refuses is said in its words, with exit code 1.
    """
    await contradict(operator.client, "gnommoweb")
    await dismiss(operator.client, 1)

    refused = await operator.runs(
        "conflicts", "reclassify", "1", "--incoming", "deployment"
    )

    assert refused == (
        1,
        "",
        "festinger: conflict #1 was dismissed by operator on 2027-01-15 08:00 UTC\n",
    )


async def test_deciding_needs_the_operators_token(operator):
    """
    Without the token the command says where it would be, and nothing is decided.
    """
    await contradict(operator.client, "gnommoweb")
    file = token_file(operator.data_dir, OPERATOR)
    file.unlink()

    code, _, complained = await operator.runs("conflicts", "update", "1")

    assert code == 1
    assert complained.startswith(f"festinger: this needs the operator's token, {file}")
    assert (await operator.client.conflict(1)).state == Conflict.STATE_PENDING


async def test_another_memory_is_named_before_the_decision(operator):
    """
    The options of the connection hold for the commands behind them.
    """
    code, _, complained = await operator.runs(
        "conflicts", "--tenant", "nowhere", "dismiss", "1"
    )

    assert code == 1
    assert "nowhere" in complained


async def test_no_server_says_how_to_start_one(operator):
    """
    Without a server the command says where it looked, and how to start one.
    """
    with socket.socket() as reserved:  # bound, but it does not listen
        reserved.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{reserved.getsockname()[1]}"
        code, _, complained = await operator.runs(
            "validation", "candidates", "--server", address
        )

    assert code == 1
    assert complained.startswith(f"festinger: no memory server at {address}.")


async def test_server_that_goes_away_is_none(operator):
    """
    One that dies in the middle of a call is spoken of as one that was never there.
    """

    async def die(reader, writer):
        writer.write(b"\0\0\0\4\0\0\0\0\0")  # the settings that HTTP/2 begins with
        while b"ListCandidates" not in await reader.read(4096):
            pass
        writer.transport.abort()

    async with await asyncio.start_server(die, "127.0.0.1", 0) as server:
        address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
        code, _, complained = await operator.runs(
            "validation", "candidates", "--server", address
        )

    assert code == 1
    assert complained.startswith(f"festinger: no memory server at {address}.")


async def test_candidates_that_wait_are_listed(operator):
    """
    Each has its number, what was stated, why it waits, and the words it stood in.
    """
    await doubt(operator.client, "ant")

    assert await operator.prints("validation", "candidates") == (
        "#1 pending_validation  ant: [type] pet  "
        "(tool_text, confidence 0.75, by guest)\n"
        "    “ant is a pet”\n"
    )


async def test_candidate_is_confirmed(operator):
    """
    What a person confirmed is held.
    """
    await doubt(operator.client, "ant")

    printed = await operator.prints("validation", "candidates", "confirm", "1")

    assert printed == "confirmed #1: ant: [type] pet — held\n"
    assert await placings(operator.client, "ant") == {"type": "pet"}


async def test_confirmed_candidate_may_conflict(operator):
    """
    What contradicts a fact is queued, and the conflict is named.
    """
    await operator.client.states("ant -isa insect")
    await doubt(operator.client, "ant")

    printed = await operator.prints("validation", "candidates", "confirm", "1")

    assert printed == ("confirmed #1: ant: [type] pet — conflicted as conflict #1\n")


async def test_candidate_is_rejected(operator):
    """
    What a person rejected is not held, waits no more, and is listed on demand.
    """
    await doubt(operator.client, "ant", "bee")

    printed = await operator.prints("validation", "candidates", "reject", "1")

    assert printed == "rejected #1: ant: [type] pet\n"
    assert await placings(operator.client, "ant") == {}
    waiting = await operator.prints("validation", "candidates")
    everything = await operator.prints("validation", "candidates", "--all")
    assert waiting.startswith("#2 pending_validation  bee")
    assert everything.startswith("#1 rejected  ant")
    assert everything.endswith(waiting)
