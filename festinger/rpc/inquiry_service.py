"""InquiryService: the concepts that a model is asked about."""

from __future__ import annotations

from collections.abc import Mapping

from festinger.api.v1 import inquiry_service_pb2 as pb
from festinger.api.v1 import inquiry_service_pb2_grpc
from festinger.core.inquiry import Inquiry, InquiryState
from festinger.core.statement import to_token
from festinger.flows.inquirer import Inquirer
from festinger.flows.memory import Memories
from festinger.rpc import convert, paging
from festinger.rpc.callers import CALLER, Context

_STATES: Mapping[int, InquiryState] = {
    pb.Inquiry.State.Value(f"STATE_{state.name}"): state for state in InquiryState
}


class InquiryServicer(inquiry_service_pb2_grpc.InquiryServiceServicer):
    """Shows what is asked, and has it asked again."""

    def __init__(self, memories: Memories, inquirer: Inquirer) -> None:
        self._memories = memories
        self._inquirer = inquirer

    async def ListInquiries(
        self, request: pb.ListInquiriesRequest, context: Context
    ) -> pb.ListInquiriesResponse:
        """Lists inquiries, and says whether anybody is asked."""
        size = paging.page_size(request.page_size)
        after = paging.after_number(request.page_token)
        memory = await self._memories.get(*CALLER.get().wanted)
        inquiries = await self._inquirer.inquiries.list(
            memory.tenant,
            states=[_STATES[state] for state in request.states if state in _STATES],
            after=after,
            limit=size + 1,
        )
        last = inquiries[size - 1].concept_id if len(inquiries) > size else None
        return pb.ListInquiriesResponse(
            inquiries=map(_to_inquiry, inquiries[:size]),
            next_page_token="" if last is None else paging.page_token(last),
            resting=self._inquirer.resting(memory),
        )

    async def RetryInquiry(
        self, request: pb.RetryInquiryRequest, context: Context
    ) -> pb.RetryInquiryResponse:
        """Has the model asked as soon as possible."""
        concept = to_token(request.concept, "concept")
        memory = await self._memories.get(*CALLER.get().wanted)
        inquiry = await self._inquirer.retry(memory.tenant, concept)
        return pb.RetryInquiryResponse(inquiry=_to_inquiry(inquiry))


def _to_inquiry(inquiry: Inquiry) -> pb.Inquiry:
    waits = inquiry.state is InquiryState.WAITING
    return pb.Inquiry(
        concept=inquiry.concept,
        state=f"STATE_{inquiry.state.name}",
        encounter_count=inquiry.encounters,
        sentences=[mention.text for mention in inquiry.mentions],
        attempts=inquiry.attempts,
        last_error=inquiry.last_error,
        create_time=convert.to_time(inquiry.created),
        due_time=convert.to_time(inquiry.due if waits else None),
        end_time=convert.to_time(inquiry.ended),
        findings=[
            pb.Inquiry.Finding(
                fact=finding.triple, outcome=finding.outcome, reason=finding.reason
            )
            for finding in inquiry.findings
        ],
    )
