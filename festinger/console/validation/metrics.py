"""Page of metrics: plots over time, validation, alerts and the backlog of dreaming."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from aiohttp import web

from festinger.api.v1 import validation_service_pb2 as pb
from festinger.api.v1.admin_service_pb2 import GetTrendsRequest
from festinger.api.v1.validation_pb2 import BacklogItem
from festinger.console import plots
from festinger.console.context import PathRoute, RequestContext
from festinger.console.errors import PageRefused
from festinger.console.progress import REFRESH_SECONDS, or_refused, started

PERIODS: Final = {24: "a day", 168: "a week", 720: "30 days"}
"""The periods of the metrics in hours, with their names."""
BACKLOG_MAX: Final = 200
"""The maximum number of backlog items that are counted."""
DREAM_RUNS_MAX: Final = 7
RATERS_MAX: Final = 50
"""The maximum number of raters that are listed, by karma."""


async def shown(context: RequestContext) -> web.Response:
    """Show the metrics."""
    hours = context.query_number("hours")
    # An unknown period of an old bookmark shows the first one.
    hours = hours if hours in PERIODS else next(iter(PERIODS))
    asked = await asyncio.gather(
        or_refused(context, pb.GetValidationMetricsRequest(hours=hours)),
        or_refused(context, pb.ListRatersRequest()),
        or_refused(
            context,
            pb.ListBacklogRequest(
                states=[BacklogItem.STATE_WAITING, BacklogItem.STATE_LEASED],
                page_size=BACKLOG_MAX,
            ),
        ),
        or_refused(context, GetTrendsRequest()),
    )
    # Calls that fail for the same reason tell it once.
    refusals = {str(it): it for it in asked if isinstance(it, PageRefused)}
    metrics, raters, backlog, trends = (
        None if isinstance(it, PageRefused) else it for it in asked
    )
    dreaming = backlog is not None and any(map(_is_under_way, backlog.dream_runs))
    response = context.page(
        # Each part is shown as far as its call succeeded.
        "metrics.html",
        hours=hours,
        periods=PERIODS,
        metrics=metrics,
        told=plots.told(context.told_hours()),
        trends=plots.trends(trends.days) if trends else [],
        throughput=plots.throughput(metrics.hours) if metrics else None,
        plots=[
            (it, plots.reliability(it.bins))
            for it in (metrics.calibrations if metrics else ())
        ],
        raters=_best(raters),
        rater_count=len(raters.raters) if raters else 0,
        backlog=backlog,
        dream_runs=backlog.dream_runs[:DREAM_RUNS_MAX] if backlog else (),
        dreaming=dreaming,
        refusals=list(refusals),
        learnt=raters.fit_time if raters and raters.HasField("fit_time") else None,
    )
    if dreaming:
        # Reloads the page while a night is active, in browsers without scripts too.
        response.headers["Refresh"] = REFRESH_SECONDS
    return response


async def dream(context: RequestContext) -> web.StreamResponse:
    """Start dreaming on the backlog; stream its progress if the client accepts it."""
    return await started(context, pb.DreamRequest(), _part, "/admin/metrics")


async def learn(context: RequestContext) -> web.Response:
    """Learn reputations and calibrations now."""
    await context.ask(pb.LearnRequest())
    return context.go("/admin/metrics")


def _part(context: RequestContext, answer: pb.DreamResponse) -> dict[str, Any]:
    """Return the parts of the page that a response of `Dream` changes."""
    # Rendered here, so that scripts put in what the page would show after a reload.
    item = ""
    if answer.HasField("item"):
        item = context.render("parts/dreamt.html", item=answer.item)
    dream_run = answer.dream_run
    return {
        "run": context.render("parts/dream_run.html", dream_run=dream_run),
        "item": item,
        "done": not _is_under_way(dream_run),
    }


def _is_under_way(dream_run: pb.DreamRun) -> bool:
    return not dream_run.HasField("end_time")


def _best(raters: pb.ListRatersResponse | None) -> list[pb.Rater]:
    if raters is None:
        return []
    return sorted(raters.raters, key=lambda it: -it.karma)[:RATERS_MAX]


ROUTES: Final = (
    PathRoute("GET", "/admin/metrics", shown),
    PathRoute("POST", "/admin/dream", dream),
    PathRoute("POST", "/admin/learn", learn),
)
