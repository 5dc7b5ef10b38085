"""A stand-in for the memory server: questions that tests write down, over real gRPC."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
from grpc_status import rpc_status

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1 import validation_service_pb2_grpc
from festinger.api.v1.candidate_pb2 import Candidate
from festinger.api.v1.validation_pb2 import Bot, Question, ValidationEvent
from festinger.errors import FestingerError, QuestionNotFound
from festinger.rpc.system.status import status_of


class Asker(validation_service_pb2_grpc.ValidationServiceServicer):
    """
    Gives out questions until they are reported, and keeps the answers.

    As the server does, it takes an answer of a known delivery for that answer.

    Attributes:
        attempts: How often an answer was brought, taken or not.
    """

    def __init__(self) -> None:
        self.questions: dict[int, Question] = {}
        self.updates: list[int] = []
        self.reports: list[tuple[int, str, str]] = []
        self.answers: list[tuple[str, pb.AnswerRequest]] = []
        self.deliveries: set[tuple[str, str]] = set()
        self.attempts = 0
        self.repeated = 0
        self.opted_out: dict[str, bool] = {}
        self.leases: list[pb.LeaseQuestionsRequest] = []
        self.metadata: list[dict[str, str]] = []
        self.refusal: FestingerError | None = None
        self.fails: grpc.StatusCode | None = None
        self.reporting = asyncio.Event()
        self.reporting.set()
        self.message = "Thank you."
        self.address = ""
        self._port = 0
        self._server: Any = None

    async def start(self) -> None:
        """Listen; on the same port as before, if it did."""
        self._server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        validation_service_pb2_grpc.add_ValidationServiceServicer_to_server(
            self, self._server
        )
        self._port = self._server.add_insecure_port(f"127.0.0.1:{self._port}")
        await self._server.start()
        self.address = f"127.0.0.1:{self._port}"

    async def stop(self) -> None:
        """Go away."""
        await self._server.stop(None)

    def ask(
        self, number: int = 1, text: str = "Did you join?", **fields: Any
    ) -> Question:
        """Put a question that is to be posted."""
        question = Question(
            id=number,
            candidate_id=fields.pop("candidate_id", 100 + number),
            text=text,
            options=fields.pop("options", ("Yes", "No", "Not sure")),
            state=Question.STATE_WAITING,
            bot=fields.pop("bot", Bot.BOT_BARKEEP),
            **fields,
        )
        question.create_time.seconds = 1_800_000_000 + number
        self.questions[number] = question
        return question

    def close(self, number: int, because: str, outcome: str = "") -> None:
        """Close a question; its message has to be changed."""
        question = self.questions[number]
        question.state = Question.STATE_CLOSED
        question.closed_because, question.outcome = because, outcome
        if question.reference:
            self.updates.append(number)

    @property
    def said(self) -> list[tuple[str, int, str]]:
        """The accounts, questions and answers, in order."""
        return [(who, it.question_id, _word(it.response)) for who, it in self.answers]

    async def LeaseQuestions(self, request: Any, context: Any) -> Any:
        """Give out what waits, to those who can reach it."""
        await self._meet(context)
        self.leases.append(request)
        post = [
            it
            for it in self.questions.values()
            if it.state == Question.STATE_WAITING
            and (it.recipient in request.recipients or it.channel in request.channels)
        ]
        return pb.LeaseQuestionsResponse(
            post=post, update=[self.questions[it] for it in self.updates]
        )

    async def ReportQuestion(self, request: Any, context: Any) -> Any:
        """Note what became of a question."""
        await self._meet(context)
        await self.reporting.wait()
        question = self.questions[request.question_id]
        self.reports.append((question.id, request.result, request.error))
        if request.result == "posted":
            question.reference = request.reference
            if question.state == Question.STATE_WAITING:
                question.state = Question.STATE_POSTED
        elif request.result == "unreachable":
            question.state = Question.STATE_FAILED
        elif request.result == "updated":
            self.updates.remove(question.id)
        return pb.ReportQuestionResponse(question=question)

    async def FindQuestion(self, request: Any, context: Any) -> Any:
        """Find what was reported."""
        await self._meet(context)
        found = [
            it for it in self.questions.values() if it.reference == request.reference
        ]
        if not found:
            await self._refuse(context, QuestionNotFound("no such question"))
        return pb.FindQuestionResponse(questions=found)

    async def Answer(self, request: Any, context: Any) -> Any:
        """Keep an answer, once by its delivery."""
        self.attempts += 1
        await self._meet(context)
        if self.refusal:
            await self._refuse(context, self.refusal)
        key = (request.bot_id, request.delivery)
        if key in self.deliveries:
            self.repeated += 1
        else:
            self.deliveries.add(key)
            self.answers.append((self.metadata[-1]["festinger-principal"], request))
        return pb.AnswerResponse(
            candidate=Candidate(id=self.questions[request.question_id].candidate_id),
            message=self.message,
        )

    async def SetOptOut(self, request: Any, context: Any) -> Any:
        """Keep who does not want to be asked."""
        await self._meet(context)
        principal = self.metadata[-1]["festinger-principal"]
        self.opted_out[principal] = request.opted_out
        return pb.SetOptOutResponse(principal=principal, opted_out=request.opted_out)

    async def _meet(self, context: Any) -> None:
        self.metadata.append(dict(context.invocation_metadata()))
        if self.fails:
            await context.abort(self.fails, "as told")

    async def _refuse(self, context: Any, error: FestingerError) -> None:
        await context.abort_with_status(rpc_status.to_status(status_of(error, "test")))


def _word(response: Any) -> str:
    return ValidationEvent.Response.Name(response).removeprefix("RESPONSE_").lower()
