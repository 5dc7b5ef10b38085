"""Step 2: read what the headers say of the conversation."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from festinger.shim.loops.loopguard import LoopWatch
from festinger.shim.proxy.guard import RequestRefused
from festinger.shim.steps.context import PromptContext
from festinger.shim.steps.state import ShimState

# Visible ASCII: the name comes back in a response header and stands in paths.
_SESSION_NAME: Final = re.compile(r"[\x21-\x7e]{1,128}")


def identify(context: PromptContext, shim: ShimState) -> None:
    """Find the session that the client names, and the loop rules that it disables.

    Raises:
        RequestRefused: `X-Festinger-Session` or `X-Festinger-Loops` is invalid.
    """
    # `session_id` becomes the found session's name if the client gives none.
    context.name = context.session_id = _session_name(context.headers)
    context.watch = LoopWatch(
        shim.settings.loops, context.path, context.headers, shim.loops
    )


def _session_name(headers: Mapping[str, str]) -> str | None:
    name = headers.get("X-Festinger-Session", "").strip()
    if not name:
        return None
    if not _SESSION_NAME.fullmatch(name):
        raise RequestRefused(
            400, "X-Festinger-Session must be 1 to 128 visible ASCII characters"
        )
    return name
