"""RPC methods that preview, lease, report, find and list questions."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence

import grpc

from festinger.api.v1 import validation_pb2
from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1.validation_service_pb2_grpc import ValidationServiceServicer
from festinger.core.validation.posting import PostingReport, PostingResult
from festinger.core.validation.questions import Question, QuestionState
from festinger.errors import InvalidArgument, PermissionDenied
from festinger.rpc.convert import checked, reference_of
from festinger.rpc.fields import from_numbers, members_of, message_of
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system import paging
from festinger.rpc.system.callers import CALLER, Context, checked_name
from festinger.services.validation.questioner import Questioner
from festinger.services.world.tenant_memory import TenantMemory
from festinger.store.validation.records import BotTargets

_STATES = members_of(validation_pb2.Question.State, QuestionState)
LEASED, LEASED_MAX = 20, 100
"""Number of questions that are leased at once: the default and the maximum."""
NAMES_MAX = 10_000
"""Maximum number of recipients, and of channels, that one bot can reach."""
PLATFORM_CHARACTERS_MAX = 40
REFERENCE_CHARACTERS_MAX = 400
ERROR_CHARACTERS_MAX = 400


class QuestionMethods(TenantServicer, ValidationServiceServicer):
    """Question methods of `festinger.rpc.validation.validation_service`."""

    _questioner: Questioner | None

    async def GetQuestion(
        self, request: pb.GetQuestionRequest, context: Context
    ) -> pb.GetQuestionResponse:
        """Return the question about a candidate; moderators only, if it is private."""
        caller = CALLER.get()
        memory = await self._memory()
        questioner = await self._need_questioner(context)
        async with memory.store.reading(memory.tenant) as reads:
            candidate = await reference_of(request).read(reads)
        policy = memory.validation.policy
        # The question quotes what is private, so that not even its author gets it here.
        if candidate.sensitive and not (
            caller.operator or policy.is_moderator(caller.principal)
        ):
            raise PermissionDenied(
                f"candidate #{candidate.id} holds what is private: it is shown to "
                "moderators and operators only",
                candidate_id=str(candidate.id),
            )
        question = await questioner.preview(memory, candidate)
        return pb.GetQuestionResponse(question=to_question(question, memory))

    async def LeaseQuestions(
        self, request: pb.LeaseQuestionsRequest, context: Context
    ) -> pb.LeaseQuestionsResponse:
        """Lease to a bot the questions to post and the posted messages to update."""
        if request.page_size < 0:
            raise InvalidArgument("page_size must not be negative", field="page_size")
        # A question is leased only to a bot that can post it, and to one process at a time.
        reach = BotTargets(
            _platform(request.platform),
            _names(request.recipients, "recipients"),
            _names(request.channels, "channels"),
            _lessee(request.lessee),
        )
        memory = await self._memory()
        size = min(request.page_size or LEASED, LEASED_MAX)
        leased = await (await self._need_questioner(context)).lease(memory, reach, size)
        return pb.LeaseQuestionsResponse(
            post=[to_question(each, memory) for each in leased.post],
            update=[to_question(each, memory) for each in leased.update],
        )

    async def ReportQuestion(
        self, request: pb.ReportQuestionRequest, context: Context
    ) -> pb.ReportQuestionResponse:
        """Record what a bot did with a leased question."""
        report = _report(request)
        memory = await self._memory()
        # Refused if the lease ran out: another process may have posted the question since.
        question = await (await self._need_questioner(context)).report(
            memory, request.question_id, _lessee(request.lessee), report
        )
        return pb.ReportQuestionResponse(question=to_question(question, memory))

    async def FindQuestion(
        self, request: pb.FindQuestionRequest, context: Context
    ) -> pb.FindQuestionResponse:
        """Return the questions of a posted message."""
        platform = _platform(request.platform)
        if not request.reference:
            raise InvalidArgument("reference must not be empty", field="reference")
        reference = checked(request.reference, "reference", REFERENCE_CHARACTERS_MAX)
        memory = await self._memory()
        found = await (await self._need_questioner(context)).questions.find(
            memory.tenant, platform, reference
        )
        return pb.FindQuestionResponse(
            questions=[to_question(each, memory) for each in found]
        )

    async def ListQuestions(
        self, request: pb.ListQuestionsRequest, context: Context
    ) -> pb.ListQuestionsResponse:
        """Return a page of questions, newest first."""
        size = paging.page_size(request.page_size)
        before = paging.after_number(request.page_token)
        memory = await self._memory()
        found = await (await self._need_questioner(context)).questions.list(
            memory.tenant,
            candidate_id=request.candidate_id,
            states=from_numbers(request.states, _STATES, "states"),
            before=before,
            limit=size + 1,
        )
        more = len(found) > size
        return pb.ListQuestionsResponse(
            questions=[to_question(each, memory) for each in found[:size]],
            next_page_token=paging.page_token(found[size - 1].id) if more else "",
        )

    async def SetOptOut(
        self, request: pb.SetOptOutRequest, context: Context
    ) -> pb.SetOptOutResponse:
        """Set whether a person opts out of being asked."""
        caller = CALLER.get()
        principal = caller.principal
        if request.principal:
            principal = checked_name(request.principal, "principal")
        # A bot speaks for the person of its metadata, and for nobody else.
        if principal != caller.principal and not caller.operator:
            raise PermissionDenied(
                f"{caller.principal} may not speak for {principal}: only operators "
                "do for others",
                principal=principal,
            )
        memory = await self._memory()
        await (await self._need_questioner(context)).set_opt_out(
            memory, principal, out=request.opted_out, said_by=caller.principal
        )
        return pb.SetOptOutResponse(principal=principal, opted_out=request.opted_out)

    async def _need_questioner(self, context: Context) -> Questioner:
        if self._questioner is None:
            await context.abort(
                grpc.StatusCode.UNIMPLEMENTED, "this server asks people nothing"
            )
        assert self._questioner, "abort raises"
        return self._questioner


def to_question(question: Question, memory: TenantMemory) -> validation_pb2.Question:
    """Convert a question to a message, which hides whether its answer is known."""
    # An audit with a known answer must look like any other question (I5).
    return message_of(
        validation_pb2.Question,
        question,
        more_url=more_url(memory.validation.policy.console_url, question),
        item_id=question.item,
    )


def more_url(console: str, question: Question) -> str:
    """Return the URL of what it is about in the console; empty if that has none."""
    # The setting may name the console's first page.
    site = console.rstrip("/").removesuffix("/admin")
    if not site:
        return ""
    if question.item:  # items are decided in the inbox
        return f"{site}/admin/inbox?at={question.item}"
    return f"{site}/admin/curation/{question.candidate_id}"


def _report(request: pb.ReportQuestionRequest) -> PostingReport:
    """Convert a bot's report on a question, or raise `InvalidArgument`."""
    try:
        result = PostingResult(request.result)
    except ValueError:
        raise InvalidArgument(
            f"result is one of {', '.join(PostingResult)}", field="result"
        ) from None
    # Without it nobody knew to which question a reaction belongs.
    if result is PostingResult.POSTED and not request.reference:
        raise InvalidArgument(
            "reference must name the message that was posted", field="reference"
        )
    return PostingReport(
        result,
        reference=checked(request.reference, "reference", REFERENCE_CHARACTERS_MAX),
        # Cut, not refused: it is a platform's text.
        error=checked(
            request.error[:ERROR_CHARACTERS_MAX], "error", ERROR_CHARACTERS_MAX
        ),
    )


def _platform(name: str) -> str:
    if not name:
        raise InvalidArgument(
            "platform must say where they are posted", field="platform"
        )
    return checked(name, "platform", PLATFORM_CHARACTERS_MAX)


def _lessee(text: str) -> str:
    try:
        return str(uuid.UUID(text))  # one form for equal UUIDs
    except ValueError:
        raise InvalidArgument(
            "lessee must be a UUID that names the bot's process", field="lessee"
        ) from None


def _names(names: Iterable[str], field: str) -> Sequence[str]:
    """Check names, and drop empty ones; or raise `InvalidArgument`."""
    # An empty name would match questions without a recipient.
    found = [checked(name, field, 400) for name in names if name]
    if len(found) > NAMES_MAX:
        raise InvalidArgument(f"{field} has at most {NAMES_MAX} names", field=field)
    return found
