"""Step 7: record what became of a prompt."""

from __future__ import annotations

from functools import partial

import structlog

from festinger.shim.recollection.why import report_of
from festinger.shim.steps.context import PromptContext
from festinger.shim.steps.state import ShimState

log = structlog.get_logger(__name__)


def record(context: PromptContext, shim: ShimState) -> None:
    """Count the prompt's result, and add its record to the session's."""
    result, milliseconds = context.result, context.milliseconds
    log.debug(
        "prompt", path=context.path, result=result, added_ms=round(milliseconds, 2)
    )
    # Without a watch it is a foreign page's prompt, which is not to be enriched.
    if watch := context.watch:
        shim.results[result] += 1
        if context.missed:
            shim.results[f"missed:{context.missed}"] += 1
    shim.statistics.requests[context.path, result] += 1
    shim.statistics.added.add(milliseconds / 1000)
    # Nothing to file the record under: parsing failed before a session was found.
    if context.session_id is None:
        return
    caller, account = context.caller, context.account
    account.route, account.result = context.path, result
    account.project = caller.project
    account.missed, account.milliseconds = context.missed, milliseconds
    # The list itself: a repetition in the answer is added to it while it is streamed.
    account.loops = watch.activations if watch else ()
    shim.accounts.add(caller.principal, context.session_id, account)
    if shim.site:
        shim.site.note(
            # Computed only if somebody watches the console's stream.
            partial(report_of, caller.principal, context.session_id, account),
            told_anything=bool(account.told),
        )
