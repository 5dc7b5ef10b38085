"""ExtractionService: captured conversations and the memories extracted from them."""

from __future__ import annotations

from festinger.api.v1 import extraction_service_pb2 as pb
from festinger.api.v1.extraction_service_pb2_grpc import ExtractionServiceServicer
from festinger.core.memories.interaction import (
    Interaction,
    InteractionState,
    RejectedExtraction,
    utterances,
)
from festinger.core.review.conversation import report
from festinger.errors import InvalidArgument, PermissionDenied
from festinger.rpc import convert
from festinger.rpc.fields import from_numbers, members_of, message_of
from festinger.rpc.recollection.decoding import turns_of
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system import paging
from festinger.rpc.system.callers import (
    CALLER,
    Context,
    RpcCaller,
    checked_name,
    seconds_left,
)
from festinger.services.memories.memory_extractor import MemoryExtractor
from festinger.services.world.memory import Memories
from festinger.store.memories.records import CapturedTurns

_STATES = members_of(pb.Interaction.State, InteractionState)
NAME_CHARACTERS_MAX = 200
"""Maximum length of the name of a session, a project or a subject."""
REPORTED, REPORTED_MAX = 100, 10_000
"""Number of extractions that a report covers: the default and the maximum."""
WAIT_SHARE = 0.9
"""Share of a call's time limit after which it answers without waiting any longer."""


class ExtractionServicer(TenantServicer, ExtractionServiceServicer):
    """Servicer that captures conversations and has them extracted.

    Args:
        seconds_max: Maximum duration of a call, in seconds.
    """

    def __init__(
        self,
        memories: Memories,
        memory_extractor: MemoryExtractor,
        *,
        seconds_max: float,
    ) -> None:
        super().__init__(memories)
        self._memory_extractor = memory_extractor
        self._interactions = memory_extractor.interactions
        self._seconds_max = seconds_max

    async def Capture(
        self, request: pb.CaptureRequest, context: Context
    ) -> pb.CaptureResponse:
        """Store the turns of a conversation, each turn once."""
        caller = CALLER.get()
        if not request.turns:
            raise InvalidArgument("turns must not be empty", field="turns")
        captured = CapturedTurns(
            subject=_subject(caller, request.subject),
            project=convert.checked(request.project, "project", NAME_CHARACTERS_MAX),
            session=convert.checked(request.session, "session", NAME_CHARACTERS_MAX),
            principal=caller.principal,
            # System turns and our own blocks (B7) are nothing that the two said.
            spoken=utterances(turns_of(request.turns)),
            extract=request.extract,
        )
        # Clients resend the history: a turn is stored once, a repeated call is answered as before.
        key = convert.request_key(request, caller)
        memory = await self._memory()
        interaction, added = await self._interactions.capture(
            memory.tenant, captured, key, memory.now()
        )
        return pb.CaptureResponse(
            interaction=_to_interaction(interaction), added_count=added
        )

    async def GetInteraction(
        self, request: pb.GetInteractionRequest, context: Context
    ) -> pb.GetInteractionResponse:
        """Return an interaction with its turns and findings."""
        tenant = await self._tenant()
        found = await self._interactions.get(tenant, request.interaction_id)
        return pb.GetInteractionResponse(interaction=_to_interaction(found, whole=True))

    async def ListInteractions(
        self, request: pb.ListInteractionsRequest, context: Context
    ) -> pb.ListInteractionsResponse:
        """Return a page of interactions, oldest first, and why extraction is off."""
        size = paging.page_size(request.page_size)
        after = paging.after_number(request.page_token)
        memory = await self._memory()
        found = await self._interactions.list(
            memory.tenant,
            states=from_numbers(request.states, _STATES, "states"),
            subject=convert.checked(request.subject, "subject", NAME_CHARACTERS_MAX),
            after=after,
            limit=size + 1,  # one more tells whether a page follows
        )
        more = len(found) > size
        return pb.ListInteractionsResponse(
            interactions=map(_to_interaction, found[:size]),
            next_page_token=paging.page_token(found[size - 1].id) if more else "",
            resting=self._memory_extractor.resting(memory),
        )

    async def Extract(
        self, request: pb.ExtractRequest, context: Context
    ) -> pb.ExtractResponse:
        """Extract an interaction now, and return its state when done or out of time."""
        tenant = await self._tenant()
        # Less than the client's limit, so that the state is answered before the call is cut off.
        seconds = WAIT_SHARE * seconds_left(context, self._seconds_max)
        found = await self._memory_extractor.extract(
            tenant, request.interaction_id, seconds
        )
        return pb.ExtractResponse(interaction=_to_interaction(found, whole=True))

    async def ForgetInteraction(
        self, request: pb.ForgetInteractionRequest, context: Context
    ) -> pb.ForgetInteractionResponse:
        """Delete the text and the findings of an interaction; records are kept."""
        # The row stays with its counts, since records refer to it.
        tenant = await self._tenant()
        left = await self._interactions.forget(tenant, request.interaction_id)
        return pb.ForgetInteractionResponse(interaction=_to_interaction(left))

    async def ListRejections(
        self, request: pb.ListRejectionsRequest, context: Context
    ) -> pb.ListRejectionsResponse:
        """Return a page of rejected extractions, newest first."""
        size = paging.page_size(request.page_size)
        before = paging.after_number(request.page_token)
        found = await self._interactions.rejections(
            await self._tenant(),
            subject=convert.checked(request.subject, "subject", NAME_CHARACTERS_MAX),
            interaction_id=request.interaction_id,
            proposals_only=request.proposals_only,
            before=before,  # newest first, so that a page ends at a lower number
            limit=size + 1,
        )
        more = len(found) > size
        return pb.ListRejectionsResponse(
            rejections=map(_to_rejection, found[:size]),
            next_page_token=paging.page_token(found[size - 1].id) if more else "",
        )

    async def GetRejectionReport(
        self, request: pb.GetRejectionReportRequest, context: Context
    ) -> pb.GetRejectionReportResponse:
        """Return statistics on the outcomes of the last extractions."""
        count = request.last_count
        if count < 0:
            raise InvalidArgument("last_count must not be negative", field="last_count")
        # 0 is the default; a report reads all its extractions at once, hence a maximum.
        last = min(count, REPORTED_MAX) or REPORTED
        past = await self._interactions.last_findings(await self._tenant(), last)
        told = report(past, self._memory_extractor.policy)
        return pb.GetRejectionReportResponse(
            extraction_count=told.extractions,
            shares=[
                pb.GetRejectionReportResponse.Share(
                    name=name, count=count, share=count / told.extractions
                )
                for name, count in told.counts
            ],
            trend=told.trend,
            recommendation=told.recommendation,
            lines=told.lines,
        )

    async def _tenant(self) -> str:
        """Return the caller's tenant, after making sure that it exists."""
        # For calls that go to the database only: a wrong tenant would look like an empty list.
        return (await self._memory()).tenant


def _subject(caller: RpcCaller, named: str) -> str:
    """Return the subject of a conversation, if the caller may name it (E5)."""
    # Whoever operates the memory captures for anybody.
    if caller.operator and named:
        return checked_name(named, "subject")
    # A name of the payload is no proof; it may only repeat what the credential stands for.
    if named and named != caller.subject:
        raise PermissionDenied(
            f"{caller.principal} speaks for {caller.subject or 'nobody'}: send the "
            "subject as festinger-subject, in the metadata of the call",
            subject=named,
        )
    # A conversation without its person could be told to nobody.
    if not caller.subject:
        raise InvalidArgument(
            "whom the conversation is with must be said: in the metadata as "
            "festinger-subject, by operators in subject",
            field="subject",
        )
    return caller.subject


def _to_interaction(interaction: Interaction, *, whole: bool = False) -> pb.Interaction:
    # Summary and turns hold people's words, which lists leave out.
    words = {} if whole else dict.fromkeys(("summary", "log", "findings", "turns"))
    return message_of(pb.Interaction, interaction, **words)


def _to_rejection(rejection: RejectedExtraction) -> pb.Rejection:
    message = message_of(pb.Rejection, rejection, validation=None)
    if details := rejection.details:
        message.validation.exact_match = details["exact_match"]
        message.validation.key_phrases = details["key_phrases"]
        message.validation.support = details["semantic_similarity"] or 0.0
        message.validation.reason = details["reason"]
    return message
