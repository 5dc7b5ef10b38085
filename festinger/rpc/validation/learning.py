"""RPC methods for training on people's answers, and for validation metrics."""

from __future__ import annotations

import json

import grpc

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1.validation_service_pb2_grpc import ValidationServiceServicer
from festinger.core.graph.candidates import Priority
from festinger.core.validation.calibration import Calibration
from festinger.core.validation.drift import SHOWN_MAX, Drift
from festinger.core.validation.metrics import (
    HOURS,
    HOURS_MAX,
    ValidationMetrics,
    alerts,
)
from festinger.errors import InvalidArgument
from festinger.rpc import convert
from festinger.rpc.fields import message_of, to_time
from festinger.rpc.serving import TenantServicer
from festinger.rpc.system.callers import Context
from festinger.services.validation.retrainer import Retrainer
from festinger.store.validation.records import Rater


class TrainingMethods(TenantServicer, ValidationServiceServicer):
    """Training and metrics methods of `festinger.rpc.validation.validation_service`."""

    _retrainer: Retrainer | None

    async def ExportLabels(
        self, request: pb.ExportLabelsRequest, context: Context
    ) -> None:
        """Stream every decided candidate as a labelled example."""
        tenant = await self._tenant()
        since = 0.0  # all decisions
        if request.HasField("since_time"):
            since = convert.from_time(request.since_time, "since_time")
        examples = (await self._need_retrainer(context)).examples(
            tenant, since, named=request.named, sensitive=request.sensitive
        )
        async for each in examples:
            # One line of JSON Lines; names stay readable.
            line = json.dumps(each, ensure_ascii=False)
            await context.write(pb.ExportLabelsResponse(json=line))

    async def Learn(
        self, request: pb.LearnRequest, context: Context
    ) -> pb.LearnResponse:
        """Train on all answers, and return the result."""
        tenant = await self._tenant()
        lesson = await (await self._need_retrainer(context)).learn(tenant)
        return pb.LearnResponse(
            vote_count=lesson.votes,
            rater_count=len(lesson.reputations.of),
            calibrations=map(to_calibration, lesson.calibrations),
            drift=to_drift(lesson.drift),
        )

    async def ListRaters(
        self, request: pb.ListRatersRequest, context: Context
    ) -> pb.ListRatersResponse:
        """Return the people who answer, with their skills and reputation."""
        tenant = await self._tenant()
        raters, ratings = await (await self._need_retrainer(context)).raters(tenant)
        return pb.ListRatersResponse(
            raters=map(to_rater, raters), fit_time=to_time(ratings.fitted)
        )

    async def GetValidationMetrics(
        self, request: pb.GetValidationMetricsRequest, context: Context
    ) -> pb.GetValidationMetricsResponse:
        """Return the metrics of validation."""
        if not 0 <= request.hours <= HOURS_MAX:
            raise InvalidArgument(
                f"hours is {request.hours}; ask for 1 to {HOURS_MAX}, or 0 for {HOURS}",
                field="hours",
            )
        tenant = await self._tenant()
        # 0 stands for a day.
        metrics = await (await self._need_retrainer(context)).metrics(
            tenant, request.hours or HOURS
        )
        return to_metrics(metrics)

    async def _tenant(self) -> str:
        """Return the caller's tenant, after making sure that it exists."""
        return (await self._memory()).tenant

    async def _need_retrainer(self, context: Context) -> Retrainer:
        # No backend: UNIMPLEMENTED, as for a service that is not there.
        if self._retrainer is None:
            await context.abort(
                grpc.StatusCode.UNIMPLEMENTED, "this server learns nothing from people"
            )
        assert self._retrainer, "abort raises"  # for the type checker
        return self._retrainer


def to_rater(rater: Rater) -> pb.Rater:
    """Convert a person who answers, and their reputation, to a message."""
    known = rater.reputation
    return message_of(
        pb.Rater,
        rater,
        yes_skill=known.skill.yes,
        no_skill=known.skill.no,
        judged_count=known.judged,
        bloc=known.bloc,
    )


def to_calibration(calibration: Calibration) -> pb.Calibration:
    """Convert the calibration of an extractor's confidence to a message."""
    return message_of(pb.Calibration, calibration)


def to_drift(drift: Drift) -> pb.Drift:
    """Convert the drift between held statements and later ones to a message."""
    whole = drift.whole
    before = whole.compared_before
    return pb.Drift(
        compared_count=whole.compared,
        agreed_count=whole.agreed,
        # Nothing compared: 0.
        agreed_before=whole.agreed_before / before if before else 0.0,
        rules=map(str, drift.rules[:SHOWN_MAX]),  # the most significant first
        drifting=bool(drift.drifting),
    )


def to_metrics(metrics: ValidationMetrics) -> pb.GetValidationMetricsResponse:
    """Convert the metrics of validation to a response."""
    return message_of(
        pb.GetValidationMetricsResponse,
        metrics,
        priorities=[_of_priority(metrics, priority) for priority in Priority],
        alerts=[
            message_of(pb.GetValidationMetricsResponse.Alert, each)
            for each in alerts(metrics)
        ],
        breaker_reason=metrics.breaker.reason if metrics.breaker_open else "",
        waiting_question_count=metrics.waiting,
        drift=to_drift(metrics.drift),
        hours=[
            message_of(
                pb.GetValidationMetricsResponse.Hour,
                each,
                start_time=to_time(each.began),
            )
            for each in metrics.by_hour
        ],
    )


def _of_priority(
    metrics: ValidationMetrics, priority: Priority
) -> pb.GetValidationMetricsResponse.OfPriority:
    of = metrics.of(priority)
    return message_of(
        pb.GetValidationMetricsResponse.OfPriority,
        of,
        priority=f"PRIORITY_{priority.name}",
        breach_count=of.breached,
    )
