"""LearningService: leases of unread turns, and the answers of models about them."""

from __future__ import annotations

import json
import uuid

from festinger.api.v1 import learning_service_pb2 as pb
from festinger.api.v1.learning_service_pb2_grpc import LearningServiceServicer
from festinger.core.graph.outcome import Verdict
from festinger.core.language.reader.questions import SCHEMA, SYSTEM, TOKENS_MIN
from festinger.core.recollection.weighing import shipped
from festinger.core.system.excerpt import printable
from festinger.errors import InvalidArgument
from festinger.rpc import convert
from festinger.rpc.fields import message_of, to_time
from festinger.rpc.recollection.decoding import MODEL_CHARACTERS_MAX
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system.callers import Context
from festinger.services.language.embedding import embed, unembedded
from festinger.services.language.reader.turns import TurnReading
from festinger.services.world.memory import Memories

FAILURE_CHARACTERS_MAX = 500  # an error's text of a client, for the log and the status
LINES_MAX = 256  # of a listing of lines, and of the embeddings in a call

# Encoded once: it is the same for every lease, and may be long.
_SCHEMA = json.dumps(SCHEMA)


class LearningServicer(TenantServicer, LearningServiceServicer):
    """Servicer that leases turns to clients with a model and takes the answers."""

    def __init__(self, memories: Memories, reading: TurnReading) -> None:
        super().__init__(memories)
        self._reading = reading

    async def LeaseTurns(
        self, request: pb.LeaseTurnsRequest, context: Context
    ) -> pb.LeaseTurnsResponse:
        """Lease the next turns that fit into the client's token limit, if any."""
        if request.tokens_max < 0:
            raise InvalidArgument("tokens_max is not negative", field="tokens_max")
        leased = await self._reading.lease(await self._memory(), request.tokens_max)
        if leased is None:
            return pb.LeaseTurnsResponse(tokens_min=TOKENS_MIN)
        return pb.LeaseTurnsResponse(
            lease=str(leased.lease),
            system=SYSTEM,
            prompt=leased.request.prompt,
            schema=_SCHEMA,
            tokens=leased.request.tokens,  # estimated, not counted by the model
            turn_count=len(leased.request.parts),
            tokens_min=TOKENS_MIN,
        )

    async def SubmitAnswer(
        self, request: pb.SubmitAnswerRequest, context: Context
    ) -> pb.SubmitAnswerResponse:
        """Learn from a model's answer about leased turns."""
        lease = _lease(request.lease)
        # A negative count would lower the statistics of what reading costs.
        tokens = max(0, request.token_count)
        learnt = await self._reading.submit(
            await self._memory(), lease, request.answer, tokens
        )
        verdicts = learnt.verdicts
        return pb.SubmitAnswerResponse(
            held_count=verdicts[Verdict.HELD],
            corroborated_count=verdicts[Verdict.CORROBORATED],
            candidate_count=verdicts[Verdict.CANDIDATE],
            conflicted_count=verdicts[Verdict.CONFLICTED],
        )

    async def ReleaseTurns(
        self, request: pb.ReleaseTurnsRequest, context: Context
    ) -> pb.ReleaseTurnsResponse:
        """Release a lease, or record that reading its turns failed."""
        lease, memory = _lease(request.lease), await self._memory()
        # Returned with a reason it counts as an attempt, and is postponed; without one it is not.
        if request.failure:
            # Printable, since it is shown to operators in a terminal.
            why = printable(request.failure[:FAILURE_CHARACTERS_MAX])
            await self._reading.fail(memory, lease, why)
        else:
            await self._reading.release(memory, lease)
        return pb.ReleaseTurnsResponse()

    async def GetLearning(
        self, request: pb.GetLearningRequest, context: Context
    ) -> pb.GetLearningResponse:
        """Return the number of waiting turns and the statistics of reading."""
        memory = await self._memory()
        counts = await self._reading.counts(memory)
        statistics = self._reading.statistics(memory.tenant)
        return message_of(
            pb.GetLearningResponse,
            statistics,
            enabled=memory.is_read,
            waiting_count=counts.waiting,
            reading_count=counts.reading,
            postponed_count=counts.postponed,
            oldest_time=to_time(counts.oldest),
            candidate_count=statistics.statements[Verdict.CANDIDATE],
            refused_counts=statistics.refused,
        )

    async def ListUnembeddedLines(
        self, request: pb.ListUnembeddedLinesRequest, context: Context
    ) -> pb.ListUnembeddedLinesResponse:
        """List lines that have no embedding of a model yet."""
        model = convert.checked(request.model, "model", MODEL_CHARACTERS_MAX)
        if not 0 <= request.page_size <= LINES_MAX:
            raise InvalidArgument(
                f"page_size is from 0 to {LINES_MAX}", field="page_size"
            )
        memory = await self._memory()
        found = unembedded(memory, model, request.page_size or LINES_MAX)
        vectors = memory.world.lines.vectors
        line = pb.ListUnembeddedLinesResponse.Line
        return pb.ListUnembeddedLinesResponse(
            lines=[line(key=key, text=text) for key, text in found],
            waiting_count=vectors.waiting,
            embedded_count=len(vectors),
            # Weights hold for the models that they were fitted to (J17).
            supported=model in shipped().embedded,
        )

    async def SubmitEmbeddings(
        self, request: pb.SubmitEmbeddingsRequest, context: Context
    ) -> pb.SubmitEmbeddingsResponse:
        """Take the embeddings of lines."""
        if len(request.lines) > LINES_MAX:
            raise InvalidArgument(f"at most {LINES_MAX} lines", field="lines")
        model = convert.checked(request.model, "model", MODEL_CHARACTERS_MAX)
        found = [(line.key, line.vector) for line in request.lines]
        try:
            count = embed(await self._memory(), model, found)
        except ValueError as error:
            raise InvalidArgument(str(error), field="lines.vector") from None
        return pb.SubmitEmbeddingsResponse(embedded_count=count)


def _lease(text: str) -> uuid.UUID:
    # Any other text is a client's defect, and not a lease that was lost.
    try:
        return uuid.UUID(text)
    except ValueError:
        raise InvalidArgument(
            "lease must be what LeaseTurns answered", field="lease"
        ) from None
