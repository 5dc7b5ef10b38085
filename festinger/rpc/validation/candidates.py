"""RPC methods that propose, read, answer and direct candidates."""

from __future__ import annotations

from festinger.api.v1 import candidate_pb2, validation_pb2
from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1.validation_service_pb2_grpc import ValidationServiceServicer
from festinger.core.graph.candidates import Candidate, Priority
from festinger.core.graph.predicates import Registry
from festinger.core.graph.proposal import (
    CandidateDetails,
    Evidence,
    Proposal,
    StatementSource,
    Triple,
)
from festinger.core.graph.statement import written_token
from festinger.core.system.excerpt import printable
from festinger.core.system.principals import is_same
from festinger.core.validation.lifecycle import tally_of
from festinger.core.validation.policy import ValidationPolicy
from festinger.core.validation.votes import EventResponse, ValidationEvent, VoterRole
from festinger.errors import InvalidArgument, PermissionDenied
from festinger.rpc import convert
from festinger.rpc.convert import NAME_CHARACTERS_MAX, checked, reference_of
from festinger.rpc.fields import from_number, members_of
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system.callers import CALLER, Context, RpcCaller, checked_name
from festinger.rpc.validation.questions import to_question
from festinger.services.review.item_answers import answer_item
from festinger.services.validation.answers import RecordAnswer
from festinger.services.validation.directions import DirectCandidate, Direction
from festinger.services.validation.proposals import ProposeCandidate as ProposingFlow
from festinger.services.validation.questioner import Questioner
from festinger.services.validation.reference import CandidateReference
from festinger.services.validation.responders import AnswerInput, role_of
from festinger.services.world.tenant_memory import TenantMemory

SENTENCE_CHARACTERS_MAX = 400
NOTE_CHARACTERS_MAX = 1_000
QUESTIONS_MAX = 200
"""Maximum number of questions that are returned with a candidate: the newest."""

_PRIORITIES = members_of(validation_pb2.Priority, Priority)
_RESPONSES = members_of(validation_pb2.ValidationEvent.Response, EventResponse)
_DIRECTIONS = members_of(pb.DirectCandidateRequest.Action, Direction)
_URGENT = (Priority.CRITICAL, Priority.HIGH)


class ProposingCalls(TenantServicer, ValidationServiceServicer):
    """Candidate methods of `festinger.rpc.validation.validation_service`."""

    _questioner: Questioner | None

    async def ProposeCandidate(
        self, request: pb.ProposeCandidateRequest, context: Context
    ) -> pb.ProposeCandidateResponse:
        """Propose a candidate, and return once it is committed."""
        caller = CALLER.get()
        memory = await self._memory()
        proposed = await memory.writer.submit(
            # A job of the writer: it may be known already, or held, which only the gate can tell.
            ProposingFlow(
                _proposal(request, caller, memory.registry, memory.validation.policy),
                convert.request_key(request, caller),
            )
        )
        candidate = proposed.candidate
        return pb.ProposeCandidateResponse(
            # None if it is held already, or rejected.
            candidate=_put_forward(caller, candidate, memory) if candidate else None,
            outcome=convert.to_outcome(proposed.outcome),
            version=proposed.version,
        )

    async def GetCandidate(
        self, request: pb.GetCandidateRequest, context: Context
    ) -> pb.GetCandidateResponse:
        """Return a candidate, with those answers and questions the caller may see."""
        caller = CALLER.get()
        memory = await self._memory()
        async with memory.store.reading(memory.tenant) as reads:
            candidate = await reference_of(request).read(reads)
            events = await reads.events(candidate.id)
            # Reputations weigh the votes of the tally.
            rated = await reads.rated()
        # Before anything of it is converted, as its evidence holds what is private.
        if candidate.sensitive:
            _check_private(caller, candidate, memory.validation.policy)
        # Neither tally nor answers, since a vote after seeing them says nothing of its voter (I5).
        if not _may_see(caller, candidate, events, memory.now()):
            return pb.GetCandidateResponse(
                candidate=convert.to_candidate(candidate),
                questions=await self._questions(caller, memory, candidate),
            )
        tally = tally_of(candidate, events, rated.reputations)
        return pb.GetCandidateResponse(
            candidate=convert.to_candidate(candidate, tally),
            events=map(convert.to_validation_event, events),
            questions=await self._questions(caller, memory, candidate),
        )

    async def _questions(
        self, caller: RpcCaller, memory: TenantMemory, candidate: Candidate
    ) -> list[validation_pb2.Question]:
        """Return the questions about a candidate, oldest first; for operators only."""
        if not caller.operator or self._questioner is None:
            return []
        asked = await self._questioner.questions.list(
            memory.tenant, candidate_id=candidate.id, limit=QUESTIONS_MAX
        )
        # Read newest first, so that the limit keeps those.
        return [to_question(each, memory) for each in reversed(asked)]

    async def Answer(
        self, request: pb.AnswerRequest, context: Context
    ) -> pb.AnswerResponse:
        """Record an answer, and return once what it decides is committed."""
        caller = CALLER.get()
        answer = _answer_input(request, caller)
        memory = await self._memory()
        # A question about an item of the inbox is a decision there, and no vote.
        if answer.question_id and self._questioner:
            questions = self._questioner.questions
            question = await questions.get(memory.tenant, answer.question_id)
            if question.item:
                # What is so instead, in the responder's words.
                instead = checked(request.instead, "instead", NOTE_CHARACTERS_MAX)
                message = await answer_item(
                    memory, questions, question, answer, instead
                )
                return pb.AnswerResponse(message=message)
        # Recorded and counted in one transaction; the last vote needed decides at once.
        result = await memory.writer.submit(
            RecordAnswer(
                reference_of(request),
                answer,
                policy=memory.validation.policy,
                request=convert.request_key(request, caller),
            )
        )
        return pb.AnswerResponse(
            candidate=convert.to_candidate(result.candidate, result.tally),
            event=convert.to_validation_event(result.event) if result.event else None,
            outcome=convert.to_outcome(result.outcome) if result.outcome else None,
            version=result.version,
            message=result.message,
        )

    async def DirectCandidate(
        self, request: pb.DirectCandidateRequest, context: Context
    ) -> pb.DirectCandidateResponse:
        """Flag a candidate, send it to dreaming, or ask its author for evidence."""
        caller = CALLER.get()
        direction = from_number(request.action, _DIRECTIONS, "action")
        memory = await self._memory()
        candidate = await memory.writer.submit(
            DirectCandidate(
                CandidateReference(
                    request.candidate_id, _text(request.candidate_cid, "candidate_cid")
                ),
                direction,
                principal=caller.principal,
                ttl_seconds=memory.validation.policy.ttl_seconds,
                request=convert.request_key(request, caller),
            )
        )
        return pb.DirectCandidateResponse(candidate=convert.to_candidate(candidate))


def _proposal(
    request: pb.ProposeCandidateRequest,
    caller: RpcCaller,
    registry: Registry,
    policy: ValidationPolicy,
) -> Proposal:
    """Convert a request to a proposal."""
    subject = _needed(request.subject_raw, "subject_raw")
    object = _needed(request.object_raw, "object_raw")
    predicate = registry.named(_needed(request.predicate, "predicate"))
    if not 0.0 <= request.confidence <= 1.0:
        raise InvalidArgument("confidence lies between 0 and 1", field="confidence")
    # The author of the text is the principal that a trusted caller speaks for.
    spoken_for = caller.principal if caller.principal != caller.credential.name else ""
    author = checked_name(request.author, "author") if request.author else spoken_for
    # Without one, it is the person that the statement is about, who knows it too.
    author = author or next((it for it in policy.people if is_same(it, subject)), "")
    return Proposal(
        # Names as models write them: "the staging database" becomes one token.
        Triple(
            written_token(subject, "subject_raw"),
            written_token(object, "object_raw"),
            predicate.dimension,
            predicate.is_isa,
            request.negated,
        ),
        # As sure as its extractor says; people are asked all the same.
        confidence=request.confidence,
        source=StatementSource.EXTRACTED,
        # Who speaks and proposes is taken from the credential, never from the request (E5).
        principal=caller.principal,
        proposer=caller.credential.name,
        subject=caller.subject,
        asserts=False,  # however sure a client is
        # Cut, not refused: a sentence is shown as evidence, and a model's may be long.
        evidence=Evidence(
            printable(request.sentence.strip())[:SENTENCE_CHARACTERS_MAX], "proposed"
        ),
        candidacy=CandidateDetails(
            external_id=_text(request.external_id, "external_id"),
            predicate=predicate.uri,
            subject_raw=printable(subject),
            object_raw=printable(object),
            author=author,
            message_id=_text(request.message_id, "message_id"),
            chunk_id=_text(request.chunk_id, "chunk_id"),
            extractor_version=_text(request.extractor_version, "extractor_version"),
            prompt_hash=_text(request.prompt_hash, "prompt_hash"),
            model_version=_text(request.model_version, "model_version"),
            justification=printable(request.justification)[:SENTENCE_CHARACTERS_MAX],
            priority=_priority(request.priority, caller),
            channel=_text(request.channel, "channel"),
        ),
    )


def _answer_input(request: pb.AnswerRequest, caller: RpcCaller) -> AnswerInput:
    """Convert a request to an answer and its author."""
    # A bot answers for the person that it names; without one it would vote itself.
    is_own = caller.principal == caller.credential.name
    if is_own and not caller.operator:
        raise PermissionDenied(
            f"{caller.principal} may answer for people only: say for whom (responder "
            "in JSON, festinger-principal in the metadata of a call)",
            principal=caller.principal,
        )
    return AnswerInput(
        caller.principal,
        from_number(request.response, _RESPONSES, "response"),
        is_operator=is_own,
        question_id=request.question_id,
        note=checked(request.note, "note", NOTE_CHARACTERS_MAX),
        bot_id=_text(request.bot_id, "bot_id"),
        delivery=_text(request.delivery, "delivery"),
        disputed=request.dispute,
    )


def _may_see(
    caller: RpcCaller, candidate: Candidate, events: list[ValidationEvent], now: float
) -> bool:
    """Return whether a caller may see the answers of others; votes are blind (I5)."""
    # Once the time is over no vote can follow, so that seeing them spoils none.
    return (
        caller.operator
        or candidate.is_over(now)
        # Answered already, under any spelling of the name.
        or any(is_same(event.responder, caller.principal) for event in events)
    )


def _put_forward(
    caller: RpcCaller, candidate: Candidate, memory: TenantMemory
) -> candidate_pb2.Candidate:
    """Convert a proposed candidate to a message for its proposer."""
    # Somebody else may have proposed it first; their private text is not for this caller.
    told = convert.to_candidate(candidate)
    # A trusted caller has one credential for everybody it speaks for.
    is_own = caller.principal == caller.credential.name == candidate.proposer
    if is_own or not candidate.sensitive:
        return told
    policy = memory.validation.policy
    role = role_of(caller.principal, candidate, policy, is_operator=caller.operator)
    # Moderators, operators and the people whose statement it is.
    if role is not VoterRole.COMMUNITY:
        return told
    # That it waits, and its number, is all that a proposer needs.
    return candidate_pb2.Candidate(
        id=told.id,
        cid=told.cid,
        external_id=told.external_id,
        state=told.state,
        triple=told.triple,
        sensitive=True,
    )


def _check_private(
    caller: RpcCaller, candidate: Candidate, policy: ValidationPolicy
) -> None:
    """Require that the caller may see a private candidate."""
    role = role_of(caller.principal, candidate, policy, is_operator=caller.operator)
    # Whoever's statement it is has the role of its author, and may see it.
    if role is VoterRole.COMMUNITY:
        raise PermissionDenied(
            f"candidate #{candidate.id} holds what is private: it is shown to moderators "
            "and operators only",
            candidate_id=str(candidate.id),
        )


def _priority(priority: int, caller: RpcCaller) -> str:
    """Convert the enum value of a priority; empty if unspecified."""
    # Unspecified leaves it to the policy.
    if not priority:
        return ""
    name = from_number(priority, _PRIORITIES, "priority")
    # Urgent ones are asked about before others', so that no agent may jump the queue.
    if name in _URGENT and not caller.operator:
        raise PermissionDenied(
            f"only operators can make a candidate {name}: leave the priority out",
            principal=caller.principal,
        )
    return name


def _needed(text: str, field: str) -> str:
    if not text.strip():
        raise InvalidArgument(f"{field} is needed", field=field)
    return _text(text.strip(), field)


def _text(text: str, field: str) -> str:
    return checked(text, field, NAME_CHARACTERS_MAX)
