"""`festinger system doctor`, of a shim that only callers with a token may ask."""

from __future__ import annotations

import asyncio

import pytest

from festinger.cli.system.diagnoses import Severity, check_shim


@pytest.fixture
def settings(settings):
    """Every caller needs a token, as in a container."""
    shim = settings.shim.model_copy(update={"require_tokens": True})
    return settings.model_copy(update={"shim": shim})


async def test_a_shim_that_demands_tokens_is_found_ready(festinger):
    """The token of this machine is in the data directory."""
    shim = festinger.settings.shim.model_copy(
        update={"address": festinger.running.shim}
    )
    settings = festinger.settings.model_copy(update={"shim": shim})

    found = await asyncio.to_thread(lambda: list(check_shim(settings)))

    assert (found[0].check, found[0].severity) == ("shim", Severity.OK)
