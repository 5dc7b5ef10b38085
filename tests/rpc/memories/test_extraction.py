from __future__ import annotations

import asyncio

import grpc
import pytest

from festinger.api.v1 import config_service_pb2 as config_pb
from festinger.api.v1 import extraction_service_pb2 as pb
from festinger.api.v1 import memory_service_pb2 as memory_pb
from festinger.api.v1.memory_record_pb2 import MemoryRecord
from festinger.errors import BadAnswer
from festinger.rpc.system.paging import page_token
from tests.services.memories.test_extraction import (
    CONCEPT,
    INVENTED,
    LOVES,
    PASTA,
    STUDIO,
    WEAK,
    answer,
)
from tests.serving import Client, refused

OPERATOR = Client.as_("operator")
SHIM = Client.as_("shim", principal="alice", subject="alice")
Interaction = pb.Interaction
USER = memory_pb.Turn.ROLE_USER


@pytest.fixture
async def chosen(client):
    """A server whose operator chose a model for extracting."""
    await client.config.UpdateSetting(
        config_pb.UpdateSettingRequest(key="extract_model_id", value="1"),
        metadata=OPERATOR,
    )
    return client


async def capture(client, *texts, who=SHIM, **fields):
    """Capture a person's text."""
    turns = [memory_pb.Turn(role=USER, text=text) for text in texts]
    fields.setdefault("session", "s1")
    fields.setdefault("extract", True)
    request = pb.CaptureRequest(turns=turns, **fields)
    return await client.extraction.Capture(request, metadata=who)


async def asks(client, method, who=OPERATOR, **fields):
    """Return the answer to an operator's call."""
    request = getattr(pb, f"{method}Request")(**fields)
    return await getattr(client.extraction, method)(request, metadata=who)


async def test_from_conversation_to_memory(chosen, model):
    """The shim captures on behalf of somebody, an operator extracts, and sees all of it."""
    model.says(answer(LOVES, WEAK))
    captured = await capture(chosen, PASTA, project="kitchen")

    extracted = await asks(chosen, "Extract", interaction_id=captured.interaction.id)

    assert captured.added_count == 1
    assert captured.interaction.state == Interaction.STATE_OPEN
    assert (captured.interaction.subject, captured.interaction.principal) == (
        "alice",
        "alice",
    )
    found = extracted.interaction
    assert found.state == Interaction.STATE_EXTRACTED
    assert (found.found_count, found.stored_count) == (2, 1)
    assert [turn.text for turn in found.turns] == [PASTA]
    assert found.summary == PASTA
    loves, weak = found.findings
    assert (loves.type, loves.outcome, loves.reason) == (
        MemoryRecord.TYPE_USER_FACT,
        "active",
        "",
    )
    assert loves.record_id
    assert (weak.outcome, weak.reason) == ("rejected", "not_grounded_in_summary")
    assert found.log[0] == "[EXTRACTION] Processing summary for alice"
    read = await asks(chosen, "GetInteraction", interaction_id=found.id)
    assert read.interaction == found


@pytest.mark.parametrize(
    ("who", "fields"),
    [
        ((), {"subject": "alice"}),
        (Client.as_("guest"), {"subject": "alice"}),
        (SHIM, {"subject": "bob"}),
        (Client.as_("shim"), {"subject": "alice"}),
    ],
)
async def test_who_may_not_capture(client, who, fields):
    """Nobody who is not trusted, and nobody for others than they speak for (E5)."""
    with refused() as refusal:
        await capture(client, "Hello!", who=who, **fields)

    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED
    listed = await asks(client, "ListInteractions")
    assert not listed.interactions


@pytest.mark.parametrize(
    ("who", "fields", "field"),
    [
        (Client.as_("shim"), {}, "subject"),
        (OPERATOR, {}, "subject"),
        (OPERATOR, {"subject": "the user"}, "subject"),
        (SHIM, {"session": "x" * 201}, "session"),
        (SHIM, {"project": "nul\0"}, "project"),
        (SHIM, {"request_id": "x" * 129}, "request_id"),
    ],
)
async def test_bad_captures(client, who, fields, field):
    """Each field that cannot be used is named."""
    with refused() as refusal:
        await capture(client, "Hello!", who=who, **fields)

    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refusal.metadata["field"] == field


async def test_no_turn_is_no_capture(client):
    """A call without turns says nothing."""
    with refused() as refusal:
        await capture(client)

    assert (refusal.code, refusal.metadata) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        {"field": "turns"},
    )


@pytest.mark.parametrize(
    ("method", "fields", "field"),
    [
        ("ListInteractions", {"subject": "nul\0"}, "subject"),
        ("ListInteractions", {"subject": "x" * 201}, "subject"),
        ("ListInteractions", {"states": [99]}, "states"),
        ("ListRejections", {"subject": "nul\0"}, "subject"),
    ],
)
async def test_bad_lists(client, method, fields, field):
    """An unknown filter is refused, and named."""
    with refused() as refusal:
        await asks(client, method, **fields)

    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refusal.metadata["field"] == field


async def test_any_number_may_be_asked_for(client):
    """A number of 64 bits is one that nothing has, and a list goes on behind it."""
    largest = 2**63 - 1

    of_none = await asks(client, "ListRejections", interaction_id=largest)
    before = await asks(client, "ListRejections", page_token=page_token(10**17))

    assert not of_none.rejections
    assert not before.rejections


async def test_operators_name_the_subject(client):
    """Whoever operates the memory captures for anybody, and repeats it for nothing."""
    fields = {"who": OPERATOR, "subject": "bob", "session": "", "request_id": "r1"}
    first = await capture(client, "Hello!", **fields)
    again = await capture(client, "Hello!", **fields)

    assert first == again
    assert (first.interaction.subject, first.interaction.principal) == (
        "bob",
        "operator",
    )
    kept = (await asks(client, "ListInteractions")).interactions
    assert [it.id for it in kept] == [first.interaction.id]
    with refused() as refusal:
        await capture(client, "Ho!", **fields)
    assert refusal.reason == "REQUEST_ID_REUSED"


@pytest.mark.parametrize(
    "method",
    [
        "GetInteraction",
        "ListInteractions",
        "Extract",
        "ForgetInteraction",
        "ListRejections",
        "GetRejectionReport",
    ],
)
@pytest.mark.parametrize("who", [(), SHIM, Client.as_("guest")])
async def test_the_rest_is_for_operators(client, method, who):
    """People's words are not for agents to read, nor to have read."""
    with refused() as refusal:
        await asks(client, method, who=who)

    assert refusal.code is grpc.StatusCode.PERMISSION_DENIED


@pytest.mark.parametrize("method", ["GetInteraction", "Extract", "ForgetInteraction"])
async def test_there_is_no_such_interaction(chosen, method):
    """A number that nobody has is said to be none."""
    with refused() as refusal:
        await asks(chosen, method, interaction_id=7)

    assert (refusal.code, refusal.reason) == (
        grpc.StatusCode.NOT_FOUND,
        "INTERACTION_NOT_FOUND",
    )
    assert refusal.metadata == {"interaction_id": "7"}


async def test_list_is_paged(client):
    """Page after page, by state and subject, without what was said."""
    for i in range(5):
        await capture(client, f"Hello {i}!", session=f"s{i}")
    await capture(client, "Hello!", who=OPERATOR, subject="bob")
    first = await asks(client, "ListInteractions", page_size=4, subject="alice")
    rest = await asks(
        client,
        "ListInteractions",
        page_size=4,
        subject="alice",
        page_token=first.next_page_token,
    )
    none = await asks(client, "ListInteractions", states=[Interaction.STATE_FORGOTTEN])

    listed = [*first.interactions, *rest.interactions]
    assert [it.session for it in listed] == ["s0", "s1", "s2", "s3", "s4"]
    assert all(it.turn_count == 1 and not it.turns for it in listed)
    assert rest.next_page_token == ""
    assert not none.interactions
    assert "festinger config set extract_model_id" in first.resting


async def test_no_model_no_extraction(client):
    """Without a model the call says which setting chooses one."""
    captured = await capture(client, PASTA)

    with refused() as refusal:
        await asks(client, "Extract", interaction_id=captured.interaction.id)

    assert (refusal.code, refusal.reason) == (
        grpc.StatusCode.FAILED_PRECONDITION,
        "NO_MODEL",
    )
    assert refusal.metadata == {"key": "extract_model_id"}


async def test_failure_is_told_and_shown(chosen, model):
    """The failure is told to the caller who asked, and to later ones."""
    model.says(BadAnswer("it answered with prose"))
    captured = await capture(chosen, PASTA)

    with refused() as refusal:
        await asks(chosen, "Extract", interaction_id=captured.interaction.id)

    assert refusal.reason == "MODEL_FAILED"
    listed = await asks(chosen, "ListInteractions", states=[Interaction.STATE_FAILED])
    (failed,) = listed.interactions
    assert (failed.attempts, failed.last_error) == (1, "it answered with prose")


async def test_slow_extraction_goes_on(
    serve, chosen, model, memory_extractor, monkeypatch
):
    """A call whose time is up answers as far as it came; the work is done all the same."""
    go_on = asyncio.Event()
    ask = model.ask

    async def slowly(*arguments, **fields):
        await go_on.wait()
        return await ask(*arguments, **fields)

    monkeypatch.setattr(model, "ask", slowly)
    model.says(answer(LOVES))
    captured = await capture(chosen, PASTA)
    request = pb.ExtractRequest(interaction_id=captured.interaction.id)

    slow = await chosen.extraction.Extract(request, metadata=OPERATOR, timeout=2)
    go_on.set()
    await memory_extractor.finished()

    assert slow.interaction.state == Interaction.STATE_SUMMARISED
    read = await asks(chosen, "GetInteraction", interaction_id=1)
    assert read.interaction.state == Interaction.STATE_EXTRACTED


async def test_rejections_and_their_report(chosen, model):
    """Rejected memories are listed newest first, page after page, with recommendations."""
    model.says(answer(LOVES), answer(WEAK), answer(INVENTED))
    for number, text in enumerate((PASTA, CONCEPT, STUDIO), 1):
        await capture(chosen, text, session=f"s{number}")
        await asks(chosen, "Extract", interaction_id=number)

    first = await asks(chosen, "ListRejections", page_size=1)
    second = await asks(
        chosen, "ListRejections", page_size=1, page_token=first.next_page_token
    )
    proposals = await asks(chosen, "ListRejections", proposals_only=True)
    of_one = await asks(chosen, "ListRejections", interaction_id=3, subject="alice")
    report = await asks(chosen, "GetRejectionReport")
    last = await asks(chosen, "GetRejectionReport", last_count=1)

    (invented,), (weak,) = first.rejections, second.rejections
    assert (invented.reason, invented.text) == ("hallucination", INVENTED["text"])
    assert not invented.validation.exact_match
    assert "professional" in invented.validation.reason
    assert (weak.proposal, weak.confidence, weak.threshold) == (True, 0.65, 0.75)
    assert second.next_page_token == ""
    assert list(proposals.rejections) == [weak]
    assert list(of_one.rejections) == [invented]
    assert report.extraction_count == 3
    shares = {each.name: (each.count, each.share) for each in report.shares}
    assert shares == {
        "Below threshold": (1, pytest.approx(1 / 3)),
        "Hallucination": (1, pytest.approx(1 / 3)),
        "Accepted": (1, pytest.approx(1 / 3)),
    }
    assert report.lines[0] == "[REJECTION SUMMARY] Last 3 extractions"
    assert report.trend == "USER_PATTERN with confidence 0.65 (needs 0.75+)"
    assert "pattern confidence" in report.recommendation
    assert [each.name for each in last.shares] == ["Hallucination", "Accepted"]


async def test_report_of_nothing(client):
    """Without extractions nothing is recommended; a negative count is none."""
    report = await asks(client, "GetRejectionReport")

    assert (report.extraction_count, report.trend, list(report.shares)) == (0, "", [])
    with refused() as refusal:
        await asks(client, "GetRejectionReport", last_count=-1)
    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT


async def test_forgotten(chosen, model):
    """
    Deleted conversations lose their text and keep their counts; nothing can be
    extracted of them.
    """
    model.says(answer(INVENTED))
    await capture(chosen, STUDIO)
    await asks(chosen, "Extract", interaction_id=1)

    left = await asks(chosen, "ForgetInteraction", interaction_id=1)
    again = await asks(chosen, "ForgetInteraction", interaction_id=1)

    assert left == again
    assert left.interaction.state == Interaction.STATE_FORGOTTEN
    read = await asks(chosen, "GetInteraction", interaction_id=1)
    assert (list(read.interaction.turns), read.interaction.summary) == ([], "")
    (rejection,) = (await asks(chosen, "ListRejections")).rejections
    assert (rejection.text, rejection.reason) == ("", "hallucination")
    assert not rejection.HasField("validation")
    with refused() as refusal:
        await asks(chosen, "Extract", interaction_id=1)
    assert refusal.reason == "SOURCE_GONE"
