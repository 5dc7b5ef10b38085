from __future__ import annotations

import grpc
import pytest

from festinger.api.v1 import config_service_pb2 as config_pb
from festinger.api.v1 import inquiry_service_pb2 as pb
from festinger.api.v1 import source_pb2
from festinger.errors import BadAnswer
from tests.serving import refused

Inquiry = pb.Inquiry
OPERATOR = (("authorization", "Bearer operator"),)
USE = "please use the gnommoweb service instead"
ANSWER = {
    "triples": [
        {
            "concept": "gnommoweb",
            "parent": "service",
            "dimension": "type",
            "is_isa": True,
            "confidence": 0.9,
        }
    ]
}


@pytest.fixture
async def chosen(client):
    """
    A server whose operator chose a model for writing.
    """
    await client.config.UpdateSetting(
        config_pb.UpdateSettingRequest(key="write_model_id", value="1"),
        metadata=OPERATOR,
    )
    return client


async def inquiries(client, **fields):
    """
    What is asked, as operators see it.
    """
    return await client.inquiries.ListInquiries(
        pb.ListInquiriesRequest(**fields), metadata=OPERATOR
    )


async def retry(client, concept):
    """
    Has a model asked again.
    """
    request = pb.RetryInquiryRequest(concept=concept)
    return (await client.inquiries.RetryInquiry(request, metadata=OPERATOR)).inquiry


async def meet(client, text=USE, times=16):
    """
    Says something so often that it crosses the write threshold.
    """
    for _ in range(times):
        await client.says(text)


async def test_write_threshold_to_recollection(chosen, inquirer, model):
    """
    A concept crosses the write threshold, a model is asked, its answer becomes an edge,
    and the next prompt is told.
    """
    model.says(ANSWER)
    await meet(chosen, times=15)
    await inquirer.listen()
    assert not (await inquiries(chosen)).inquiries
    await meet(chosen, times=1)
    await inquirer.listen()
    await inquirer.look()
    await inquirer.finished()

    told = await chosen.says("what do I do with gnommoweb?")

    assert "gnommoweb: [type] service" in told.block.splitlines()
    concept = await chosen.concept("gnommoweb")
    (edge,) = concept.edges
    assert edge.source == source_pb2.SOURCE_CLOUD_LLM
    assert concept.novelty == 1.0


async def test_what_waits_is_listed(chosen, inquirer):
    """
    The concept, how often it was met, its sentences and since when it waits.
    """
    await meet(chosen)
    await inquirer.listen()

    listed = await inquiries(chosen)

    (inquiry,) = listed.inquiries
    assert (inquiry.concept, inquiry.encounter_count) == ("gnommoweb", 16)
    assert inquiry.state == Inquiry.STATE_WAITING
    assert list(inquiry.sentences) == [USE]
    assert inquiry.HasField("due_time")
    assert not inquiry.HasField("end_time")
    assert listed.resting == ""


async def test_what_is_done_says_what_became_of_it(chosen, inquirer, model):
    """
    The statement and the gate's verdict; the sentences are gone.
    """
    model.says(ANSWER)
    await meet(chosen)
    await inquirer.listen()
    await inquirer.look()
    await inquirer.finished()

    (inquiry,) = (await inquiries(chosen, states=[Inquiry.STATE_DONE])).inquiries

    (finding,) = inquiry.findings
    assert finding.fact == "gnommoweb -isa service in context of type"
    assert (finding.outcome, finding.reason) == ("held", "")
    assert list(inquiry.sentences) == []
    assert inquiry.HasField("end_time")
    assert not (await inquiries(chosen, states=[Inquiry.STATE_WAITING])).inquiries


async def test_failure_is_shown_and_retried(chosen, inquirer, model):
    """
    How often and why it failed; by hand it is asked at once.
    """
    model.says(BadAnswer("it answered with prose"), ANSWER)
    await meet(chosen)
    await inquirer.listen()
    await inquirer.look()
    await inquirer.finished()
    (failed,) = (await inquiries(chosen)).inquiries

    retried = await retry(chosen, "Gnommoweb")
    await inquirer.look()
    await inquirer.finished()

    assert (failed.attempts, failed.last_error) == (1, "it answered with prose")
    assert (retried.attempts, retried.last_error) == (0, "")
    assert (await chosen.concept("gnommoweb")).edges


async def test_resting_says_what_to_do(client):
    """
    Without a model nobody is asked, and the command that chooses one is named (F1).
    """
    listed = await inquiries(client)

    assert "festinger config set write_model_id" in listed.resting


async def test_list_is_paged(chosen, inquirer):
    """
    Page by page in the order of the concepts, each once.
    """
    names = ("zork", "dobby", "winky")
    for name in names:
        await meet(chosen, USE.replace("gnommoweb", name))
    await inquirer.listen()
    first = await inquiries(chosen, page_size=2)

    second = await inquiries(chosen, page_size=2, page_token=first.next_page_token)

    pages = [*first.inquiries, *second.inquiries]
    assert [it.concept for it in pages] == list(names)
    assert second.next_page_token == ""


async def test_unknown_concept_cannot_be_retried(client):
    """
    It names the concept, and the command that lists those that wait.
    """
    with refused() as error:
        await retry(client, "zork")

    assert (error.code, error.reason) == (
        grpc.StatusCode.NOT_FOUND,
        "INQUIRY_NOT_FOUND",
    )
    assert error.metadata == {"concept": "zork"}


@pytest.mark.parametrize("method", ["ListInquiries", "RetryInquiry"])
async def test_agents_may_not(client, method):
    """
    What people said, and what is spent on models, is for operators.
    """
    request = getattr(pb, f"{method}Request")()
    with refused() as error:
        await getattr(client.inquiries, method)(request, metadata=client.as_("guest"))

    assert error.code is grpc.StatusCode.PERMISSION_DENIED
